// Rows of any table, inserted and changed by their columns' names. Rows of logged tables: log/logged.ts.
import { type Insertable, sql, type Updateable } from "kysely";
import type { LoggedTable } from "./log/logged-tables.ts";
import type { Schema } from "./schema.ts";
import { build, type Columns, type SqlValue, type Tx, variants } from "./sql.ts";

type Table = keyof Schema & string;

const insertion = variants<Record<string, SqlValue>, unknown, [table: string, columns: string]>(
  (param, table, columns) => {
    const names = columns.split(",");
    const into = sql.join(names.map((name) => sql.ref(name)));
    const values = sql.join(names.map((name) => param(name)));
    return {
      compile: () => sql`insert into ${sql.table(table)} (${into}) values (${values})`.compile(build),
    };
  },
);

type Insertion = ReturnType<typeof insertion>;

/** The columns of an insertion so far, and what one more makes of them: its statement is found without a text of names. */
class Inserted {
  readonly #names: readonly string[];
  readonly #more = new Map<string, Inserted>();
  #statement: Insertion | null = null;

  constructor(names: readonly string[]) {
    this.#names = names;
  }

  with(name: string): Inserted {
    const known = this.#more.get(name);
    if (known) return known;
    const made = new Inserted([...this.#names, name]);
    this.#more.set(name, made);
    return made;
  }

  into(table: Table): Insertion {
    this.#statement ??= insertion(table, this.#names.join(","));
    return this.#statement;
  }
}

const insertedInto = new Map<Table, Inserted>();

/** Inserts one row of any table, for logged.ts and {@link insertRow}. Columns that are null are left out. */
export function insertColumns(tx: Tx, table: Table, columns: Columns): void {
  let inserted = insertedInto.get(table);
  if (!inserted) {
    inserted = new Inserted([]);
    insertedInto.set(table, inserted);
  }
  const values: SqlValue[] = [];
  for (const name of Object.keys(columns)) {
    const value = columns[name];
    if (value === null) continue;
    inserted = inserted.with(name);
    values.push(value ?? null);
  }
  inserted.into(table).runWith(tx, values);
}

/** A table outside the log; logged.ts alone writes the logged ones. */
type UnloggedTable = Exclude<Table, LoggedTable>;

/** Inserts one row; columns that are left out take their defaults. */
export function insertRow<T extends UnloggedTable>(tx: Tx, table: T, row: Insertable<Schema[T]>): void {
  insertColumns(tx, table, row as Columns);
}

const change = variants<Record<string, SqlValue>, unknown, [table: string, columns: string]>(
  (param, table, columns) => {
    const set = sql.join(columns.split(",").map((name) => sql`${sql.ref(name)} = ${param(name)}`));
    const where = sql`"orgId" = ${param("$orgId")} and "id" = ${param("$id")}`;
    return {
      compile: () => sql`update ${sql.table(table)} set ${set} where ${where}`.compile(build),
    };
  },
);

/** Changes the named columns of an organization's record; does nothing if `changes` is empty. */
export function updateRow<T extends UnloggedTable>(
  tx: Tx,
  table: T,
  orgId: string,
  id: string,
  changes: Updateable<Schema[T]>,
): void {
  const columns = Object.keys(changes).join(",");
  if (columns) change(table, columns).run(tx, { ...(changes as Columns), $orgId: orgId, $id: id });
}
