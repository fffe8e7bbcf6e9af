// API keys that end by themselves: they work until their instant and are refused from then on, wherever a key is looked at.
// And keys that are limited to scopes: at most those of their role, and of the key that makes them.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { commandLineCall } from "../../src/kernel/call.ts";
import { systemRuntime, toTimestamp } from "../../src/kernel/runtime.ts";
import { createKey } from "../../src/resources/api-keys/routes.ts";
import { countActiveKeys } from "../../src/resources/api-keys/store.ts";
import { startTestServer, type TestServer } from "../kit/service.ts";

setDefaultTimeout(60_000);

const HOUR_MS = 3_600_000;
let server: TestServer;
/** How far the server's clock is ahead. */
let aheadMs = 0;
beforeAll(async () => {
  server = await startTestServer({}, { runtime: { ...systemRuntime, nowMs: () => Date.now() + aheadMs } });
});
afterAll(() => server.stop());

const inAnHour = () => toTimestamp(Date.now() + aheadMs + HOUR_MS);
const create = (more: object) => server.api("POST", "/api-keys", { name: "Auditor", role: "EDITOR", ...more });

describe("a key with expiresAt", () => {
  test("shows it, in UTC, where it is made, read and listed", async () => {
    const { status, json } = await create({ expiresAt: "2999-01-15T15:30:00+01:00" });
    expect([status, json.expiresAt]).toEqual([201, "2999-01-15T14:30:00.000Z"]);
    expect((await server.api("GET", `/api-keys/${json.id}`)).json.expiresAt).toBe(json.expiresAt);
    const { items } = (await server.api("GET", "/api-keys")).json;
    expect(items.find((key: { id: string }) => key.id === json.id).expiresAt).toBe(json.expiresAt);
  });

  test("reads and writes until then, and is refused with 401 from then on, though it was known a moment before", async () => {
    const { key } = (await create({ expiresAt: inAnHour() })).json;
    const tries = async () => [
      (await server.api("GET", "/organization", undefined, { key })).status,
      (await server.api("GET", "/cap-table?asOf=2026-01-01", undefined, { key })).status,
      (await server.api("POST", "/stakeholders", {}, { key })).status,
    ];
    expect(await tries()).toEqual([200, 200, 422]);
    const working = countActiveKeys(server.app.reader, toTimestamp(Date.now() + aheadMs));
    aheadMs += HOUR_MS;
    expect(await tries()).toEqual([401, 401, 401]);
    expect(countActiveKeys(server.app.reader, toTimestamp(Date.now() + aheadMs)).EDITOR).toBe(working.EDITOR - 1);
    expect((await server.api("GET", "/organization")).status).toBe(200);
  });

  test.each([toTimestamp(0), toTimestamp(Date.now() - 1)])("that has passed is refused: %s", async (expiresAt) => {
    const { status, json } = await create({ expiresAt });
    expect([status, json.errors]).toEqual([422, [{ pointer: "#/expiresAt", detail: "must be later than now" }]]);
  });

  test.each(["2999-01-15", "tomorrow", 5])("that is no instant is refused: %p", async (expiresAt) => {
    const { status, json } = await create({ expiresAt });
    expect([status, json.errors[0].pointer]).toEqual([422, "#/expiresAt"]);
  });

  test.each([{}, { expiresAt: null }])("but not %p works until it is revoked", async (more) => {
    const { json } = await create(more);
    expect(json.expiresAt).toBeNull();
  });
});

type Given = Readonly<Record<string, unknown>>;

