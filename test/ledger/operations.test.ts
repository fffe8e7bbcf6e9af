// The operations that make, change and end securities outside plans: one row says a command and what comes of it.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { makeShareClass } from "../kit/records.ts";
import {
  available,
  type Company,
  convertible,
  differences,
  done,
  foundCompany,
  freshCertificate,
  type Given,
  get,
  lastEntries,
  makePlan,
  option,
  outcome,
  run,
  standing,
  stock,
  warrant,
} from "./support.ts";

const missing = "00000000-0000-7000-8000-000000000000";
const makers = { stock, option, warrant, convertible } as const;
type Kind = keyof typeof makers;

let company: Company;
beforeAll(async () => {
  company = await foundCompany();
});
afterAll(async () => {
  expect(differences(company)).toEqual([]);
  await company.server.stop();
});

/** Runs an operation on a fresh security of 1,000 and tells the outcome, and what is left of the security. */
async function tryOn(kind: Kind, route: string, given: Given): Promise<string> {
  const securityId = await makers[kind](company, { quantity: "1000" });
  const answer = await run(company, route, { securityId, effectiveDate: "2024-06-30", ...given });
  return `${outcome(answer)} | ${await standing(company, securityId)}`;
}

describe("issue-warrant", () => {
  test("makes an ACTIVE warrant with what was said of it", async () => {
    const said = { expirationDate: "2031-01-15", vestingStartDate: "2024-02-01" };
    const id = await warrant(company, { ...said, quantity: "500", totalConsideration: "12.50", description: "Bank" });
    expect(await get(company, `/securities/${id}`)).toMatchObject({
      ...said,
      type: "WARRANT",
      status: "ACTIVE",
      quantity: "500",
      stockClassId: company.common,
      equityPlanId: null,
      exercisePrice: "1.50",
      purchasePrice: "12.50",
      grantDate: "2024-01-01",
    });
    expect(await lastEntries(company, 1)).toMatchObject([
      { type: "WARRANT_ISSUANCE", securityId: id, quantity: "500", metadata: { description: "Bank" } },
    ]);
  });

  const rows: [string, Given, string][] = [
    ["no class", { stockClassId: null }, "201"],
    ["an unknown class", { stockClassId: missing }, "404 not-found"],
    ["an unknown holder", { stakeholderId: missing }, "404 not-found"],
    ["unknown terms", { vestingTermsId: missing }, "404 not-found"],
    ["a quantity of zero", { quantity: "0" }, "422 #/quantity"],
    ["no strike", { exercisePrice: undefined }, "422 #/exercisePrice"],
  ];
  test.each(rows)("with %s", async (_what, given, expected) => {
    const body = {
      stakeholderId: company.holder,
      quantity: "10",
      exercisePrice: "1",
      certificateId: freshCertificate(),
      effectiveDate: "2024-01-01",
    };
    expect(outcome(await run(company, "issue-warrant", { ...body, ...given }))).toBe(expected);
  });
});

describe("issue-convertible", () => {
  test("makes an ACTIVE convertible whose terms come back", async () => {
    const terms = {
      convertibleType: "NOTE",
      valuationCap: "10000000",
      discountPercent: "20",
      interestRate: "5.5",
      dayCount: "30_360",
      maturityDate: "2026-01-01",
      seniority: 2,
    };
    const id = await convertible(company, { ...terms, quantity: "250000.00" });
    expect(await get(company, `/securities/${id}`)).toMatchObject({
      type: "CONVERTIBLE",
      status: "ACTIVE",
      quantity: "250000.00",
      stockClassId: null,
      convertibleTerms: terms,
      tokenStatus: "NOT_APPLICABLE",
    });
    expect(await lastEntries(company, 1)).toMatchObject([{ type: "CONVERTIBLE_ISSUANCE", metadata: terms }]);
  });

  const rows: [string, Given, string][] = [
    ["another kind", { convertibleType: "LOAN" }, "422 #/convertibleType"],
    ["another count of days", { dayCount: "ACTUAL_360" }, "422 #/dayCount"],
    ["a rank of zero", { seniority: 0 }, "422 #/seniority"],
    ["an unknown holder", { stakeholderId: missing }, "404 not-found"],
  ];
  test.each(rows)("with %s", async (_what, given, expected) => {
    const body = {
      stakeholderId: company.holder,
      quantity: "10",
      convertibleType: "SAFE",
      certificateId: freshCertificate(),
      effectiveDate: "2024-01-01",
    };
    expect(outcome(await run(company, "issue-convertible", { ...body, ...given }))).toBe(expected);
  });
});

