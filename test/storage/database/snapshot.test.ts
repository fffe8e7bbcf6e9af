// Snapshots: each is of one moment, which is when it is opened; several begun together are of the same one, however a
// writer commits between.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import Database from "better-sqlite3";
import { openReadOnly } from "../../../src/storage/database/open.ts";
import { beginTogether, endSnapshot, openSnapshot } from "../../../src/storage/database/snapshot.ts";
import type { Reader } from "../../../src/storage/database/sql.ts";
import { Random } from "../../kit/random.ts";

const folder = mkdtempSync(join(tmpdir(), "captable-snapshot-"));
const file = join(folder, "numbers.db");
let writer: Database.Database;

beforeAll(() => {
  writer = new Database(file);
  writer.pragma("journal_mode = WAL");
  writer.exec("create table numbers (n integer); insert into numbers values (0)");
});
afterAll(() => {
  writer.close();
  rmSync(folder, { recursive: true });
});

const commit = () => writer.exec("update numbers set n = n + 1");
const read = ({ sqlite }: Reader) => sqlite.prepare<[], number>("select n from numbers").pluck().get();

test("one is of the moment in which it is opened, and not of its first read", () => {
  const db = openSnapshot(file);
  const opened = read({ sqlite: writer });
  commit();
  expect(read(db)).toBe(opened);
  db.sqlite.close();
});

/** Whether three snapshots see the same, opened as `begin` does while a writer commits at random between. */
async function seesOne(begin: typeof beginTogether, random: Random): Promise<boolean | null> {
  const db = openReadOnly(file);
  let others: Reader[] = [];
  const close = () => others.splice(0).forEach(({ sqlite }) => void sqlite.close());
  // Before some beginnings the writer is busier than before others.
  const chance = random.pick([0.02, 0.2, 0.6, 1]);
  const maybe = () => {
    if (random.chance(chance)) commit();
  };
  try {
    const isOne = await begin(db, async () => {
      close();
      maybe();
      others = [openSnapshot(file)];
      maybe();
      others.push(openSnapshot(file));
      maybe();
    });
    if (!isOne) return null;
    commit();
    return new Set([...others, db].map(read)).size === 1;
  } finally {
    endSnapshot(db);
    close();
    db.sqlite.close();
  }
}

async function seen(begin: typeof beginTogether): Promise<Map<boolean | null, number>> {
  const random = new Random(11);
  const counts = new Map<boolean | null, number>();
  for (let n = 0; n < 200; n++) {
    const outcome = await seesOne(begin, random);
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  }
  return counts;
}

test("those begun together are of one moment, or are not begun", async () => {
  const counts = await seen(beginTogether);
  expect(counts.has(false)).toBe(false);
  expect(counts.get(true) ?? 0).toBeGreaterThan(100);
  expect(counts.get(null) ?? 0).toBeGreaterThan(10);
});

test("a beginning that does not look for commits between is found", async () => {
  const counts = await seen(async (db, beginOthers) => {
    await beginOthers();
    db.sqlite.exec("BEGIN");
    return true;
  });
  expect(counts.get(false) ?? 0).toBeGreaterThan(50);
});
