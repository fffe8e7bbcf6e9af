// What the edge promises of every request: keys, problems, idempotent answers, rate limits; the test moves the clock.
import { afterEach, describe, expect, test } from "bun:test";
import { commandLineCall } from "../../../src/kernel/call.ts";
import { systemRuntime } from "../../../src/kernel/runtime.ts";
import { issueShares } from "../../../src/ledger/operations/issue-shares.ts";
import { executeOperation } from "../../../src/ledger/writes/execute.ts";
import { generateKey } from "../../../src/resources/api-keys/key.ts";
import { createKey } from "../../../src/resources/api-keys/routes.ts";
import { pruneAnswers } from "../../../src/storage/database/idempotency.ts";
import { makeShareClass, makeStakeholder } from "../../kit/records.ts";
import { type Answer, startTestServer, type TestServer } from "../../kit/service.ts";

const SECOND_MS = 1000;
const DAY_MS = 86_400_000;
const STAKEHOLDER = { displayName: "Ada", name: { legalName: "Ada" }, type: "INDIVIDUAL" };
const UNKNOWN = "0190f5a2-6c1e-7b3a-9d4e-000000000000";

let server: TestServer;
let nowMs = Date.parse("2026-03-01T12:00:00Z");

async function start(settings: Record<string, string> = {}): Promise<void> {
  nowMs = Date.parse("2026-03-01T12:00:00Z");
  const runtime = { ...systemRuntime, nowMs: () => nowMs };
  server = await startTestServer({ CAPTABLE_ENV: "test", ...settings }, { runtime });
}
afterEach(() => server.stop());

const slugOf = (answer: Answer) => String(answer.json.type).split("/").at(-1);
const list = (key?: string | null) => server.api("GET", "/stakeholders", undefined, key === undefined ? {} : { key });

