// The frozen schema for bare loops: a database of `yardstick.sql`, which stays what it is when the program's schema changes.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";

/** The settings of the service when the schema was frozen: every commit is on disk before it counts. */
const SETTINGS = ["journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON", "recursive_triggers = ON"];
const CACHE = ["cache_size = -32768", "temp_store = MEMORY"];
const FIRST_ROW = "\nINSERT INTO ";

/** Makes a database of the frozen schema; `withRows` inserts the rows of one issuance, which the service once wrote. */
export function makeYardstick(file: string, { withRows }: { readonly withRows: boolean }): Database.Database {
  const sqlite = new Database(file);
  for (const setting of [...SETTINGS, ...CACHE]) sqlite.pragma(setting);
  const text = readFileSync(join(import.meta.dir, "yardstick.sql"), "utf8");
  sqlite.exec(withRows ? text : text.slice(0, text.indexOf(FIRST_ROW)));
  return sqlite;
}

/** The columns of a table of the frozen schema, and whether a row must have them; empty for a table that it lacks. */
export function columnsOf(sqlite: Database.Database, table: string): { name: string; isRequired: boolean }[] {
  const sql = `select name, "notnull" and dflt_value is null and not pk as required from pragma_table_info(?)`;
  const rows = sqlite.prepare<[string], { name: string; required: number }>(sql).all(table);
  return rows.map(({ name, required }) => ({ name, isRequired: required === 1 }));
}
