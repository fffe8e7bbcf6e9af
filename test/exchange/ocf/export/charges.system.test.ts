// Charges of open awards on their plans, exported and imported: an importer of an organization's package has its pools
// on every day, and gets back as much as the organization would where an award is cancelled.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { readFileSync, writeFileSync } from "node:fs";
import { unzipSync, zipSync } from "fflate";
import { firstSeed, proved, seedCount } from "../../../kit/proof.ts";
import { makeShareClass, makeStakeholder } from "../../../kit/records.ts";
import { startTestServer, type TestServer } from "../../../kit/service.ts";
import type { Shape } from "./company.ts";
import { RandomPlans } from "./random-plans.ts";
import { callerOf, expectNoProblems, exportOf, importInto, ofType } from "./support.ts";

const COMPANIES = seedCount(3, 700);
const EDITED = seedCount(2, 300);
/** Companies among which a planted fault must show. */
const FAULTY = 20;
const STEPS = 24;

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

async function poolsOn(orgId: string, day: string): Promise<Shape> {
  const { equityPlans } = await callerOf(server, orgId)("GET", `/cap-table?asOf=${day}`);
  return Object.fromEntries(
    equityPlans.map(({ id, reserved, granted, exercised, available }: Shape) => [
      id,
      { reserved, granted, exercised, available },
    ]),
  );
}

async function awardsOf(orgId: string): Promise<Shape[]> {
  const { items } = await callerOf(server, orgId)("GET", "/securities?status=ACTIVE&limit=100");
  return items.filter(({ stockPlanId }: Shape) => stockPlanId !== null);
}

/** The plans' pools after each open award was cancelled with return, in the order of their numbers. */
async function afterCancelling(orgId: string): Promise<Shape> {
  const call = callerOf(server, orgId);
  const awards = await awardsOf(orgId);
  awards.sort((a, b) => (a.certificateId < b.certificateId ? -1 : 1));
  const today = new Date().toISOString().slice(0, 10);
  const pools: Shape[] = [];
  for (const { id, quantity, certificateId } of awards) {
    const body = {
      securityId: id,
      quantity,
      effectiveDate: today,
      cancellationReason: "FORFEITURE",
      returnToPool: true,
    };
    await call("POST", "/transactions/cancel", body);
    pools.push([certificateId, await poolsOn(orgId, today)]);
  }
  return pools;
}

/** How many packages are held against every check of OCF. */
const CHECKED = 4;

async function copyOf(orgId: string, place: number): Promise<string> {
  const exported = await exportOf(server, orgId);
  if (place < CHECKED) await expectNoProblems(exported);
  const copy = await server.newOrganization("Copy, Inc.");
  expect((await importInto(server, copy, exported.path)).errors).toEqual([]);
  return copy;
}

/** The objects that tell a charge. */
async function toldCharges(orgId: string): Promise<readonly Shape[]> {
  const returns = ofType(await exportOf(server, orgId), "TX_STOCK_PLAN_RETURN_TO_POOL");
  return returns.filter(({ comments }) => comments?.some((line: string) => line.includes("planCharge")));
}

