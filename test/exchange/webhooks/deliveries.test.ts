// Deliveries by a whole service: in order, each event, signed; what failures, rotation, a lost key and hostile receivers
// come to; and what an endpoint of an organization never gets.
import { afterAll, afterEach, beforeAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { listInstanceEvents } from "../../../src/storage/follow/instance-store.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";
import { type Received, type Receiver, signatureBy, signaturesOf, startReceiver, status } from "./receiver.ts";

setDefaultTimeout(60_000);

const ALLOW = { CAPTABLE_WEBHOOK_ALLOW: "public,127.0.0.0/8" };
let server: TestServer;
const receivers: Receiver[] = [];
const stops: (() => unknown)[] = [];

beforeAll(async () => {
  server = await startTestServer(ALLOW);
});
afterAll(() => server.stop());
afterEach(async () => {
  const { items } = (await server.api("GET", "/webhook-endpoints?limit=100")).json;
  for (const { id } of items) await server.api("DELETE", `/webhook-endpoints/${id}`);
  for (const receiver of receivers.splice(0)) await receiver.stop();
  for (const stop of stops.splice(0)) await stop();
});

async function receiving(): Promise<Receiver> {
  const receiver = await startReceiver();
  receivers.push(receiver);
  return receiver;
}

interface Made {
  readonly id: string;
  readonly secret: string;
  readonly path: string;
}

async function endpoint(url: string, more: object = {}, orgId = server.orgId): Promise<Made> {
  const { status: code, json, text } = await server.api("POST", "/webhook-endpoints", { url, ...more }, { orgId });
  if (code !== 201) throw new Error(text);
  return { id: json.id, secret: json.secret, path: `/webhook-endpoints/${json.id}` };
}

const get = async (path: string) => (await server.api("GET", path)).json;
const legend = (name: string, more: object = {}, orgId = server.orgId) =>
  server.api("POST", "/stock-legends", { name, text: "T", ...more }, { orgId });

/** Waits until what is asked for has a form. */
async function until<T>(ask: () => Promise<T>, is: (found: T) => boolean): Promise<T> {
  for (let looks = 0; ; looks++) {
    const found = await ask();
    if (is(found)) return found;
    if (looks > 400) throw new Error(`it did not come: ${JSON.stringify(found)}`);
    await Bun.sleep(25);
  }
}

const idsOf = (received: readonly Received[]) => received.map(({ event }) => event.id);

describe("events", () => {
  test("arrive in the order of the feed, each once, as it lists them, signed by the secret", async () => {
    const receiver = await receiving();
    const { secret } = await endpoint(receiver.url, { types: ["stock_legend.*", "transaction.*"] });
    const after = (await get("/events?after=latest")).cursor;
    await Promise.all(Array.from({ length: 40 }, (_, at) => legend(`L${at}`)));
    await server.api("PATCH", "/organization", { legalName: "Ada & Co" });
    await receiver.count(40);
    const { items } = await get(`/events?after=${after}&types=stock_legend.*,transaction.*&limit=500`);
    expect(receiver.received.map(({ event }) => event)).toEqual(items);
    for (const each of receiver.received) {
      expect(signaturesOf(each)).toEqual([signatureBy(secret, each)]);
      expect(each.headers).toMatchObject({
        "content-type": "application/json",
        "user-agent": expect.stringMatching(/^captable\/\d/),
        "webhook-id": each.event.id,
        "webhook-timestamp": expect.stringMatching(/^\d{10}$/),
      });
    }
  });

  test("begin where it is asked for: now, at the beginning, behind a cursor", async () => {
    const [now, all, since] = [await receiving(), await receiving(), await receiving()];
    await legend("before");
    const cursor = (await get("/events?after=latest")).cursor;
    await legend("between");
    const types = { types: ["stock_legend.created"] };
    await endpoint(now.url, types);
    await endpoint(all.url, { ...types, startAt: "beginning" });
    await endpoint(since.url, { ...types, startAt: cursor });
    await legend("after");
    const { items } = await get("/events?types=stock_legend.created&limit=500");
    await Promise.all([now.count(1), all.count(items.length), since.count(2)]);
    await Bun.sleep(200);
    const ids = items.map(({ id }: { id: string }) => id);
    expect([idsOf(now.received), idsOf(all.received), idsOf(since.received)]).toEqual([
      ids.slice(-1),
      ids,
      ids.slice(-2),
    ]);
  });

  test("out of turn wait for no other organization's, however many wait there", async () => {
    const [silent, receiver] = [await receiving(), await receiving()];
    silent.answer = () => undefined;
    for (let at = 0; at < 4; at++) {
      const { path } = await endpoint(`${silent.url}/${at}`, { types: ["scenario.*"] });
      for (let count = 0; count < 20; count++) expect((await server.api("POST", `${path}/test`)).status).toBe(201);
    }
    await silent.count(4);
    const orgId = await server.newOrganization("Patient");
    const { path } = await endpoint(receiver.url, { types: ["scenario.*"] }, orgId);
    expect((await server.api("POST", `${path}/test`, undefined, { orgId })).status).toBe(201);
    await until(
      async () => receiver.received.length,
      (count) => count > 0,
    );
    expect(silent.received).toHaveLength(4);
    await server.api("DELETE", path, undefined, { orgId });
  });

  test("of another organization never come; of keys and endpoints they do", async () => {
    const receiver = await receiving();
    await endpoint(receiver.url, { types: ["*"] });
    const other = await server.newOrganization("Other");
    await legend("theirs", {}, other);
    const key = (await server.api("POST", "/api-keys", { name: "K", role: "VIEWER" })).json.id;
    await endpoint("https://hooks.invalid/x", { types: ["scenario.*"] });
    await receiver.count(2);
    await Bun.sleep(200);
    expect(receiver.received.map(({ event }) => event.type)).toEqual(["api_key.created", "webhook_endpoint.created"]);
    expect(receiver.received[0]?.event.data.resourceId).toBe(key);
    expect(receiver.received.every(({ body }) => !body.includes(other))).toBe(true);
  });

  test("with records have them as they are when sent; null once gone, and where that would be too large", async () => {
    const receiver = await receiving();
    const { path } = await endpoint(receiver.url, { include: "record", types: ["scenario.*", "stock_legend.*"] });
    await server.api("PATCH", path, { status: "DISABLED" });
    const kept = (await legend("kept")).json.id;
    const gone = (await legend("gone")).json.id;
    await server.api("PATCH", `/stock-legends/${kept}`, { name: "renamed" });
    await server.api("DELETE", `/stock-legends/${gone}`);
    await server.api("PATCH", path, { status: "ENABLED" });
    await receiver.count(4);
    const told = receiver.received.map(({ event: { type, data } }) => [
      type,
      data.resourceId,
      data.record?.name ?? null,
    ]);
    expect(told).toEqual([
      ["stock_legend.created", kept, "renamed"],
      ["stock_legend.created", gone, null],
      ["stock_legend.updated", kept, "renamed"],
      ["stock_legend.deleted", gone, null],
    ]);
    expect(receiver.received.every(({ event }) => "record" in event.data)).toBe(true);
    expect(receiver.received[0]?.event.data.record).toEqual(await get(`/stock-legends/${kept}`));
  });
});

describe("a failure", () => {
  test("is waited after, the event first of all; what a person changes goes out at once", async () => {
    const receiver = await receiving();
    const { path } = await endpoint(receiver.url, { types: ["stock_legend.created"] });
    receiver.answer = status(500);
    await legend("first");
    await legend("second");
    await receiver.count(1);
    const failing = await until(
      () => get(path),
      ({ failingSince }) => failingSince !== null,
    );
    expect(failing).toMatchObject({ status: "ENABLED", lastError: "status", pendingEvents: 2, lastSuccessAt: null });
    const waitMs = Date.parse(failing.nextAttemptAt) - Date.parse(failing.failingSince);
    expect(waitMs).toBeGreaterThanOrEqual(4000);
    expect(waitMs).toBeLessThanOrEqual(6000);
    expect((await get(`${path}/deliveries`)).items).toMatchObject([
      {
        state: "FAILED",
        kind: "ORDERED",
        attempt: 1,
        responseStatus: 500,
        error: "status",
        eventType: "stock_legend.created",
      },
    ]);
    await Bun.sleep(300);
    expect(receiver.received).toHaveLength(1);
    receiver.answer = status(200);
    await server.api("PATCH", path, { status: "ENABLED" });
    await receiver.count(3);
    const [first, again, second] = receiver.received;
    expect(again?.body).toBe(first?.body as string);
    expect(second?.event.id).not.toBe(first?.event.id);
    const well = await until(
      () => get(path),
      ({ pendingEvents }) => pendingEvents === 0,
    );
    expect(well).toMatchObject({ failingSince: null, nextAttemptAt: null, lastError: null, oldestPendingAt: null });
  });

  test("that lasts can be skipped, and places be sought", async () => {
    const receiver = await receiving();
    const { path } = await endpoint(receiver.url, { types: ["stock_legend.created"] });
    const seek = (body: object) => server.api("POST", `${path}/seek`, body);
    expect((await seek({ skip: true })).json.type).toEndWith("/invalid-state");
    for (const body of [{}, { skip: true, latest: true }, { cursor: "x" }, { since: "yesterday" }, { latest: false }]) {
      expect([body, (await seek(body)).status]).toEqual([body, 422]);
    }
    receiver.answer = status(500);
    const before = (await get("/events?after=latest")).cursor;
    await legend("poison");
    await receiver.count(1);
    await legend("fine");
    await until(
      () => get(path),
      ({ failingSince }) => failingSince !== null,
    );
    receiver.answer = status(200);
    const skipped = await seek({ skip: true });
    expect(skipped.json).toMatchObject({ failingSince: null, pendingEvents: 1 });
    await receiver.count(2);
    const names = async (count: number) => {
      await receiver.count(count);
      return receiver.received.length;
    };
    const [poison, fine] = idsOf(receiver.received);
    expect(fine).not.toBe(poison);
    await until(
      () => get(path),
      ({ pendingEvents }) => pendingEvents === 0,
    );
    await seek({ cursor: before });
    expect(await names(4)).toBe(4);
    expect(idsOf(receiver.received).slice(2)).toEqual([poison, fine]);
    await until(
      () => get(path),
      ({ pendingEvents }) => pendingEvents === 0,
    );
    await server.api("PATCH", path, { status: "DISABLED" });
    await legend("passed over");
    await seek({ latest: true });
    await server.api("PATCH", path, { status: "ENABLED" });
    await legend("last");
    await receiver.count(5);
    await Bun.sleep(150);
    expect(receiver.received).toHaveLength(5);
  });

  test("410 disables at once, and tells; ENABLED goes on from there", async () => {
    const receiver = await receiving();
    const { id, path } = await endpoint(receiver.url, { types: ["stock_legend.created"] });
    const after = (await get("/events?after=latest")).cursor;
    receiver.answer = status(410);
    await legend("gone");
    const disabled = await until(
      () => get(path),
      ({ status: is }) => is === "DISABLED",
    );
    expect(disabled).toMatchObject({ disabledReason: "GONE", pendingEvents: 1, nextAttemptAt: null });
    const { items } = await get(`/events?after=${after}&types=webhook_endpoint.*`);
    expect(items).toMatchObject([
      { type: "webhook_endpoint.updated", data: { resourceId: id, actor: "job", states: { status: "DISABLED" } } },
    ]);
    const told = listInstanceEvents(server.app.reader, { after: 0, limit: 100 }).at(-1);
    expect(told?.type).toBe("webhook_endpoint.disabled");
    expect(JSON.parse(told?.data ?? "")).toEqual({
      ...{ orgId: null, endpointOrgId: server.orgId, endpointId: id, reason: "GONE" },
    });
    receiver.answer = status(200);
    await legend("after");
    const enabled = await server.api("PATCH", path, { status: "ENABLED" });
    expect(enabled.json).toMatchObject({ status: "ENABLED", disabledReason: null });
    await receiver.count(3);
  });

  test("asks to wait by Retry-After", async () => {
    const receiver = await receiving();
    const { path } = await endpoint(receiver.url, { types: ["stock_legend.created"] });
    receiver.answer = status(429, { "retry-after": "3600" });
    await legend("later");
    const { nextAttemptAt, failingSince } = await until(
      () => get(path),
      (found) => found.failingSince !== null,
    );
    expect(Date.parse(nextAttemptAt) - Date.parse(failingSince)).toBe(3_600_000);
  });
});

describe("a secret", () => {
  test("is in the answer that makes it, and nowhere else", async () => {
    const receiver = await receiving();
    const { secret, path, id } = await endpoint(receiver.url);
    expect(Buffer.from(secret.replace("whsec_", ""), "base64")).toHaveLength(32);
    await legend("signed");
    await receiver.count(1);
    await until(
      () => get(`${path}/deliveries`),
      ({ items }) => items.length > 0,
    );
    const own = secret.replace("whsec_", "");
    const { sqlite } = server.app.reader;
    const tables = sqlite.prepare<[], string>("select name from sqlite_master where type = 'table'").pluck().all();
    const stored = tables.map((name) => JSON.stringify(sqlite.prepare(`select * from "${name}"`).all())).join("\n");
    expect([stored.includes(own), stored.includes(id)]).toEqual([false, true]);
    expect(server.log.join("\n")).not.toContain(own);
    for (const shown of [await get(path), await get("/webhook-endpoints"), await get("/audit-log?limit=100")]) {
      expect(JSON.stringify(shown)).not.toContain("whsec_");
    }
    const key = join(server.dataDir, "webhook.key");
    expect(statSync(key).mode & 0o777).toBe(0o600);
    expect(readFileSync(key, "utf8")).toMatch(/^[0-9a-f]{64}\n$/);
  });

  test("is changed under load without a request that neither of the two signs", async () => {
    const receiver = await receiving();
    const made = await endpoint(receiver.url, { types: ["stock_legend.created"] });
    const secrets = [made.secret];
    let isWriting = true;
    let count = 0;
    const writing = (async () => {
      while (isWriting) {
        for (let each = 0; each < 5; each++) await legend(`W${count++}`);
        // Deliveries rest while requests write.
        await Bun.sleep(80);
      }
    })();
    for (const overlapHours of [24, 1, undefined]) {
      await receiver.count(receiver.received.length + 5);
      const body = overlapHours === undefined ? undefined : { overlapHours };
      const { status: code, json } = await server.api("POST", `${made.path}/rotate-secret`, body);
      expect([code, json.previousSecretUntil > new Date().toISOString()]).toEqual([200, true]);
      secrets.push(json.secret);
    }
    await receiver.count(receiver.received.length + 5);
    isWriting = false;
    await writing;
    await receiver.count(count);
    expect(new Set(secrets).size).toBe(4);
    let [newest, both] = [0, 0];
    for (const each of receiver.received) {
      const by = secrets.map((secret) => signaturesOf(each).includes(signatureBy(secret, each)));
      const at = by.lastIndexOf(true);
      expect(at).toBeGreaterThanOrEqual(newest);
      newest = at;
      // During an overlap the one before signs, too, and no older one.
      expect(by.map((is, which) => is === (which === at || which === at - 1))).toEqual([true, true, true, true]);
      both += at > 0 ? 1 : 0;
    }
    expect([newest, both > 0]).toEqual([3, true]);
    const last = await server.api("POST", `${made.path}/rotate-secret`, { overlapHours: 0 });
    await legend("by the newest alone");
    await receiver.count(count + 1);
    const each = receiver.received.at(-1) as Received;
    expect(signaturesOf(each)).toEqual([signatureBy(last.json.secret, each)]);
  });

  test("of a key that is not here signs and sends nothing, until it is rotated", async () => {
    const receiver = await receiving();
    const { path, secret } = await endpoint(receiver.url, { types: ["stock_legend.created"] });
    await legend("sent");
    await receiver.count(1);
    const key = join(server.dataDir, "webhook.key");
    renameSync(key, `${key}.away`);
    stops.push(() => rmSync(`${key}.away`, { force: true }));
    // The thread looks at the file after commits.
    await server.api("PATCH", "/organization", { legalName: "Ada, Inc." });
    await until(
      () => get(path),
      ({ lastError }) => lastError !== null,
    );
    await legend("kept back");
    const missing = await until(
      () => get(path),
      ({ lastError, pendingEvents }) => lastError !== null && pendingEvents === 1,
    );
    expect(missing).toMatchObject({
      lastError: "key-missing",
      status: "ENABLED",
      pendingEvents: 1,
      failingSince: null,
    });
    expect((await server.api("POST", `${path}/test`)).json.type).toEndWith("/invalid-state");
    await Bun.sleep(300);
    expect(receiver.received).toHaveLength(1);
    const rotated = await server.api("POST", `${path}/rotate-secret`);
    expect(rotated.json.lastError).toBeNull();
    await receiver.count(2);
    const each = receiver.received[1] as Received;
    expect(signaturesOf(each)).toEqual([signatureBy(rotated.json.secret, each)]);
    expect(rotated.json.secret).not.toBe(secret);
  });
});

describe("out of turn", () => {
  test("a test goes to a disabled endpoint, too, and is sent again under its id", async () => {
    const receiver = await receiving();
    const { path, secret } = await endpoint(receiver.url);
    await server.api("PATCH", path, { status: "DISABLED" });
    const { status: code, json, headers } = await server.api("POST", `${path}/test`);
    expect([code, json.state, json.kind]).toEqual([201, "PENDING", "TEST"]);
    await receiver.count(1);
    const [first] = receiver.received as [Received];
    expect(first.event).toEqual({
      ...{ id: json.eventId, type: "webhook.test", timestamp: json.createdAt, data: { orgId: server.orgId } },
    });
    expect(signaturesOf(first)).toEqual([signatureBy(secret, first)]);
    const one = (headers.get("location") ?? "").replace("/api/v1", "");
    await until(
      () => get(one),
      ({ state }) => state === "SUCCEEDED",
    );
    const again = await server.api("POST", `${one}/redeliver`);
    expect([again.status, again.json.kind, again.json.eventId]).toEqual([201, "REDELIVERY", json.eventId]);
    await receiver.count(2);
    expect(receiver.received[1]?.body).toBe(first.body);
  });

  test("an event is sent again beside the order, also while another one fails", async () => {
    const receiver = await receiving();
    const { path } = await endpoint(receiver.url, { types: ["stock_legend.created"] });
    await legend("again");
    await receiver.count(1);
    const { items } = await until(
      () => get(`${path}/deliveries`),
      (found) => found.items.length > 0,
    );
    receiver.answer = status(500);
    await legend("fails");
    await until(
      () => get(path),
      ({ failingSince }) => failingSince !== null,
    );
    await server.api("POST", `${path}/deliveries/${items[0].id}/redeliver`);
    const failed = await until(
      () => get(`${path}/deliveries?state=FAILED`),
      (found) => found.items.length === 2,
    );
    expect(failed.items.map(({ kind }: { kind: string }) => kind).sort()).toEqual(["ORDERED", "REDELIVERY"]);
    expect(receiver.received.at(-1)?.body).toBe(receiver.received[0]?.body as string);
    expect((await get(path)).failingSince).not.toBeNull();
    for (const each of failed.items) {
      expect(Object.keys(each).sort()).toEqual(
        [
          ...["attempt", "createdAt", "cursor", "durationMs", "error", "eventId", "eventType", "id", "kind"],
          ...["responseStatus", "startedAt", "state"],
        ].sort(),
      );
    }
  });
});

describe("limits", () => {
  test("16 endpoints, 50 types of those that are known, and URLs that may be sent to", async () => {
    const fault = async (body: object) => {
      const { status: code, json } = await server.api("POST", "/webhook-endpoints", body);
      return [code, json.errors?.[0]?.pointer];
    };
    const url = "https://hooks.invalid/";
    expect(await fault({ url: "https://10.0.0.1/" })).toEqual([422, "#/url"]);
    expect(await fault({ url: "https://0xa9fea9fe/latest/meta-data" })).toEqual([422, "#/url"]);
    expect(await fault({ url, types: ["*", "nothing.created"] })).toEqual([422, "#/types/1"]);
    expect(await fault({ url, types: [] })).toEqual([422, "#/types"]);
    expect(await fault({ url, types: Array.from({ length: 51 }, (_, at) => `security.${at}`) })).toEqual([
      422,
      "#/types",
    ]);
    expect(await fault({ url, startAt: "yesterday" })).toEqual([422, "#/startAt"]);
    const cursor = Buffer.from(`9.${"a".repeat(16)}.9.${"b".repeat(16)}`).toString("base64url");
    expect(await fault({ url, startAt: cursor })).toEqual([409, undefined]);
    for (let each = 0; each < 16; each++) await endpoint(url, { types: ["scenario.deleted"] });
    expect(await fault({ url })).toEqual([409, undefined]);
    const { items } = await get("/webhook-endpoints?limit=100");
    await server.api("DELETE", `/webhook-endpoints/${items[0].id}`);
    expect((await fault({ url }))[0]).toBe(201);
  });

  test("a server that sends nothing makes none", async () => {
    const silent = await startTestServer({ CAPTABLE_WEBHOOK_ALLOW: "none" });
    stops.push(() => silent.stop());
    const { status: code, json } = await silent.api("POST", "/webhook-endpoints", { url: "https://hooks.invalid/" });
    expect([code, json.type.split("/").at(-1)]).toEqual([409, "conflict"]);
  });

  test("receivers of one organization that hold what they get keep no other waiting", async () => {
    const [holding, quick] = [await receiving(), await receiving()];
    const held: (() => void)[] = [];
    holding.answer = (_received, response) => void held.push(() => response.end());
    stops.unshift(() => {
      for (const let_ of held) let_();
    });
    for (let each = 0; each < 16; each++) await endpoint(holding.url, { types: ["stock_legend.created"] });
    const other = await server.newOrganization("Patient");
    const theirs = await endpoint(quick.url, { types: ["stock_legend.created"] }, other);
    await legend("held");
    await holding.count(4);
    await legend("theirs", {}, other);
    await quick.count(1);
    // Four of one organization at once, and no more.
    await Bun.sleep(300);
    expect(holding.received).toHaveLength(4);
    await server.api("DELETE", theirs.path, undefined, { orgId: other });
  });
});

test("metrics count requests, and tell how long the oldest event waits", async () => {
  const receiver = await receiving();
  const figures = async () => {
    const text = await (await fetch(`${server.url}/metrics`)).text();
    const of = (name: string) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
    return {
      succeeded: of('captable_webhook_deliveries_total\\{state="succeeded"\\}'),
      failed: of('captable_webhook_deliveries_total\\{state="failed"\\}'),
      oldest: of("captable_webhook_oldest_pending_seconds"),
    };
  };
  // What the tests before this one sent is told each second.
  let before = await figures();
  for (let last = ""; last !== JSON.stringify(before); before = await figures()) {
    last = JSON.stringify(before);
    await Bun.sleep(1300);
  }
  expect(before.oldest).toBe(0);
  await endpoint(receiver.url, { types: ["stock_legend.created"] });
  await legend("counted");
  await until(figures, ({ succeeded }) => succeeded === before.succeeded + 1);
  receiver.answer = status(500);
  await legend("waits");
  const after = await until(figures, ({ failed }) => failed === before.failed + 1);
  await until(figures, ({ oldest }) => oldest > 0);
  expect(after.succeeded).toBe(before.succeeded + 1);
});