describe("rate limit: a token bucket per key, burst a sixth of the rate", () => {
  test("the burst passes, the next is 429 with Retry-After, and waiting that long helps", async () => {
    await start({ CAPTABLE_RATE_LIMIT: "60" });
    for (let left = 9; left >= 0; left--) {
      const answer = await list();
      expect(answer.status).toBe(200);
      expect(answer.headers.get("ratelimit-limit")).toBe("60");
      expect(answer.headers.get("ratelimit-remaining")).toBe(String(left));
      expect(answer.headers.get("ratelimit-reset")).toBe(String(10 - left));
    }
    const refused = await list();
    expect([refused.status, slugOf(refused)]).toEqual([429, "rate-limited"]);
    expect(refused.headers.get("retry-after")).toBe("1");
    expect(refused.headers.get("ratelimit-remaining")).toBe("0");
    nowMs += Number(refused.headers.get("retry-after")) * SECOND_MS;
    expect((await list()).status).toBe(200);
    expect((await list()).status).toBe(429);
  });

  test("a batch takes a token for each operation, at most a full bucket, or none but its own", async () => {
    await start({ CAPTABLE_RATE_LIMIT: "60" });
    const key = await server.key("EDITOR");
    const batch = (count: number) => {
      const operation = { method: "POST", path: "/api/v1/stakeholders", body: STAKEHOLDER };
      return server.api("POST", "/batch", { operations: Array.from({ length: count }, () => operation) }, { key });
    };
    const left = ({ headers }: Answer) => headers.get("ratelimit-remaining");
    const four = await batch(4);
    expect([four.status, left(four)]).toEqual([200, "6"]);
    const seven = await batch(7);
    expect([seven.status, left(seven), seven.headers.get("retry-after")]).toEqual([429, "5", "2"]);
    nowMs += 2 * SECOND_MS;
    expect([(await batch(7)).status, (await list(key)).status]).toEqual([200, 429]);
    // Of more operations than the bucket holds, a full one is enough.
    nowMs += 10 * SECOND_MS;
    const twenty = await batch(20);
    expect([twenty.status, left(twenty)]).toEqual([200, "0"]);
    const again = await batch(20);
    expect([again.status, again.headers.get("retry-after")]).toEqual([429, "1"]);
    nowMs += SECOND_MS;
    const early = await batch(20);
    expect([early.status, early.headers.get("retry-after")]).toEqual([429, "10"]);
  });

  test("each key has its own, and a refusal changes nothing", async () => {
    await start({ CAPTABLE_RATE_LIMIT: "6" });
    expect((await server.api("POST", "/stakeholders", STAKEHOLDER)).status).toBe(201);
    expect((await server.api("POST", "/stakeholders", STAKEHOLDER)).status).toBe(429);
    const seen = await list(await server.key("VIEWER"));
    expect(seen.json.items).toHaveLength(1);
  });

  test("all keys of an organization have one above theirs, which another organization's do not touch", async () => {
    await start({ CAPTABLE_RATE_LIMIT: "60", CAPTABLE_ORG_RATE_LIMIT: "90" });
    const [admin, viewer] = [await server.key("ADMIN"), await server.key("VIEWER")];
    for (let left = 14; left >= 5; left--) {
      const { headers, status } = await list(admin);
      const [limit, remaining] = [headers.get("ratelimit-limit"), headers.get("ratelimit-remaining")];
      // The answer shows the tighter of both.
      expect([status, limit, remaining]).toEqual([200, "60", String(left - 5)]);
    }
    expect((await list(admin)).status).toBe(429);
    for (let left = 4; left >= 0; left--) {
      const { headers, status } = await list(viewer);
      const [limit, remaining] = [headers.get("ratelimit-limit"), headers.get("ratelimit-remaining")];
      expect([status, limit, remaining]).toEqual([200, "90", String(left)]);
    }
    const refused = await list(viewer);
    const told = ["ratelimit-limit", "ratelimit-remaining", "retry-after"].map((name) => refused.headers.get(name));
    expect([refused.status, ...told]).toEqual([429, "90", "0", "1"]);
    const orgId = await server.newOrganization();
    expect((await server.api("GET", "/stakeholders", undefined, { orgId })).status).toBe(200);
    // What was refused cost the key nothing: it has 5 of its own left, and the organization's come back.
    nowMs += 10 * SECOND_MS;
    const again = await Promise.all(Array.from({ length: 12 }, () => list(viewer)));
    expect(again.filter(({ status }) => status === 200)).toHaveLength(10);
  }, 20_000);

  test("by default an organization's is four keys'", async () => {
    await start({ CAPTABLE_RATE_LIMIT: "6" });
    const call = commandLineCall(systemRuntime, server.orgId);
    const keys = await server.app.writer.submit((tx) =>
      Array.from({ length: 6 }, (_, n) => createKey(tx, call, "test", { name: `${n}`, role: "VIEWER" }).key),
    );
    const statuses: number[] = [];
    for (const key of keys) statuses.push((await list(key)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 429, 429]);
  });

  test("what goes through a long ledger takes a token for each 1,000 entries, and no more than a second brings", async () => {
    await start({ CAPTABLE_RATE_LIMIT: "60", CAPTABLE_CHAIN: "off" });
    const remaining = async (path: string) => {
      const { status, headers } = await server.api("GET", path);
      expect(status).toBe(200);
      return Number(headers.get("ratelimit-remaining"));
    };
    const given = { stakeholderId: await makeStakeholder(server), stockClassId: await makeShareClass(server) };
    const record = (from: number, upTo: number) =>
      server.app.writer.submit((tx) => {
        const call = commandLineCall(systemRuntime, server.orgId);
        for (let n = from; n < upTo; n++) {
          const issued = { ...given, quantity: "1", certificateId: `L-${n}`, effectiveDate: "2026-01-15" };
          executeOperation(tx, call, issueShares, issued);
        }
      });
    await record(0, 999);
    nowMs += 60 * SECOND_MS;
    expect(await remaining("/cap-table?asOf=2026-02-01")).toBe(9);
    await record(999, 2500);
    // Two for its length, of which a second brings one.
    expect(await remaining("/cap-table?asOf=2026-02-01")).toBe(7);
    expect(await remaining("/cap-table/history")).toBe(5);
    expect(await remaining("/stakeholders")).toBe(4);
    expect(await remaining("/cap-table")).toBe(2);
  }, 300_000);

  test("it comes after the key and before the role, and 0 turns it off", async () => {
    await start({ CAPTABLE_RATE_LIMIT: "6" });
    const viewer = await server.key("VIEWER");
    const write = () => server.api("POST", "/stakeholders", "{", { key: viewer });
    expect([(await write()).status, (await write()).status]).toEqual([403, 429]);
    expect((await list(null)).status).toBe(401);
    await server.stop();
    await start({ CAPTABLE_RATE_LIMIT: "0" });
    const answer = await list();
    expect(answer.headers.get("ratelimit-limit")).toBeNull();
  });

  test("sixty failed sign-ins a minute from an address, and a valid key is never locked out", async () => {
    await start({ CAPTABLE_RATE_LIMIT: "6000" });
    const wrong = generateKey("test");
    for (let i = 0; i < 60; i++) expect((await list(wrong)).status).toBe(401);
    const limited = await list(wrong);
    expect([limited.status, slugOf(limited)]).toEqual([429, "rate-limited"]);
    expect(Number(limited.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
    expect((await list()).status).toBe(200);
    nowMs += SECOND_MS;
    expect((await list(wrong)).status).toBe(401);
    await server.stop();
    await start({ CAPTABLE_RATE_LIMIT: "0" });
    for (let i = 0; i < 70; i++) expect((await list(wrong)).status).toBe(401);
  });
});

describe("the key", () => {
  test("counts from the moment it is made and no longer from the moment it is revoked", async () => {
    await start();
    const { id, key } = (await server.api("POST", "/api-keys", { name: "mine", role: "VIEWER" })).json;
    expect(key).toMatch(/^pg_test_[0-9A-Za-z]{43}$/);
    expect((await list(key)).status).toBe(200);
    expect((await server.api("DELETE", `/api-keys/${id}`)).status).toBe(204);
    expect((await list(key)).status).toBe(401);
    expect((await server.api("DELETE", `/api-keys/${id}`)).status).toBe(204);
    const listed = (await server.api("GET", `/api-keys/${id}`)).json;
    expect(listed).toMatchObject({ revokedAt: "2026-03-01T12:00:00.000Z", prefix: key.slice(0, 12) });
    expect(listed.key).toBeUndefined();
  });

  test("of a client that only writes counts from the moment it is made until it is revoked, too", async () => {
    await start();
    const admin = await server.key("ADMIN");
    const { id, key } = (await server.api("POST", "/api-keys", { name: "mine", role: "EDITOR" }, { key: admin })).json;
    const write = async () => (await server.api("POST", "/stakeholders", STAKEHOLDER, { key })).status;
    expect([await write(), await write()]).toEqual([201, 201]);
    expect((await server.api("DELETE", `/api-keys/${id}`, undefined, { key: admin })).status).toBe(204);
    expect([await write(), await write()]).toEqual([401, 401]);
  });

  test("may revoke itself, the last one too", async () => {
    await start();
    const own = (await server.api("GET", "/api-keys")).json.items;
    for (const { id } of own) await server.api("DELETE", `/api-keys/${id}`);
    expect((await list()).status).toBe(401);
  });

  test("is noted as used, to the minute", async () => {
    await start();
    const { id, key } = (await server.api("POST", "/api-keys", { name: "mine", role: "VIEWER" })).json;
    nowMs += 61_500;
    await list(key);
    await server.app.writer.drain();
    expect((await server.api("GET", `/api-keys/${id}`)).json.lastUsedAt).toBe("2026-03-01T12:01:00.000Z");
  });

  test("is taken from a Bearer header in whatever case and from nowhere else", async () => {
    await start();
    const key = await server.key("VIEWER");
    const status = async (headers: Record<string, string>, query = "") =>
      (await fetch(`${server.url}/api/v1/stakeholders${query}`, { headers })).status;
    expect(await status({ authorization: `bearer ${key}` })).toBe(200);
    for (const authorization of [key, `Basic ${key}`, `Bearer ${key} x`, `Bearer ${key}x`, "Bearer", "Bearer "]) {
      expect({ authorization, status: await status({ authorization }) }).toEqual({ authorization, status: 401 });
    }
    expect(await status({ "x-api-key": key })).toBe(401);
    expect(await status({}, `?access_token=${key}`)).toBe(401);
  });

  test("never stands in the log, nor does a body or a query", async () => {
    await start();
    const key = await server.key("ADMIN");
    await server.api("POST", "/stakeholders", { ...STAKEHOLDER, email: "secret@example.com" });
    await server.api("GET", "/stakeholders?q=whisper");
    await server.api("POST", "/stakeholders", { secretMember: "whisper" });
    await server.stop();
    const log = server.log.join("");
    expect(log).toContain('"route":"/api/v1/stakeholders"');
    for (const text of [key, key.slice(8), "secret@example.com", "whisper", "secretMember"])
      expect(log).not.toContain(text);
    await start();
  });
});

describe("the request's id", () => {
  test("is the client's where that is a UUID, else a new one, and stands in the problem too", async () => {
    await start();
    const sent = "0190F5A2-6C1E-4B3A-9D4E-1F2A3B4C5D6E";
    const taken = await server.api("GET", "/nothing", undefined, { headers: { "x-request-id": sent } });
    expect(taken.headers.get("x-request-id")).toBe(sent);
    expect(taken.json.instance).toBe(`urn:uuid:${sent}`);
    for (const other of ["1", "x".repeat(36), `${sent}0`]) {
      const answer = await server.api("GET", "/nothing", undefined, { headers: { "x-request-id": other } });
      expect(answer.headers.get("x-request-id")).not.toBe(other);
      expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-/);
    }
  });
});

describe("the order of checks", () => {
  test("body, then schema of body and query, then the path's record, then references", async () => {
    await start();
    const at = (path: string, body: unknown) => server.api("PATCH", path, body);
    const id = await makeStakeholder(server);
    expect((await at(`/stakeholders/${UNKNOWN}?x=1`, "{")).status).toBe(400);
    const both = await at(`/stakeholders/${UNKNOWN}?x=1`, { displayName: "" });
    expect(both.status).toBe(422);
    expect(both.json.errors).toHaveLength(2);
    expect((await at(`/stakeholders/${UNKNOWN}`, { sourceDocumentId: UNKNOWN })).json.detail).toContain("stakeholder");
    expect((await at(`/stakeholders/${id}`, { sourceDocumentId: UNKNOWN })).json.detail).toContain("document");
  });

  test("an unexpected body is ignored; HEAD is GET without the body", async () => {
    await start();
    const id = await makeStakeholder(server);
    const head = await server.api("HEAD", `/stakeholders/${id}`);
    expect([head.status, head.text]).toEqual([200, ""]);
    expect((await server.api("DELETE", `/stakeholders/${id}`, "{not json")).status).toBe(204);
  });
});

describe("Idempotency-Key", () => {
  const create = (key: string, body: unknown = STAKEHOLDER, more: object = {}) =>
    server.api("POST", "/stakeholders", body, { headers: { "idempotency-key": key }, ...more });
  const count = async () => (await list()).json.items.length;

  test("a retry gets the first answer and makes nothing; members in another order are the same body", async () => {
    await start();
    const first = await create("k1");
    const { type, ...rest } = STAKEHOLDER;
    const again = await create("k1", { type, ...rest });
    expect([again.status, again.text, again.headers.get("location")]).toEqual([
      201,
      first.text,
      first.headers.get("location"),
    ]);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(await count()).toBe(1);
  });

  test("another body with the key is 422 idempotency-key-reused", async () => {
    await start();
    await create("k1");
    expect(slugOf(await create("k1", { ...STAKEHOLDER, displayName: "Bob" }))).toBe("idempotency-key-reused");
    expect(await count()).toBe(1);
  });

  test("twenty at once with one key: one takes effect and all get its answer", async () => {
    await start();
    const answers = await Promise.all(Array.from({ length: 20 }, () => create("k1")));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter(({ headers }) => headers.get("idempotent-replayed") === null)).toHaveLength(1);
    expect(await count()).toBe(1);
  });

  test("a refusal is not stored: the same key may try again", async () => {
    await start();
    expect((await create("k1", { ...STAKEHOLDER, sourceDocumentId: UNKNOWN })).status).toBe(404);
    expect((await create("k1", { ...STAKEHOLDER, type: "NONE" })).status).toBe(422);
    expect((await create("k1")).status).toBe(201);
  });

  test("its scope is the organization, the method and the path", async () => {
    await start();
    const orgId = await server.newOrganization();
    expect((await create("k1")).status).toBe(201);
    expect((await create("k1", STAKEHOLDER, { orgId })).headers.get("idempotent-replayed")).toBeNull();
    const legend = { name: "Restricted", text: "Not registered." };
    const other = await server.api("POST", "/stock-legends", legend, { headers: { "idempotency-key": "k1" } });
    expect(other.status).toBe(201);
  });

  test("it is kept for 30 days and then pruned", async () => {
    await start();
    const prune = () => server.app.writer.submit((tx) => pruneAnswers(tx, nowMs, 1000));
    await create("k1");
    nowMs += 30 * DAY_MS - SECOND_MS;
    expect(await prune()).toBe(0);
    expect((await create("k1")).headers.get("idempotent-replayed")).toBe("true");
    nowMs += 2 * SECOND_MS;
    expect(await prune()).toBe(1);
    expect((await create("k1")).headers.get("idempotent-replayed")).toBeNull();
    expect(await count()).toBe(2);
  });
});

