// What `verify` sees changed, by table and column: everything but what it says itself that it does not look at. The tests
// hold it to that.
import type Database from "better-sqlite3";
import { UNVERIFIED } from "../../../src/safekeeping/verify/report.ts";

/** A column of a table, as `table.column`. */
type ColumnName = string;

/** Every column of every table that `verify` looks at, from the schema itself. */
export function checkedColumns(db: Database.Database): (readonly [table: string, column: string])[] {
  const all = db.prepare<[], { table: string; column: string }>(
    `select tables.name as "table", columns.name as "column" from sqlite_schema as tables
      join pragma_table_info(tables.name) as columns where tables.type = 'table' order by 1, columns.cid`,
  );
  return all
    .all()
    .map(({ table, column }) => [table, column] as const)
    .filter(([table, column]) => isChecked(`${table}.${column}`));
}

/** Whether `verify` must see it when a column changes. Of SQLite's own list it compares all but where things lie. */
export function isChecked(name: ColumnName): boolean {
  const [table = ""] = name.split(".");
  return name !== "sqlite_schema.rootpage" && !UNVERIFIED.includes(table) && !UNVERIFIED.includes(name);
}

type Row = Readonly<Record<string, unknown>>;

/** Every row of every table. */
export type Dump = ReadonlyMap<string, readonly Row[]>;

/** Reads everything, in the order of row numbers, by walking tables and no index. */
export function dump(db: Database.Database): Dump {
  const names = db.prepare<[], string>("select name from sqlite_schema where type = 'table' order by name").pluck();
  const rows = (name: string) => db.prepare<[], Row>(`select * from "${name}" not indexed`).all();
  return new Map(["sqlite_schema", ...names.all()].map((name) => [name, rows(name)]));
}

/** Where two dumps differ, as `table.column`; `table.rows` where one has rows that the other lacks. */
export function differingColumns(one: Dump, other: Dump): ColumnName[] {
  const found = new Set<string>();
  for (const [table, rows] of one) {
    const others = other.get(table) ?? [];
    if (others.length !== rows.length) found.add(`${table}.rows`);
    for (const [index, row] of rows.entries()) {
      for (const [column, value] of Object.entries(row)) {
        if (!Bun.deepEquals(value, others[index]?.[column])) found.add(`${table}.${column}`);
      }
    }
  }
  return [...found];
}
