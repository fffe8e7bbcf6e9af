// Log rows of changes: a new record whole, a changed one by the columns that differ, both as stored, in canonical JSON.
// A transaction may collect its changes and log each record once at its end.
import type { Call } from "../../../kernel/call.ts";
import type { ChangesToTell, Columns, Key, Reader, RowChange, SqlValue, Tx } from "../sql.ts";
import { appendLog, type Told } from "./audit.ts";
import { digestText } from "./log-hash.ts";
import { loggedColumns } from "./logged-columns.ts";
import { isDigested, LOGGED, type LoggedTable } from "./logged-tables.ts";

/** Logs changes: one log row for each, and one for all new originals together. */
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
  // An original's id is unique only with its type, so the log row names the type too.
  const identity = typeof key === "string" ? {} : { objectType: key.objectType };
  const names = [...Object.keys(after), ...Object.keys(identity)].sort();
  const show = (row: Columns) => {
    const members: Record<string, SqlValue> = {};
    for (const name of names) members[name] = shown(row[name] ?? null, isDigested(table, name));
    return canonicalColumns(members);
  };
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
  const members: Record<string, SqlValue> = {};
  for (const { name, fallback, isDigested: isShort } of loggedColumns(db, table)) {
    members[name] = shown(row[name] ?? fallback, isShort);
  }
  return canonicalColumns(members);
}

/** A column's value as the log shows it. */
function shown(value: SqlValue, isShort: boolean): SqlValue {
  return isShort && typeof value === "string" ? digestText(value) : value;
}

/**
 * Columns in canonical JSON; their names come in its order. One call writes them all: one for each takes four times as
 * long. An unpaired surrogate, which JSON writes as an escape, is logged as SQLite stores it.
 */
function canonicalColumns(members: Columns): string {
  const text = JSON.stringify(members);
  if (!text.includes("\\ud")) return text;
  return JSON.stringify(members, (_name, value) => (typeof value === "string" ? value.toWellFormed() : value));
}

/**
 * Changes that a transaction has yet to log. The code that creates a collector must flush it before the transaction
 * ends, or write nothing.
 */
export class PendingLog implements ChangesToTell {
  readonly #changes = new Map<string, RowChange>();

  /** Adds a change; merges it with an earlier one of the same row. */
  add(change: RowChange): void {
    const { table, key, before, after } = change;
    const name = `${table} ${typeof key === "string" ? key : `${key.objectType} ${key.id}`}`;
    const known = this.#changes.get(name);
    const first = known?.before === null ? null : { ...before, ...known?.before };
    this.#changes.set(name, known ? { ...known, before: first, after: { ...known.after, ...after } } : change);
  }

  /** Logs all collected changes. */
  tell(tx: Tx, call: Call): void {
    if (this.#changes.size > 0) tellChanges(tx, call, [...this.#changes.values()]);
    this.forget();
  }

  /** Drops the collected changes, because they were rolled back. */
  forget(): void {
    this.#changes.clear();
  }
}
