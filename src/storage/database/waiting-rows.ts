// Rows that wait: what a batch of writes adds to the ledger, the log, the stored answers and the outbox. Few of its
// statements read these tables, so the rows are inserted together, many by one statement: at the end of the batch, or
// before the first statement that names their table. The heads of the chains are remembered meanwhile.
import { type Insertable, sql } from "kysely";
import type { Schema } from "./schema.ts";
import { build, type ChainHead, type SqlValue, Statement, type Tx, type Waiting, type WaitingTable } from "./sql.ts";

/** How many rows one statement inserts, the most first: what is left goes in by smaller ones. */
const AT_ONCE = [32, 8, 1] as const;

/** The rows of one batch that wait. */
export class WaitingRows implements Waiting {
  readonly heads = new Map<string, ChainHead>();
  readonly #tx: Tx;
  readonly #tables = new Map<
    WaitingTable,
    { readonly values: SqlValue[]; insert(tx: Tx, values: SqlValue[]): number }
  >();
  readonly #names = new Set<string>();
  readonly #found = new Map<string, Map<string, unknown>>();
  #count = 0;

  /** `tx` inserts the rows in the end. */
  constructor(tx: Tx) {
    this.#tx = tx;
  }

  /** How many rows wait. */
  get count(): number {
    return this.#count;
  }

  valuesOf(table: WaitingTable, insert: (tx: Tx, values: SqlValue[]) => number): SqlValue[] {
    this.#count++;
    let waiting = this.#tables.get(table);
    if (!waiting) {
      waiting = { values: [], insert };
      this.#tables.set(table, waiting);
    }
    return waiting.values;
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

  settle(tables?: readonly WaitingTable[]): void {
    for (const [table, { values, insert }] of this.#tables) {
      if (values.length === 0 || (tables && !tables.includes(table))) continue;
      const rows = values.splice(0);
      try {
        this.#count -= insert(this.#tx, rows);
      } catch (error) {
        // They are other work's rows than the one that asks: they wait on, so that the end of the batch is refused too.
        values.push(...rows);
        throw error;
      }
    }
  }
}

/** Declares how rows with these columns are added to a table: at once, or with the others of a batch. */
export function adding<T extends WaitingTable, C extends keyof Schema[T] & keyof Insertable<Schema[T]> & string>(
  table: T,
  columns: readonly C[],
): (tx: Tx, row: Readonly<Record<C, SqlValue>>) => void {
  const statements = AT_ONCE.map((rows) => ({ rows, statement: insertion(table, columns, rows) }));
  const insert = (tx: Tx, values: SqlValue[]) => {
    let at = 0;
    for (const { rows, statement } of statements) {
      const length = rows * columns.length;
      for (; values.length - at >= length; at += length) {
        statement.runWith(tx, values.length === length ? values : values.slice(at, at + length));
      }
    }
    return values.length / columns.length;
  };
  return (tx, row) => {
    const values = tx.waiting ? tx.waiting.valuesOf(table, insert) : [];
    for (const name of columns) values.push(row[name]);
    if (!tx.waiting) insert(tx, values);
  };
}

function insertion(table: WaitingTable, columns: readonly string[], rows: number): Statement<object, unknown> {
  return new Statement((param: (name: never) => ReturnType<typeof sql>) => {
    const into = sql.join(columns.map((name) => sql.ref(name)));
    const row = sql`(${sql.join(columns.map((name) => param(name as never)))})`;
    const all = sql.join(Array.from({ length: rows }, () => row));
    return { compile: () => sql`insert into ${sql.table(table)} (${into}) values ${all}`.compile(build) };
  });
}
