// Writer of logged tables: writes a row and its log row together, so that no change goes unlogged. The only such code.
import { type Insertable, sql, type Updateable } from "kysely";
import { present } from "../../../kernel/assert.ts";
import type { Call } from "../../../kernel/call.ts";
import { insertColumns } from "../row-writes.ts";
import type { Schema } from "../schema.ts";
import { findDueSplit, isSplitting, takeApart } from "../split-rows.ts";
import {
  build,
  type Columns,
  isChangedTable,
  type Key,
  nameOfRow,
  type Params,
  type RowChange,
  type SqlValue,
  type Tx,
  variants,
  type WaitingChange,
} from "../sql.ts";
import { tellChanges } from "./log-rows.ts";
import { isUntold, LOGGED, type LoggedTable, storedTable, type UNTOLD, type UntoldTable } from "./logged-tables.ts";

/** Inserts a row and logs it; columns that are left out or null take their defaults. */
export function insertLogged<T extends LoggedTable>(tx: Tx, call: Call, table: T, row: Insertable<Schema[T]>): void {
  insertLoggedColumns(tx, call, table, row as Columns);
}

/** The same for a table whose type is unknown at compile time. */
export function insertLoggedColumns(tx: Tx, call: Call, table: LoggedTable, row: Columns): void {
  insertColumns(tx, table, row);
  const id = String(row.id);
  const key = table === "ocf_objects" ? { objectType: String(row.objectType), id } : id;
  tell(tx, call, { table, key, before: null, after: row });
}

/** Logs a change: at once, or at the end of a transaction that collects its changes. */
function tell(tx: Tx, call: Call, change: RowChange): void {
  if (tx.pending) tx.pending.add(change);
  else tellChanges(tx, call, [change]);
}

/**
 * Changes columns of a row and logs those that differ; returns whether any did. The row must exist. A security that a
 * split under way has not reached is split first.
 */
export function changeLogged<T extends LoggedTable>(
  tx: Tx,
  call: Call,
  table: T,
  key: Key,
  changes: Updateable<Schema[T]>,
): boolean {
  return changeLoggedColumns(tx, call, table, key, changes as Columns);
}

/** The same for a table whose type is unknown at compile time. */
export function changeLoggedColumns(tx: Tx, call: Call, table: LoggedTable, key: Key, changes: Columns): boolean {
  const given = Object.keys(changes).filter((name) => changes[name] !== undefined);
  if (given.length === 0) return false;
  if (table === "securities" && typeof key === "string") splitFirst(tx, call, key);
  const place = placeOf(call.orgId, key);
  const before = columnsNow(tx, table, place, given);
  const differing = given.filter((name) => before[name] !== changes[name]);
  if (differing.length === 0) return false;
  write(tx, table, place, pick(changes, differing));
  const told = differing.filter((name) => !isUntold(table, name));
  if (told.length > 0) tell(tx, call, { table, key, before: pick(before, told), after: pick(changes, told) });
  return true;
}

/**
 * Has a security that a change is about to find be as a split under way has decided, and takes it out of the split's
 * turn.
 */
function splitFirst(tx: Tx, call: Call, id: string): void {
  const { orgId } = call;
  if (!isSplitting(tx, { orgId })) return;
  writeSplit(tx, call, id);
  takeApart(tx, { orgId, id });
}

/** Writes what a split under way has decided for a security, in the name of who asked for the split. */
export function writeSplit(tx: Tx, call: Call, id: string): void {
  const due = findDueSplit(tx, { orgId: call.orgId, id });
  if (due === null) return;
  const { before, after, origin } = due;
  update("securities", Object.keys(after).join(",")).run(tx, { ...after, ...placeOf(call.orgId, id) });
  tell(tx, { ...call, ...JSON.parse(origin) }, { table: "securities", key: id, before, after });
}

function pick(row: Columns, names: readonly string[]): Columns {
  const picked: Record<string, SqlValue> = {};
  for (const name of names) picked[name] = row[name] ?? null;
  return picked;
}

type Untold<T extends UntoldTable> = { readonly [C in (typeof UNTOLD)[T][number]]?: SqlValue };

/** Changes unlogged columns of a row of the organization `orgId`. */
export function changeUntold<T extends UntoldTable>(
  tx: Tx,
  orgId: string,
  table: T,
  id: string,
  changes: Untold<T>,
): void {
  write(tx, table, placeOf(orgId, id), changes as Columns);
}

/** Changes a row: at once, or with the other changes of the row at the end of a batch. */
function write(tx: Tx, table: LoggedTable, place: Place, columns: Columns): void {
  const names = Object.keys(columns).join(",");
  if (tx.waiting && isChangedTable(table)) tx.waiting.change({ ...ofRow(place), table, columns, write: writeLater });
  else update(table, names).run(tx, { ...columns, ...place });
}

function writeLater(this: WaitingChange, tx: Tx, columns: Columns): void {
  update(this.table, Object.keys(columns).join(",")).runOnly(tx, { ...columns, ...placeOf(this.orgId, this.id) });
}

function ofRow({ $orgId, $id }: Place) {
  return { orgId: String($orgId), id: String($id) };
}

/** The row's columns: as they are remembered, or as they are stored. */
function columnsNow(tx: Tx, table: LoggedTable, place: Place, names: readonly string[]): Columns {
  const known = isChangedTable(table) ? (tx.waiting?.row(table, nameOfRow(ofRow(place))) ?? null) : null;
  return known ?? present(columnsOf(table, names.join(",")).first(tx, place), `the ${LOGGED[table]} to change`);
}

type Place = Readonly<Record<string, SqlValue>>;

function placeOf(orgId: string, key: Key): Place {
  if (typeof key === "string") return { $orgId: orgId, $id: key };
  return { $orgId: orgId, $id: key.id, $objectType: key.objectType };
}

const columnsOf = variants<Place, Columns, [table: LoggedTable, columns: string]>((param, table, columns) => {
  const names = sql.join(columns.split(",").map((name) => sql.ref(name)));
  const where = isPlace(param, table);
  const stored = sql.table(storedTable(table));
  return { compile: () => sql<Columns>`select ${names} from ${stored} where ${where}`.compile(build) };
});

const update = variants<Place, unknown, [table: LoggedTable, columns: string]>((param, table, columns) => {
  const set = sql.join(columns.split(",").map((name) => sql`${sql.ref(name)} = ${param(name)}`));
  return { compile: () => sql`update ${sql.table(table)} set ${set} where ${isPlace(param, table)}`.compile(build) };
});

/** An organization's own row has its id; every other row has its organization's. */
function isPlace(param: Params<Place>, table: LoggedTable) {
  if (table === "organizations") return sql`"id" = ${param("$orgId")}`;
  const isRow = sql`"orgId" = ${param("$orgId")} and "id" = ${param("$id")}`;
  return table === "ocf_objects" ? sql`${isRow} and "objectType" = ${param("$objectType")}` : isRow;
}
