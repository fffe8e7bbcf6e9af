// Store of the log's check: SQL of its rows, newest first, and of each record that it names, as stored.
import { sql } from "kysely";
import { digestText } from "../../storage/database/log/log-hash.ts";
import { loggedColumns } from "../../storage/database/log/logged-columns.ts";
import {
  digestedColumns,
  isNamedByType,
  type LoggedTable,
  storedTable,
} from "../../storage/database/log/logged-tables.ts";
import {
  build,
  type Columns,
  ofOrganization,
  type Params,
  type Reader,
  type Row,
  type SqlValue,
  statement,
  variants,
} from "../../storage/database/sql.ts";
import type { Stored } from "./fold.ts";

const rows = statement((param: Params<{ orgId: string }>) =>
  ofOrganization("audit_log", param).selectAll().orderBy("sequence", "desc"),
);

/** Walks the organization's log from its newest row. */
export function iterateLog(db: Reader, orgId: string): IterableIterator<Row<"audit_log">> {
  return rows.iterate(db, { orgId });
}

type Place = { orgId: string; id: string; objectType: string };
type Found = Readonly<Record<string, SqlValue>> & { readonly seq: number };

const record = variants<Place, Found, [table: LoggedTable]>((param, table) => ({
  compile: () =>
    sql<Found>`select * from ${sql.table(storedTable(table))} where ${isPlace(param, table)}`.compile(build),
}));

function isPlace(param: Params<Place>, table: LoggedTable) {
  if (table === "organizations") return sql`"id" = ${param("orgId")} and "id" = ${param("id")}`;
  const isRow = sql`"orgId" = ${param("orgId")} and "id" = ${param("id")}`;
  return isNamedByType(table) ? sql`${isRow} and "objectType" = ${param("objectType")}` : isRow;
}

const count = variants<{ orgId: string }, { rows: number }, [table: LoggedTable]>((param, table) => ({
  compile: () =>
    sql<{ rows: number }>`select count(*) as rows from ${sql.table(table)} where ${isOwn(param, table)}`.compile(build),
}));

type Name = { readonly id: string; readonly objectType: string };

const names = variants<{ orgId: string }, Name, [table: LoggedTable]>((param, table) => {
  const objectType = isNamedByType(table) ? sql.ref("objectType") : sql.lit("");
  const where = isOwn(param, table);
  return {
    compile: () =>
      sql<Name>`select id, ${objectType} as "objectType" from ${sql.table(table)} where ${where}`.compile(build),
  };
});

function isOwn(param: Params<{ orgId: string }>, table: LoggedTable) {
  return sql`${sql.ref(table === "organizations" ? "id" : "orgId")} = ${param("orgId")}`;
}

/** An organization's stored rows. */
export function storedRecords(db: Reader, orgId: string): Stored {
  return {
    find(table, id, objectType) {
      const found = record(table).first(db, { orgId, id, objectType: objectType ?? "" });
      if (found === null) return null;
      const { seq, ...row } = found;
      return { seq, row: digested(row, digestedColumns(table)) };
    },
    fallback: (table, column) => loggedColumns(db, table).find(({ name }) => name === column)?.fallback ?? null,
    count: (table) => count(table).first(db, { orgId })?.rows ?? 0,
    *names(table) {
      for (const { id, objectType } of names(table).iterate(db, { orgId })) {
        yield isNamedByType(table) ? `${objectType} ${id}` : id;
      }
    },
  };
}

/** A row with its long texts as the log holds them. */
function digested(row: Columns, columns: readonly string[]): Columns {
  if (columns.length === 0) return row;
  return { ...row, ...Object.fromEntries(columns.map((name) => [name, digestText(asText(row[name] ?? null))])) };
}

function asText(value: SqlValue): string | null {
  return value === null ? null : String(value);
}
