// The logged columns of each table, read from the database's schema.
import type BetterSqlite3 from "better-sqlite3";
import { sql } from "kysely";
import { assert } from "../../../kernel/assert.ts";
import { build, type Reader, type SqlValue, variants } from "../sql.ts";
import { isDigested, isUnlogged, type LoggedTable } from "./logged-tables.ts";

/** A column of a table. */
export interface LoggedColumn {
  readonly name: string;
  /** Its default. */
  readonly fallback: SqlValue;
  /** Whether the log holds its SHA-256 instead. */
  readonly isDigested: boolean;
}

const known = new WeakMap<BetterSqlite3.Database, Map<LoggedTable, readonly LoggedColumn[]>>();

/** The logged columns of a table's new row: all but `seq` and sums, in the order of canonical JSON. */
export function loggedColumns(db: Reader, table: LoggedTable): readonly LoggedColumn[] {
  const tables = known.get(db.sqlite) ?? new Map<LoggedTable, readonly LoggedColumn[]>();
  known.set(db.sqlite, tables);
  const columns = tables.get(table) ?? readColumns(db, table);
  tables.set(table, columns);
  return columns;
}

/** The columns' defaults in a new row, of any table. */
export function fallbackOf(db: Reader, table: string, column: string): SqlValue {
  const found = tableInfo(table)
    .all(db, {})
    .find(({ name }) => name === column);
  return found === undefined || found.dflt_value === null ? null : literal(found.dflt_value);
}

const tableInfo = variants<object, { name: string; dflt_value: string | null }, [table: string]>((_param, table) => ({
  compile: () =>
    sql<{ name: string; dflt_value: string | null }>`select name, dflt_value from
        pragma_table_info(${sql.lit(table)}) where name <> 'seq'`.compile(build),
}));

function readColumns(db: Reader, table: LoggedTable): LoggedColumn[] {
  const columns = tableInfo(table).all(db, {});
  return columns
    .filter(({ name }) => !isUnlogged(table, name))
    .map(({ name, dflt_value: text }) => ({
      name,
      fallback: text === null ? null : literal(text),
      isDigested: isDigested(table, name),
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The value of a column's default, a number or a quoted text. */
function literal(text: string): SqlValue {
  if (text.startsWith("'")) return text.slice(1, -1).replaceAll("''", "'");
  assert(text !== "" && !Number.isNaN(Number(text)), `the default ${text} is neither a number nor a text`);
  return Number(text);
}
