// API keys that end by themselves: they work until their instant and are refused from then on, wherever a key is looked at.
import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { systemRuntime, toTimestamp } from "../../src/kernel/runtime.ts";
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
