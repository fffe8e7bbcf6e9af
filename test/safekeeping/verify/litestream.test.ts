// Litestream's two tables may stand in a database; whatever else has their names, or belongs to them, may not.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { copyFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { compareOwnSchema } from "../../../src/safekeeping/verify/compare-schema.ts";
import { verifyWhole } from "../../../src/safekeeping/verify/whole.ts";
import { refuseForeignDatabase } from "../../../src/storage/database/migrate.ts";
import { DATABASE_FILE, openReadOnly } from "../../../src/storage/database/open.ts";
import { migratedDataDir } from "../../kit/migrated.ts";

/** As Litestream 0.3 and 0.5 make them. */
const TABLES = `CREATE TABLE IF NOT EXISTS _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER);
  CREATE TABLE IF NOT EXISTS _litestream_lock (id INTEGER);
  INSERT INTO _litestream_seq VALUES (1, 7)`;

let folder: string;
beforeAll(async () => {
  folder = await migratedDataDir();
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What is found after the statements were run on a new database. */
async function subjectsAfter(sql: string): Promise<readonly string[]> {
  const file = join(folder, "changed.db");
  copyFileSync(join(folder, DATABASE_FILE), file);
  const sqlite = new Database(file);
  sqlite.exec(sql);
  sqlite.close();
  const db = openReadOnly(file);
  try {
    const { differences } = await verifyWhole(db);
    const schema = (await compareOwnSchema(db)).differences;
    expect(schema.map(({ subject }) => subject)).toEqual(differences.map(({ subject }) => subject));
    return differences.map(({ subject }) => subject);
  } finally {
    db.sqlite.close();
  }
}

test("the two tables are passed by, in whatever they hold", async () => {
  expect(await subjectsAfter(TABLES)).toEqual([]);
  expect(await subjectsAfter("CREATE TABLE _litestream_lock (id\n  INTEGER)")).toEqual([]);
});

test.each([
  ["table _litestream_seq", "CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER, more TEXT)"],
  ["view _litestream_seq", "CREATE VIEW _litestream_seq AS SELECT 1"],
  ["table _litestream_lock", "CREATE TABLE _litestream_lock (id INTEGER CHECK (id > 0))"],
  ["index other", `${TABLES}; CREATE INDEX other ON _litestream_seq (seq)`],
  [
    "trigger other",
    `${TABLES}; CREATE TRIGGER other AFTER INSERT ON _litestream_lock BEGIN UPDATE settings SET value = ''; END`,
  ],
  ["table _litestream_more", "CREATE TABLE _litestream_more (id INTEGER)"],
])("%s is told", async (subject, sql) => {
  expect(await subjectsAfter(sql)).toEqual([subject]);
});

test("a file with nothing but them is no database of another program", () => {
  const sqlite = new Database(":memory:");
  sqlite.exec(TABLES);
  expect(() => refuseForeignDatabase({ sqlite })).not.toThrow();
  sqlite.exec("CREATE TABLE another (id INTEGER)");
  expect(() => refuseForeignDatabase({ sqlite })).toThrow("another program (it has the table another)");
  sqlite.close();
});
