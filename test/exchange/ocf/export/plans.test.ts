// Plans in an export, above all after a split of their class: the reserve goes out as the board set it, and a reader of
// the package, ourselves included, gets the plan's figures.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { firstSeed, seedCount } from "../../../kit/proof.ts";
import { seeded } from "../../../kit/random.ts";
import { makeShareClass, makeStakeholder } from "../../../kit/records.ts";
import { startTestServer, type TestServer } from "../../../kit/service.ts";
import type { Shape } from "./company.ts";
import { callerOf, type Exported, expectNoProblems, exportOf, importInto, ofType, tool } from "./support.ts";

const SEEDS = seedCount(1, 200);
const STEPS = 30;
const ROUNDINGS = ["DOWN", "UP", "NEAREST", "FRACTIONAL"];

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

type Caller = ReturnType<typeof callerOf>;

/** An organization with a class, a holder and a plan for that class alone. */
async function found(defaultCancellationBehavior = "RETIRE") {
  const orgId = await server.newOrganization("Split, Inc.");
  const call = callerOf(server, orgId);
  const classId = await makeShareClass(server, { initialSharesAuthorized: "100000000" }, { orgId });
  const holderId = await makeStakeholder(server, {}, { orgId });
  const planId = await addPlan({ call, classId }, defaultCancellationBehavior);
  return { orgId, call, classId, holderId, planId };
}
type Founded = Awaited<ReturnType<typeof found>>;

async function addPlan(company: { call: Caller; classId: string }, behavior: string): Promise<string> {
  const plan = { planName: "Plan", initialSharesReserved: "1000", stockClassIds: [company.classId] };
  return (await company.call("POST", "/equity-plans", { ...plan, defaultCancellationBehavior: behavior })).id;
}

let certificates = 0;

async function grant({ call, holderId, planId }: Founded, quantity: string, effectiveDate: string): Promise<string> {
  const terms = { exercisePrice: "1", optionType: "NSO", certificateId: `O-${++certificates}`, effectiveDate };
  const body = { stakeholderId: holderId, stockPlanId: planId, quantity, ...terms };
  return (await call("POST", "/transactions/issue-options", body)).securityId;
}

async function plansOf(call: Caller): Promise<Shape[]> {
  return (await call("GET", "/cap-table?asOf=9999-12-31")).equityPlans;
}

/** Imports an export into an organization of its own; returns that and its export. */
async function copied(exported: Exported) {
  const orgId = await server.newOrganization("Copy");
  const report = await importInto(server, orgId, exported.path);
  expect(report.errors).toEqual([]);
  return { orgId, call: callerOf(server, orgId) };
}

/** What an independent reader makes of the plan. */
async function oracleOf({ path }: Exported, planId: string) {
  const { reserved, available } = JSON.parse(await tool("ocf-oracle.mjs", path)).stockPlans[planId];
  return { reserved, available };
}

/** The only plan's figures, here, in a copy, and as far as OCF has them, for an independent reader. */
async function expectFigures({ call, planId }: Pick<Founded, "call" | "planId">, exported: Exported, line: Shape) {
  expect(await plansOf(call)).toMatchObject([{ id: planId, ...line }]);
  expect(await plansOf((await copied(exported)).call)).toEqual(await plansOf(call));
  const { reserved, available } = line;
  expect(await oracleOf(exported, planId)).toEqual({ reserved, available });
}

