// Record reads: one record of an organization, or a page of them, from any record table. Always limited to the
// organization, and never a deleted record.
import { type RawBuilder, sql } from "kysely";
import { notFound } from "../../kernel/problem.ts";
import { NOUNS, type RecordTable } from "./log/logged-tables.ts";
import { decided } from "./long-writes.ts";
import type { Page } from "./paging.ts";
import {
  build,
  isChangedTable,
  nameOfRow,
  type Params,
  type Reader,
  type Row,
  remembered,
  type SqlValue,
  variants,
} from "./sql.ts";

/**
 * All columns with their effective values: of securities also those that a long write has decided and not yet changed.
 */
function columnsOf(table: RecordTable) {
  const { tokenStatus, tokenError, valuationId } = decided;
  if (table !== "securities") return sql`*`;
  return sql`*, ${tokenStatus} as "tokenStatus", ${tokenError} as "tokenError", ${valuationId} as "valuationId"`;
}

const byId = variants<{ orgId: string; id: string }, unknown, [table: RecordTable]>((param, table) => ({
  compile: () =>
    sql`select ${columnsOf(table)} from ${sql.table(table)} where "orgId" = ${param("orgId")} and "id" = ${param("id")}
      and "deletedAt" is null`.compile(build),
}));

/** The record; in a batch a class or plan is read once, and changed in memory. */
function inForce(db: Reader, table: RecordTable, orgId: string, id: string): unknown {
  if (db.waiting === undefined || !isChangedTable(table)) return byId(table).first(db, { orgId, id });
  const row = findAny(db, table, orgId, id);
  return row?.deletedAt === null ? row : null;
}

/** The record; null if the organization has no such record. */
export function findRecord<T extends RecordTable>(db: Reader, table: T, orgId: string, id: string): Row<T> | null {
  return inForce(db, table, orgId, id) as Row<T> | null;
}

/** The record. Throws `404 not-found`, the same for an unknown, a deleted and a foreign id. */
export function getRecord<R>(db: Reader, table: RecordTable, orgId: string, id: string): R {
  const record = inForce(db, table, orgId, id);
  if (!record) throw notFound(NOUNS[table]);
  return record as R;
}

const anyById = variants<{ orgId: string; id: string }, unknown, [table: RecordTable]>((param, table) => ({
  compile: () =>
    sql`select ${columnsOf(table)} from ${sql.table(table)}
      where "orgId" = ${param("orgId")} and "id" = ${param("id")}`.compile(build),
}));

/** The record, a deleted one too; null if the organization never had one with this id. */
export function findAny<T extends RecordTable>(db: Reader, table: T, orgId: string, id: string): Row<T> | null {
  const load = () => anyById(table).first(db, { orgId, id }) as Row<T> | null;
  return isChangedTable(table) ? remembered(db, table, nameOfRow({ orgId, id }), load) : load();
}

const everyRow = variants<{ orgId: string }, unknown, [table: RecordTable]>((param, table) => ({
  compile: () => sql`select * from ${sql.table(table)} where "orgId" = ${param("orgId")} order by "seq"`.compile(build),
}));

/** Every record that the organization ever had, deleted ones too, oldest first: for replays of its history. */
export function listEvery<T extends RecordTable>(db: Reader, table: T, orgId: string): Row<T>[] {
  return everyRow(table).all(db, { orgId }) as Row<T>[];
}

const existence = variants<{ orgId: string; id: string }, unknown, [table: RecordTable]>((param, table) => ({
  compile: () =>
    sql`select 1 from ${sql.table(table)} where "orgId" = ${param("orgId")} and "id" = ${param("id")}
      and "deletedAt" is null`.compile(build),
}));

/** Whether the organization has the record. */
export function hasRecord(db: Reader, table: RecordTable, orgId: string, id: string): boolean {
  return existence(table).first(db, { orgId, id }) !== null;
}

/** Throws `404 not-found` unless the organization has the record. */
export function requireRecord(db: Reader, table: RecordTable, orgId: string, id: string): void {
  if (!hasRecord(db, table, orgId, id)) throw notFound(NOUNS[table]);
}