describe("a key with scopes", () => {
  const limited = async (scopes: readonly string[], more: Given = {}) =>
    (await create({ role: "ADMIN", scopes, ...more })).json as { readonly id: string; readonly key: string };
  const makeWith = (key: string, given: Given) => server.api("POST", "/api-keys", { name: "Made", ...given }, { key });

  test.each([
    ["VIEWER", ["read"]],
    ["EDITOR", ["read", "write"]],
    ["ADMIN", ["read", "write", "import", "manage-keys"]],
  ])("has by default what the role %s may", async (role, scopes) => {
    for (const more of [{}, { scopes: null }]) {
      const { status, json } = await create({ role, ...more });
      expect([status, json.scopes]).toEqual([201, scopes]);
      expect((await server.api("GET", `/api-keys/${json.id}`)).json.scopes).toEqual(scopes);
    }
  });

  test("shows them in one order where it is made, read and listed", async () => {
    const { json } = await create({ role: "ADMIN", scopes: ["manage-keys", "read"] });
    expect(json.scopes).toEqual(["read", "manage-keys"]);
    const { items } = (await server.api("GET", "/api-keys")).json;
    expect(items.find((key: { id: string }) => key.id === json.id).scopes).toEqual(json.scopes);
  });

  test.each([
    ["VIEWER", ["write"]],
    ["VIEWER", ["read", "import"]],
    ["EDITOR", ["manage-keys"]],
    ["EDITOR", ["read", "import"]],
  ])("is refused where the role %s may not %p", async (role, scopes) => {
    const { status, json } = await create({ role, scopes });
    expect([status, json.errors[0].pointer]).toEqual([422, "#/scopes"]);
    expect(json.errors[0].detail).toStartWith(`must be of what the role ${role} may: read`);
  });

  test.each([[[]], [["read", "read"]], [["admin"]], ["read"], [[null]]])("is refused with %p", async (scopes) => {
    const { status, json } = await create({ role: "ADMIN", scopes });
    expect([status, json.errors[0].pointer.startsWith("#/scopes")]).toEqual([422, true]);
  });

  test("makes keys of at most its own scopes, and by default too", async () => {
    const { key } = await limited(["read", "manage-keys"]);
    for (const given of [
      { role: "ADMIN" },
      { role: "EDITOR" },
      { role: "EDITOR", scopes: ["write"] },
      { role: "ADMIN", scopes: ["read", "manage-keys", "import"] },
    ]) {
      const { status, json } = await makeWith(key, given);
      expect([status, json.type.split("/").at(-1)]).toEqual([403, "forbidden"]);
      expect(json.detail).toMatch(/lacks the scope (write|import)/);
    }
    const made = await makeWith(key, { role: "ADMIN", scopes: ["manage-keys"] });
    expect([made.status, made.json.scopes]).toEqual([201, ["manage-keys"]]);
    // What one made makes no more either; and one takes the other's place.
    expect((await makeWith(made.json.key, { role: "VIEWER" })).status).toBe(403);
    const next = await makeWith(made.json.key, { role: "ADMIN", scopes: ["manage-keys"] });
    expect((await server.api("DELETE", `/api-keys/${made.json.id}`, undefined, { key: next.json.key })).status).toBe(
      204,
    );
    expect((await makeWith(made.json.key, { role: "ADMIN", scopes: ["manage-keys"] })).status).toBe(401);
  });

  test("makes no key of a higher role, should a route ever let it", async () => {
    const { id } = (await create({ role: "EDITOR" })).json;
    const call = { ...commandLineCall(systemRuntime, server.orgId), actor: "api-key" as const, apiKeyId: id };
    const given = { name: "Up", role: "ADMIN", scopes: ["read" as const] } as const;
    const making = server.app.writer.submit((tx) =>
      createKey(tx, call, "production", { ...given, scopes: [...given.scopes] }),
    );
    expect(String(await making.catch((thrown) => thrown))).toContain("lacks the role ADMIN");
  });

  test("whose scopes a changed file has made nonsense is let in nowhere", async () => {
    const { id, key } = await limited(["read"]);
    for (const scopes of ["", "nonsense", "null", '["READ"]', "read"]) {
      await server.app.writer.submit((tx) =>
        tx.sqlite.prepare("update api_keys set scopes = ? where id = ?").run(scopes, id),
      );
      await server.api("DELETE", `/api-keys/${(await create({})).json.id}`);
      const { status, json } = await server.api("GET", "/organization", undefined, { key });
      expect([scopes, status, json.detail]).toEqual([scopes, 403, expect.stringContaining("the key has no scope")]);
    }
  });
});

test("a key's last use tells from where, and a refused one nothing", async () => {
  const { id, key } = (await create({ role: "ADMIN", scopes: ["read"] })).json;
  const shown = async () => {
    const { lastUsedAt, lastUsedAddress } = (await server.api("GET", `/api-keys/${id}`)).json;
    return [lastUsedAt, lastUsedAddress];
  };
  expect((await server.api("POST", "/stakeholders", {}, { key })).status).toBe(403);
  await server.app.writer.submit(() => undefined);
  expect(await shown()).toEqual([null, null]);
  expect((await server.api("GET", "/organization", undefined, { key })).status).toBe(200);
  await server.app.writer.submit(() => undefined);
  expect(await shown()).toEqual([expect.stringMatching(/:00\.000Z$/), expect.stringMatching(/127\.0\.0\.1$|^::1$/)]);
});
