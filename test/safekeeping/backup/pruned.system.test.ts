// The backups from before migrations and imports: the newest five of each kind stay, whatever else is in the folder.
import { afterAll, beforeEach, describe, expect, setDefaultTimeout, test } from "bun:test";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { backUpBefore } from "../../../src/safekeeping/backup/before.ts";
import { runCommand } from "../../kit/command.ts";
import { runProgram, worsened } from "../../kit/program.ts";

setDefaultTimeout(120_000);

const base = mkdtempSync(join(tmpdir(), "captable-pruned-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

let dataDir = "";
let folder = "";
beforeEach(async () => {
  dataDir = join(base, String(readdirSync(base).length));
  folder = join(dataDir, "backups");
  expect((await runCommand(["org", "create", "--name", "A", "--data-dir", dataDir])).status).toBe(0);
  mkdirSync(folder, { mode: 0o700 });
});

/** Puts files in place with the stamps of these days; returns their names. */
function place(what: string, ...days: readonly string[]): string[] {
  const names = days.map((day) => `before-${what}-${day}T10-00-00-000Z.captable`);
  for (const name of names) writeFileSync(join(folder, name), "");
  return names;
}

const YEARS = ["2020", "2021", "2022", "2023", "2024", "2025"].map((year) => `${year}-01-01`);

describe("before a migration", () => {
  test("the newest five of all migrations stay, and no import's and no file of another name goes", async () => {
    // By the names alone the order would be another.
    const [first = "", second = "", ...kept] = [
      ...place("0009_newer", ...YEARS.slice(0, 3)),
      ...place("0001_older", ...YEARS.slice(3)),
    ];
    const others = [...place("import", ...YEARS, "2019-01-01"), "before-mine.captable", "notes.txt"];
    for (const name of others) writeFileSync(join(folder, name), "");
    const made = basename(await backUpBefore(dataDir, "0010_newest"));
    expect(readdirSync(folder).sort()).toEqual([...kept, ...others, made].sort());
    expect([first, second].filter((name) => readdirSync(folder).includes(name))).toEqual([]);
  });

  test("those from a clock that was ahead go first, and never the one just made", async () => {
    place("0001_a", "2999-01-01", "2999-01-02", "2999-01-03", "2999-01-04", "2999-01-05");
    const now = place("0001_a", "2020-01-01");
    const made = basename(await backUpBefore(dataDir, "0002_b"));
    const left = readdirSync(folder);
    expect(left).toHaveLength(5);
    expect(left).toContain(made);
    expect(left).toContain(now[0] ?? "");
  });

  test("what a backup left that was cut short goes too, once it is old", async () => {
    const [old, young] = [join(folder, ".captable-backup-old"), join(folder, ".captable-backup-young")];
    for (const path of [old, young]) mkdirSync(path);
    utimesSync(old, 1, 1);
    await backUpBefore(dataDir, "import");
    expect(readdirSync(folder).filter((name) => name.startsWith("."))).toEqual([basename(young)]);
  });

  test("a start that fails again and again does not fill the disk", async () => {
    const program = worsened("failing-migration.ts");
    for (let round = 0; round < 7; round++) {
      expect((await runProgram(["migrate", "--data-dir", dataDir], {}, program)).status).toBe(1);
    }
    expect(readdirSync(folder)).toHaveLength(5);
    const newest = join(folder, readdirSync(folder).sort().at(-1) ?? "");
    const check = Bun.spawnSync(["tar", "tf", newest]);
    expect(check.stdout.toString()).toContain("captable.db");
  });
});
