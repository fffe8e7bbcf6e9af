// Folds the log into the rows that the tables must hold, column by column, and compares. It takes the newest row first:
// when a row of the log makes a record, all later changes are known already, so that the record is compared and
// forgotten. Memory holds open records, never all. Pure: stored rows come from a port.
import { isNamedByType, isUntold, LOGGED, type LoggedTable } from "../../storage/database/log/logged-tables.ts";
import type { Columns, Row, SqlValue } from "../../storage/database/sql.ts";
import { RESTORE, type Tell } from "./report.ts";

/** A row of the log. */
export type LogRow = Row<"audit_log">;

/** The stored rows, as the fold asks for them. */
export interface Stored {
  /** A record's row in the log's form, and its place in the table; null if there is no such row. */
  find(
    table: LoggedTable,
    id: string,
    objectType: string | null,
  ): { readonly seq: number; readonly row: Columns } | null;
  /** A column's value in a new record if the log names none. */
  fallback(table: LoggedTable, column: string): SqlValue;
  /** How many rows of a table are the organization's. */
  count(table: LoggedTable): number;
  /** The ids of a table's rows, an original's after its type. */
  names(table: LoggedTable): Iterable<string>;
}

const TABLES = new Map(Object.entries(LOGGED).map(([table, noun]) => [noun as string, table as LoggedTable]));
const TO_LOG = "The log is the record: have the row say what the log says, or restore a backup.";

/** How a difference names a row of the log. */
export function nameOf({ sequence, id }: LogRow): string {
  return `log row ${sequence} (id ${id})`;
}

/** The record of a row of the log; `subject` names the row. */
interface ToldRow {
  readonly table: LoggedTable;
  readonly id: string;
  readonly subject: string;
}

/** Columns by name, as the log has them. */
export type Members = Readonly<Record<string, SqlValue>>;

/** A row's content, parsed. */
export interface Said {
  readonly before: Members | null;
  readonly after: Members | null;
}

/** The known state of a column after the current row of the log: its value now, and its value before those changes. */
interface Open {
  readonly now: SqlValue;
  was: SqlValue;
}

/** The rows that the tables must hold by the rows of the log taken so far. */
export class Fold {
  readonly #stored: Stored;
  readonly #tell: Tell;
  readonly #open = new Map<string, Map<string, Open>>();
  readonly #made = new Map<LoggedTable, number>();
  readonly #lastSeq = new Map<LoggedTable, number>();

  constructor(stored: Stored, tell: Tell) {
    this.#stored = stored;
    this.#tell = tell;
  }

  /** Takes the next older row. */
  take(row: LogRow, { before, after }: Said): void {
    const table = TABLES.get(row.resourceType);
    if (table === undefined || after === null) return;
    const subject = nameOf(row);
    if (row.resourceId === null) {
      for (const record of recordsOf(after).toReversed())
        this.#create({ table, id: String(record.id), subject }, record);
    } else if (before === null) this.#create({ table, id: row.resourceId, subject }, after);
    else this.#change({ table, id: row.resourceId, subject }, before, after);
  }

