// The program is asked to stop while it is busy: what has arrived is answered, nothing acknowledged is lost, the write-ahead
// log is folded in, and it ends in good time. Asked twice, it ends at once; that, and a signal that it does not handle, cost
// no more than a crash.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, rmSync, statSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { dirname, join } from "node:path";
import Database from "better-sqlite3";
import { newDataDir, runProgram, serveProgram } from "../kit/program.ts";
import { firstSeed, proved, seedCount } from "../kit/proof.ts";
import { seeded } from "../kit/random.ts";
import { issueShares, makeShareClass, makeStakeholder } from "../kit/records.ts";
import type { Answer } from "../kit/service.ts";
import { type Call, copyOf, eachOf, type Running, serveUnder } from "./support/serve.ts";

const END_MS_MAX = 30_000;
const AT_ONCE_MS_MAX = 2000;
const HELD_MS_MAX = 8000;
const CLIENTS = 4;
/** How many times as long things may take on a machine that has more to do than it has processors. */
const patience = () => Math.max(1, (loadavg()[0] ?? 0) / availableParallelism());

/** A data directory with a class and a holder, which every round copies. */
const template = newDataDir();
let key = "";
let stakeholderId = "";
let stockClassId = "";

beforeAll(async () => {
  const served = await serveProgram(template);
  ({ key } = served);
  const api = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
    const response = await fetch(`${served.url}/api/v1${path}`, { method, headers, body: JSON.stringify(body) });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: JSON.parse(text) };
  };
  stakeholderId = await makeStakeholder({ api });
  stockClassId = await makeShareClass({ api }, { initialSharesAuthorized: "900000000000" });
  await issueShares({ api }, { stakeholderId, stockClassId });
  await served.end("SIGTERM");
}, 120_000);
afterAll(() => rmSync(dirname(template), { recursive: true, force: true }));

/** A request whose head has arrived, and whose body is held back until it is finished. */
async function hold(url: string, name: string): Promise<{ finish(): Promise<number> }> {
  const body = JSON.stringify({ name, text: "held back" });
  const head = [
    "POST /api/v1/stock-legends HTTP/1.1",
    "host: 127.0.0.1",
    `authorization: Bearer ${key}`,
    "content-type: application/json",
    `content-length: ${body.length}`,
  ].join("\r\n");
  const status = Promise.withResolvers<number>();
  const socket = await Bun.connect({
    hostname: "127.0.0.1",
    port: Number(new URL(url).port),
    socket: {
      data: (_, chunk) => status.resolve(Number(chunk.toString("latin1").slice(9, 12))),
      close: () => status.resolve(0),
    },
  });
  socket.write(`${head}\r\n\r\n${body.slice(0, 9)}`);
  return {
    finish() {
      socket.write(body.slice(9));
      return status.promise;
    },
  };
}

/** Lets clients write without a pause until they get no answer; `acknowledged` fills with ids meanwhile. */
function keepWriting(call: Call): { readonly acknowledged: string[]; readonly ended: Promise<unknown> } {
  const acknowledged: string[] = [];
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    for (let n = 0; ; n++) {
      const name = `${client}-${n}`;
      const body = { stakeholderId, stockClassId, quantity: "1", certificateId: name, effectiveDate: "2026-01-15" };
      const answer = await call("POST", "/transactions/issue-shares", body, name);
      if (answer === null) return;
      if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
      acknowledged.push(JSON.parse(answer.text).data.securityId);
    }
  });
  return { acknowledged, ended: Promise.all(clients) };
}

/** What else may be going on, and the status that it ends with. */
const ANSWERED = { requests: 200, import: 200, export: 200, jobs: 201, backup: 0 } as const;
type Scene = keyof typeof ANSWERED;
const SCENES = Object.keys(ANSWERED) as Scene[];

/** Begins what else is going on when the signal comes. */
function play(scene: Scene, { call }: Running, dataDir: string): Promise<unknown> {
  const name = { legal_name: "Imported" };
  const stakeholders = Array.from({ length: 400 }, (_, n) => {
    return { object_type: "STAKEHOLDER", id: `i-${n}`, name, stakeholder_type: "INDIVIDUAL" };
  });
  const newClass = { name: "New", classType: "COMMON", defaultIdPrefix: "N-", votesPerShare: "1", seniority: 2 };
  const file = { file_type: "OCF_STAKEHOLDERS_FILE", items: stakeholders };
  const imported = { manifest: { ocf_version: "1.2.0" }, entityFiles: { "stakeholders.json": file } };
  if (scene === "import") return call("POST", "/cap-table/ocf-import", imported);
  if (scene === "export") return call("GET", "/cap-table/ocf-export");
  if (scene === "jobs") return call("POST", "/share-classes", { ...newClass, initialSharesAuthorized: "1000" });
  if (scene === "backup") return runProgram(["backup", "--data-dir", dataDir, "--out", join(dirname(dataDir), "b")]);
  return call("GET", "/cap-table");
}

