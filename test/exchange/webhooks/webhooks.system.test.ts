// Webhooks of the built program: kill -9 while it delivers, SIGTERM with a request in hand, a restored copy, and the
// endpoints of the instance by the command line.
import { afterEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { newDataDir, runProgram, type Served, serveProgram } from "../../kit/program.ts";
import { firstSeed, proved } from "../../kit/proof.ts";
import { seeded } from "../../kit/random.ts";
import { RELEASE } from "../../kit/release.ts";
import { type Receiver, signatureBy, signaturesOf, startReceiver, status } from "./receiver.ts";

const KILLS = RELEASE ? 200 : 15;
const TWICE_MAX = 50;
const ALLOW = { CAPTABLE_WEBHOOK_ALLOW: "public,127.0.0.0/8", CAPTABLE_CHAIN: "off", CAPTABLE_RATE_LIMIT: "0" };
setDefaultTimeout(RELEASE ? 3_600_000 : 300_000);

const stops: (() => unknown)[] = [];
afterEach(async () => {
  for (const stop of stops.splice(0).reverse()) await stop();
});

async function receiving(): Promise<Receiver> {
  const receiver = await startReceiver();
  stops.push(() => receiver.stop());
  return receiver;
}

// biome-ignore lint/suspicious/noExplicitAny: answers are of every shape
type Json = any;

async function ask(served: Served, method: string, path: string, body?: unknown): Promise<Json> {
  const response = await fetch(`${served.url}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${served.key}`, "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return text === "" ? {} : JSON.parse(text);
}

/** The ids of all events of a type, in the order of the feed. */
async function feed(served: Served, types: string): Promise<string[]> {
  const ids: string[] = [];
  for (let after = ""; ; ) {
    const page = await ask(served, "GET", `/events?types=${types}&limit=500${after}`);
    ids.push(...page.items.map(({ id }: { id: string }) => id));
    if (!page.hasMore) return ids;
    after = `&after=${page.cursor}`;
  }
}

async function until(is: () => unknown): Promise<void> {
  for (let looks = 0; !(await is()); looks++) {
    if (looks > 1200) throw new Error("it did not come");
    await Bun.sleep(25);
  }
}

test(`${KILLS} kills while it delivers: in order, complete, and at most ${TWICE_MAX} twice each`, async () => {
  const pick = seeded(firstSeed());
  const receiver = await receiving();
  const dataDir = newDataDir();
  let served = await serveProgram(dataDir, ALLOW);
  await ask(served, "POST", "/webhook-endpoints", { url: receiver.url, types: ["stock_legend.created"] });
  let again = 0;
  try {
    for (let kill = 0; kill < KILLS; kill++) {
      const before = receiver.received.length;
      const writing = Promise.allSettled(
        Array.from({ length: 30 + pick(60) }, (_, at) =>
          ask(served, "POST", "/stock-legends", { name: `K${kill} ${at}`, text: "T" }),
        ),
      );
      // The kill comes while writes are under way, or while what they did is delivered.
      if (pick(2) === 0) await writing;
      await until(() => receiver.received.length >= before + pick(40) || receiver.received.length > before + 5);
      await Bun.sleep(pick(20));
      await served.end("SIGKILL");
      await writing;
      const seen = new Set(receiver.received.map(({ event }) => event.id));
      const known = receiver.received.length;
      served = await serveProgram(dataDir, ALLOW);
      const ids = await feed(served, "stock_legend.created");
      await until(() => receiver.received.some(({ event }) => event.id === ids.at(-1)));
      const repeated = receiver.received.slice(known).filter(({ event }) => seen.has(event.id)).length;
      expect(repeated).toBeLessThanOrEqual(TWICE_MAX);
      again += repeated;
    }
    const ids = await feed(served, "stock_legend.created");
    await until(() => receiver.received.some(({ event }) => event.id === ids.at(-1)));
    const bodies = new Map<string, string>();
    const order: string[] = [];
    for (const { event, body } of receiver.received) {
      expect(bodies.get(event.id) ?? body).toBe(body);
      if (!bodies.has(event.id)) order.push(event.id);
      bodies.set(event.id, body);
    }
    // Each was first sent after those before it in the feed: none is missing, none overtook another.
    expect(order).toEqual(ids);
    // What comes again begins earlier and goes on in order.
    const places = receiver.received.map(({ event }) => ids.indexOf(event.id));
    const backwards = places.filter((place, at) => at > 0 && place !== (places[at - 1] ?? 0) + 1);
    expect(backwards.length).toBeLessThanOrEqual(KILLS);
  } finally {
    await served.end();
  }
  proved({
    ...{ fault: "WH1", what: "kills while events are delivered", count: KILLS, seed: String(firstSeed()) },
    result: `${receiver.received.length} requests, each event in order; ${again} went out again, at most ${TWICE_MAX} a kill`,
  });
});

describe("SIGTERM", () => {
  test("gives the request in hand its time, and notes what was delivered: nothing goes out twice", async () => {
    const receiver = await receiving();
    const dataDir = newDataDir();
    const served = await serveProgram(dataDir, ALLOW);
    await ask(served, "POST", "/webhook-endpoints", { url: receiver.url, types: ["stock_legend.created"] });
    receiver.answer = (_received, response) => void setTimeout(() => response.end(), 1500);
    await ask(served, "POST", "/stock-legends", { name: "In hand", text: "T" });
    await receiver.count(1);
    const ended = await served.end("SIGTERM");
    expect(ended).toBe(0);
    receiver.answer = status(200);
    const next = await serveProgram(dataDir, ALLOW);
    stops.push(() => next.end());
    await ask(next, "POST", "/stock-legends", { name: "Next", text: "T" });
    await receiver.count(2);
    const ids = receiver.received.map(({ event }) => event.id);
    expect(ids).toEqual(await feed(next, "stock_legend.created"));
  });

  test("does not wait for a receiver that holds what it gets, and counts no failure", async () => {
    const receiver = await receiving();
    const dataDir = newDataDir();
    const served = await serveProgram(dataDir, ALLOW);
    const { id } = await ask(served, "POST", "/webhook-endpoints", { url: receiver.url, types: ["stock_legend.*"] });
    receiver.answer = () => undefined;
    await ask(served, "POST", "/stock-legends", { name: "Held", text: "T" });
    await receiver.count(1);
    const began = performance.now();
    expect(await served.end("SIGTERM")).toBe(0);
    expect(performance.now() - began).toBeLessThan(12_000);
    const next = await serveProgram(dataDir, ALLOW);
    stops.push(() => next.end());
    await receiver.count(2);
    expect(await ask(next, "GET", `/webhook-endpoints/${id}`)).toMatchObject({ failingSince: null, status: "ENABLED" });
  });
});

test("a restored copy sends nothing, and says so, until a secret of its own is made", async () => {
  const receiver = await receiving();
  const [dataDir, elsewhere] = [newDataDir(), newDataDir()];
  const served = await serveProgram(dataDir, ALLOW);
  const made = await ask(served, "POST", "/webhook-endpoints", { url: receiver.url, types: ["stock_legend.*"] });
  await ask(served, "POST", "/stock-legends", { name: "Sent", text: "T" });
  await receiver.count(1);
  await Bun.sleep(1500);
  const folder = mkdtempSync(join(tmpdir(), "captable-webhooks-"));
  stops.push(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "a.captable");
  expect((await runProgram(["backup", "--data-dir", dataDir, "--out", file])).status).toBe(0);
  await served.end();
  const restored = await runProgram(["restore", file, "--data-dir", elsewhere]);
  expect(restored.stdout).toContain("lacks webhook.key");
  expect(existsSync(join(elsewhere, "webhook.key"))).toBe(false);
  const copy = { ...(await serveProgram(elsewhere, ALLOW)), key: served.key };
  stops.push(() => copy.end());
  await ask(copy, "POST", "/stock-legends", { name: "In the copy", text: "T" });
  const path = `/webhook-endpoints/${made.id}`;
  await until(async () => (await ask(copy, "GET", path)).lastError !== null);
  const shown = await ask(copy, "GET", path);
  expect(shown).toMatchObject({ lastError: "key-missing", status: "ENABLED" });
  await Bun.sleep(1500);
  expect(receiver.received).toHaveLength(1);
  expect((await runProgram(["verify", "--data-dir", elsewhere])).status).toBe(0);
  // The control: with a secret of the copy's own it sends, and that is another one.
  const rotated = await ask(copy, "POST", `${path}/rotate-secret`);
  await until(() => receiver.received.length > 1);
  const last = receiver.received.at(-1);
  if (!last) throw new Error("nothing came");
  expect([signaturesOf(last).includes(signatureBy(rotated.secret, last)), rotated.secret === made.secret]).toEqual([
    ...[true, false],
  ]);
});

describe("the instance's endpoints", () => {
  const args = (dataDir: string, ...more: string[]) => ["webhooks", ...more, "--data-dir", dataDir];

  test("are added, tested, listed and removed by the command line, and hear of backups", async () => {
    const receiver = await receiving();
    const [dataDir, backups] = [newDataDir(), mkdtempSync(join(tmpdir(), "captable-webhooks-"))];
    stops.push(() => rmSync(backups, { recursive: true, force: true }));
    await (await serveProgram(dataDir, ALLOW)).end();
    const run = (...more: string[]) => runProgram(args(dataDir, ...more), ALLOW);
    for (const url of ["http://192.0.2.1/", "https://10.0.0.1/", "ftp://x/", "https://a:b@c.example/"]) {
      expect([url, (await run("add", "--instance", "--url", url)).status]).toEqual([url, 2]);
    }
    expect((await run("add", "--url", receiver.url)).status).toBe(2);
    const added = await run("add", "--instance", "--url", receiver.url, "--json");
    const { id, secret } = JSON.parse(added.stdout);
    expect([added.status, secret.startsWith("whsec_")]).toEqual([0, true]);
    expect((await run("test", id)).status).toBe(0);
    const [tested] = receiver.received;
    expect(tested?.event).toMatchObject({ type: "webhook.test", data: { orgId: null } });
    if (tested) expect(signaturesOf(tested)).toEqual([signatureBy(secret, tested)]);
    receiver.answer = status(500);
    const refused = await run("test", id);
    expect([refused.status, refused.stderr.includes("status 500")]).toEqual([1, true]);
    receiver.answer = status(200);
    expect((await run("test", "another")).status).toBe(3);
    const served = await serveProgram(dataDir, { ...ALLOW, CAPTABLE_BACKUP_DIR: backups });
    await receiver.count(3);
    expect(receiver.received[2]?.event).toMatchObject({
      ...{ type: "backup.completed", data: { orgId: null, name: expect.stringMatching(/^captable-.*\.captable$/) } },
    });
    await until(async () => JSON.parse((await run("list", "--json")).stdout).items[0].lastSuccessAt !== null);
    await served.end();
    expect((await run("list")).stdout).toContain(receiver.url);
    expect((await run("list")).stdout).not.toContain("whsec_");
    expect((await run("remove", id)).status).toBe(0);
    expect((await run("remove", id)).status).toBe(3);
    const db = new Database(join(dataDir, "captable.db"), { readonly: true });
    expect(db.prepare("select count(*) from instance_endpoints").pluck().get()).toBe(0);
    db.close();
  });
});
