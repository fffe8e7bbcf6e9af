// Joins Kysely, which types and builds the SQL, with better-sqlite3, which runs it synchronously as a cached prepared
// statement: an `await` inside a write would let another request in. A statement is compiled once, at its first use.
//
// SQLite prepares a statement anew, for ten times the price of running it, when a value is bound that its planner may
// have looked at. So constants stand in the text, and bound values where the planner does not look: behind a `+`.
import type BetterSqlite3 from "better-sqlite3";
import {
  type Compilable,
  DummyDriver,
  Kysely,
  type LimitNode,
  type RawBuilder,
  type Selectable,
  type SelectQueryBuilder,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  sql,
} from "kysely";
import type { LoggedTable } from "./log/logged-tables.ts";
import type { RecordColumns, Schema } from "./schema.ts";
import { asDecided } from "./split-view.ts";

/** An open database handle. Hand it to stores as it is; only this module prepares statements on it. */
export interface Reader {
  readonly sqlite: BetterSqlite3.Database;
  /** In work whose new rows may wait for the end of the batch. */
  readonly waiting?: Waiting | undefined;
}

/** What SQLite takes as a bound value. */
export type SqlValue = string | number | bigint | Uint8Array | null;

/** Column values by name, for a table whose type is unknown at compile time. */
export type Columns = Readonly<Record<string, SqlValue>>;

/**
 * A row within its organization: by its id, and an OCF original by its type too, since its id is unique only within the
 * type.
 */
export type Key = string | { readonly objectType: string; readonly id: string };

/** A new row (`before` null, `after` the given values) or a changed one (the columns that differ). */
export interface RowChange {
  readonly table: LoggedTable;
  readonly key: Key;
  readonly before: Columns | null;
  readonly after: Columns;
}

/** Collects changes for the log. */
export interface ChangesToTell {
  add(change: RowChange): void;
}

/** Tables whose new rows may wait for the end of a batch. */
export const WAITING_TABLES = ["transactions", "audit_log", "idempotency_keys", "outbox"] as const;
export type WaitingTable = (typeof WAITING_TABLES)[number];

/** Tables whose changes may wait, too: each issue moves figures of its class or plan, and a batch has many of one. */
export const CHANGED_TABLES = ["share_classes", "equity_plans"] as const;
export type ChangedTable = (typeof CHANGED_TABLES)[number];

/** Whether changes of a table's rows may wait. */
export function isChangedTable(table: string): table is ChangedTable {
  return (CHANGED_TABLES as readonly string[]).includes(table);
}

/** A change of a row that waits. */
export interface WaitingChange {
  readonly table: ChangedTable;
  readonly orgId: string;
  readonly id: string;
  /** The columns that change, with their new values. */
  readonly columns: Columns;
  /** Writes all columns of the row that have changed. */
  write(tx: Tx, columns: Columns): void;
}

/** The newest row of a chain: its place and hash. */
export interface ChainHead {
  readonly sequence: number;
  readonly hash: string;
}

/** How rows of a table are inserted: by position, so that no value is sought by its name again. */
export interface RowsInsert {
  readonly columns: readonly string[];
  /** Inserts rows, whose values stand one after the other in the order of the columns. */
  insert(tx: Tx, values: SqlValue[]): void;
}

/** New rows that wait (waiting-rows.ts), and what is remembered of them. */
export interface Waiting {
  /** The heads of the chains that grew in this batch, by table and organization. */
  readonly heads: Map<string, ChainHead>;
  /** Has a row wait for `insert`, which takes all those of its table. */
  add(table: WaitingTable, row: Columns, insert: RowsInsert): void;
  /** Names a row that was added. */
  note(name: string): void;
  /** Whether a row of this name was added in this batch. */
  has(name: string): boolean;
  /** Has a change of a row wait; what is remembered of the row has it at once. */
  change(change: WaitingChange): void;
  /** Writes what waits for these tables. */
  settle(tables?: readonly (WaitingTable | ChangedTable)[]): void;
  /**
   * What `load` found in a table, until a statement of this connection changes the table. Of a {@link ChangedTable} a
   * whole row is called {@link nameOfRow}, and a list of an organization's rows by the organization's id.
   */
  remember<T>(table: string, name: string, load: () => T): T;
  /** The row as it is remembered, with the changes that wait; null if it is not. */
  row(table: ChangedTable, name: string): Columns | null;
  /** Forgets what was found in a table. */
  forget(table: string): void;
}

/** What a remembered row is called. */
export function nameOfRow({ orgId, id }: { readonly orgId: string; readonly id: string }): string {
  return `${orgId} ${id}`;
}

/** The rows that wait on each connection. */
const waitingOn = new WeakMap<BetterSqlite3.Database, Waiting>();

