import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openReadOnly, openWritable } from "../../src/database/open.ts";
import type { Reader, Tx } from "../../src/database/sql.ts";
import { RollBack, Writer } from "../../src/database/writer.ts";

let folder: string;
let db: Reader;
let writer: Writer;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "captable-writer-"));
  db = openWritable(join(folder, "w.db"));
  db.sqlite.exec("create table t (v integer primary key) strict");
  writer = new Writer(db, () => undefined);
});
afterEach(() => {
  db.sqlite.close();
  rmSync(folder, { recursive: true });
});

const add = (value: number) => (tx: Tx) => void tx.sqlite.prepare("insert into t values (?)").run(value);

function stored(reader: Reader = db): number[] {
  return reader.sqlite.prepare<[], number>("select v from t order by v").pluck().all();
}

describe("the writer", () => {
  test("opens files with full durability, and readers that cannot write", () => {
    expect(db.sqlite.pragma("synchronous", { simple: true })).toBe(2);
    expect(db.sqlite.pragma("foreign_keys", { simple: true })).toBe(1);
    expect(db.sqlite.pragma("recursive_triggers", { simple: true })).toBe(1);
    const reader = openReadOnly(join(folder, "w.db"));
    expect(() => reader.sqlite.exec("insert into t values (1)")).toThrow();
    reader.sqlite.close();
  });

  test("puts what arrives together into one commit, and answers none before it", async () => {
    const reader = openReadOnly(join(folder, "w.db"));
    const seen = await Promise.all([1, 2, 3].map((value) => writer.submit(add(value)).then(() => stored(reader))));
    expect(seen).toEqual([
      [1, 2, 3],
      [1, 2, 3],
      [1, 2, 3],
    ]);
    expect(writer.statistics.commits).toBe(1);
    reader.sqlite.close();
  });

  test("undoes only what failed", async () => {
    const results = await Promise.allSettled([
      writer.submit(add(1)),
      writer.submit((tx) => {
        add(2)(tx);
        throw new Error("no");
      }),
      writer.submit(add(1)),
      writer.submit(add(3)),
    ]);
    expect(results.map((result) => result.status)).toEqual(["fulfilled", "rejected", "rejected", "fulfilled"]);
    expect(stored()).toEqual([1, 3]);
  });

  test("rolls a dry run back and still answers it", async () => {
    const answer = await writer.submit((tx): string => {
      add(1)(tx);
      throw new RollBack("would be 1");
    });
    expect([answer, stored()]).toEqual(["would be 1", []]);
  });

  test("refuses asynchronous work, and keeps nothing of it", async () => {
    const work = (tx: Tx) => {
      add(1)(tx);
      return Promise.resolve();
    };
    await expect(writer.submit(work)).rejects.toThrow("synchronous");
    expect(stored()).toEqual([]);
  });

  test("waits for another process's lock without blocking the event loop", async () => {
    const other = openWritable(join(folder, "w.db"));
    other.sqlite.exec("BEGIN IMMEDIATE");
    let turns = 0;
    const counting = setInterval(() => turns++, 1);
    const written = writer.submit(add(1));
    setTimeout(() => other.sqlite.exec("COMMIT"), 60);
    await written;
    clearInterval(counting);
    expect(turns).toBeGreaterThan(5);
    expect(stored()).toEqual([1]);
    other.sqlite.close();
  });
});
