import { afterEach, beforeEach, describe, expect, spyOn, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openReadOnly, openWritable } from "../../../src/storage/database/open.ts";
import type { Reader, Tx } from "../../../src/storage/database/sql.ts";
import { RollBack, Writer } from "../../../src/storage/database/writer.ts";

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
    // A commit takes what comes within so long; on a busy machine that could end after the first.
    const clock = spyOn(performance, "now").mockReturnValue(0);
    const seen = await Promise.all([1, 2, 3].map((value) => writer.submit(add(value)).then(() => stored(reader))));
    clock.mockRestore();
    expect(seen).toEqual([
      [1, 2, 3],
      [1, 2, 3],
      [1, 2, 3],
    ]);
    expect(writer.statistics.commits).toBe(1);
    reader.sqlite.close();
  });

  test.each(["once", "repeatable"] as const)("undoes only what failed, of work that may run %s", async (times) => {
    const results = await Promise.allSettled([
      writer.submit(add(1), times),
      writer.submit((tx) => {
        add(2)(tx);
        throw new Error("no");
      }, times),
      writer.submit(add(1), times),
      writer.submit(add(3), times),
    ]);
    expect(results.map((result) => result.status)).toEqual(["fulfilled", "rejected", "rejected", "fulfilled"]);
    expect(stored()).toEqual([1, 3]);
  });

  test("runs work again only where its batch had written something that must be undone", async () => {
    const runs: string[] = [];
    const work = (name: string, value: number | null, end: () => unknown) => (tx: Tx) => {
      runs.push(name);
      if (value !== null) add(value)(tx);
      return end();
    };
    const refuse = () => {
      throw new Error("no");
    };
    // A batch takes up work for a moment: no time passes, so that what is handed over together is one.
    using _clock = spyOn(performance, "now").mockReturnValue(performance.now());
    await Promise.allSettled([
      writer.submit(work("a", 1, String), "repeatable"),
      writer.submit(work("b", null, refuse), "repeatable"),
    ]);
    expect(runs.splice(0).join()).toBe("a,b");
    await Promise.allSettled([
      writer.submit(work("c", 2, String), "repeatable"),
      writer.submit(work("d", 3, refuse), "repeatable"),
      writer.submit(work("e", 4, String), "once"),
    ]);
    expect(runs.splice(0).join()).toBe("c,d,c,d,e");
    await Promise.allSettled([
      writer.submit(work("f", 5, String), "once"),
      writer.submit(work("g", 6, refuse), "repeatable"),
    ]);
    expect(runs.join()).toBe("f,g");
    expect(stored()).toEqual([1, 2, 4, 5]);
    expect(writer.statistics.items).toBe(7);
  });

  test("commits what there was time for, and the rest later: readers need not wait for all of it", async () => {
    const slow = (value: number) => (tx: Tx) => {
      for (const until = performance.now() + 3; performance.now() < until; );
      add(value)(tx);
    };
    await Promise.all([1, 2, 3, 4, 5, 6].map((value) => writer.submit(slow(value))));
    expect(writer.statistics.commits).toBeGreaterThanOrEqual(3);
    expect(stored()).toEqual([1, 2, 3, 4, 5, 6]);
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

  test("does not say that nothing was kept where the disk failed: that is unknown", async () => {
    const failing = (code: string) => () => {
      throw Object.assign(new Error("disk"), { code });
    };
    await expect(writer.submit(failing("SQLITE_IOERR_FSYNC"))).rejects.toThrow("known after the restart");
    await expect(writer.submit(failing("SQLITE_FULL"))).rejects.toThrow("nothing was kept");
  });

  test("waits for another process's lock without blocking the event loop", async () => {
    const other = openWritable(join(folder, "w.db"));
    other.sqlite.exec("BEGIN IMMEDIATE");
    let turns = 0;
    const counting = setInterval(() => turns++, 1);
    const written = writer.submit(add(1));
    // As long as it is locked the event loop turns: a writer that blocked it would wait for a lock that is never released.
    while (turns <= 5) await Bun.sleep(1);
    other.sqlite.exec("COMMIT");
    await written;
    clearInterval(counting);
    expect(stored()).toEqual([1]);
    other.sqlite.close();
  });
});