/** What must hold of a data directory after any end; `ids` were acknowledged. */
async function expectKept(dataDir: string, ids: readonly string[], replay: string): Promise<void> {
  const db = new Database(join(dataDir, "captable.db"), { readonly: true });
  const held = db.prepare("select id from securities").pluck().all() as string[];
  db.close();
  const known = new Set(held);
  expect({ replay, lost: ids.filter((id) => !known.has(id)) }).toEqual({ replay, lost: [] });
  const verified = await runProgram(["verify", "--data-dir", dataDir]);
  expect({ replay, status: verified.status, said: verified.stderr }).toEqual({ replay, status: 0, said: "" });
}

test("a write that was acknowledged and is not there would be seen", async () => {
  const { dataDir, remove } = copyOf(template);
  await expectKept(dataDir, [], "");
  expect(await expectKept(dataDir, ["never made"], "").then(() => "kept", String)).toContain("never made");
  remove();
}, 60_000);

describe("asked to stop", () => {
  const [first, count] = [firstSeed(), seedCount(4, 200)];
  let slowestMs = 0;
  let kept = 0;

  async function round(seed: number): Promise<void> {
    const { dataDir, remove } = copyOf(template);
    const running = await serveUnder([], dataDir, key);
    try {
      await stop(seed, running, dataDir);
    } finally {
      await running.end("SIGKILL");
      remove();
    }
  }

  async function stop(seed: number, running: Running, dataDir: string): Promise<void> {
    const replay = `CAPTABLE_SEED=${seed} bun test test/faults/signals.system.test.ts`;
    const pick = seeded(seed);
    const signal = pick(2) === 0 ? "SIGTERM" : "SIGINT";
    const scene = SCENES[pick(SCENES.length)] ?? "requests";
    const isTwice = pick(5) === 0;
    const written = keepWriting(running.call);
    const heldFrom = performance.now();
    const held = await Promise.all(["a", "b", "c"].map((name) => hold(running.url ?? "", name)));
    await Bun.sleep(pick(200));
    const played = play(scene, running, dataDir);
    // A later request is answered later: then the heads of what was sent before have arrived.
    for (let asked = 0; asked < 3; asked++) await running.call("GET", "/stock-legends?limit=1");
    let started = performance.now();
    process.kill(running.pid, signal);
    if (isTwice) {
      while ((await running.call("GET", "/stock-legends?limit=1")) !== null) await Bun.sleep(5);
      started = performance.now();
      process.kill(running.pid, signal);
    } else {
      await Bun.sleep(50);
      const heldMs = performance.now() - heldFrom;
      const statuses = await Promise.all(held.map(({ finish }) => finish()));
      // A body that stays away for longer is cut off, stop or no stop; a test that is held up itself cannot tell.
      const right = heldMs < HELD_MS_MAX ? [201, 201, 201] : statuses;
      expect({ replay, heldMs, statuses }).toMatchObject({ statuses: right });
    }
    const { status, signal: died } = await running.ended;
    const tookMs = performance.now() - started;
    expect({ replay, status, died }).toEqual({ replay, status: isTwice ? 1 : 0, died: null });
    const isInTime = tookMs < (isTwice ? AT_ONCE_MS_MAX : END_MS_MAX) * patience();
    expect({ replay, scene, isTwice, tookMs, isInTime }).toMatchObject({ isInTime: true });
    const answer = await played;
    await written.ended;
    if (!isTwice) {
      expect({ replay, scene, answer }).toMatchObject({ replay, scene, answer: { status: ANSWERED[scene] } });
      const wal = join(dataDir, "captable.db-wal");
      // While a backup reads, its snapshot keeps the log.
      if (scene !== "backup") expect(existsSync(wal) ? statSync(wal).size : 0).toBe(0);
      slowestMs = Math.max(slowestMs, tookMs);
    }
    await expectKept(dataDir, written.acknowledged, replay);
    kept += written.acknowledged.length;
  }

  test(`while busy, ${count} rounds: answers what has arrived and ends with status 0, or at once when asked twice`, async () => {
    await eachOf(
      Array.from({ length: count }, (_, n) => first + n),
      round,
    );
    const result = `every request that had arrived answered, ${kept.toLocaleString("en")} writes kept, slowest end ${Math.round(slowestMs)} ms`;
    const what = "SIGTERM and SIGINT, once and twice, during requests, imports, exports, backups and jobs";
    proved({ fault: "F12", what, count, seed: `${first}-${first + count - 1}`, result });
  }, 1_800_000);
});

test("a signal that it does not handle ends it like a crash: nothing acknowledged is lost", async () => {
  const { dataDir, remove } = copyOf(template);
  const running = await serveUnder([], dataDir, key);
  const written = keepWriting(running.call);
  while (written.acknowledged.length < 10) await Bun.sleep(10);
  process.kill(running.pid, "SIGHUP");
  expect((await running.ended).signal).toBe("SIGHUP");
  await written.ended;
  await expectKept(dataDir, written.acknowledged, "");
  remove();
}, 120_000);
