// split: rounding to the share, everything of the class and nothing else, in time that grows with the class only.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { makeShareClass } from "../../kit/records.ts";
import {
  type Company,
  convertible,
  differences,
  done,
  foundCompany,
  type Given,
  get,
  lastEntries,
  makePlan,
  option,
  outcome,
  run,
  stock,
  warrant,
} from "../support.ts";

let company: Company;
beforeAll(async () => {
  company = await foundCompany();
});
afterAll(async () => {
  expect(differences(company)).toEqual([]);
  await company.server.stop();
});

async function freshClass(given: Given = {}): Promise<string> {
  return makeShareClass(company.server, { defaultIdPrefix: "SP-", initialSharesAuthorized: "1000000", ...given });
}

/** Splits a fresh class with one holding and tells the holding after it. */
async function splitOf(quantity: string, pricePerShare: string | null, ratio: Given): Promise<unknown[]> {
  const stockClassId = await freshClass();
  const id = await stock(company, { stockClassId, quantity, pricePerShare });
  const { securitiesAdjusted } = await done(company, "split", { stockClassId, effectiveDate: "2024-07-01", ...ratio });
  expect(securitiesAdjusted).toBe(1 as never);
  const after = await get(company, `/securities/${id}`);
  return [after.quantity, after.pricePerShare, after.status];
}