describe("convert", () => {
  const rows: [string, Kind, Given, string][] = [
    ["all of a convertible", "convertible", { resultingQuantity: "31" }, "201 | CONVERTED 0"],
    ["part of a convertible", "convertible", { resultingQuantity: "31", quantity: "250" }, "201 | ACTIVE 750"],
    ["stock into another class", "stock", { resultingQuantity: "2000" }, "201 | CONVERTED 0"],
    ["part of the stock", "stock", { resultingQuantity: "2", quantity: "1" }, "201 | ACTIVE 999"],
    ["stock into its own class", "stock", { stockClassId: "common" }, "422 #/stockClassId | ACTIVE 1000"],
    ["an option", "option", {}, "422 #/securityId | ACTIVE 1000"],
    ["a warrant", "warrant", {}, "422 #/securityId | ACTIVE 1000"],
    ["more than there is", "convertible", { quantity: "1001" }, "422 #/quantity | ACTIVE 1000"],
    ["into nothing", "convertible", { resultingQuantity: "0" }, "422 #/resultingQuantity | ACTIVE 1000"],
    ["into an unknown class", "convertible", { stockClassId: missing }, "404 not-found | ACTIVE 1000"],
    [
      "into more than is authorized",
      "convertible",
      { resultingQuantity: "1000001" },
      "409 insufficient-authorized-shares | ACTIVE 1000",
    ],
    ["to a taken certificate", "stock", { certificateId: "PA-TAKEN" }, "409 duplicate-certificate-id | ACTIVE 1000"],
  ];
  test.each(rows)("%s", async (_what, kind, given, expected) => {
    if (given.certificateId) await stock(company, { certificateId: "PA-TAKEN", quantity: "1" });
    const ids: Record<string, string> = { common: company.common, preferred: company.preferred };
    const { stockClassId = "preferred" } = given as { stockClassId?: string };
    const body = { resultingQuantity: "10", ...given, stockClassId: ids[stockClassId] ?? stockClassId };
    expect(await tryOn(kind, "convert", body)).toBe(expected);
  });

  test("of a convertible is one entry with the resulting quantity, and the stock inherits", async () => {
    const securityId = await convertible(company, { quantity: "1000" });
    const { transactionId, newSecurityId } = await done(company, "convert", {
      securityId,
      stockClassId: company.preferred,
      resultingQuantity: "125.50",
      pricePerShare: "8",
      effectiveDate: "2024-06-30",
    });
    expect(await get(company, `/securities/${newSecurityId}`)).toMatchObject({
      type: "STOCK",
      status: "ACTIVE",
      quantity: "125.50",
      stakeholderId: company.holder,
      stockClassId: company.preferred,
      pricePerShare: "8",
      purchasePrice: "1004",
      originSecurityId: securityId,
      certificateId: expect.stringMatching(/^PA-\d+$/),
      convertibleTerms: null,
    });
    expect(await lastEntries(company, 1)).toMatchObject([
      {
        id: transactionId,
        type: "CONVERTIBLE_CONVERSION",
        securityId,
        quantity: "1000",
        metadata: { resultingQuantity: "125.50", newSecurityId, stockClassId: company.preferred },
      },
    ]);
  });

  test("of stock is a cancellation and an issuance, the first answered", async () => {
    const securityId = await stock(company, { quantity: "100", pricePerShare: "2" });
    const body = { securityId, stockClassId: company.preferred, resultingQuantity: "50", effectiveDate: "2024-06-30" };
    const { transactionId, newSecurityId } = await done(company, "convert", body);
    expect(await lastEntries(company, 2)).toMatchObject([
      { id: transactionId, type: "STOCK_CANCELLATION", securityId, quantity: "100", metadata: { conversion: true } },
      { type: "STOCK_ISSUANCE", securityId: newSecurityId, quantity: "50", metadata: { conversion: true } },
    ]);
    expect(await get(company, `/securities/${newSecurityId}`)).toMatchObject({
      quantity: "50",
      pricePerShare: "2",
      purchasePrice: "100",
    });
  });
});

describe("repurchase", () => {
  const rows: [string, Kind, Given, string][] = [
    ["part", "stock", { quantity: "250" }, "200 | ACTIVE 750"],
    ["all", "stock", {}, "200 | REPURCHASED 0"],
    ["more than there is", "stock", { quantity: "1000.0000000001" }, "422 #/quantity | ACTIVE 1000"],
    ["an option", "option", {}, "422 #/securityId | ACTIVE 1000"],
    ["without a price", "stock", { pricePerShare: undefined }, "422 #/pricePerShare | ACTIVE 1000"],
  ];
  test.each(rows)("%s", async (_what, kind, given, expected) => {
    expect(await tryOn(kind, "repurchase", { quantity: "1000", pricePerShare: "0.01", ...given })).toBe(expected);
  });
});