describe("charges out and in", () => {
  test("every day's pool, and the pool after each cancellation, are the same in a copy", async () => {
    let splits = 0;
    for (let i = 0; i < COMPANIES; i++) {
      const seed = firstSeed(1) + i;
      const company = await RandomPlans.make(server, { seed, steps: STEPS, isEdited: false });
      splits += company.splits;
      const copy = await copyOf(company.orgId, i);
      for (const day of [...company.days, "2099-01-01"])
        expect([seed, day, await poolsOn(copy, day)]).toEqual([seed, day, await poolsOn(company.orgId, day)]);
      expect([seed, await afterCancelling(copy)]).toEqual([seed, await afterCancelling(company.orgId)]);
    }
    expect(splits).toBeGreaterThan(0);
    const what = "companies with splits whose plans' pools are the same in a copy, every day and after cancelling";
    proved({ fault: "CH1", what, count: COMPANIES, seed: `1 to ${COMPANIES}`, result: "equal" });
  }, 3_600_000);

  test("a package that tells no charges is found out", async () => {
    let found = 0;
    for (let seed = 1; seed <= FAULTY && found === 0; seed++) {
      const { orgId } = await RandomPlans.make(server, { seed, steps: STEPS, isEdited: true });
      if ((await toldCharges(orgId)).length === 0) continue;
      const exported = await exportOf(server, orgId);
      const files = Object.entries(unzipSync(readFileSync(exported.path))).map(([name, bytes]) => {
        const text = new TextDecoder().decode(bytes).replaceAll('captable:{\\"planCharge', 'other:{\\"planCharge');
        return [name, new TextEncoder().encode(text)] as const;
      });
      writeFileSync(exported.path, zipSync(Object.fromEntries(files)));
      const copy = await server.newOrganization("Copy, Inc.");
      await importInto(server, copy, exported.path);
      if (!Bun.deepEquals(await afterCancelling(copy), await afterCancelling(orgId))) found++;
    }
    expect(found).toBe(1);
  }, 600_000);

  test("of a plan for two classes, one of which was split: exercised, on each day, and charges once it has no class", async () => {
    const orgId = await server.newOrganization("Two, Inc.");
    const call = callerOf(server, orgId);
    const stakeholderId = await makeStakeholder(server, {}, { orgId });
    const [common, second] = [await makeShareClass(server, {}, { orgId }), await makeShareClass(server, {}, { orgId })];
    const plan = { planName: "Plan", initialSharesReserved: "100000", adoptedDate: "2024-01-01" };
    const { id: stockPlanId } = await call("POST", "/equity-plans", { ...plan, stockClassIds: [common, second] });
    const grant = { stakeholderId, stockPlanId, stockClassId: common, quantity: "1000", exercisePrice: "1" };
    const given = { ...grant, optionType: "NSO", certificateId: "ES-1", effectiveDate: "2025-01-01" };
    const { securityId } = await call("POST", "/transactions/issue-options", given);
    const split = { stockClassId: common, numerator: 2, denominator: 1, effectiveDate: "2026-03-15" };
    await call("POST", "/transactions/split", split);
    const exercised = { securityId, quantity: "500", exercisePrice: "0.5", effectiveDate: "2026-04-01" };
    await call("POST", "/transactions/exercise", exercised);
    const copy = await copyOf(orgId, 0);
    for (const day of ["2026-03-15", "2026-04-01", "2026-04-02", "2099-01-01"]) {
      expect([day, await poolsOn(copy, day)]).toEqual([day, await poolsOn(orgId, day)]);
    }
    expect((await poolsOn(copy, "2026-04-01"))[stockPlanId]).toMatchObject({ granted: "1000", exercised: "250" });
    await call("PATCH", `/equity-plans/${stockPlanId}`, { stockClassIds: [] });
    const classless = await copyOf(orgId, 0);
    const pools = await afterCancelling(orgId);
    expect(await afterCancelling(classless)).toEqual(pools);
    expect(pools.at(-1)[1][stockPlanId].available).toBe("100000");
  });

  test("edits of awards and plans leave no other charge than in a copy", async () => {
    let told = 0;
    for (let i = 0; i < EDITED; i++) {
      const seed = firstSeed(1) + i;
      const { orgId } = await RandomPlans.make(server, { seed, steps: STEPS, isEdited: true });
      told += (await toldCharges(orgId)).length;
      const copy = await copyOf(orgId, i);
      expect([seed, await poolsOn(copy, "2099-01-01")]).toEqual([seed, await poolsOn(orgId, "2099-01-01")]);
      expect([seed, await afterCancelling(copy)]).toEqual([seed, await afterCancelling(orgId)]);
    }
    expect(told).toBeGreaterThan(0);
    const what = "the same with edits of awards and plans";
    proved({ fault: "CH2", what, count: EDITED, seed: `1 to ${EDITED}`, result: "equal" });
  }, 3_600_000);
});