describe("a plan whose class was split", () => {
  const split = (
    classId: string,
    numerator: number,
    denominator: number,
    effectiveDate: string,
    rounding = "DOWN",
  ) => ({
    ...{ stockClassId: classId, numerator, denominator, effectiveDate, rounding },
  });

  test("exports each reserve as it was set, and comes back with all its figures", async () => {
    const company = await found();
    const { orgId, call, classId, planId } = company;
    const reserve = { equityPlanId: planId, newSharesReserved: "5000", effectiveDate: "2024-10-01" };
    const first = await grant(company, "100", "2024-01-01");
    await call("POST", "/transactions/split", split(classId, 2, 1, "2024-09-01"));
    await call("POST", "/transactions/adjust-reserve", reserve);
    const exported = await exportOf(server, orgId);
    const figures = ofType(exported, "TX_STOCK_PLAN_POOL_ADJUSTMENT").map((each) => each.shares_reserved);
    expect(figures).toEqual(["2000", "5000"]);
    const returns = ofType(exported, "TX_STOCK_PLAN_RETURN_TO_POOL");
    const reason = "Restated: 200 granted instead of 100, 0 exercised instead of 0.";
    expect(returns).toMatchObject([{ date: "2024-09-01", security_id: first, quantity: "-100", reason_text: reason }]);
    expect(exported.files["ocf_manifest.json"].comments.join()).toContain("negative where the plan gives more");
    const line = { reserved: "5000", granted: "200", exercised: "0", available: "4800" };
    await expectFigures({ call, planId }, exported, line);
  });

  test("gets back more than any one grant was issued for, after a reverse split", async () => {
    const company = await found();
    const { orgId, call, classId, planId } = company;
    const [first, second] = [await grant(company, "300", "2024-01-01"), await grant(company, "299", "2024-01-02")];
    const exercise = { exercisePrice: "1", effectiveDate: "2024-02-01" };
    await call("POST", "/transactions/exercise", { securityId: first, quantity: "21", ...exercise });
    const leave = { cancellationReason: "FORFEITURE", effectiveDate: "2024-03-01", returnToPool: true };
    await call("POST", "/transactions/cancel", { securityId: second, quantity: "99", ...leave });
    await call("POST", "/transactions/split", split(classId, 1, 10, "2024-09-01", "UP"));
    const exported = await exportOf(server, orgId);
    await expectNoProblems(exported);
    const line = { reserved: "100", granted: "59.9", exercised: "2.1", available: "50" };
    await expectFigures({ call, planId }, exported, line);
  });

  test("shows as of a day what it showed before", async () => {
    const company = await found();
    const { orgId, call, classId } = company;
    await grant(company, "100", "2024-01-01");
    await call("POST", "/transactions/split", split(classId, 3, 1, "2024-09-01"));
    await grant(company, "7", "2024-12-01");
    const copy = await copied(await exportOf(server, orgId));
    for (const day of ["2024-02-01", "2024-08-31", "2024-09-01", "2024-11-30", "2024-12-01"]) {
      const planAt = async (from: Caller) => (await from("GET", `/cap-table?asOf=${day}`)).equityPlans;
      expect([day, await planAt(copy.call)]).toEqual([day, await planAt(call)]);
    }
  });
});

/** A history of two plans: whatever is refused is refused, and the walk goes on. */
async function walk({ orgId, classId, holderId }: Omit<Founded, "call">, seed: number): Promise<void> {
  const pick = seeded(seed);
  const plans: Shape[] = (await server.api("GET", "/equity-plans", undefined, { orgId })).json.items;
  const day = () => `202${4 + pick(2)}-0${1 + pick(9)}-1${pick(9)}`;
  const send = (path: string, body: object, method = "POST") => server.api(method, path, body, { orgId });
  for (let step = 0; step < STEPS; step++) {
    const held: Shape[] = (await server.api("GET", "/securities?limit=100", undefined, { orgId })).json.items;
    const grants = held.filter(({ type, status }) => type === "STOCK_OPTION" && status === "ACTIVE");
    const some = grants[pick(grants.length)];
    const [effectiveDate, securityId, planId] = [day(), some?.id, plans[pick(plans.length)]?.id];
    const quantity = String(1 + pick(Math.ceil(Number(some?.quantity ?? 1))));
    const isSplit = pick(4) === 0;
    const ratio = { numerator: 1 + pick(4), denominator: 1 + pick(4), rounding: ROUNDINGS[pick(4)] };
    const leave = { quantity, cancellationReason: "FORFEITURE", returnToPool: pick(2) === 0 };
    const exercise = { securityId, quantity, exercisePrice: some?.exercisePrice ?? "1", effectiveDate };
    const terms = { exercisePrice: "1", optionType: "NSO", certificateId: `W-${++certificates}`, effectiveDate };
    const grantOf = { stakeholderId: holderId, stockPlanId: planId, quantity: String(1 + pick(99)), ...terms };
    const reserve = { equityPlanId: planId, newSharesReserved: String(500 + pick(3000)), effectiveDate };
    const acts = [
      () => send("/transactions/issue-options", grantOf),
      () => send("/transactions/issue-options", grantOf),
      () => send("/transactions/exercise", exercise),
      () => send("/transactions/cancel", { securityId, effectiveDate, ...leave }),
      () => send("/transactions/adjust-reserve", reserve),
      () => send(`/securities/${securityId}`, { quantity: String(1 + pick(200)) }, "PATCH"),
      () => send(`/securities/${securityId}`, { stockPlanId: planId }, "PATCH"),
    ];
    if (isSplit) await send("/transactions/split", { stockClassId: classId, ...ratio, effectiveDate });
    else expect((await acts[pick(acts.length)]?.())?.status).toBeLessThan(500);
  }
}

