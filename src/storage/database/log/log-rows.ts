// What the log says of changed rows: a new one whole, a changed one by the columns that differ, both as they are stored,
// in canonical JSON. What one transaction has to tell may wait for its end, so that it is told once for each row.
import type { Call } from "../../../kernel/call.ts";
import type { ChangesToTell, Columns, Key, Reader, RowChange, SqlValue, Tx } from "../sql.ts";
import { appendLog, type Told } from "./audit.ts";
import { digestText } from "./log-hash.ts";
import { loggedColumns } from "./logged-columns.ts";
import { isDigested, LOGGED, type LoggedTable } from "./logged-tables.ts";

/** Tells of changes: one row of the log for each, and one for all new originals together. */
export function tellChanges(tx: Tx, call: Call, changes: readonly RowChange[]): void {
  const isOriginal = ({ table, before }: RowChange) => table === "ocf_objects" && before === null;
  const originals = changes.length > 1 ? changes.filter(isOriginal) : [];
  const others = originals.length > 0 ? changes.filter((change) => !isOriginal(change)) : changes;
  appendLog(tx, call, [
    ...others.map((change) => rowOf(tx, change)),
    ...(originals.length > 0 ? [together(tx, originals)] : []),
  ]);
}

function rowOf(db: Reader, { table, key, before, after }: RowChange): Told {
  const resourceType = LOGGED[table];
  if (before === null) return { resourceType, resourceId: idOf(key), before, after: wholeRow(db, table, after) };
  // An original is known by its type as well, which is told with what changed.
  const identity = typeof key === "string" ? {} : { objectType: key.objectType };
  const names = [...Object.keys(after), ...Object.keys(identity)].sort();
  const show = (row: Columns) => objectOf(names.map((name) => member(table, name, row[name] ?? null)));
  return {
    resourceType,
    resourceId: idOf(key),
    before: show({ ...before, ...identity }),
    after: show({ ...after, ...identity }),
  };
}

function idOf(key: Key): string {
  return typeof key === "string" ? key : key.id;
}

function together(db: Reader, originals: readonly RowChange[]): Told {
  const records = originals.map(({ table, after }) => wholeRow(db, table, after));
  const after = `{"records":[${records.join(",")}]}`;
  return { resourceType: LOGGED.ocf_objects, resourceId: null, before: null, after };
}

function wholeRow(db: Reader, table: LoggedTable, row: Columns): string {
  let members = "";
  for (const { name, label, fallback, isDigested: isShort } of loggedColumns(db, table)) {
    members += `${members && ","}${label}${jsonOf(row[name] ?? fallback, isShort)}`;
  }
  return `{${members}}`;
}

function objectOf(members: readonly string[]): string {
  return `{${members.join(",")}}`;
}

function member(table: LoggedTable, name: string, value: SqlValue): string {
  return `"${name}":${jsonOf(value, isDigested(table, name))}`;
}

/** A column's value, or its digest, in canonical JSON. An unpaired surrogate is told as what SQLite makes of it. */
function jsonOf(value: SqlValue, isShort: boolean): string {
  if (value === null) return "null";
  if (typeof value !== "string") return JSON.stringify(value);
  if (isShort) return `"${digestText(value)}"`;
  return JSON.stringify(value.isWellFormed() ? value : value.toWellFormed());
}

/** What a transaction has yet to tell. Whoever makes one tells it before the transaction ends, or writes nothing. */
export class PendingLog implements ChangesToTell {
  readonly #changes = new Map<string, RowChange>();

  /** Notes a change; with what is known of the same row already it is one. */
  add(change: RowChange): void {
    const { table, key, before, after } = change;
    const name = `${table} ${typeof key === "string" ? key : `${key.objectType} ${key.id}`}`;
    const known = this.#changes.get(name);
    const first = known?.before === null ? null : { ...before, ...known?.before };
    this.#changes.set(name, known ? { ...known, before: first, after: { ...known.after, ...after } } : change);
  }

  /** Tells of everything noted so far. */
  tell(tx: Tx, call: Call): void {
    if (this.#changes.size > 0) tellChanges(tx, call, [...this.#changes.values()]);
    this.forget();
  }

  /** Forgets what was noted, because it was undone. */
  forget(): void {
    this.#changes.clear();
  }
}
