// kill -9 at each single write, flush, truncation and deletion of a first start, of ledger writes, and of a checkpoint:
// afterwards the data is sound, what was acknowledged is there, and the retry of the rest has one effect. Needs strace.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { verifyDatabase } from "../../src/safekeeping/verify/verify.ts";
import { type App, startApp } from "../../src/server/app.ts";
import { readConfig } from "../../src/server/config.ts";
import { ChainError } from "../../src/tokens/chain/port.ts";
import { chainSource } from "../../src/tokens/chain/source.ts";
import { canChange, worsened } from "../kit/program.ts";
import { proved } from "../kit/proof.ts";
import { issueShares, makeShareClass, makeStakeholder } from "../kit/records.ts";
import { RELEASE } from "../kit/release.ts";
import { contentsOf } from "./support/acknowledged.ts";
import { faultsIn } from "./support/power.ts";
import { Recorder, type Write } from "./support/recorder.ts";
import { canTrace, eachOf, failing, serveUnder } from "./support/serve.ts";
import { QUICK_FOLDER } from "./support/stage.ts";

const CALLS = ["pwrite64", "fsync", "ftruncate,unlink", "write"];
const DATABASE = ["captable.db", "captable.db-wal", "captable.db-journal"];
const FILES = [...DATABASE, "admin.key", "serve.lock", "serve.lock-journal"];
const WAL_FRAME = 4096 + 24;
const CHECKPOINT_FRAMES = 1000;
const base = mkdtempSync(join(QUICK_FOLDER, "captable-kill-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

/** A chain that does not answer: background work would write at other moments in every run. */
const keyFile = join(base, "chain.key");
writeFileSync(keyFile, `0x${"11".repeat(32)}\n`, { mode: 0o600 });
const withoutChain = ["env", "CAPTABLE_CHAIN_RPC_URL=http://127.0.0.1:9", `CAPTABLE_CHAIN_KEY_FILE=${keyFile}`];

interface Ids {
  readonly stakeholderId: string;
  readonly other: string;
  readonly stockClassId: string;
}

/** What is killed, again and again, from the same beginning. */
interface Victim {
  readonly name: string;
  /** The data directory to begin with; null for a new one. */
  readonly template: string | null;
  /** An ordinary run kills at every so-manieth call. */
  readonly step: number;
  run(client: Recorder): Promise<unknown>;
}

/** The program inside this process, without a chain: what is asked of it is to start, and to answer. */
async function open(dataDir: string, client: Recorder): Promise<App> {
  const source = chainSource({ dataDir, rpcUrl: null, keyFile: null, passwordFile: null, confirmations: 1 });
  const chain = { ...source, openChain: () => Promise.reject(new ChainError("unreachable", "none here")) };
  const config = readConfig({ dataDir, port: "0" }, { CAPTABLE_RATE_LIMIT: "0", CAPTABLE_LOG: "off" });
  const app = await startApp(config, { chain });
  client.url = app.url;
  client.key = readFileSync(join(dataDir, "admin.key"), "utf8").trim();
  return app;
}

const prepared = { empty: join(base, "company"), full: join(base, "full") };
let ids: Ids = { stakeholderId: "", other: "", stockClassId: "" };

/** Makes a company; and the same with a write-ahead log that the next commits make long enough for a checkpoint. */
beforeAll(async () => {
  const dataDir = join(base, "preparing");
  const client = new Recorder();
  const app = await open(dataDir, client);
  const [stakeholderId, other] = [await makeStakeholder(client), await makeStakeholder(client)];
  ids = { stakeholderId, other, stockClassId: await makeShareClass(client, { initialSharesAuthorized: "900000000" }) };
  cpSync(dataDir, prepared.empty, { recursive: true });
  const frames = () => statSync(join(dataDir, "captable.db-wal")).size / WAL_FRAME;
  while (frames() < CHECKPOINT_FRAMES - 40)
    await issueShares(client, { stakeholderId, stockClassId: ids.stockClassId });
  cpSync(dataDir, prepared.full, { recursive: true });
  await app.stop();
}, 60_000);

async function operations(client: Recorder): Promise<void> {
  const { stakeholderId, other, stockClassId } = ids;
  const post = (route: string, body: object) =>
    client.api("POST", `/transactions/${route}`, { effectiveDate: "2026-02-01", ...body });
  const securityId = await issueShares(client, { stakeholderId, stockClassId });
  const parties = { fromStakeholderId: stakeholderId, toStakeholderId: other };
  await post("transfer", { securityId, ...parties, quantity: "400" });
  await post("cancel", { securityId, quantity: "100", cancellationReason: "FORFEITURE" });
  await post("split", { stockClassId, numerator: 2, denominator: 1 });
  await makeStakeholder(client);
}

async function fillLog(client: Recorder): Promise<void> {
  const { stakeholderId, stockClassId } = ids;
  for (let count = 0; count < 5; count++) await issueShares(client, { stakeholderId, stockClassId });
}

const VICTIMS: readonly Victim[] = [
  { name: "a first start", template: null, step: 150, run: makeStakeholder },
  { name: "ledger writes", template: prepared.empty, step: 40, run: operations },
  { name: "a checkpoint", template: prepared.full, step: 350, run: fillLog },
];

/** Kills at the `nth` of `calls` and looks at what is left; null where the program came to its end before that. */
async function faultsAfterKill(victim: Victim, calls: string, nth: number): Promise<string[] | null> {
  const folder = mkdtempSync(join(base, "killed-"));
  const dataDir = join(folder, "data");
  if (victim.template !== null) cpSync(victim.template, dataDir, { recursive: true });
  else mkdirSync(folder, { recursive: true });
  // Calls are counted in each thread for itself. Where there is a company, the database's are those of the thread that
  // writes alone, and the first of them is killed as well as the last.
  const files = victim.template === null ? FILES : DATABASE;
  const fault = { calls, fault: "signal=SIGKILL", when: String(nth), files };
  const running = await serveUnder([...withoutChain, ...failing(dataDir, fault)], dataDir, "");
  const client = new Recorder();
  if (running.url !== null) {
    client.url = running.url;
    client.key = readFileSync(join(dataDir, "admin.key"), "utf8").trim();
    await victim.run(client).catch(() => undefined);
  }
  const { signal } = await running.end();
  const faults = await faultsIn(folder, client.promised(), null);
  const unanswered = client.writes.filter(({ answer }) => answer === null);
  if (signal !== "SIGKILL" && unanswered.length > 0) faults.push("a write was not answered, and no process was killed");
  faults.push(...(await faultsAfterRetry(dataDir, unanswered)));
  rmSync(folder, { recursive: true, force: true });
  return signal === "SIGKILL" ? faults : faults.length > 0 ? faults : null;
}

/** Starts again, and sends again what got no answer: it must succeed, and must have happened once. */
async function faultsAfterRetry(dataDir: string, unanswered: readonly Write[]): Promise<string[]> {
  const client = new Recorder();
  const app = await open(dataDir, client);
  const faults: string[] = [];
  for (const write of unanswered) {
    const retry = { ...write, requestId: crypto.randomUUID() };
    const { status, headers, text } = await client.send(retry);
    if (status >= 300) faults.push(`the retry was refused: ${status} ${text}`);
    const { requests } = contentsOf(app.reader);
    const isReplayed = headers.get("idempotent-replayed") === "true";
    const effects = [write.requestId, retry.requestId].filter((id) => requests.has(id));
    const expected = isReplayed ? write.requestId : retry.requestId;
    if (effects.join() !== expected)
      faults.push(`replayed: ${isReplayed}, and ${effects.length} requests had an effect`);
  }
  await makeStakeholder(client);
  faults.push(
    ...verifyDatabase(app.reader).differences.map(({ code, detail }) => `after the retry: ${code}: ${detail}`),
  );
  await app.stop();
  return faults;
}

describe.skipIf(!canTrace)("kill -9", () => {
  let points = 0;

  test.each(VICTIMS)(
    "at a write of $name leaves nothing half done",
    async (victim) => {
      const faults: string[] = [];
      for (const calls of CALLS) {
        const step = RELEASE || calls !== "pwrite64" ? 1 : victim.step;
        const most = RELEASE || calls === "pwrite64" ? Number.POSITIVE_INFINITY : 1;
        let [next, isOver] = [1, false];
        // Lanes beside the one that finds the end go to it, too: where steps are long, that takes longer than it saves.
        await eachOf(RELEASE ? [1, 2, 3] : [1], async () => {
          while (!isOver && next <= most) {
            const nth = next;
            next += step;
            const found = await faultsAfterKill(victim, calls, nth);
            if (found === null) isOver = true;
            else points++;
            faults.push(...(found ?? []).map((fault) => `${victim.name}, ${calls} ${nth}: ${fault}`));
          }
        });
      }
      expect(faults).toEqual([]);
    },
    3_600_000,
  );

  test.skipIf(!canChange)(
    "of a program that answers before a write is kept would be seen to lose some",
    async () => {
      const folder = mkdtempSync(join(base, "forgetful-"));
      const dataDir = join(folder, "data");
      cpSync(prepared.empty, dataDir, { recursive: true });
      const running = await serveUnder(withoutChain, dataDir, "", worsened("forgetful.ts"));
      const client = new Recorder();
      client.url = running.url ?? "";
      client.key = readFileSync(join(dataDir, "admin.key"), "utf8").trim();
      for (let count = 0; count < 40; count++) await makeStakeholder(client);
      await running.end("SIGKILL");
      const faults = await faultsIn(folder, client.promised(), null);
      expect(faults.filter((fault) => fault.startsWith("lost: ")).length).toBeGreaterThan(0);
      // And so would a retry that takes effect a second time.
      const db = new Database(join(dataDir, "captable.db"));
      db.exec("delete from idempotency_keys");
      db.close();
      const again = (await faultsAfterRetry(dataDir, client.writes)).filter((fault) => fault.includes("2 requests"));
      expect(again.length).toBeGreaterThan(0);
    },
    120_000,
  );

  test("was tried at enough points", () => {
    expect(points).toBeGreaterThan(RELEASE ? 400 : 15);
    const what = "kills, one at each write, flush, truncation and deletion of 3 scripts";
    const result = "0 acknowledged writes lost, each retry one effect";
    proved({ fault: "F2", what, count: points, seed: "-", result });
  });
});
