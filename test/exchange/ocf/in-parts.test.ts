// What comes in by several imports, with work between them, counts as if it were all one package: an independent reader
// of the export gets what the organization has.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { startTestServer, type TestServer } from "../../kit/service.ts";
import { exportOf, ofType } from "./export/support.ts";
import { grant, note, stock, tx } from "./objects.ts";
import { HERE, Organization } from "./organization.ts";

setDefaultTimeout(120_000);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const DAY = "2024-01-10";
const MARCH = "2024-03-01";

/** What is available of the plan, of which 100000 are reserved. */
const availableIn = async (company: Organization) => (await company.addsUp()).plans.plan;

describe("what returns to a plan", () => {
  const O = grant("O", DAY, "100");
  const cancelled = [
    tx("EQUITY_COMPENSATION_CANCELLATION", MARCH, {
      security_id: "O",
      quantity: "40",
      balance_security_id: "O2",
      reason_text: "Left",
    }),
    grant("O2", MARCH, "60"),
  ];
  const returned = (quantity: string) =>
    tx("STOCK_PLAN_RETURN_TO_POOL", MARCH, {
      security_id: "O",
      stock_plan_id: "plan",
      quantity,
      reason_text: "As agreed",
    });

  test("by default is replaced by what a later package says", async () => {
    const company = await Organization.make(server);
    await company.import(O, ...cancelled);
    expect(await availableIn(company)).toMatchObject({ available: "99940" });
    await company.import(O, ...cancelled, returned("15"));
    expect(await availableIn(company)).toMatchObject({ available: "99915" });
    await company.import({ ...returned("5"), id: "more" });
    expect(await availableIn(company)).toMatchObject({ available: "99920" });
  });

  test("is not returned by default either where an earlier package said it", async () => {
    const company = await Organization.make(server);
    await company.import(O, returned("15"));
    await company.import(...cancelled);
    expect(await availableIn(company)).toMatchObject({ available: "99915" });
  });

  test("by default counts for the plan that it went to, also when the grant is moved to another one", async () => {
    for (const defaultCancellationBehavior of ["RETURN_TO_POOL", "RETIRE"]) {
      const company = await Organization.make(server);
      await company.import(O, ...cancelled);
      const stockClassIds = ["common"];
      const plan = { planName: "Other", initialSharesReserved: "1000", stockClassIds, defaultCancellationBehavior };
      const { id } = await company.call("POST", "/equity-plans", plan);
      await company.call("PATCH", "/securities/O", { stockPlanId: id });
      const { plans } = await company.addsUp();
      expect(plans.plan).toEqual({ reserved: "100000", available: "99940" });
    }
  });

  test("by default stays, and the reserve with it, when corrections need a return of the same grant", async () => {
    const company = await Organization.make(server);
    await company.import(O, ...cancelled);
    const other = await company.call("POST", "/equity-plans", {
      planName: "Other",
      initialSharesReserved: "1000",
      stockClassIds: ["common"],
    });
    await company.call("PATCH", "/securities/O2", { stockPlanId: other.id });
    expect(await availableIn(company)).toEqual({ reserved: "100000", available: "100000" });
    await company.import(O, ...cancelled, returned("15"));
    await company.addsUp();
  });
});

test("figures of a day on which others were set here count as the ledger has them, last recorded last", async () => {
  const company = await Organization.make(server);
  await company.import();
  await company.act("adjust-authorized", { stockClassId: "common", newSharesAuthorized: "500" });
  await company.act("adjust-reserve", { equityPlanId: "plan", newSharesReserved: "600" });
  const adjustments = (date: string, figure: string) => [
    tx("STOCK_CLASS_AUTHORIZED_SHARES_ADJUSTMENT", date, { stock_class_id: "common", new_shares_authorized: figure }),
    tx("STOCK_PLAN_POOL_ADJUSTMENT", date, { stock_plan_id: "plan", shares_reserved: figure }),
  ];
  const today = adjustments(HERE, "700");
  await company.import(...today);
  expect(await company.addsUp()).toMatchObject({ authorized: { common: "700" }, plans: { plan: { reserved: "700" } } });
  const { imported } = await company.import(...today, ...adjustments(MARCH, "800"));
  expect(imported.transactions).toBe(2);
  expect(await company.addsUp()).toMatchObject({ authorized: { common: "700" }, plans: { plan: { reserved: "700" } } });
  const exported = await exportOf(server, company.orgId);
  await company.act("adjust-reserve", { equityPlanId: "plan", newSharesReserved: "650" });
  expect(await company.addsUp()).toMatchObject({ plans: { plan: { reserved: "650" } } });
  expect(ofType(exported, "TX_STOCK_PLAN_POOL_ADJUSTMENT")).toHaveLength(4);
});