  #change({ table, id, subject }: ToldRow, before: Members, after: Members): void {
    const name = nameOfRecord(table, id, after);
    const open = this.#open.get(name) ?? new Map<string, Open>();
    this.#open.set(name, open);
    for (const [column, now] of Object.entries(after)) {
      const was = before[column] ?? null;
      const known = open.get(column);
      if (known === undefined) open.set(column, { now, was });
      else {
        this.#expect(known.was, now, `${name}: ${column}`, subject);
        known.was = was;
      }
    }
  }

  /** A change must begin where the one before it ended. */
  #expect(was: SqlValue, now: SqlValue, what: string, subject: string): void {
    if (was === now) return;
    const detail = `it leaves ${what} at ${show(now)}, and the next change of it begins at ${show(was)}`;
    this.#tell({ code: "log-contradicts", subject, detail, fix: RESTORE });
  }

  #create({ table, id, subject }: ToldRow, made: Members): void {
    this.#made.set(table, (this.#made.get(table) ?? 0) + 1);
    const name = nameOfRecord(table, id, made);
    const open = this.#open.get(name);
    this.#open.delete(name);
    const found = this.#stored.find(table, id, textOrNull(made.objectType));
    if (found === null) {
      const detail = "the log has it, and its row is missing";
      this.#tell({ code: "row-missing", subject: name, detail, fix: TO_LOG });
      return;
    }
    this.#checkOrder(table, name, found.seq);
    for (const column of Object.keys(found.row)) {
      const is = found.row[column] ?? null;
      const first = column in made ? (made[column] ?? null) : this.#stored.fallback(table, column);
      const later = open?.get(column);
      if (later) this.#expect(later.was, first, `${name}: ${column}`, subject);
      const should = later ? later.now : first;
      if (is === should || isUntold(table, column)) continue;
      const from = firstDifference(is, should);
      const detail = `its ${column} is ${show(is, from)}, and the log says ${show(should, from)}`;
      this.#tell({ code: "row-differs", subject: name, detail, fix: TO_LOG });
    }
  }

  /** Rows stand in the table in the order of the log. */
  #checkOrder(table: LoggedTable, subject: string, seq: number): void {
    const last = this.#lastSeq.get(table) ?? Number.POSITIVE_INFINITY;
    this.#lastSeq.set(table, seq);
    if (seq < last) return;
    const detail = `its place in the table (seq ${seq}) is behind that of a later one (seq ${last})`;
    this.#tell({ code: "row-differs", subject, detail, fix: TO_LOG });
  }

  /** Reports changes of records that were never made, and rows that nothing made; `again` walks the log once more. */
  finish(again: () => Iterable<LogRow>): void {
    for (const subject of this.#open.keys()) {
      const detail = "the log has a change of it, but not its creation";
      this.#tell({ code: "log-contradicts", subject, detail, fix: RESTORE });
    }
    const tables = [...TABLES.values()].filter((table) => this.#stored.count(table) !== (this.#made.get(table) ?? 0));
    if (tables.length === 0) return;
    const made = madeNames(again());
    for (const table of tables) {
      for (const name of this.#stored.names(table)) {
        if (made.has(`${LOGGED[table]} ${name}`)) continue;
        const detail = "the log does not have its creation";
        this.#tell({ code: "row-unexplained", subject: `${LOGGED[table]} ${name}`, detail, fix: TO_LOG });
      }
    }
  }
}

function recordsOf({ records }: Readonly<Record<string, unknown>>): readonly Members[] {
  return Array.isArray(records) ? records.filter((record) => typeof record === "object" && record !== null) : [];
}

/** How a difference names a record, for instance `security 0190…`; an original of OCF after its type. */
function nameOfRecord(table: LoggedTable, id: string, members: Members): string {
  return isNamedByType(table) ? `${LOGGED[table]} ${members.objectType} ${id}` : `${LOGGED[table]} ${id}`;
}

/** The names of all records that the log makes. */
function madeNames(rows: Iterable<LogRow>): Set<string> {
  const names = new Set<string>();
  for (const row of rows) {
    const table = TABLES.get(row.resourceType);
    if (table === undefined || row.before !== null) continue;
    const after = parse(row.after);
    if (row.resourceId !== null) names.add(nameOfRecord(table, row.resourceId, after));
    else for (const record of recordsOf(after)) names.add(nameOfRecord(table, String(record.id), record));
  }
  return names;
}

function parse(text: string | null): Members {
  try {
    return JSON.parse(text ?? "{}");
  } catch {
    return {};
  }
}

function textOrNull(value: SqlValue | undefined): string | null {
  return typeof value === "string" ? value : null;
}

const SHOWN_MAX = 120;

/** A value as text; of a long one the part around the place `from`. */
function show(value: SqlValue, from = 0): string {
  const text = JSON.stringify(value) ?? String(value);
  if (text.length <= SHOWN_MAX) return text;
  const start = Math.max(0, Math.min(from - SHOWN_MAX / 2, text.length - SHOWN_MAX));
  const end = start + SHOWN_MAX;
  return `${start > 0 ? "…" : ""}${text.slice(start, end)}${end < text.length ? "…" : ""}`;
}

/** Where two values begin to differ as they are shown. */
function firstDifference(a: SqlValue, b: SqlValue): number {
  const [one, other] = [a, b].map((value) => JSON.stringify(value) ?? String(value));
  let at = 0;
  while (at < (one?.length ?? 0) && one?.[at] === other?.[at]) at += 1;
  return at;
}
