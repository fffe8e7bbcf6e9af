// The log of every write over HTTP: what it tells, to whom, and that its chain can be checked from outside.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import { DATABASE_FILE, openReadOnly } from "../../src/storage/database/open.ts";
import { logFaults } from "../kit/chain.ts";
import { issueShares, makeShareClass, makeStakeholder } from "../kit/records.ts";
import { startTestServer, type TestServer } from "../kit/service.ts";
import { refusal } from "./support.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

async function newest(limit = 1) {
  return (await server.api("GET", `/audit-log?limit=${limit}`)).json.items;
}

/** The whole log that a query asks for, page by page, newest first. */
async function wholeLog(query = "") {
  const seen = [];
  let cursor = "";
  do {
    const page = (await server.api("GET", `/audit-log?limit=2${query}${cursor}`)).json;
    seen.push(...page.items);
    cursor = page.nextCursor === null ? "" : `&cursor=${page.nextCursor}`;
  } while (cursor !== "");
  return seen;
}

/** A row as it is stored, without its place in the table. */
function stored(table: string, id: string) {
  const db = openReadOnly(join(server.dataDir, DATABASE_FILE));
  const { seq: _seq, ...row } = db.sqlite.prepare(`select * from ${table} where id = ?`).get(id) as { seq: number };
  db.sqlite.close();
  return row;
}

test("every create, change and delete leaves one entry that says who, through what, and what changed", async () => {
  const requestId = "0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d6e";
  const body = { name: "Legend", text: "Words" };
  const made = await server.api("POST", "/stock-legends", body, { headers: { "x-request-id": requestId } });
  const { id } = made.json;
  const [created] = await newest();
  expect(created).toMatchObject({ actor: "api-key", requestId, method: "POST", path: "/api/v1/stock-legends" });
  expect(created).toMatchObject({
    resourceType: "stock legend",
    resourceId: id,
    before: null,
    after: stored("stock_legends", id),
  });
  expect([created.at, typeof created.apiKeyId]).toEqual([made.json.createdAt, "string"]);

  await server.api("PATCH", `/stock-legends/${id}`, { name: "Legend", text: "Other words" });
  const [changed] = await newest();
  expect([changed.before.text, changed.after.text]).toEqual(["Words", "Other words"]);
  expect(Object.keys(changed.after).sort()).toEqual(["text", "updatedAt"]);

  await server.api("PATCH", `/stock-legends/${id}`, { text: "Other words" });
  await server.api("PATCH", `/stock-legends/${id}`, { text: "" });
  expect((await newest())[0].id).toBe(changed.id);

  await server.api("DELETE", `/stock-legends/${id}`);
  const [deleted] = await newest();
  expect(deleted).toMatchObject({ method: "DELETE", resourceId: id, before: { deletedAt: null } });
  expect(deleted.after).toEqual({ deletedAt: deleted.at });
});

test("the log is for administrators, pages like every list, and shows one organization only", async () => {
  for (const role of ["VIEWER", "EDITOR"] as const) {
    expect((await server.api("GET", "/audit-log", undefined, { role })).status).toBe(403);
  }
  for (let i = 0; i < 3; i++) await server.api("POST", "/stock-legends", { name: `L${i}`, text: "t" });
  const all = await newest(100);
  expect(await wholeLog()).toEqual(all);
  expect(refusal(await server.api("GET", "/audit-log?actor=me"))).toEqual([422, "validation-failed", "actor"]);
  const foreign = (await server.api("GET", "/audit-log", undefined, { orgId: await server.newOrganization() })).text;
  expect(foreign).not.toContain("stock legend");
  expect((await server.api("POST", "/audit-log", {})).status).toBe(405);
});

test("no key is ever written to it", async () => {
  const { key } = (await server.api("POST", "/api-keys", { name: "secret", role: "VIEWER" })).json;
  const text = (await server.api("GET", "/audit-log?limit=100")).text;
  expect(text).not.toContain(key);
  expect(text).not.toContain(key.slice(-20));
});

