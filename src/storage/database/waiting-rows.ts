// Rows that wait: what a batch of writes adds to the ledger, the log, the stored answers and the outbox. Few of its
// statements read these tables, so the rows are inserted together, many by one statement: at the end of the batch, or
// before the first statement that names their table. The heads of the chains are remembered meanwhile.
import { type Insertable, sql } from "kysely";
import type { Schema } from "./schema.ts";
import {
  build,
  type ChainHead,
  type Columns,
  type Params,
  type RowsInsert,
  type SqlValue,
  statement,
  type Tx,
  WAITING_TABLES,
  type Waiting,
  type WaitingTable,
} from "./sql.ts";

/** How many rows one statement inserts, the most first: what is left goes in by smaller ones. */
const AT_ONCE = [32, 8, 1] as const;

/** Rows of a table, their values one after the other. */
interface Rows {
  values: SqlValue[];
  readonly insert: RowsInsert;
}

/** The rows of one batch that wait. */
export class WaitingRows implements Waiting {
  readonly heads = new Map<string, ChainHead>();
  /** The handle of work whose new rows wait. */
  readonly tx: Tx;
  readonly #tables = new Map<WaitingTable, Rows>();
  readonly #names = new Set<string>();
  readonly #found = new Map<string, Map<string, unknown>>();
  #count = 0;

  /** `tx` is the batch's own handle. */
  constructor(tx: Tx) {
    this.tx = { ...tx, waiting: this };
  }

  /** How many rows wait. */
  get count(): number {
    return this.#count;
  }

  add(table: WaitingTable, row: Columns, insert: RowsInsert): void {
    let rows = this.#tables.get(table);
    if (!rows) {
      rows = { values: [], insert };
      this.#tables.set(table, rows);
    }
    for (const name of insert.columns) rows.values.push(row[name] ?? null);
    this.#count++;
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
      if (rows === undefined || rows.values.length === 0) continue;
      const { columns } = rows.insert;
      rows.insert.insert(this.tx, rows.values);
      // Not before: rows that are refused are other work's than the one that asks, and the end of the batch is refused, too.
      this.#count -= rows.values.length / columns.length;
      rows.values = [];
    }
  }
}

/** Declares how rows with these columns are added to a table: at once, or with the others of a batch. */
export function adding<T extends WaitingTable, C extends keyof Schema[T] & keyof Insertable<Schema[T]> & string>(
  table: T,
  columns: readonly C[],
): (tx: Tx, row: Readonly<Record<C, SqlValue>>) => void {
  const width = columns.length;
  const statements = AT_ONCE.map((size) => ({ length: size * width, statement: insertion(table, columns, size) }));
  const insert: RowsInsert = {
    columns,
    insert(tx, values) {
      let at = 0;
      for (const { length, statement } of statements) {
        for (; values.length - at >= length; at += length) statement.insert(tx, values.slice(at, at + length));
      }
    },
  };
  return (tx, row) => {
    if (tx.waiting) tx.waiting.add(table, row, insert);
    else
      insert.insert(
        tx,
        columns.map((name) => row[name]),
      );
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