/** From now on statements on the connection first insert what waits for the tables that they name. Null: nothing waits. */
export function setWaiting({ sqlite }: Reader, waiting: Waiting | null): void {
  if (waiting) waitingOn.set(sqlite, waiting);
  else waitingOn.delete(sqlite);
}

/**
 * A handle inside a write transaction: the only handle that stores accept for writing. Made by
 * `storage/database/writer.ts`.
 */
export interface Tx extends Reader {
  readonly isWritable: true;
  /** Collects the transaction's changes, logged at its end; without it, each change is logged at once. */
  readonly pending?: ChangesToTell;
}

class Placeholder {
  constructor(readonly name: string) {}
}

/** Writes what {@link Placeholder} names as a bound value, and every other value as a literal. */
class Compiler extends SqliteQueryCompiler {
  protected override appendValue(value: unknown): void {
    if (value instanceof Placeholder) {
      this.append("+");
      super.appendValue(value);
    } else this.appendImmediateValue(value);
  }

  protected override visitLimit(node: LimitNode): void {
    super.visitLimit(node);
    this.append(" + 0");
  }
}

/** A query builder without a connection: it types SQL and cannot run it. */
export const build = new Kysely<Schema>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new Compiler(),
  },
});

/** Names a value bound at run time. */
export type Params<A> = <K extends keyof A & string>(name: K) => RawBuilder<A[K]>;

type OfOrganization = { [T in keyof Schema]: Schema[T] extends { orgId: string } ? T : never }[keyof Schema];

/** Starts a query of a table's rows of the organization in `orgId` only. */
export function ofOrganization<T extends OfOrganization>(
  table: T,
  param: Params<{ orgId: string }>,
): SelectQueryBuilder<Schema, T, object>;
export function ofOrganization(table: "securities", param: Params<{ orgId: string }>) {
  return build.selectFrom(table).where(`${table}.orgId`, "=", param("orgId"));
}

/** Starts a query across organizations: for whole-database services, and for rows known by a unique id. */
export const acrossOrganizations = build;

interface Compiled {
  readonly sql: string;
  readonly names: readonly string[];
  /** The tables in it for which something may wait; undefined for none. */
  readonly waits: readonly (WaitingTable | ChangedTable)[] | undefined;
  /** The table that it changes; undefined for a query. */
  readonly changes: string | undefined;
}

function compiledOf(text: string, names: readonly string[]): Compiled {
  const waits: readonly (WaitingTable | ChangedTable)[] = [...WAITING_TABLES, ...CHANGED_TABLES].filter((table) =>
    new RegExp(`\\b${table}\\b`).test(text),
  );
  const changes = /^\s*(?:insert (?:or \w+ )?into|update(?: or \w+)?|delete from) "?(\w+)/i.exec(text)?.[1];
  return { sql: text, names, waits: waits.length > 0 ? waits : undefined, changes };
}

/** A statement compiled once and run many times with the named values `A`; rows are `R`. */
export class Statement<A extends object, R> {
  readonly #build: (param: Params<A>) => Compilable<R>;
  readonly #prepared = new WeakMap<BetterSqlite3.Database, BetterSqlite3.Statement<[SqlValue[]], R>>();
  #compiled: Compiled | null = null;

  constructor(buildStatement: (param: Params<A>) => Compilable<R>) {
    this.#build = buildStatement;
  }

  /** All rows. */
  all(db: Reader, args: A | undefined): R[] {
    return this.#prepare(db).all(this.#bind(args));
  }

  /** The same of what is stored, without what waits: for a caller that knows that no such row does. */
  allStored(db: Reader, args: A | undefined): R[] {
    return this.#prepareOnly(db).all(this.#bind(args));
  }

  /** The first row, or null. */
  first(db: Reader, args: A | undefined): R | null {
    return this.#prepare(db).get(this.#bind(args)) ?? null;
  }

  /** The same, without what waits. */
  firstStored(db: Reader, args: A | undefined): R | null {
    return this.#prepareOnly(db).get(this.#bind(args)) ?? null;
  }

  /** Runs a writing statement and returns the number of rows it changed. */
  run(tx: Tx, args: A | undefined): number {
    return this.#prepare(tx).run(this.#bind(args)).changes;
  }

  /** The same, without what waits: it is what waits. */
  runOnly(tx: Tx, args: A | undefined): void {
    this.#prepareOnly(tx).run(this.#bind(args));
  }

  /** The same with the values in the statement's order. */
  runWith(tx: Tx, values: SqlValue[]): number {
    return this.#prepare(tx).run(values).changes;
  }

  /** Inserts values, given in the statement's order; what waits for its table stands behind them. */
  insert(tx: Tx, values: SqlValue[]): void {
    this.#prepareOnly(tx).run(values);
  }

  /** Iterates over the rows; while it is open the connection cannot write. */
  iterate(db: Reader, args: A | undefined): IterableIterator<R> {
    return this.#prepare(db).iterate(this.#bind(args));
  }