test("what an import ended and an edit opened again is issued anew in the export", async () => {
  for (const [issuance, kind] of [
    [stock("X", DAY, "100"), "STOCK"],
    [note("X", DAY, "100"), "CONVERTIBLE"],
    [grant("X", DAY, "100"), "EQUITY_COMPENSATION"],
  ] as const) {
    const company = await Organization.make(server);
    await company.import(issuance, tx(`${kind}_RETRACTION`, MARCH, { security_id: "X", reason_text: "An error" }));
    await company.call("PATCH", "/securities/X", { quantity: "52", status: "ACTIVE" });
    expect(Object.values((await company.addsUp()).holdings)).toEqual(["52"]);
    await company.call("PATCH", "/securities/X", { quantity: "60" });
    await company.transfer("X", "10");
    expect(Object.values((await company.addsUp()).holdings).sort()).toEqual(["10", "50"]);
    await company.call("PATCH", "/securities/X", { status: "CANCELLED" });
    expect(Object.values((await company.addsUp()).holdings)).toEqual(["10"]);
  }
});

test("shares that vested here by a count are not issued anew where an import sold them since", async () => {
  const terms = {
    object_type: "VESTING_TERMS",
    id: "terms",
    name: "On a sale",
    description: "All of it",
    allocation_type: "CUMULATIVE_ROUNDING",
    vesting_conditions: [{ id: "sale", quantity: "100", trigger: { type: "VESTING_EVENT" }, next_condition_ids: [] }],
  };
  const A = stock("A", DAY, "100", { vesting_terms_id: "terms" });
  const sold = [
    tx("STOCK_TRANSFER", "2026-01-01", { security_id: "A", quantity: "100", resulting_security_ids: ["R"] }),
    stock("R", "2026-01-01", "100", { stakeholder_id: "bob" }),
  ];
  const company = await Organization.make(server);
  await company.import(terms, A);
  await company.act("record-vesting-event", { securityId: "A", quantity: "25" });
  await company.addsUp();
  expect((await company.import(terms, A, ...sold)).errors).toEqual([]);
  expect((await company.addsUp()).holdings).toEqual({ "bob|STOCK|common": "100" });
});

test("a correction behind a split is said behind it, also of a security that moved to another class meanwhile", async () => {
  const company = await Organization.make(server);
  await company.import();
  const given = { stakeholderId: "ada", stockClassId: "common", quantity: "12.5", certificateId: "CS-1" };
  const { securityId } = await company.act("issue-shares", { ...given, pricePerShare: "1" });
  await company.split(5, 2, { rounding: "DOWN" });
  await company.call("PATCH", `/securities/${securityId}`, { stockClassId: "preferred", quantity: "15" });
  expect((await company.addsUp()).classes).toEqual({ preferred: "15" });
  const { objects } = await exportOf(server, company.orgId);
  expect(objects.filter(({ quantity }) => String(quantity).startsWith("-"))).toEqual([]);
  await company.call("PATCH", `/securities/${securityId}`, { status: "TRANSFERRED" });
  expect((await company.addsUp()).classes).toEqual({});
});

test("imported stock that moved between classes of which an import split one is what it is in the export", async () => {
  const split = (stock_class_id: string) =>
    tx("STOCK_CLASS_SPLIT", MARCH, { stock_class_id, split_ratio: { numerator: "7", denominator: "5" } });
  for (const [which, quantity] of [
    ["preferred", "28"],
    ["common", "39.2"],
  ] as const) {
    const company = await Organization.make(server);
    await company.import(stock("A", DAY, "28"), split(which));
    await company.call("PATCH", "/securities/A", { stockClassId: "preferred" });
    expect((await company.addsUp()).classes).toEqual({ preferred: quantity });
    await company.call("PATCH", "/securities/A", { quantity: "60", status: "CONVERTED" });
    expect((await company.addsUp()).classes).toEqual({});
  }
});
