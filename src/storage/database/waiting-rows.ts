// Rows that wait: what a batch of writes adds to the ledger, the log, the stored answers and the outbox. Few of its
// statements read these tables, so the rows are inserted together, many by one statement: at the end of the batch, or
// before the first statement that names their table. The heads of the chains are remembered meanwhile.
import { type Insertable, sql } from "kysely";
import type { Schema } from "./schema.ts";
import {
  build,
  type ChainHead,
  type InsertRows,
  type Params,
  type SqlValue,
  statement,
  type Tx,
  WAITING_TABLES,
  type Waiting,
  type WaitingTable,
} from "./sql.ts";

/** How many rows one statement inserts, the most first: what is left goes in by smaller ones. */
const AT_ONCE = [32, 8, 1] as const;

interface Rows {
  list: (readonly SqlValue[])[];
  readonly insert: InsertRows;
}

/** The rows of one batch that wait. */
export class WaitingRows implements Waiting {
  readonly heads = new Map<string, ChainHead>();
  /** The handle of work whose new rows wait. */
  readonly tx: Tx;
  readonly #tables = new Map<WaitingTable, Rows>();
  readonly #names = new Set<string>();
  readonly #found = new Map<string, Map<string, unknown>>();

  /** `tx` is the batch's own handle. */
  constructor(tx: Tx) {
    this.tx = { ...tx, waiting: this };
  }

  /** How many rows wait. */
  get count(): number {
    let count = 0;
    for (const { list } of this.#tables.values()) count += list.length;
    return count;
  }

  add(table: WaitingTable, row: readonly SqlValue[], insert: InsertRows): void {
    const known = this.#tables.get(table);
    if (known) known.list.push(row);
    else this.#tables.set(table, { list: [row], insert });
  }

  note(name: string): void {
    this.#names.add(name);
  }

  has(name: string): boolean {
    return this.#names.has(name);
  }

  remember<T>(table: string, name: string, load: () => T): T {
    let found = this.#found.get(table);
    if (!found) {
      found = new Map();
      this.#found.set(table, found);
    }
    if (found.has(name)) return found.get(name) as T;
    const value = load();
    found.set(name, value);
    return value;
  }

  forget(table: string): void {
    this.#found.delete(table);
  }

  settle(tables: readonly WaitingTable[] = WAITING_TABLES): void {
    for (const table of tables) {
      const rows = this.#tables.get(table);
      if (rows === undefined || rows.list.length === 0) continue;
      rows.insert(this.tx, rows.list);
      // Not before: rows that are refused are other work's than the one that asks, and the end of the batch is refused, too.
      rows.list = [];
    }
  }
}

/** Declares how rows with these columns are added to a table: at once, or with the others of a batch. */
export function adding<T extends WaitingTable, C extends keyof Schema[T] & keyof Insertable<Schema[T]> & string>(
  table: T,
  columns: readonly C[],
): (tx: Tx, row: Readonly<Record<C, SqlValue>>) => void {
  const statements = AT_ONCE.map((size) => ({ size, statement: insertion(table, columns, size) }));
  const insert: InsertRows = (tx, rows) => {
    let at = 0;
    for (const { size, statement } of statements) {
      for (; rows.length - at >= size; at += size) statement.insert(tx, rows.slice(at, at + size).flat());
    }
  };
  return (tx, row) => {
    const values = columns.map((name) => row[name]);
    if (tx.waiting) tx.waiting.add(table, values, insert);
    else insert(tx, [values]);
  };
}

function insertion(table: WaitingTable, columns: readonly string[], rows: number) {
  return statement((param: Params<Record<string, SqlValue>>) => {
    const into = sql.join(columns.map((name) => sql.ref(name)));
    const row = sql`(${sql.join(columns.map((name) => param(name)))})`;
    const all = sql.join(Array.from({ length: rows }, () => row));
    return { compile: () => sql`insert into ${sql.table(table)} (${into}) values ${all}`.compile(build) };
  });
}
