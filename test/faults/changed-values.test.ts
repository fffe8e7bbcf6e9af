// F7, values: SQLite notices no changed byte inside a value, so `verify` must, in every column that the cap table stands
// on. Each is changed in each of its rows, behind the triggers' backs, to another value that could stand there.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { join } from "node:path";
import Database from "better-sqlite3";
import { verifyDatabase } from "../../src/verify/verify.ts";
import { proved } from "../support/proof.ts";
import { RELEASE } from "../support/release.ts";
import { CHECKED } from "./support/checked.ts";
import { makeTemplate, type Template } from "./support/company.ts";

const ROWS = RELEASE ? 1000 : 2;
let template: Template;
let db: Database.Database;
let count = 0;

type Value = string | number | Uint8Array;

beforeAll(async () => {
  template = await makeTemplate();
  db = new Database(join(template.dataDir, "captable.db"));
  db.pragma("foreign_keys = OFF");
  const triggers = db.prepare<[], string>("select name from sqlite_schema where type = 'trigger'").pluck().all();
  for (const name of triggers) db.exec(`drop trigger ${name}`);
}, 300_000);
afterAll(() => {
  db.close();
  template.remove();
  proved({ fault: "F7", what: "values changed in checked columns", count, seed: "-", result: "all seen by verify" });
});

/** The difference codes of a verification, without the triggers that this test took away. */
function verified(): string[] {
  const found = verifyDatabase({ sqlite: db }).differences.map(({ code }) => code);
  return found.filter((code) => code !== "trigger-missing");
}

test("the company as it was made verifies", () => expect(verified()).toEqual([]));

test("a verification that sees nothing would be told", () => {
  expect(() => changeEach("securities", "quantity", () => [])).toThrow("unseen");
});

test.each(Object.entries(CHECKED).flatMap(([table, columns]) => columns.map((column) => [table, column] as const)))(
  "no change of %s.%s goes unseen",
  (table, column) => changeEach(table, column, verified),
  120_000,
);

/** Changes the column in each row, and throws where `look` tells nothing. */
function changeEach(table: string, column: string, look: () => string[]): void {
  const name = `"${column}"`;
  const values = db.prepare<[], Value>(`select distinct ${name} from ${table} where ${name} is not null`).pluck();
  const others = values.all();
  const rows = db.prepare<[number], { row: number; value: Value }>(
    `select rowid as row, ${name} as value from ${table} where ${name} is not null limit ?`,
  );
  const change = db.prepare<[Value, number]>(`update ${table} set ${name} = ? where rowid = ?`);
  const found = rows.all(ROWS);
  expect(found.length).toBeGreaterThan(0);
  for (const { row, value } of found) {
    for (const other of [altered(value), others.find((candidate) => !Bun.deepEquals(candidate, value))]) {
      if (other === undefined) continue;
      db.exec("begin");
      const isStored = stores(() => change.run(other, row));
      const seen = isStored ? look() : ["refused by SQLite"];
      db.exec("rollback");
      if (seen.length === 0) throw new Error(`${table} row ${row}: ${column} ${value} became ${other} unseen`);
      count++;
    }
  }
}

/** Whether the schema itself lets the value stand: a file in which it does not is found by SQLite's own check. */
function stores(run: () => unknown): boolean {
  try {
    run();
    return true;
  } catch {
    return false;
  }
}

/** The value with its last digit or letter changed; one byte for bytes, one more for numbers. */
function altered(value: Value): Value {
  if (typeof value === "number") return value + 1;
  if (typeof value === "string") {
    return value.replace(/[0-9a-zA-Z](?=[^0-9a-zA-Z]*$)/, (last) => (last === "1" || last === "a" ? "2" : "1"));
  }
  const bytes = Uint8Array.from(value);
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1;
  return bytes;
}
