import { afterAll, beforeAll, expect, test } from "bun:test";
import { startTestServer, type TestServer } from "../support/server.ts";
import { refusal } from "./support.ts";

let server: TestServer;

beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

async function newest(limit = 1) {
  return (await server.api("GET", `/audit-log?limit=${limit}`)).json.items;
}

test("every create, change and delete leaves one entry that says who, through what, and what changed", async () => {
  const requestId = "0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d6e";
  const body = { name: "Legend", text: "Words" };
  const made = await server.api("POST", "/stock-legends", body, { headers: { "x-request-id": requestId } });
  const { id } = made.json;
  const [created] = await newest();
  expect(created).toMatchObject({ actor: "api-key", requestId, method: "POST", path: "/api/v1/stock-legends" });
  expect(created).toMatchObject({ resourceType: "stock legend", resourceId: id, before: null, after: made.json });
  expect([created.at, typeof created.apiKeyId]).toEqual([made.json.createdAt, "string"]);

  await server.api("PATCH", `/stock-legends/${id}`, { name: "Legend", text: "Other words" });
  const [changed] = await newest();
  expect([changed.before.text, changed.after.text]).toEqual(["Words", "Other words"]);
  expect(Object.keys(changed.after).sort()).toEqual(["text", "updatedAt"]);

  await server.api("PATCH", `/stock-legends/${id}`, { text: "Other words" });
  await server.api("PATCH", `/stock-legends/${id}`, { text: "" });
  expect((await newest())[0].id).toBe(changed.id);

  await server.api("DELETE", `/stock-legends/${id}`);
  expect((await newest())[0]).toMatchObject({ method: "DELETE", resourceId: id, after: null });
});

test("the log is for administrators, pages like every list, and shows one organization only", async () => {
  for (const role of ["VIEWER", "EDITOR"] as const) {
    expect((await server.api("GET", "/audit-log", undefined, { role })).status).toBe(403);
  }
  for (let i = 0; i < 3; i++) await server.api("POST", "/stock-legends", { name: `L${i}`, text: "t" });
  const all = await newest(100);
  const seen = [];
  let cursor = "";
  do {
    const page = (await server.api("GET", `/audit-log?limit=2${cursor}`)).json;
    seen.push(...page.items);
    cursor = page.nextCursor === null ? "" : `&cursor=${page.nextCursor}`;
  } while (cursor !== "");
  expect(seen).toEqual(all);
  expect(refusal(await server.api("GET", "/audit-log?actor=cli"))).toEqual([422, "validation-failed", "actor"]);
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