/** A list's filter: a column with its value, or one of {@link BY_PART} with a search text. */
export type Filters = Readonly<Record<string, SqlValue>>;

/** Filters other than equality of a column. Text filters ignore the case of A to Z. */
const BY_PART: Readonly<Record<string, (value: RawBuilder<SqlValue>) => RawBuilder<unknown>>> = {
  searchText: (folded) => sql`instr("searchText", ${folded}) > 0`,
  // Other than stock, which the index of types leaves out.
  typeBesideStock: (type) => sql`"type" = ${type} and "type" <> 'STOCK'`,
  // The ids as a JSON array: those that are no record's are left out.
  ids: (array) => sql`"id" in (select value from json_each(${array}))`,
  decidedValuationId: (value) => sql`"valuationId" = ${value} and ${decided.valuationId} = ${value}`,
  certificateText: (text) => sql`instr(lower("certificateId"), lower(${text})) > 0`,
  decidedTokenStatus: (value) => sql`${decided.tokenStatus} = ${value}`,
  documentText: (text) => sql`instr(lower(coalesce(title, '') || char(10) || coalesce(path, '')), lower(${text})) > 0`,
  // An object type, a space, and an id.
  relatedObject: (related) =>
    sql`exists (select 1 from json_each("relatedObjects") as related
      where (related.value ->> '$.objectType') || ' ' || (related.value ->> '$.objectId') = ${related})`,
};

/** Where a page begins: with the newest, below `$before`, or with the oldest above `$after`. */
export type PageStart = "newest" | "before" | "after";

/** Where the page of a list query begins. */
export function startOf({ before, after = null }: Pick<ListQuery, "before" | "after">): PageStart {
  if (after !== null) return "after";
  return before === null ? "newest" : "before";
}

const STARTS: Readonly<Record<PageStart, (param: Params<Record<string, SqlValue>>) => readonly RawBuilder<unknown>[]>> =
  {
    newest: () => [],
    before: (param) => [sql`seq < ${param("$before")}`],
    after: (param) => [sql`seq > ${param("$after")}`],
  };

/**
 * The condition on a page's rows, their order and their number: the organization's, not deleted, the filters `columns`
 * (comma-separated), on later pages beyond those before.
 */
export function pageClause(param: Params<Record<string, SqlValue>>, columns: string, start: PageStart) {
  const filters = (columns ? columns.split(",") : []).map(
    (name) => BY_PART[name]?.(param(name)) ?? sql`${sql.ref(name)} = ${param(name)}`,
  );
  const owned = [sql`"orgId" = ${param("$orgId")}`, sql`"deletedAt" is null`];
  const where = sql.join([...owned, ...filters, ...STARTS[start](param)], sql` and `);
  // Few records are looked up by their ids and then sorted: else SQLite walks the list in its order.
  const seq = columns.split(",").includes("ids") ? sql`+seq` : sql`seq`;
  const order = start === "after" ? seq : sql`${seq} desc`;
  return sql`where ${where} order by ${order} limit ${param("$limit")} + 0`;
}

const page = variants<Record<string, SqlValue>, unknown, [table: RecordTable, columns: string, start: PageStart]>(
  (param, table, columns, start) => ({
    compile: () => sql`select * from ${sql.table(table)} ${pageClause(param, columns, start)}`.compile(build),
  }),
);

/** The requested rows of an organization's list: up to `limit`, newest first unless `after` is given. */
export interface ListQuery<F extends Filters = Filters> extends Omit<Page, "after">, Partial<Pick<Page, "after">> {
  readonly orgId: string;
  readonly filters: F;
}

/** The values that {@link pageClause} binds. */
export function pageValues({
  orgId,
  filters,
  before,
  after = null,
  limit,
}: ListQuery): Readonly<Record<string, SqlValue>> {
  return { ...filters, $orgId: orgId, $before: before, $after: after, $limit: limit };
}

/** The records of a list. */
export function listRecords<R>(db: Reader, table: RecordTable, query: ListQuery): R[] {
  return page(table, Object.keys(query.filters).join(","), startOf(query)).all(db, pageValues(query)) as R[];
}