  #compile() {
    if (!this.#compiled) {
      const { sql: text, parameters } = this.#build((name) => sql`${new Placeholder(name)}`).compile();
      const names = (parameters as readonly Placeholder[]).map(({ name }) => name);
      this.#compiled = compiledOf(asDecided(text), names);
    }
    return this.#compiled;
  }

  /** The statement, ready to run: what it may see of waiting rows is inserted first, and what it changes is forgotten. */
  #prepare(db: Reader): BetterSqlite3.Statement<[SqlValue[]], R> {
    const { waits, changes } = this.#compile();
    if (waits) waitingOn.get(db.sqlite)?.settle(waits);
    if (changes) waitingOn.get(db.sqlite)?.forget(changes);
    return this.#prepareOnly(db);
  }

  #prepareOnly(db: Reader): BetterSqlite3.Statement<[SqlValue[]], R> {
    let prepared = this.#prepared.get(db.sqlite);
    if (!prepared) {
      prepared = db.sqlite.prepare<[SqlValue[]], R>(this.#compile().sql);
      this.#prepared.set(db.sqlite, prepared);
    }
    return prepared;
  }

  /** The values in the statement's order, as one list: each argument of a call into SQLite costs time. */
  #bind(args: A | undefined): SqlValue[] {
    const bound = (args ?? {}) as Readonly<Record<string, SqlValue>>;
    return this.#compile().names.map((name) => bound[name] ?? null);
  }
}

/** What `load` finds in a table; in a batch, what it found there before. */
export function remembered<T>(db: Reader, table: Table, name: string, load: () => T): T {
  return db.waiting ? db.waiting.remember(table, name, load) : load();
}

/** Declares a statement; `param("name")` stands for a value given at run time. */
export function statement<A extends object, R>(buildStatement: (param: Params<A>) => Compilable<R>): Statement<A, R> {
  return new Statement(buildStatement);
}

/** The arguments of a query; none if it takes none. */
type Given<A> = keyof A extends never ? [] : [args: A];

/**
 * Declares a query that is called by its name and answers all rows:
 *
 *     export const listSteps = all((param: Params<{ orgId: string; approvalId: string }>) =>
 *       ofOrganization("approval_steps", param).selectAll().where("approvalId", "=", param("approvalId")));
 *     listSteps(db, { orgId, approvalId });
 */
export function all<A extends object, R>(buildStatement: (param: Params<A>) => Compilable<R>) {
  const declared = new Statement(buildStatement);
  return (db: Reader, ...[args]: Given<A>): R[] => declared.all(db, args);
}

/** The same for the first row, or null. */
export function first<A extends object, R>(buildStatement: (param: Params<A>) => Compilable<R>) {
  const declared = new Statement(buildStatement);
  return (db: Reader, ...[args]: Given<A>): R | null => declared.first(db, args);
}

/** The same; returns whether any row exists. */
export function exists<A extends object, R>(buildStatement: (param: Params<A>) => Compilable<R>) {
  const declared = new Statement(buildStatement);
  return (db: Reader, ...[args]: Given<A>): boolean => declared.first(db, args) !== null;
}

/** The same for the only column of the first row, or null. */
export function value<A extends object, R extends object>(buildStatement: (param: Params<A>) => Compilable<R>) {
  const declared = new Statement(buildStatement);
  return (db: Reader, ...[args]: Given<A>): R[keyof R] | null => {
    const row = declared.first(db, args);
    for (const name in row) return row[name];
    return null;
  };
}

/** The same; iterates over the rows. While it is open the connection cannot write. */
export function iterate<A extends object, R>(buildStatement: (param: Params<A>) => Compilable<R>) {
  const declared = new Statement(buildStatement);
  return (db: Reader, ...[args]: Given<A>): IterableIterator<R> => declared.iterate(db, args);
}

/** The same for a writing statement; returns how many rows it changed. */
export function run<A extends object>(buildStatement: (param: Params<A>) => Compilable<unknown>) {
  const declared = new Statement(buildStatement);
  return (tx: Tx, ...[args]: Given<A>): number => declared.run(tx, args);
}

/** A family of statements that differ by which optional conditions apply; each variant is compiled once. */
export function variants<A extends object, R, V extends readonly (string | boolean)[]>(
  buildStatement: (param: Params<A>, ...variant: V) => Compilable<R>,
): (...variant: V) => Statement<A, R> {
  const known = new Map<string, Statement<A, R>>();
  return (...variant) => {
    const key = variant.join("|");
    let found = known.get(key);
    if (!found) {
      found = new Statement<A, R>((param) => buildStatement(param, ...variant));
      known.set(key, found);
    }
    return found;
  };
}

type Table = keyof Schema & string;

/** A table's row as `select *` returns it. */
export type Row<T extends Table> = Selectable<Schema[T]>;

/** The columns of every record table's rows. */
export type RecordRow = Selectable<RecordColumns>;