describe("split", () => {
  const rows: [string, string | null, Given, unknown[]][] = [
    ["1000", "3.00", { numerator: 2, denominator: 1 }, ["2000", "1.5", "ACTIVE"]],
    ["1000.0", "3.00", { numerator: 1, denominator: 1 }, ["1000.0", "3.00", "ACTIVE"]],
    ["1001", null, { numerator: 3, denominator: 2 }, ["1501", null, "ACTIVE"]],
    ["1001", null, { numerator: 3, denominator: 2, rounding: "DOWN" }, ["1501", null, "ACTIVE"]],
    ["1001", null, { numerator: 3, denominator: 2, rounding: "UP" }, ["1502", null, "ACTIVE"]],
    ["1001", null, { numerator: 3, denominator: 2, rounding: "NEAREST" }, ["1502", null, "ACTIVE"]],
    ["1001", null, { numerator: 3, denominator: 2, rounding: "FRACTIONAL" }, ["1501.5", null, "ACTIVE"]],
    ["1000", "1", { numerator: 1, denominator: 3, rounding: "NEAREST" }, ["333", "3", "ACTIVE"]],
    [
      "1000",
      "1",
      { numerator: 3, denominator: 7, rounding: "FRACTIONAL" },
      ["428.5714285714", "2.3333333333", "ACTIVE"],
    ],
    ["0.5", null, { numerator: 1, denominator: 1, rounding: "NEAREST" }, ["1", null, "ACTIVE"]],
    ["2", "1", { numerator: 1, denominator: 3 }, ["0", "3", "CANCELLED"]],
    ["2", "1", { numerator: 1, denominator: 3, rounding: "UP" }, ["1", "3", "ACTIVE"]],
  ];
  test.each(rows)("%s shares at %s by %j", async (quantity, price, ratio, expected) => {
    expect(await splitOf(quantity, price, ratio)).toEqual(expected);
  });

  test("changes stock, options and warrants of the class, its authorized shares and its own plans, nothing else", async () => {
    const stockClassId = await freshClass({ initialSharesAuthorized: "100001" });
    const own = await makePlan(company.server, { stockClassIds: [stockClassId], initialSharesReserved: "10001" });
    const shared = await makePlan(company.server, { stockClassIds: [stockClassId, company.common] });
    const classless = await makePlan(company.server);
    const ids = {
      stock: await stock(company, { stockClassId, quantity: "101", pricePerShare: "3" }),
      option: await option(company, { stockPlanId: own, quantity: "51", exercisePrice: "0.25" }),
      sharedOption: await option(company, { stockPlanId: shared, stockClassId, quantity: "100" }),
      inferred: await option(company, { stockPlanId: classless, quantity: "100", exercisePrice: "1" }),
      warrant: await warrant(company, { stockClassId, quantity: "11", exercisePrice: "1.50" }),
      closed: await stock(company, { stockClassId, quantity: "7" }),
      otherClass: await stock(company, { quantity: "100" }),
      convertible: await convertible(company, { quantity: "100" }),
    };
    await company.server.api("PATCH", `/equity-plans/${classless}`, { stockClassIds: [stockClassId] });
    await company.server.api("PATCH", `/securities/${ids.closed}`, { status: "CANCELLED" });
    // Not before the corrections of today.
    const effectiveDate = new Date().toISOString().slice(0, 10);
    const body = { stockClassId, numerator: 3, denominator: 2, effectiveDate };
    const { transactionId, securitiesAdjusted } = await done(company, "split", body);
    expect(securitiesAdjusted).toBe(5 as never);

    const after: Record<string, unknown[]> = {};
    for (const [name, id] of Object.entries(ids)) {
      const { quantity, pricePerShare, exercisePrice } = await get(company, `/securities/${id}`);
      after[name] = [quantity, pricePerShare, exercisePrice];
    }
    expect(after).toEqual({
      stock: ["151", "2", null],
      option: ["76", null, "0.1666666667"],
      sharedOption: ["150", null, "0.1666666667"],
      inferred: ["150", null, "0.6666666667"],
      warrant: ["16", null, "1"],
      closed: ["7", null, null],
      otherClass: ["100", null, null],
      convertible: ["100", null, null],
    });
    expect(await get(company, `/share-classes/${stockClassId}`)).toMatchObject({
      initialSharesAuthorized: "100001",
      currentSharesAuthorized: "150001",
    });
    // 10,001 less 51 was 9,950 left; the reserve of a plan for several classes stays.
    expect(await get(company, `/equity-plans/${own}`)).toMatchObject({ currentSharesReserved: "14925" });
    expect(await get(company, `/equity-plans/${shared}`)).toMatchObject({ currentSharesReserved: "99900" });
    expect(await lastEntries(company, 1)).toMatchObject([
      {
        id: transactionId,
        type: "STOCK_SPLIT",
        securityId: null,
        quantity: null,
        metadata: {
          stockClassId,
          numerator: 3,
          denominator: 2,
          rounding: "DOWN",
          securitiesAdjusted: 5,
          inferredSecurityIds: [ids.inferred],
          roundedOff: { stock: "0.5", options: "0.5", warrants: "0.5", authorized: "0.5", reserves: "0" },
        },
      },
    ]);
  });

  const refused: [string, Given, string][] = [
    ["a zero", { numerator: 0 }, "422 #/numerator"],
    ["a fraction", { denominator: 1.5 }, "422 #/denominator"],
    ["an unknown rounding", { rounding: "HALF" }, "422 #/rounding"],
    ["an unknown class", { stockClassId: "unknown" }, "404 not-found"],
    ["figures that no decimal holds", { numerator: 9_000_000_000_000 }, "422 #/numerator"],
    ["prices that no decimal holds", { denominator: 9_000_000_000_000_000 }, "422 #/denominator"],
  ];
  test.each(refused)("with %s is refused", async (_what, given, expected) => {
    const stockClassId = await freshClass();
    await stock(company, { stockClassId, pricePerShare: "1" });
    const body = { stockClassId, numerator: 2, denominator: 1, effectiveDate: "2024-07-01", ...given };
    expect(outcome(await run(company, "split", body))).toBe(expected);
  });

  test("upwards beyond what the class then may have is refused", async () => {
    const stockClassId = await freshClass({ initialSharesAuthorized: "10" });
    for (let i = 0; i < 10; i++) await stock(company, { stockClassId, quantity: "1" });
    const body = { stockClassId, numerator: 1, denominator: 3, effectiveDate: "2024-07-01" };
    expect(outcome(await run(company, "split", { ...body, rounding: "UP" }))).toBe(
      "409 insufficient-authorized-shares",
    );
  });

  test("in a dry run tells every figure and changes none", async () => {
    const stockClassId = await freshClass();
    const id = await stock(company, { stockClassId, quantity: "10" });
    const body = { stockClassId, numerator: 2, denominator: 1, effectiveDate: "2024-07-01", dryRun: true };
    const { securitiesAdjusted, transactionId, effects } = (await run(company, "split", body)).json.data;
    expect([securitiesAdjusted, transactionId]).toEqual([1, null]);
    expect(effects).toContainEqual({ resourceType: "security", id, field: "quantity", before: "10", after: "20" });
    expect(await get(company, `/securities/${id}`)).toMatchObject({ quantity: "10" });
  });
});
