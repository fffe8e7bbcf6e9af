// A copy that is soon removed is made by a thread of its own: the one that asks goes on meanwhile.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { copyAside } from "../../../src/storage/data-dir/copy-aside.ts";
import { copyDatabase } from "../../../src/storage/data-dir/copy-store.ts";

setDefaultTimeout(60_000);

const ROWS = 5000;
const folder = mkdtempSync(join(tmpdir(), "captable-copy-"));
const file = join(folder, "database");

beforeAll(() => {
  const db = new Database(file);
  db.pragma("journal_mode = WAL");
  db.exec(`CREATE TABLE texts (text TEXT);
    WITH RECURSIVE rows(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM rows WHERE n < ${ROWS})
    INSERT INTO texts SELECT hex(randomblob(500)) FROM rows`);
  db.close();
});
afterAll(() => rmSync(folder, { recursive: true }));

/** How many turns the event loop took while the copy was made. */
async function turnsDuring(copy: () => Promise<void> | void): Promise<number> {
  let [turns, isOver] = [0, false];
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);
  await copy();
  isOver = true;
  return turns;
}

function rowsOf(copied: string): unknown {
  const db = new Database(copied, { readonly: true });
  try {
    return db.prepare("SELECT count(*) FROM texts").pluck().get();
  } finally {
    db.close();
  }
}

test("the thread that asks for a copy goes on meanwhile", async () => {
  const copied = join(folder, "aside");
  expect(await turnsDuring(() => copyAside(file, copied))).toBeGreaterThan(1);
  expect(rowsOf(copied)).toBe(ROWS);
});

test("control: one that is made here holds the thread to its end", async () => {
  const copied = join(folder, "here");
  expect(await turnsDuring(() => copyDatabase(file, copied))).toBeLessThan(2);
  expect(rowsOf(copied)).toBe(ROWS);
});

test("what goes wrong there is told here", async () => {
  await expect(copyAside(join(folder, "none"), join(folder, "copy"))).rejects.toThrow("unable to open database file");
  await expect(copyAside(file, file)).rejects.toThrow("output file already exists");
});