describe("retract", () => {
  const rows: [Kind, string, string][] = [
    ["stock", "STOCK_RETRACTION", "200 | CANCELLED 0"],
    ["option", "STOCK_OPTION_CANCELLATION", "200 | CANCELLED 0"],
    ["warrant", "WARRANT_CANCELLATION", "200 | CANCELLED 0"],
    ["convertible", "CONVERTIBLE_CANCELLATION", "200 | CANCELLED 0"],
  ];
  test.each(rows)("%s appends a %s", async (kind, type, expected) => {
    expect(await tryOn(kind, "retract", { reason: "Wrong holder" })).toBe(expected);
    const metadata = { retraction: true, reason: "Wrong holder" };
    expect(await lastEntries(company, 1)).toMatchObject([{ type, quantity: "1000", metadata }]);
  });

  test("needs a reason", async () => {
    expect(await tryOn("stock", "retract", { reason: " " })).toBe("422 #/reason | ACTIVE 1000");
  });
});

describe("an operation on a security that is not ACTIVE", () => {
  const bodies: [string, Given][] = [
    ["transfer", { quantity: "1" }],
    ["cancel", { quantity: "1", cancellationReason: "EXPIRATION" }],
    ["exercise", { quantity: "1", exercisePrice: "1" }],
    ["convert", { resultingQuantity: "1" }],
    ["repurchase", { quantity: "1", pricePerShare: "1" }],
    ["retract", { reason: "x" }],
    ["start-vesting", {}],
    ["accelerate-vesting", { quantity: "1", reason: "x" }],
    ["record-vesting-event", { quantity: "1" }],
  ];
  test.each(bodies)("%s is refused as such", async (route, given) => {
    const securityId = await stock(company, { quantity: "1" });
    await done(company, "retract", { securityId, reason: "x", effectiveDate: "2024-01-02" });
    const parties = { fromStakeholderId: company.holder, toStakeholderId: company.other };
    const more = { transfer: parties, convert: { stockClassId: company.preferred } }[route] ?? {};
    const answer = await run(company, route, { securityId, effectiveDate: "2024-06-30", ...given, ...more });
    expect(outcome(answer)).toBe("409 invalid-state");
  });
});

describe("adjust-authorized", () => {
  const rows: [string, string, string, string][] = [
    ["up", "2000000.0", "200", "2000000.0"],
    ["down to what is issued", "1000", "200", "1000"],
    ["below what is issued", "999", "409 insufficient-authorized-shares", "1000000"],
  ];
  test.each(rows)("%s", async (_what, newSharesAuthorized, expected, figure) => {
    const stockClassId = await makeShareClass(company.server, { defaultIdPrefix: "AA-" });
    await stock(company, { stockClassId });
    const body = { stockClassId, newSharesAuthorized, effectiveDate: "2024-06-30" };
    expect(outcome(await run(company, "adjust-authorized", body))).toBe(expected);
    const { currentSharesAuthorized, initialSharesAuthorized } = await get(company, `/share-classes/${stockClassId}`);
    expect([currentSharesAuthorized, initialSharesAuthorized]).toEqual([figure, "1000000"]);
  });

  test("after a PATCH of the same figure, spelled otherwise, is the first of the class", async () => {
    const stockClassId = await makeShareClass(company.server, { defaultIdPrefix: "AB-" });
    await company.server.api("PATCH", `/share-classes/${stockClassId}`, { initialSharesAuthorized: "1000000.00" });
    const body = { stockClassId, newSharesAuthorized: "5000", effectiveDate: "2024-06-30" };
    expect(outcome(await run(company, "adjust-authorized", body))).toBe("200");
  });

  test("of an unknown class is 404", async () => {
    const body = { stockClassId: missing, newSharesAuthorized: "1", effectiveDate: "2024-06-30" };
    expect(outcome(await run(company, "adjust-authorized", body))).toBe("404 not-found");
  });
});

describe("adjust-reserve", () => {
  const rows: [string, string, string, string][] = [
    ["up", "150000", "200", "149000"],
    ["down to what was granted", "1000", "200", "0"],
    ["below what was granted", "999.9", "409 insufficient-plan-reserve", "99000"],
  ];
  test.each(rows)("%s", async (_what, newSharesReserved, expected, left) => {
    const equityPlanId = await makePlan(company.server, { stockClassIds: [company.common] });
    await option(company, { stockPlanId: equityPlanId });
    const body = { equityPlanId, newSharesReserved, effectiveDate: "2024-06-30" };
    expect(outcome(await run(company, "adjust-reserve", body))).toBe(expected);
    expect(await available(company, equityPlanId)).toBe(left);
  });

  test("after a PATCH of the same figure, spelled otherwise, is the first of the plan", async () => {
    const equityPlanId = await makePlan(company.server, { stockClassIds: [company.common] });
    await company.server.api("PATCH", `/equity-plans/${equityPlanId}`, { initialSharesReserved: "100000.00" });
    const body = { equityPlanId, newSharesReserved: "5000", effectiveDate: "2024-06-30" };
    expect(outcome(await run(company, "adjust-reserve", body))).toBe("200");
  });
});