describe("a query", () => {
  test.each([
    ["/stakeholders?type=FOO&status=BAR&foo=1&limit=x", "foo limit status type"],
    ["/stakeholders?limit=x&cursor=zz&type=Q", "cursor limit type"],
    ["/transactions?type=z&limit=z", "limit type"],
    ["/cap-table?asOf=2023-02-30&knownAt=xx&z=1", "asOf knownAt z"],
    ["/stakeholders?limit=5&limit=6&q=a", "limit"],
  ])("%s is told everything that is wrong with it at once", async (path, parameters) => {
    await start();
    const { status, json } = await server.api("GET", path);
    const named = json.errors.map(({ parameter }: { parameter: string }) => parameter);
    expect([status, named.sort().join(" ")]).toEqual([422, parameters]);
  });

  test("that is refused opens no export: none is under way when another is asked for", async () => {
    await start();
    const ask = (query: string) => server.api("GET", `/cap-table/ocf-export?${query}`);
    const refused = Array.from({ length: 30 }, () => ask("nothing=1"));
    const answers = await Promise.all([...refused, ...Array.from({ length: 4 }, () => ask("include=issuer"))]);
    expect(answers.map(({ status }) => status)).toEqual([...refused.map(() => 422), 200, 200, 200, 200]);
  });
});
