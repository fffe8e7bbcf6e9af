// The foundation: its mark in every file, what becomes of a file with another one, and what a release leaves for later.
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { FOUNDATION, markOf, STATEMENTS } from "../../migrations/0001_foundation.ts";
import { hashFile } from "../../src/storage/data-dir/durable-files.ts";
import { DATABASE_FILE, openWritable } from "../../src/storage/database/open.ts";
import { runCommand } from "../kit/command.ts";
import { migratedDataDir } from "../kit/migrated.ts";
import { type Ended, NEXT_VERSION, PROGRAM, runProgram } from "../kit/program.ts";

setDefaultTimeout(120_000);

const SMALL = join(import.meta.dir, "../fixtures/ocf/small");
/** A packed database of each release from 1.0.0 on, `1.2.3.db.gz`, which the released program filled. */
const IMAGES = join(import.meta.dir, "../fixtures/databases");
const CHANGELOG = readFileSync(join(import.meta.dir, "../../CHANGELOG.md"), "utf8");
const REFUSAL = "captable: This file was made by a build before 1.0. Export it with that build as OCF.\n";
const base = mkdtempSync(join(tmpdir(), "captable-foundation-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

let count = 0;
function newFolder(): string {
  const folder = join(base, String(++count));
  mkdirSync(folder, { mode: 0o700 });
  return folder;
}

/** Gives the database of a folder the mark of another foundation; 0 is that of every build before there was a mark. */
function mark(folder: string, version: number): void {
  const db = new Database(join(folder, DATABASE_FILE));
  db.pragma(`user_version = ${version}`);
  db.close();
}

async function filled(): Promise<string> {
  const dataDir = newFolder();
  expect((await runCommand(["ocf", "import", SMALL, "--data-dir", dataDir])).status).toBe(0);
  return dataDir;
}

describe("the mark", () => {
  test("is the first 31 bits of the SHA-256 of the schema's statements, and another after any edit", () => {
    const digest = createHash("sha256").update(STATEMENTS.join("\n")).digest();
    expect(FOUNDATION).toBe(digest.readUInt32BE(0) >>> 1);
    // 0 is the mark of every build before there was one.
    expect(FOUNDATION).toBeGreaterThan(0);
    const edited = STATEMENTS.map((statement, at) => markOf(STATEMENTS.with(at, `${statement} `)));
    const swapped = markOf([STATEMENTS[1] ?? "", STATEMENTS[0] ?? "", ...STATEMENTS.slice(2)]);
    const marks = [FOUNDATION, ...edited, swapped, markOf(STATEMENTS.slice(0, -1))];
    expect(new Set(marks).size).toBe(STATEMENTS.length + 3);
  });

  test("is in every new database", async () => {
    const dataDir = await migratedDataDir();
    const db = openWritable(join(dataDir, DATABASE_FILE));
    expect(db.sqlite.pragma("user_version", { simple: true })).toBe(FOUNDATION);
    db.sqlite.close();
    rmSync(dataDir, { recursive: true });
  });
});

describe("a file of another foundation", () => {
  test.each([0, 1, FOUNDATION - 1])("a data directory marked %d is refused, and left as it is", async (version) => {
    const dataDir = await filled();
    mark(dataDir, version);
    const before = hashFile(join(dataDir, DATABASE_FILE));
    for (const command of [["serve", "--port", "0"], ["migrate"], ["migrate", "--status"], ["verify"]]) {
      const ended = await runCommand([...command, "--data-dir", dataDir]);
      expect([command.join(" "), ended.status, ended.stdout, ended.stderr]).toEqual([
        ...[command.join(" "), 3, "", REFUSAL],
      ]);
    }
    expect(hashFile(join(dataDir, DATABASE_FILE))).toBe(before);
    mark(dataDir, FOUNDATION);
    expect((await runCommand(["verify", "--data-dir", dataDir])).status).toBe(0);
  });
});

describe("the next version", () => {
  test("upgrades a filled database, after a backup that this version restores, and finds no difference", async () => {
    const dataDir = await filled();
    const before = await shown(dataDir, PROGRAM);
    const { stdout } = await expectUpgraded(dataDir);
    const [name = ""] = readdirSync(join(dataDir, "backups"));
    const backup = join(dataDir, "backups", name);
    expect(stdout).toContain(
      `migrated the database from 0001_foundation to 0002_next; the backup from before is ${backup}`,
    );
    expect(await shown(dataDir, NEXT_VERSION)).toBe(before);
    const newer = await runCommand(["verify", "--data-dir", dataDir]);
    expect([newer.status, newer.stderr]).toEqual([3, expect.stringContaining("written by a newer version")]);
    const into = newFolder();
    const restored = await runCommand(["restore", backup, "--data-dir", into]);
    expect([restored.status, restored.stderr]).toEqual([0, ""]);
    // The log has one row more: that of the restore.
    const logOf = (text: string) => /"log": ?\{\s*"sequence": ?(\d+),\s*"hash": ?"[0-9a-f]{64}"\s*\}/.exec(text);
    const after = await shown(into, PROGRAM);
    expect(after.replace(logOf(after)?.[0] ?? "", "")).toBe(before.replace(logOf(before)?.[0] ?? "", ""));
    expect(Number(logOf(after)?.[1])).toBe(Number(logOf(before)?.[1]) + 1);
  });

  test("upgrades the image that every release left", async () => {
    const images = readdirSync(IMAGES).filter((name) => name.endsWith(".db.gz"));
    expect(releasesWithoutImage(CHANGELOG, images)).toEqual([]);
    for (const name of images) {
      const dataDir = newFolder();
      const image = Bun.gunzipSync(readFileSync(join(IMAGES, name)));
      writeFileSync(join(dataDir, DATABASE_FILE), image, { mode: 0o600 });
      await expectUpgraded(dataDir);
    }
  });

  test("the control: a release that left no image is named, and releases before 1.0 need none", () => {
    const changes = "## 1.1.0 (2027-02-01)\n\n## 1.0.0 (2027-01-01)\n\n## 0.9.0 (2026-01-01)\n";
    expect(releasesWithoutImage(`## 1.2.0 (unreleased)\n\n${changes}`, ["1.0.0.db.gz"])).toEqual(["1.1.0"]);
  });
});

/** What a program shows of the organization: who owns what on a day, and where its ledger and log end. */
async function shown(dataDir: string, program: readonly string[]): Promise<string> {
  const texts: string[] = [];
  for (const command of [["cap-table", "--as-of", "2026-01-01"], ["verify"]]) {
    const ended = await runProgram([...command, "--json", "--data-dir", dataDir], {}, program);
    expect([ended.status, ended.stdout.length > 100]).toEqual([0, true]);
    texts.push(ended.stdout.replace(/"knownAt": ?"[^"]*"/, ""));
  }
  return texts.join("\n");
}

/** The next version brings the data to its schema, and verifies it. */
async function expectUpgraded(dataDir: string): Promise<Ended> {
  const migrated = await runProgram(["migrate", "--data-dir", dataDir], {}, NEXT_VERSION);
  expect([migrated.status, migrated.stderr]).toEqual([0, ""]);
  const verified = await runProgram(["verify", "--data-dir", dataDir], {}, NEXT_VERSION);
  expect([verified.status, verified.stdout.includes("No difference.")]).toEqual([0, true]);
  return migrated;
}

/** The releases from 1.0.0 on that a list of changes has, and that left no image. */
function releasesWithoutImage(changes: string, images: readonly string[]): string[] {
  const released = [...changes.matchAll(/^## (\d+)\.(\d+\.\d+) \((?!unreleased)/gm)];
  const versions = released.flatMap(([, major = "0", rest = ""]) => (Number(major) >= 1 ? [`${major}.${rest}`] : []));
  return versions.filter((version) => !images.includes(`${version}.db.gz`));
}
