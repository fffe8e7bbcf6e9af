// Splits of a class that a security came into only later, by an edit: the package shows it in that class from the first,
// so that OCF's split takes it along, and what that makes of it has to be undone.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { issueShares, makeShareClass, makeStakeholder } from "../../../kit/records.ts";
import { startTestServer, type TestServer } from "../../../kit/service.ts";
import { callerOf, expectNoProblems, exportOf, importInto } from "./support.ts";

setDefaultTimeout(60_000);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

describe("stock that was of another class when its class was split stays as it is", () => {
  test.each([
    [1, 3],
    [1, 2],
    [4, 3],
    [3, 1],
    [7, 7],
  ])("%i for %i", async (numerator, denominator) => {
    const orgId = await server.newOrganization("Split Inc.");
    const call = callerOf(server, orgId);
    const stakeholderId = await makeStakeholder(server, {}, { orgId });
    const first = await makeShareClass(server, {}, { orgId });
    const second = await makeShareClass(server, { defaultIdPrefix: "S-" }, { orgId });
    const given = { stakeholderId, stockClassId: first, quantity: "428" };
    const securityId = await issueShares(server, given, { orgId });
    const split = { stockClassId: second, numerator, denominator, effectiveDate: "2026-06-01" };
    await call("POST", "/transactions/split", split);
    await call("PATCH", `/securities/${securityId}`, { stockClassId: second });
    const exported = await exportOf(server, orgId);
    await expectNoProblems(exported);
    const copy = await server.newOrganization("Copy");
    expect((await importInto(server, copy, exported.path)).errors).toEqual([]);
    const { shareClasses } = await callerOf(server, copy)("GET", "/cap-table?asOf=9999-12-31");
    const issued = Object.fromEntries(shareClasses.map(({ id, issued: count }: Record<string, string>) => [id, count]));
    expect(issued).toEqual({ [first]: "0", [second]: "428" });
  });
});

test("an imported option that is issued anew after a split of this program has its strike of after the split", async () => {
  const orgId = await server.newOrganization("Strike Inc.");
  const call = callerOf(server, orgId);
  const stakeholderId = await makeStakeholder(server, {}, { orgId });
  const stockClassId = await makeShareClass(server, {}, { orgId });
  const plan = { planName: "Plan", initialSharesReserved: "1000", stockClassIds: [stockClassId] };
  const stockPlanId = (await call("POST", "/equity-plans", plan)).id;
  const grant = { stakeholderId, stockPlanId, quantity: "40", exercisePrice: "1", optionType: "NSO" };
  const dated = { certificateId: "ES-1", effectiveDate: "2026-01-01" };
  await call("POST", "/transactions/issue-options", { ...grant, ...dated });
  const copy = await server.newOrganization("Copy");
  await importInto(server, copy, (await exportOf(server, orgId)).path);
  const inCopy = callerOf(server, copy);
  const split = { stockClassId, numerator: 1, denominator: 10, effectiveDate: "2026-06-01" };
  await inCopy("POST", "/transactions/split", split);
  const exported = await exportOf(server, copy);
  await expectNoProblems(exported);
  const third = await server.newOrganization("Third");
  expect((await importInto(server, third, exported.path)).errors).toEqual([]);
  for (const shown of [inCopy, callerOf(server, third)]) {
    const { items } = await shown("GET", "/securities?status=ACTIVE");
    expect(items).toMatchObject([{ type: "STOCK_OPTION", quantity: "4", exercisePrice: "10" }]);
  }
});
