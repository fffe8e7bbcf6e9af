// F7: files that were damaged behind the program's back. Whatever happens to them, either `verify` or the start says so
// and what to do, or everything that the API says is as it was; and looking at damage never makes it worse.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { firstSeed, proved, seedCount } from "../kit/proof.ts";
import { type Dump, differingColumns, dump, isChecked } from "./support/checked.ts";
import { makeTemplate, type Template } from "./support/company.ts";
import { differingAnswers, readEverything } from "./support/reading.ts";
import { copyOf, type End, eachOf, runUnder, serveUnder } from "./support/serve.ts";

const COUNT = seedCount(5, 300);
const PAGE = 4096;
let template: Template;
let sound: { readonly dump: Dump; readonly said: Map<string, string> };
/** How the damages ended: told, without any effect, or in values that nothing else in the file bears witness to. */
const outcomes = { told: 0, harmless: 0, unwitnessed: 0 };
const unwitnessed = new Set<string>();

beforeAll(async () => {
  template = await makeTemplate();
  const { dataDir, remove } = copyOf(template.dataDir);
  const running = await serveUnder([], dataDir, template.keys[0]);
  const said = await readEverything(running, template.keys[0]);
  await running.end();
  sound = { dump: dumpOf(dataDir), said };
  remove();
}, 300_000);
afterAll(() => {
  template.remove();
  const { told, harmless } = outcomes;
  const count = told + harmless + outcomes.unwitnessed;
  const result = `${told} told, ${harmless} without effect, ${outcomes.unwitnessed} in unverified values alone`;
  proved({ fault: "F7", what: "damaged database files", count, seed: `${firstSeed()}-${COUNT}`, result });
  if (unwitnessed.size > 0) process.stdout.write(`unwitnessed: ${[...unwitnessed].sort().join(" ")}\n`);
});

function dumpOf(dataDir: string): Dump {
  const db = new Database(join(dataDir, "captable.db"), { readonly: true });
  try {
    const all = dump(db);
    // What is read leaves rows of its own: exports.
    const log = all.get("audit_log")?.filter(({ method }) => method !== "exported") ?? [];
    return new Map([...all, ["audit_log", log]]);
  } finally {
    db.close();
  }
}

/** A number below `limit` that follows from the seed and a word. */
function draw(seed: number, word: string, limit: number): number {
  return Number(Bun.hash(`${seed} ${word}`) % BigInt(limit));
}

/** Damages a file's bytes as the seed says. */
function damage(bytes: Buffer, seed: number): Buffer {
  const at = draw(seed, "at", bytes.length);
  const page = PAGE * draw(seed, "page", bytes.length / PAGE);
  const kind = draw(seed, "kind", 20);
  if (kind < 7) bytes.fill(0, at, at + 16);
  else if (kind < 14) bytes[at] = (bytes[at] ?? 0) ^ (1 << draw(seed, "bit", 8));
  else if (kind < 16) return bytes.subarray(0, at);
  else if (kind < 17) bytes.fill(draw(seed, "fill", 256), draw(seed, "in header", 100), 100);
  else if (kind < 18) bytes.copy(bytes, page, PAGE * draw(seed, "other page", bytes.length / PAGE), page);
  else if (kind < 19) bytes.fill(0, page, page + PAGE);
  else for (let more = 0; more < 40; more++) bytes[draw(seed, `at ${more}`, bytes.length)] = draw(seed, `${more}`, 256);
  return bytes;
}

/** Whether a command said that the data is damaged, or not what it was, and what to do. */
function isReported({ status, stdout, stderr }: End): boolean {
  if (status !== 3 && status !== 4) return false;
  return /restore|install that version/i.test(stdout + stderr);
}

/** Runs `verify`, then the server; returns how the damage ended. Fails where it passed unseen. */
async function look(dataDir: string): Promise<keyof typeof outcomes> {
  const file = join(dataDir, "captable.db");
  const before = readFileSync(file);
  const verified = await runUnder([], ["verify", "--data-dir", dataDir]);
  expect([0, 3, 4]).toContain(verified.status ?? -1);
  const running = await serveUnder([], dataDir, template.keys[0]);
  if (running.url === null) {
    const ended = await running.ended;
    expect([isReported(ended), ended.status, ended.stderr]).toEqual([true, ended.status, ended.stderr]);
    expect(readFileSync(file).equals(before)).toBe(true);
    return "told";
  }
  const said = await readEverything(running, template.keys[0]);
  const ended = await running.end();
  expect([0, 1]).toContain(ended.status ?? -1);
  if (verified.status !== 0) {
    expect([isReported(verified), verified.stdout, verified.stderr]).toEqual([true, verified.stdout, verified.stderr]);
    return "told";
  }
  const columns = differingColumns(sound.dump, dumpOf(dataDir)).filter((name) => !name.endsWith("probedAtMs"));
  if (columns.length === 0) {
    expect(differingAnswers(sound.said, said)).toEqual([]);
    return "harmless";
  }
  expect(columns.filter(isChecked)).toEqual([]);
  for (const column of columns) unwitnessed.add(column);
  return "unwitnessed";
}

