// An organization's own export coming back: nothing may count twice, though half of it exists in OCF only.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { verifyDatabase } from "../../../src/safekeeping/verify/verify.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";
import { changeCompany, makeCompany } from "./export/company.ts";
import { type Exported, exportOf, importInto } from "./export/support.ts";

let server: TestServer;
let early: Exported;
let late: Exported;

beforeAll(async () => {
  server = await startTestServer();
  const ids = await makeCompany(server);
  early = await exportOf(server);
  await changeCompany(server, ids);
  late = await exportOf(server);
}, 60_000);
afterAll(() => server.stop());

async function figures(orgId: string) {
  const ask = async (path: string) => (await server.api("GET", path, undefined, { orgId })).json;
  const table = (await ask("/cap-table?asOf=2099-01-01")).data;
  const transactions = (await ask("/transactions?limit=1")).data;
  const { updatedAt, ...organization } = await ask("/organization");
  const summary = (await ask("/cap-table/summary")).data;
  return { table: { ...table, knownAt: null }, newest: transactions[0].sequence, organization, summary };
}

test("into the organization itself, today's and an earlier export add nothing", async () => {
  const before = await figures(server.orgId);
  for (const { path, objects } of [late, early]) {
    const report = await importInto(server, server.orgId, path);
    expect(report.errors).toEqual([]);
    expect(Object.values(report.imported).every((count) => count === 0)).toBe(true);
    expect(report.conflicts).toHaveLength(objects.length);
  }
  expect(await figures(server.orgId)).toEqual(before);
}, 60_000);

test("into another organization, and from there back, it adds up to the same", async () => {
  const orgId = await server.newOrganization();
  expect((await importInto(server, orgId, late.path)).errors).toEqual([]);
  const imported = await figures(orgId);
  const again = await importInto(server, orgId, (await exportOf(server, orgId)).path);
  expect(Object.values(again.imported).every((count) => count === 0)).toBe(true);
  expect(await figures(orgId)).toEqual(imported);
  expect(verifyDatabase(server.app.reader).differences).toEqual([]);
}, 60_000);

test("what happens after an import is exported beside it, and comes back as nothing new", async () => {
  const orgId = await server.newOrganization();
  await importInto(server, orgId, late.path);
  const open = (await server.api("GET", "/securities?type=STOCK&limit=100", undefined, { orgId })).json.items;
  const { id } = open.find((each: { status: string; quantity: string }) => each.status === "ACTIVE");
  const body = { securityId: id, quantity: "1", cancellationReason: "FORFEITURE", effectiveDate: "2027-01-01" };
  expect((await server.api("POST", "/transactions/cancel", body, { orgId })).status).toBe(200);
  const before = await figures(orgId);
  const report = await importInto(server, orgId, (await exportOf(server, orgId)).path);
  expect(Object.values(report.imported).every((count) => count === 0)).toBe(true);
  expect(await figures(orgId)).toEqual(before);
}, 60_000);
