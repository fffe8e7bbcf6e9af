// Rows that wait: what a batch of writes adds to the ledger, the log, the stored answers and the outbox. Few of its
// statements read these tables, so the rows are inserted together, many by one statement: at the end of the batch, or
// before the first statement that names their table. The heads of the chains are remembered meanwhile, and so are the class
// and the plan whose figures each issue moves: their rows are read and changed once.
import { type Insertable, sql } from "kysely";
import type { Schema } from "./schema.ts";
import {
  build,
  CHANGED_TABLES,
  type ChainHead,
  type ChangedTable,
  type Columns,
  isChangedTable,
  nameOfRow,
  type Params,
  type RowsInsert,
  type SqlValue,
  statement,
  type Tx,
  WAITING_TABLES,
  type Waiting,
  type WaitingChange,
  type WaitingTable,
} from "./sql.ts";

/** How many rows one statement inserts, the most first: what is left goes in by smaller ones. */
const AT_ONCE = [32, 8, 1] as const;

const ALL_TABLES = [...WAITING_TABLES, ...CHANGED_TABLES];

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
  readonly #changes = new Map<string, WaitingChange>();
  #count = 0;

  /** `tx` is the batch's own handle. */
  constructor(tx: Tx) {
    this.tx = { ...tx, waiting: this };
  }

  /** How many rows and changes were added; less what statements that wrote them have counted. */
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

  change(change: WaitingChange): void {
    const { table, orgId, columns } = change;
    const name = nameOfRow(change);
    const key = `${table} ${name}`;
    const waiting = this.#changes.get(key);
    this.#changes.set(key, waiting ? { ...change, columns: { ...waiting.columns, ...columns } } : change);
    this.#count++;
    const found = this.#found.get(table);
    const row = this.row(table, name);
    if (row) found?.set(name, { ...row, ...columns });
    const list = found?.get(orgId) as readonly Columns[] | undefined;
    const changed = list?.map((each) => (each.id === change.id ? { ...each, ...membersIn(each, columns) } : each));
    if (changed) found?.set(orgId, changed);
  }

  row(table: ChangedTable, name: string): Columns | null {
    return (this.#found.get(table)?.get(name) as Columns | null | undefined) ?? null;
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

  settle(tables: readonly (WaitingTable | ChangedTable)[] = ALL_TABLES): void {
    for (const table of tables) {
      if (isChangedTable(table)) {
        this.#settleChanges(table);
        continue;
      }
      const rows = this.#tables.get(table);
      if (rows === undefined || rows.values.length === 0) continue;
      const { columns } = rows.insert;
      rows.insert.insert(this.tx, rows.values);
      // Not before: rows that are refused are other work's than the one that asks, and the end of the batch is refused, too.
      this.#count -= rows.values.length / columns.length;
      rows.values = [];
    }
  }

  #settleChanges(table: ChangedTable): void {
    for (const [key, change] of this.#changes) {
      if (change.table !== table) continue;
      change.write(this.tx, change.columns);
      this.#count--;
      this.#changes.delete(key);
    }
  }
}

/** Those columns that a row has. */
function membersIn(row: Columns, columns: Columns): Columns {
  const members: Record<string, SqlValue> = {};
  for (const name of Object.keys(columns)) if (name in row) members[name] = columns[name] ?? null;
  return members;
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
