// Record reads: one record of an organization, or a page of them, from any record table. Always limited to the
// organization, and never a deleted record.
import { type RawBuilder, sql } from "kysely";
import { notFound } from "../../kernel/problem.ts";
import { NOUNS, type RecordTable } from "./log/logged-tables.ts";
import { decided } from "./long-writes.ts";
import { build, type Params, type Reader, type Row, type SqlValue, variants } from "./sql.ts";

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

/** The record; null if the organization has no such record. */
export function findRecord<T extends RecordTable>(db: Reader, table: T, orgId: string, id: string): Row<T> | null {
  return byId(table).first(db, { orgId, id }) as Row<T> | null;
}

/** The record. Throws `404 not-found`, the same for an unknown, a deleted and a foreign id. */
export function getRecord<R>(db: Reader, table: RecordTable, orgId: string, id: string): R {
  const record = byId(table).first(db, { orgId, id });
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
  return anyById(table).first(db, { orgId, id }) as Row<T> | null;
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
  certificateText: (text) => sql`instr(lower("certificateId"), lower(${text})) > 0`,
  decidedTokenStatus: (value) => sql`${decided.tokenStatus} = ${value}`,
  documentText: (text) => sql`instr(lower(coalesce(title, '') || char(10) || coalesce(path, '')), lower(${text})) > 0`,
  // An object type, a space, and an id.
  relatedObject: (related) =>
    sql`exists (select 1 from json_each("relatedObjects") as related
      where (related.value ->> '$.objectType') || ' ' || (related.value ->> '$.objectId') = ${related})`,
};

/**
 * The condition on a page's rows: the organization's, not deleted, the filters `columns` (comma-separated), on later
 * pages `seq` below `$before`.
 */
export function conditionsOf(param: Params<Record<string, SqlValue>>, columns: string, isFirst: boolean) {
  const filters = (columns ? columns.split(",") : []).map(
    (name) => BY_PART[name]?.(param(name)) ?? sql`${sql.ref(name)} = ${param(name)}`,
  );
  const owned = [sql`"orgId" = ${param("$orgId")}`, sql`"deletedAt" is null`];
  return sql.join([...owned, ...filters, ...(isFirst ? [] : [sql`seq < ${param("$before")}`])], sql` and `);
}

const page = variants<Record<string, SqlValue>, unknown, [table: RecordTable, columns: string, isFirst: boolean]>(
  (param, table, columns, isFirst) => ({
    compile: () =>
      sql`select * from ${sql.table(table)} where ${conditionsOf(param, columns, isFirst)}
        order by seq desc limit ${param("$limit")} + 0`.compile(build),
  }),
);

/** The requested rows of an organization's list: up to `limit`, newest first. */
export interface ListQuery<F extends Filters = Filters> {
  readonly orgId: string;
  readonly filters: F;
  /** Only rows with a smaller `seq`; null: from the newest. */
  readonly before: number | null;
  readonly limit: number;
}

/** The records of a list. */
export function listRecords<R>(db: Reader, table: RecordTable, { orgId, filters, before, limit }: ListQuery): R[] {
  const found = page(table, Object.keys(filters).join(","), before === null);
  return found.all(db, { ...filters, $orgId: orgId, $before: before, $limit: limit }) as R[];
}
