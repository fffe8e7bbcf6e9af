// What a key that may manage people gives them: at most what it has itself. Else it would invite its holder, or take an
// administrator's session over by a reset link, and do as a person what its scopes keep it from.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { Browser, makeMember, signedIn } from "../kit/people.ts";
import { makeStakeholder } from "../kit/records.ts";
import { startTestServer, type TestServer } from "../kit/service.ts";

setDefaultTimeout(60_000);

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const keyWith = async (...scopes: string[]): Promise<string> =>
  (await server.api("POST", "/api-keys", { name: scopes.join(), role: "ADMIN", scopes })).json.key;

/** The status, and what of the detail names a scope. */
async function asked(key: string, method: string, path: string, body?: unknown): Promise<[number, string]> {
  const { status, json } = await server.api(method, path, body, { key });
  return [status, /lacks the scope (.*)\.$/.exec(String(json.detail))?.[1] ?? ""];
}

let counter = 0;
const invitation = (role: string, stakeholderIds: readonly string[] = []) => ({
  email: `guest-${++counter}@example.com`,
  role,
  stakeholderIds,
});

test("an invitation gives no more than the key has", async () => {
  const holder = await makeStakeholder(server);
  const [bare, reader, editor] = [
    await keyWith("manage-keys"),
    await keyWith("manage-keys", "read"),
    await keyWith("manage-keys", "read", "write"),
  ];
  const invite = (key: string, ...given: Parameters<typeof invitation>) =>
    asked(key, "POST", "/invitations", invitation(...given));
  expect(await invite(bare, "VIEWER")).toEqual([403, "read"]);
  expect(await invite(bare, "STAKEHOLDER", [holder])).toEqual([403, "read"]);
  expect(await invite(reader, "VIEWER")).toEqual([201, ""]);
  expect(await invite(reader, "STAKEHOLDER", [holder])).toEqual([201, ""]);
  expect(await invite(reader, "EDITOR")).toEqual([403, "write"]);
  expect(await invite(editor, "EDITOR")).toEqual([201, ""]);
  expect(await invite(editor, "ADMIN")).toEqual([403, "import"]);
  expect(await invite(await keyWith("manage-keys", "read", "write", "import"), "ADMIN")).toEqual([201, ""]);
  // People have no scopes.
  const admin = await signedIn(server);
  expect((await admin.api("POST", "/invitations", invitation("ADMIN"))).status).toBe(201);
});

test("a member is made no more than the key has, and may be made less", async () => {
  const key = await keyWith("manage-keys", "read");
  const { memberId } = await makeMember(server.app.writer, server.orgId, { role: "VIEWER" });
  const path = `/members/${memberId}`;
  const holder = await makeStakeholder(server);
  expect(await asked(key, "PATCH", path, { role: "ADMIN" })).toEqual([403, "write, import"]);
  expect(await asked(key, "PATCH", path, { role: "EDITOR" })).toEqual([403, "write"]);
  const bare = await keyWith("manage-keys");
  expect(await asked(bare, "PATCH", path, { stakeholderIds: [holder] })).toEqual([403, "read"]);
  expect(await asked(key, "PATCH", path, { stakeholderIds: [holder] })).toEqual([200, ""]);
  expect(await asked(bare, "PATCH", path, { stakeholderIds: [], role: "VIEWER" })).toEqual([200, ""]);
  const { memberId: admin } = await makeMember(server.app.writer, server.orgId);
  expect(await asked(bare, "PATCH", `/members/${admin}`, { role: "EDITOR" })).toEqual([200, ""]);
  expect((await asked(bare, "DELETE", `/members/${admin}`))[0]).toBe(204);
});

test("a reset link opens no session that may more than the key", async () => {
  const reader = await keyWith("manage-keys", "read");
  const { memberId: admin } = await makeMember(server.app.writer, server.orgId);
  const { memberId: viewer } = await makeMember(server.app.writer, server.orgId, { role: "VIEWER" });
  expect(await asked(reader, "POST", `/members/${admin}/reset-link`)).toEqual([403, "write, import"]);
  expect(await asked(reader, "POST", `/members/${viewer}/reset-link`)).toEqual([200, ""]);
  expect((await asked(reader, "DELETE", `/members/${admin}/sessions`))[0]).toBe(204);
});

test("an operator's reset is allowed only by a key that may what the person may", async () => {
  const orgId = await server.newOrganization("Theirs, Inc.");
  const { memberId, email } = await makeMember(server.app.writer, orgId, { role: "EDITOR" });
  const operator = await signedIn(server, { isOperator: true, hasSecondFactor: true });
  expect((await operator.api("POST", "/instance/reset-link", { email }, { orgId: null })).status).toBe(200);
  const make = async (...scopes: string[]): Promise<string> =>
    (await server.api("POST", "/api-keys", { name: "key", role: "ADMIN", scopes }, { orgId })).json.key;
  const path = `/members/${memberId}/operator-reset`;
  const reader = await make("manage-keys", "read");
  expect(await asked(reader, "POST", path, { decision: "ALLOW" })).toEqual([403, "write"]);
  expect((await asked(await make("manage-keys", "read", "write"), "POST", path, { decision: "ALLOW" }))[0]).toBe(204);
});

test("the first account is made with no key that may less than it", async () => {
  const fresh = await startTestServer();
  try {
    const { key } = (await fresh.api("POST", "/api-keys", { name: "file", role: "ADMIN", scopes: ["read"] })).json;
    writeFileSync(join(fresh.dataDir, "admin.key"), key, { mode: 0o600 });
    const given = { key, name: "Ada", email: "ada@example.com", password: "violet rocks sing daily" };
    const { status, json } = await new Browser(fresh).api("POST", "/auth/setup", given);
    expect([status, json.detail]).toEqual([403, "The key in admin.key lacks the scope write, import, manage-keys."]);
  } finally {
    await fresh.stop();
  }
});

test("a key is no operator and no person, whatever its scopes", async () => {
  const key = await server.key("ADMIN");
  for (const path of ["/instance", "/auth/sessions", "/portal"]) {
    expect([path, (await server.api("GET", path, undefined, { key })).status]).toEqual([path, 403]);
  }
});
