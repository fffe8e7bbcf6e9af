// Parts of a transaction that are refused: undone by themselves, also where they were not expected to have written.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Problem } from "../../../src/kernel/problem.ts";
import { openWritable } from "../../../src/storage/database/open.ts";
import { inSavepoint, submitHopefully, withoutSavepoint } from "../../../src/storage/database/savepoint.ts";
import type { Reader, Tx } from "../../../src/storage/database/sql.ts";
import { Writer } from "../../../src/storage/database/writer.ts";

let folder: string;
let db: Reader;
let writer: Writer;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "captable-savepoint-"));
  db = openWritable(join(folder, "s.db"));
  db.sqlite.exec("create table t (v integer primary key) strict");
  writer = new Writer(db, () => undefined);
});
afterEach(() => {
  db.sqlite.close();
  rmSync(folder, { recursive: true });
});

const add = (tx: Tx, value: number) => void tx.sqlite.prepare("insert into t values (?)").run(value);
const stored = () => db.sqlite.prepare<[], number>("select v from t order by v").pluck().all();

/** Adds a value for each part; those that are refused are so before or after they wrote. Answers with what it was done. */
function parts(runs: boolean[], refused: Readonly<Record<number, "before" | "after">>) {
  return (tx: Tx, usesSavepoints: boolean) => {
    runs.push(usesSavepoints);
    for (const value of [1, 2, 3]) {
      try {
        (usesSavepoints ? inSavepoint : withoutSavepoint)(tx, () => {
          if (refused[value] === "before") throw new Problem("invalid-state", "No.");
          add(tx, value);
          if (refused[value] === "after") throw new Problem("invalid-state", "No.");
        });
      } catch (error) {
        if (!(error instanceof Problem)) throw error;
      }
    }
    return usesSavepoints;
  };
}

test("work is done once without savepoints where nothing that was refused had written", async () => {
  const runs: boolean[] = [];
  expect(await submitHopefully(writer, parts(runs, { 2: "before" }))).toBe(false);
  expect([stored(), runs]).toEqual([[1, 3], [false]]);
});

test("where something had, all of it is undone and done again with them", async () => {
  const runs: boolean[] = [];
  expect(await submitHopefully(writer, parts(runs, { 2: "after" }))).toBe(true);
  expect([stored(), runs]).toEqual([
    [1, 3],
    [false, true],
  ]);
});

test("also in a batch behind what is done once only", async () => {
  const runs: boolean[] = [];
  const [, done] = await Promise.all([
    writer.submit((tx) => add(tx, 9)),
    submitHopefully(writer, parts(runs, { 1: "after", 3: "before" })),
  ]);
  expect([done, stored(), runs.at(-1)]).toEqual([true, [2, 9], true]);
});

test("another failure stays what it is", async () => {
  const failing = submitHopefully(writer, (tx) => {
    add(tx, 1);
    throw new Error("broken");
  });
  await expect(failing).rejects.toThrow("broken");
  expect(stored()).toEqual([]);
});