test(`${COUNT} damaged database files are told, or say what the sound one says`, async () => {
  const seeds = Array.from({ length: COUNT }, (_, index) => firstSeed() + index);
  const failed: string[] = [];
  await eachOf(seeds, async (seed) => {
    const { dataDir, remove } = copyOf(template.dataDir);
    const file = join(dataDir, "captable.db");
    writeFileSync(file, damage(readFileSync(file), seed));
    try {
      outcomes[await look(dataDir)]++;
      remove();
    } catch (error) {
      failed.push(`CAPTABLE_SEED=${seed} bun test test/faults/damage.system.test.ts (${dataDir}): ${error}`);
    }
  });
  expect(failed).toEqual([]);
  if (COUNT >= 5) expect(outcomes.told).toBeGreaterThan(0);
}, 1_500_000);

test("a file that says something else without being told would be seen", async () => {
  const { dataDir, remove } = copyOf(template.dataDir);
  const db = new Database(join(dataDir, "captable.db"));
  db.prepare("update stakeholders set comments = 'changed' where rowid = 1").run();
  db.close();
  expect(differingColumns(sound.dump, dumpOf(dataDir))).toContain("stakeholders.comments");
  const running = await serveUnder([], dataDir, template.keys[0]);
  const said = await readEverything(running, template.keys[0]);
  await running.end();
  expect(differingAnswers(sound.said, said).length).toBeGreaterThan(0);
  remove();
}, 120_000);

describe("found by damage at random:", () => {
  test.each<[string, (bytes: Buffer, rootOf: (table: string) => number) => void]>([
    ["a header of an unknown format", (bytes) => bytes.writeUInt32BE(9, 44)],
    [
      "an audit log that cannot be read",
      (bytes, rootOf) => bytes.fill(0xff, rootOf("audit_log"), rootOf("audit_log") + 99),
    ],
  ])(
    "%s is damage, with status 4",
    async (_case, harm) => {
      const { dataDir, remove } = copyOf(template.dataDir);
      const file = join(dataDir, "captable.db");
      const db = new Database(file, { readonly: true });
      const rootpage = db.prepare<[string], number>("select rootpage from sqlite_schema where name = ?").pluck();
      const rootOf = (table: string) => PAGE * ((rootpage.get(table) ?? 0) - 1);
      const bytes = readFileSync(file);
      harm(bytes, rootOf);
      db.close();
      writeFileSync(file, bytes);
      const verified = await runUnder([], ["verify", "--data-dir", dataDir]);
      expect([verified.status, isReported(verified)]).toEqual([4, true]);
      remove();
    },
    300_000,
  );
});

describe("instead of the database", () => {
  const foreign = (file: string) => {
    rmSync(file);
    const db = new Database(file);
    db.exec("create table photos (id integer primary key, title text); insert into photos (title) values ('Beach')");
    db.close();
  };
  test.each<[string, (file: string) => void]>([
    ["an empty file, where keys and a chain tell of a lost one", (file) => writeFileSync(file, "")],
    ["nothing, where keys and a chain tell of a lost one", (file) => rmSync(file)],
    ["another program's SQLite database", foreign],
  ])(
    "%s is refused, and left as it is",
    async (_case, replace) => {
      const { dataDir, remove } = copyOf(template.dataDir);
      const file = join(dataDir, "captable.db");
      writeFileSync(join(dataDir, "admin.key"), "pg_live_x\n");
      replace(file);
      const before = existsSync(file) ? readFileSync(file) : null;
      for (const command of [["serve", "--port", "0"], ["org", "create", "--name", "New"], ["migrate"], ["verify"]]) {
        const ended = await runUnder([], [...command, "--data-dir", dataDir]);
        expect([command[0], ended.status === 3 || ended.status === 4, ended.stdout]).toEqual([command[0], true, ""]);
        expect(ended.stderr).toMatch(/^captable: .+\n$/);
      }
      const kept = join(dataDir, "kept.captable");
      writeFileSync(kept, "an older, good backup");
      const backedUp = await runUnder([], ["backup", "--out", kept, "--data-dir", dataDir]);
      expect([backedUp.status === 3 || backedUp.status === 4, backedUp.stdout]).toEqual([true, ""]);
      expect(readFileSync(kept, "utf8")).toBe("an older, good backup");
      if (before !== null) expect(readFileSync(file).equals(before)).toBe(true);
      else expect(existsSync(file) && statSync(file).size > 0).toBe(false);
      remove();
    },
    60_000,
  );
});
