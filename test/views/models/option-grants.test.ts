// Grants against valuations: new money that came in after one, and options without a strike; and units of an exit that
// differ in the day from which their dividends accrue.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { makeShareClass, makeStakeholder } from "../../kit/records.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";

setDefaultTimeout(60_000);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ CAPTABLE_LOG: "off" });
});
afterAll(() => server.stop());

async function company() {
  const where = { orgId: await server.newOrganization() };
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await server.api(method, path, body, where);
    expect(`${path} ${answer.status} ${answer.status < 300 ? "" : answer.text}`).toMatch(/ 20[01] $/);
    return answer.json.data ?? answer.json;
  };
  const stakeholderId = await makeStakeholder(server, {}, where);
  const other = await makeStakeholder(server, {}, where);
  const common = await makeShareClass(server, { initialSharesAuthorized: "100000000" }, where);
  const seed = { name: "Seed", classType: "PREFERRED", defaultIdPrefix: "SEED-", pricePerShare: "2" };
  const preferred = await makeShareClass(
    server,
    { ...seed, dividendType: "CUMULATIVE", dividendRatePercent: "8" },
    where,
  );
  const plan = { planName: "Plan", initialSharesReserved: "1000000", stockClassIds: [common] };
  const { id: stockPlanId } = await ask("POST", "/equity-plans", plan);
  const value = { type: "409A", status: "APPROVED", stockClassId: common, pricePerShare: "1" };
  await ask("POST", "/valuations", { ...value, effectiveDate: "2025-01-01" });
  const done = (route: string, body: object) => ask("POST", `/transactions/${route}`, body);
  let number = 0;
  const grant = async (effectiveDate: string) => {
    number += 1;
    const option = { stakeholderId, stockPlanId, optionType: "NSO", certificateId: `O-${number}`, effectiveDate };
    return (await done("issue-options", { ...option, quantity: "10", exercisePrice: "1" })).securityId;
  };
  const shares = (stockClassId: string, effectiveDate: string) => {
    number += 1;
    const stock = { stakeholderId, stockClassId, quantity: "1000", certificateId: `S-${number}` };
    return done("issue-shares", { ...stock, effectiveDate });
  };
  const safe = (effectiveDate: string) => {
    number += 1;
    const terms = { quantity: "50000", convertibleType: "SAFE", certificateId: `C-${number}` };
    return done("issue-convertible", { stakeholderId, ...terms, effectiveDate });
  };
  const told = async () => {
    const { items } = await ask("GET", "/compliance/option-grants?from=2025-01-01&to=2025-12-31");
    const rows: readonly Record<string, unknown>[] = items;
    return new Map(rows.map(({ securityId, findings, materialEvents }) => [securityId, [findings, materialEvents]]));
  };
  return { ask, done, grant, shares, safe, told, stakeholderId, other, stockPlanId, common, preferred };
}

test("new money after the valuation is found, up to the day of the grant, and not what was retracted or moved", async () => {
  const { done, grant, shares, safe, told, common, preferred, stakeholderId, other } = await company();
  const early = await shares(preferred, "2025-01-01");
  await shares(common, "2025-02-01");
  const before = await grant("2025-02-28");
  const money = await safe("2025-03-01");
  const on = await grant("2025-03-01");
  const gone = await safe("2025-03-02");
  const wrong = await shares(preferred, "2025-03-02");
  for (const { securityId } of [gone, wrong]) {
    await done("retract", { securityId, reason: "Never came in", effectiveDate: "2025-03-03" });
  }
  const moved = { securityId: early.securityId, fromStakeholderId: stakeholderId, toStakeholderId: other };
  await done("transfer", { ...moved, quantity: "10", effectiveDate: "2025-03-04" });
  const later = await shares(preferred, "2025-03-05");
  const after = await grant("2025-04-01");
  const answers = await told();
  expect(answers.get(before)).toEqual([[], []]);
  expect(answers.get(on)).toEqual([["MATERIAL_EVENT_SINCE"], [money.transactionId]]);
  expect(answers.get(after)).toEqual([["MATERIAL_EVENT_SINCE"], [money.transactionId, later.transactionId]]);
});

test("the first five are told", async () => {
  const { grant, safe, told } = await company();
  const ids = [];
  for (let day = 10; day < 17; day += 1) ids.push((await safe(`2025-03-${day}`)).transactionId);
  const id = await grant("2025-04-01");
  expect((await told()).get(id)).toEqual([["MATERIAL_EVENT_SINCE"], ids.slice(0, 5)]);
});

test("an option without a strike is found as such, and not as one below the valuation", async () => {
  const { ask, told, stakeholderId, stockPlanId } = await company();
  const record = { stakeholderId, type: "STOCK_OPTION", stockPlanId, quantity: "10", optionType: "NSO" };
  const { id } = await ask("POST", "/securities", { ...record, grantDate: "2025-02-01", certificateId: "O-X" });
  expect((await told()).get(id)).toEqual([["STRIKE_UNKNOWN"], []]);
});

test("units with cumulative dividends are told apart by the day from which theirs accrue", async () => {
  const { ask, shares, common, preferred } = await company();
  await shares(common, "2025-01-01");
  await shares(preferred, "2025-01-02");
  await shares(preferred, "2025-06-02");
  const { points, breakpoints } = await ask("POST", "/models/waterfall", { asOf: "2025-12-31", exitValues: ["9000"] });
  const told = (rows: readonly Record<string, unknown>[], name: string) =>
    rows.map((row) => [row[name], row.accruesFrom]);
  expect(told(points[0].units, "name")).toEqual([
    ["Seed", "2025-01-02"],
    ["Seed", "2025-06-02"],
    ["Common", null],
  ]);
  expect(told(breakpoints[0].events, "unit")).toEqual([[null, null]]);
  expect(told(breakpoints[0].next, "name")).toEqual([
    ["Seed", "2025-01-02"],
    ["Seed", "2025-06-02"],
  ]);
  expect(told(breakpoints[1].events, "unit")).toEqual([["Seed, Seed", null]]);
});
