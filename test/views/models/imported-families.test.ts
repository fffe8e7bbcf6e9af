// A family of securities counts once in compliance and expense, at its first issuance, wherever it comes from: what a
// package issues as result or balance of a transaction was granted with what it was made of.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { makeShareClass, makeStakeholder } from "../../kit/records.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";
import { exportOf, importElsewhere } from "./elsewhere.ts";

setDefaultTimeout(60_000);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ CAPTABLE_LOG: "off" });
});
afterAll(() => server.stop());

type Given = Readonly<Record<string, unknown>>;

function askerOf(orgId: string) {
  return async (method: string, path: string, body?: Given) => {
    const answer = await server.api(method, path, body, { orgId });
    expect(`${path} ${answer.status} ${answer.status < 300 ? "" : answer.text}`).toMatch(/ 20[014] $/);
    return answer.json?.data ?? answer.json;
  };
}

/** A grant of 4,800 options at 1 that vests by the year, and stock of 1,000 under the plan at 2. */
async function company() {
  const orgId = await server.newOrganization();
  const ask = askerOf(orgId);
  const holder = await makeStakeholder(server, { relationships: ["EMPLOYEE"] }, { orgId });
  const other = await makeStakeholder(server, {}, { orgId });
  const common = await makeShareClass(server, { initialSharesAuthorized: "900000000" }, { orgId });
  const reserve = { initialSharesReserved: "100000", stockClassIds: [common], boardApprovalDate: "2025-01-01" };
  const { id: stockPlanId } = await ask("POST", "/equity-plans", { planName: "Plan", ...reserve });
  const yearly = { type: "TIME_BASED", periodLength: 12, periodType: "MONTHS", occurrences: 4 };
  const vestingConditions = [{ id: "y", trigger: yearly, portion: { numerator: 1, denominator: 4 } }];
  const terms = { name: "4y", description: "25 % a year", vestingConditions };
  const { id: vestingTermsId } = await ask("POST", "/vesting-terms", terms);
  const act = (operation: string, effectiveDate: string, body: Given) =>
    ask("POST", `/transactions/${operation}`, { effectiveDate, ...body });
  const under = { stakeholderId: holder, stockPlanId };
  const option = { ...under, exercisePrice: "1", optionType: "ISO", vestingTermsId, certificateId: "O-1" };
  const grant = (await act("issue-options", "2025-03-01", { ...option, quantity: "4800" })).securityId;
  const awarded = { ...under, stockClassId: common, pricePerShare: "2", certificateId: "S-1", quantity: "1000" };
  const { id: stock } = await ask("POST", "/securities", { type: "STOCK", ...awarded, grantDate: "2025-03-02" });
  const parties = { fromStakeholderId: holder, toStakeholderId: other };
  return {
    ...{ orgId, grant, stock, common, act },
    transfer: (securityId: string, quantity: string, effectiveDate: string): Promise<Given> =>
      act("transfer", effectiveDate, { securityId, quantity, ...parties }),
    cancel: (securityId: string, quantity: string, effectiveDate: string) =>
      act("cancel", effectiveDate, { securityId, quantity, cancellationReason: "FORFEITURE" }),
  };
}

/** What the compliance reads and the expense of a grant say. */
async function toldOf(orgId: string, securityId: string) {
  const ask = askerOf(orgId);
  const { items } = await ask("GET", "/compliance/option-grants?from=2025-01-01&to=2030-01-01");
  const periods = { from: "2025-01-01", to: "2029-12-31", period: "YEAR" };
  const grants = [{ securityId, fairValuePerShare: "1" }];
  const expenseBy = async (method: string) =>
    (await ask("POST", "/models/expense", { method, ...periods, grants })).grants[0];
  const { aggregateSalesPrice, tests } = await ask("GET", "/compliance/rule-701?asOf=2025-12-31");
  return {
    sold: [aggregateSalesPrice, tests],
    options: items,
    straight: await expenseBy("STRAIGHT_LINE"),
    graded: await expenseBy("GRADED"),
  };
}

async function copyOf(orgId: string): Promise<string> {
  return importElsewhere(server, (await exportOf(server, orgId)).zip);
}

describe("a family that came in", () => {
  test("with transfers and cancellations counts once, at its first issuance", async () => {
    const { orgId, grant, stock, transfer, cancel } = await company();
    await transfer(stock, "300", "2025-04-01");
    await transfer(grant, "1200", "2026-04-01");
    await cancel(grant, "600", "2026-06-01");
    const copy = await copyOf(orgId);
    const told = await toldOf(copy, grant);
    expect(told).toEqual(await toldOf(orgId, grant));
    expect(told.sold[0]).toBe("6800");
    expect(told.options.map((item: Given) => item.securityId)).toEqual([grant]);
  });

  test("with a split of its class counts in shares as granted", async () => {
    const { orgId, grant, common, act, transfer, cancel } = await company();
    await act("split", "2025-06-01", { stockClassId: common, numerator: 2, denominator: 1 });
    await transfer(grant, "2400", "2026-04-01");
    await cancel(grant, "1200", "2026-06-01");
    const copy = await copyOf(orgId);
    const [there, here] = [await toldOf(copy, grant), await toldOf(orgId, grant)];
    expect([there.straight, there.graded]).toEqual([here.straight, here.graded]);
    expect(there.options).toEqual(here.options);
    expect(there.sold[0]).toBe("6800");
  });

  test("has no expense of its own for what a transfer made", async () => {
    const { orgId, grant, transfer } = await company();
    const { newSecurityId } = await transfer(grant, "1200", "2026-04-01");
    const copy = await copyOf(orgId);
    const body = { method: "STRAIGHT_LINE", from: "2025-01-01", to: "2029-12-31", period: "YEAR" };
    const grants = [{ securityId: newSecurityId, fairValuePerShare: "1" }];
    for (const id of [orgId, copy]) {
      const { status, json } = await server.api("POST", "/models/expense", { ...body, grants }, { orgId: id });
      expect([status, json.errors[0].pointer]).toEqual([422, "#/grants/0/securityId"]);
    }
  });
});
