// Rule 701 in the shares of the grant: splits between a grant and the day of the balance sheet count, whichever is
// first; later ones do not.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { makeShareClass, makeStakeholder } from "../../kit/records.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";

setDefaultTimeout(60_000);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ CAPTABLE_LOG: "off" });
});
afterAll(() => server.stop());

test("a class is measured in the shares of the day of the balance sheet", async () => {
  const where = { orgId: await server.newOrganization() };
  const ask = async (method: string, path: string, body?: unknown) => {
    const answer = await server.api(method, path, body, where);
    expect(`${path} ${answer.status} ${answer.status < 300 ? "" : answer.text}`).toMatch(/ 20[01] $/);
    return answer.json.data ?? answer.json;
  };
  const holder = await makeStakeholder(server, {}, where);
  const common = await makeShareClass(server, { initialSharesAuthorized: "1000000000" }, where);
  const plan = { planName: "Plan", initialSharesReserved: "1000000", stockClassIds: [common] };
  const { id: stockPlanId } = await ask("POST", "/equity-plans", plan);
  const stock = { stakeholderId: holder, stockClassId: common, quantity: "1000000", certificateId: "CS-1" };
  await ask("POST", "/transactions/issue-shares", { ...stock, effectiveDate: "2025-01-01" });
  const grant = async (certificateId: string, quantity: string, effectiveDate: string) => {
    const terms = { stakeholderId: holder, stockPlanId, exercisePrice: "2", optionType: "NSO", certificateId };
    await ask("POST", "/transactions/issue-options", { ...terms, quantity, effectiveDate });
  };
  const split = (effectiveDate: string) =>
    ask("POST", "/transactions/split", { stockClassId: common, numerator: 2, denominator: 1, effectiveDate });
  await grant("A", "100000", "2025-03-01");
  await split("2025-06-01");
  await grant("B", "50000", "2025-08-01");
  await split("2025-10-01");

  const read = async (balanceSheetDate: string) => {
    const told = await ask("GET", `/compliance/rule-701?asOf=2025-12-31&balanceSheetDate=${balanceSheetDate}`);
    const { limit, used, isMet } = told.tests.find(({ test: name }: { test: string }) => name === "CLASS_15_PERCENT");
    expect(told.aggregateSalesPrice).toBe("300000");
    return [limit, used, isMet];
  };
  // The second grant is of half as many shares of before the first split, and both double with each split.
  expect(await read("2025-04-01")).toEqual(["150000", "125000", true]);
  expect(await read("2025-07-01")).toEqual(["300000", "250000", true]);
  expect(await read("2025-12-31")).toEqual(["600000", "500000", true]);
});
