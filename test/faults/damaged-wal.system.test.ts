// F7, the write-ahead log: after a crash the newest writes stand in `captable.db-wal` alone. Where that file is damaged,
// cut or gone, SQLite takes what comes before the damage for all there is, as after a power cut: so the last writes may
// be missing, and nothing in the data directory can tell. The database must be a whole earlier state, never a mixture.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { firstSeed, proved, seedCount } from "../kit/proof.ts";
import { expectReads, makeTemplate, type Template, type Written, write } from "./support/company.ts";
import { copyOf, eachOf, runUnder, serveUnder } from "./support/serve.ts";

const COUNT = seedCount(4, 60);
const WRITES = 24;
let template: Template;
/** A data directory as a killed server left it: all writes stand in its `-wal`. */
let killed: ReturnType<typeof copyOf>;
let count = 0;

beforeAll(async () => {
  template = await makeTemplate();
  killed = copyOf(template.dataDir);
  const running = await serveUnder([], killed.dataDir, template.keys[0]);
  const written: Written = { acknowledged: [], refused: [] };
  for (let index = 0; index < WRITES; index++) await write(running, written, `w-${index}`, 500);
  await running.end("SIGKILL");
  expect([written.acknowledged.length, existsSync(walOf(killed.dataDir))]).toEqual([WRITES, true]);
}, 300_000);
afterAll(() => {
  template.remove();
  killed.remove();
  const seed = `${firstSeed()}-${COUNT}`;
  proved({ fault: "F7", what: "damaged write-ahead logs", count, seed, result: "a whole earlier state each, or told" });
});

function walOf(dataDir: string): string {
  return join(dataDir, "captable.db-wal");
}

function draw(seed: number, word: string, limit: number): number {
  return Number(Bun.hash(`${seed} ${word}`) % BigInt(limit));
}

/** Either the damage is told, or the first so many of the writes are there and everything fits together. */
async function expectEarlierStateOrTold(dataDir: string): Promise<void> {
  const verified = await runUnder([], ["verify", "--data-dir", dataDir]);
  const running = await serveUnder([], dataDir, template.keys[0]);
  if (verified.status !== 0 || running.url === null) {
    const told = running.url === null ? await running.ended : verified;
    if (running.url !== null) await running.end();
    expect([3, 4]).toContain(told.status ?? -1);
    expect(told.stdout + told.stderr).toMatch(/restore/i);
    return;
  }
  await expectReads(running);
  expect((await running.end()).status).toBe(0);
  const db = new Database(join(dataDir, "captable.db"), { readonly: true });
  const names = db
    .prepare<[], string>("select name from stock_legends where name like 'w-%' order by seq")
    .pluck()
    .all();
  db.close();
  expectBeginning(names);
}

/** The first of the writes, in their order, and none left out. */
function expectBeginning(names: readonly string[]): void {
  expect(names).toEqual(Array.from({ length: names.length }, (_, index) => `w-${index}`));
}

test("a mixture of earlier and later would be seen", () => {
  for (const names of [[], ["w-0"], ["w-0", "w-1"]]) expectBeginning(names);
  for (const names of [["w-1"], ["w-0", "w-2"], ["w-1", "w-0"], ["w-0", "w-0"]]) {
    expect(() => expectBeginning(names)).toThrow();
  }
});

test(`${COUNT} damaged write-ahead logs give a whole earlier state, or are told`, async () => {
  const failed: string[] = [];
  await eachOf(
    Array.from({ length: COUNT }, (_, index) => firstSeed() + index),
    async (seed) => {
      const { dataDir, remove } = copyOf(killed.dataDir);
      // The index of the log is in shared memory, and gone when the machine starts again.
      rmSync(`${walOf(dataDir).replace("-wal", "-shm")}`, { force: true });
      const bytes = readFileSync(walOf(dataDir));
      const at = draw(seed, "at", bytes.length);
      const kind = draw(seed, "kind", 3);
      if (kind === 0) bytes[at] = (bytes[at] ?? 0) ^ (1 << draw(seed, "bit", 8));
      if (kind === 1) bytes.fill(0, at, at + 16);
      writeFileSync(walOf(dataDir), kind === 2 ? bytes.subarray(0, at) : bytes);
      try {
        await expectEarlierStateOrTold(dataDir);
        count++;
        remove();
      } catch (error) {
        failed.push(`CAPTABLE_SEED=${seed} bun test test/faults/damaged-wal.system.test.ts (${dataDir}): ${error}`);
      }
    },
  );
  expect(failed).toEqual([]);
}, 600_000);

test("a missing write-ahead log gives the state of the last checkpoint", async () => {
  const { dataDir, remove } = copyOf(killed.dataDir);
  rmSync(walOf(dataDir));
  await expectEarlierStateOrTold(dataDir);
  remove();
}, 300_000);

test("another directory's write-ahead log is told", async () => {
  const other = await makeTemplate({ anew: true });
  const running = await serveUnder([], other.dataDir, other.keys[0]);
  await write(running, { acknowledged: [], refused: [] }, "elsewhere", 500);
  await running.end("SIGKILL");
  const { dataDir, remove } = copyOf(template.dataDir);
  copyFileSync(walOf(other.dataDir), walOf(dataDir));
  const verified = await runUnder([], ["verify", "--data-dir", dataDir]);
  expect([verified.status, /restore/i.test(verified.stdout + verified.stderr)]).toEqual([4, true]);
  remove();
  other.remove();
}, 300_000);