for (let seed = firstSeed(); seed < firstSeed() + SEEDS; seed++) {
  test(`history ${seed} of two plans comes back with their figures, and again from its copy's own history`, async () => {
    const company = await found(seed % 2 === 0 ? "RETURN_TO_POOL" : "RETIRE");
    await addPlan(company, "RETURN_TO_POOL");
    let { orgId } = company;
    for (const generation of [0, 1]) {
      await walk({ ...company, orgId }, seed * 2 + generation);
      const exported = await exportOf(server, orgId);
      await expectNoProblems(exported);
      const plans = await plansOf(callerOf(server, orgId));
      const copy = await copied(exported);
      expect(await plansOf(copy.call)).toEqual(plans);
      for (const each of plans) expect(each).toMatchObject(await oracleOf(exported, each.id));
      orgId = copy.orgId;
    }
  });
}

test("a security without a share that is set back to ACTIVE and deleted ends once in OCF", async () => {
  const company = await found();
  const { orgId, call } = company;
  const toStakeholderId = await makeStakeholder(server, {}, { orgId });
  const securityId = await grant(company, "10", "2024-01-01");
  const parties = { fromStakeholderId: company.holderId, toStakeholderId };
  const moved = { securityId, quantity: "10", ...parties, effectiveDate: "2024-02-01" };
  await call("POST", "/transactions/transfer", moved);
  await call("PATCH", `/securities/${securityId}`, { status: "ACTIVE" });
  expect((await server.api("DELETE", `/securities/${securityId}`, undefined, { orgId })).status).toBe(204);
  const exported = await exportOf(server, orgId);
  const ends = exported.objects.filter((each) => each.security_id === securityId).map((each) => each.object_type);
  expect(ends).toEqual(["TX_EQUITY_COMPENSATION_ISSUANCE", "TX_EQUITY_COMPENSATION_TRANSFER"]);
});

test("what was cancelled of a grant that is put under another plan is not returned by that plan's default", async () => {
  const company = await found("RETIRE");
  const { orgId, call, planId } = company;
  const stockPlanId = await addPlan(company, "RETURN_TO_POOL");
  const securityId = await grant(company, "100", "2024-01-01");
  const leave = { quantity: "40", cancellationReason: "FORFEITURE", effectiveDate: "2024-02-01" };
  await call("POST", "/transactions/cancel", { securityId, ...leave, returnToPool: false });
  await call("PATCH", `/securities/${securityId}`, { stockPlanId });
  const exported = await exportOf(server, orgId);
  const plans = await plansOf(call);
  expect(plans.map(({ available }) => available).sort()).toEqual(["940", "960"]);
  expect(await plansOf((await copied(exported)).call)).toEqual(plans);
  for (const each of plans) expect(each).toMatchObject(await oracleOf(exported, each.id));
  expect(await oracleOf(exported, planId)).toEqual({ reserved: "1000", available: "960" });
});