test("it narrows by who wrote, what was written, and when", async () => {
  const [{ apiKeyId, at, resourceId }] = await newest();
  const day = at.slice(0, 10);
  const nextDay = new Date(Date.parse(day) + 86_400_000).toISOString().slice(0, 10);
  const all = await newest(100);
  const expected: readonly [query: string, keeps: (row: Record<string, string>) => boolean][] = [
    ["actor=api-key", (row) => row.actor === "api-key"],
    ["actor=person", () => false],
    ["accountId=unknown", () => false],
    [`apiKeyId=${apiKeyId}`, (row) => row.apiKeyId === apiKeyId],
    ["resourceType=stock legend", (row) => row.resourceType === "stock legend"],
    [`resourceId=${resourceId}&resourceType=api key`, (row) => row.resourceId === resourceId],
    [`from=${day}&to=${day}`, (row) => row.at?.startsWith(day) === true],
    [`from=${nextDay}`, (row) => row.at?.startsWith(nextDay) === true],
  ];
  for (const [query, keeps] of expected)
    expect([query, await wholeLog(`&${query}`)]).toEqual([query, all.filter(keeps)]);
  const cursor = (await server.api("GET", "/audit-log?limit=1&actor=cli")).json.nextCursor;
  expect((await server.api("GET", `/audit-log?limit=1&cursor=${cursor}`)).status).toBe(422);
  expect((await server.api("GET", "/audit-log?from=2026-02-30")).status).toBe(422);
});

test("its chain can be recomputed from its answers, and no row can be changed without showing", async () => {
  const security = await issueShares(server, {
    stakeholderId: await makeStakeholder(server),
    stockClassId: await makeShareClass(server),
  });
  await server.api("PATCH", `/securities/${security}`, { comments: 'with "quotes", ünïcödé and \u2028' });
  const oldestFirst = (await wholeLog()).reverse();
  expect(oldestFirst[0]).toMatchObject({ sequence: 1, resourceType: "organization", resourceId: server.orgId });
  expect(logFaults(oldestFirst)).toEqual([]);
  const last = oldestFirst.length - 1;
  const changed = oldestFirst.with(last - 1, { ...oldestFirst[last - 1], after: null });
  expect(logFaults(changed)).toEqual([`row ${last} is not what was hashed`]);
  expect(logFaults(oldestFirst.toSpliced(2, 1))).toContain("row 4 does not follow the one before");
});

test("what one write causes in other records is told too", async () => {
  const stockClassId = await makeShareClass(server);
  const valuation = { type: "409A", stockClassId, pricePerShare: "1", effectiveDate: "2026-01-01", status: "APPROVED" };
  const { id: valuationId } = (await server.api("POST", "/valuations", valuation)).json;
  const plan = { planName: "Plan", initialSharesReserved: "100", stockClassIds: [stockClassId] };
  const { id: planId } = (await server.api("POST", "/equity-plans", plan)).json;
  const steps = [{ name: "Board" }, { name: "Counsel" }, { name: "Auditor" }];
  const given = { title: "Shares", entityType: "Other", steps };
  const { data: approval } = (await server.api("POST", "/approvals", given)).json;
  const [first, second, third] = approval.steps as { id: string }[];
  await server.api("DELETE", `/approvals/${approval.id}/steps/${first?.id}`);
  await server.api("DELETE", `/approvals/${approval.id}`);
  await server.api("DELETE", `/share-classes/${stockClassId}`);
  const told = async (id: string | undefined) =>
    (await wholeLog(`&resourceId=${id}`)).slice(0, -1).map(({ before, after }) => [before, after]);
  expect(await told(valuationId)).toEqual([[{ stockClassId }, { stockClassId: null }]]);
  const classes = { stockClassIds: JSON.stringify([stockClassId]) };
  expect(await told(planId)).toEqual([[classes, { stockClassIds: "[]" }]]);
  const deleted = [{ deletedAt: null }, { deletedAt: expect.any(String) }];
  expect(await told(first?.id)).toEqual([deleted]);
  expect(await told(second?.id)).toEqual([deleted, [{ order: 2 }, { order: 1 }]]);
  expect(await told(third?.id)).toEqual([deleted, [{ order: 3 }, { order: 2 }]]);
});