test("stock under a plan may return more than it was issued for, once its class was split", async () => {
  const { orgId, call, classId, holderId, planId } = await found();
  const stock = { type: "STOCK", quantity: "100", stakeholderId: holderId, stockClassId: classId, stockPlanId: planId };
  const { id } = await call("POST", "/securities", { ...stock, certificateId: "RSA-1", grantDate: "2024-01-01" });
  const ratio = { numerator: 2, denominator: 1, effectiveDate: "2024-02-01" };
  await call("POST", "/transactions/split", { stockClassId: classId, ...ratio });
  const leave = { cancellationReason: "FORFEITURE", returnToPool: true, effectiveDate: "2024-03-01" };
  await call("POST", "/transactions/cancel", { securityId: id, quantity: "150", ...leave });
  const exported = await exportOf(server, orgId);
  await expectNoProblems(exported);
  expect(await plansOf(call)).toMatchObject([{ reserved: "2000", granted: "200", available: "1950" }]);
  expect(await plansOf((await copied(exported)).call)).toEqual(await plansOf(call));
});

test("stock that splits rounded down returns what it used up, in OCF no more than it holds", async () => {
  const company = await found();
  const { orgId, call, classId, planId } = company;
  const securityId = await grant(company, "10", "2024-01-01");
  const exercise = { securityId, quantity: "1", exercisePrice: "1", effectiveDate: "2024-01-02" };
  const { newSecurityId } = await call("POST", "/transactions/exercise", exercise);
  const [half, twice] = [
    { numerator: 3, denominator: 2, effectiveDate: "2024-02-01" },
    { numerator: 2, denominator: 1, effectiveDate: "2024-03-01" },
  ];
  await call("POST", "/transactions/split", { stockClassId: classId, ...half });
  await call("POST", "/transactions/split", { stockClassId: classId, ...twice });
  const reason = { reason: "Void", effectiveDate: "2024-04-01" };
  await call("POST", "/transactions/retract", { securityId: newSecurityId, ...reason });
  await grant(company, "5", "2024-05-01");
  const exported = await exportOf(server, orgId);
  await expectNoProblems(exported);
  const back = exported.files["transactions.json"].items.filter(
    (item: Record<string, string>) => item.object_type === "TX_STOCK_PLAN_RETURN_TO_POOL" && item.date === "2024-04-01",
  );
  expect(back.map((item: Record<string, string>) => item.quantity)).toEqual(["2", "1"]);
  const copy = await copied(exported);
  for (const day of ["2024-03-31", "2024-04-01", "2024-05-01"]) {
    const planAt = async (from: Caller) => (await from("GET", `/cap-table?asOf=${day}`)).equityPlans;
    expect([day, await planAt(copy.call)]).toEqual([day, await planAt(call)]);
  }
  expect((await plansOf(call)).map(({ id }) => id)).toEqual([planId]);
});

test("what is cancelled of an imported grant goes out after its imported exercise, whatever day it is given", async () => {
  const company = await found();
  const securityId = await grant(company, "157", "2024-01-01");
  const exercise = { securityId, quantity: "21", exercisePrice: "1", effectiveDate: "2025-08-11" };
  await company.call("POST", "/transactions/exercise", exercise);
  const { orgId, call } = await copied(await exportOf(server, company.orgId));
  const leave = { cancellationReason: "FORFEITURE", effectiveDate: "2024-08-13" };
  await call("POST", "/transactions/cancel", { securityId, quantity: "131", ...leave });
  const exported = await exportOf(server, orgId);
  await expectNoProblems(exported);
  const [cancellation] = ofType(exported, "TX_EQUITY_COMPENSATION_CANCELLATION").slice(-1);
  expect(cancellation).toMatchObject({ quantity: "131", date: "2025-08-11" });
  expect(await plansOf((await copied(exported)).call)).toEqual(await plansOf(call));
});
