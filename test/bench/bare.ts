// The yardstick for writes: a bare better-sqlite3 loop that writes the rows of an issuance into the tables of the frozen
// schema, with one `synchronous=FULL` commit for each. The rows are copies of those that the service once wrote.
import type Database from "better-sqlite3";
import { makeYardstick } from "./yardstick.ts";

const TABLES = ["securities", "transactions", "audit_log", "outbox", "idempotency_keys"] as const;

/** A database of the frozen schema to write issuances into; disposing of it closes it. */
export class Bare implements Disposable {
  readonly #sqlite: Database.Database;
  readonly #inserts: readonly ((count: number, securityId: string) => void)[];
  #count = 0;

  /** `file` does not exist yet. */
  constructor(file: string) {
    this.#sqlite = makeYardstick(file, { withRows: true });
    this.#inserts = TABLES.map((table) => insertLike(this.#sqlite, table));
  }

  /** Writes issuances for `seconds`; returns how many a second. */
  issue(seconds: number): number {
    const update = this.#sqlite.prepare("update share_classes set issued = ? where seq = 1");
    const begin = this.#sqlite.prepare("BEGIN IMMEDIATE");
    const commit = this.#sqlite.prepare("COMMIT");
    const [first, started] = [this.#count, performance.now()];
    while (performance.now() - started < seconds * 1000) {
      const securityId = Bun.randomUUIDv7();
      begin.run();
      for (const insert of this.#inserts) insert(this.#count, securityId);
      update.run(String(this.#count++));
      commit.run();
    }
    return ((this.#count - first) / (performance.now() - started)) * 1000;
  }

  [Symbol.dispose](): void {
    this.#sqlite.close();
  }
}

/** Copies the table's newest row with fresh ids. */
function insertLike(sqlite: Database.Database, table: (typeof TABLES)[number]) {
  const row = sqlite
    .prepare<[], Record<string, string | number | null>>(`select * from ${table} order by seq desc`)
    .get();
  if (!row) throw new Error(`the yardstick has no row of ${table}`);
  const { seq: _seq, ...columns } = row;
  const names = Object.keys(columns);
  const insert = sqlite.prepare(
    `insert into ${table} (${names.map((name) => `"${name}"`).join()}) values (${names.map((name) => `@${name}`).join()})`,
  );
  const first = Number(columns.sequence ?? 0);
  return (count: number, securityId: string) => {
    const fresh: Record<string, string | number> = {};
    if ("id" in columns) fresh.id = table === "securities" ? securityId : Bun.randomUUIDv7();
    if ("securityId" in columns) fresh.securityId = securityId;
    if ("certificateId" in columns) fresh.certificateId = `BARE-${count}`;
    if ("sequence" in columns) fresh.sequence = first + 1 + count;
    if ("key" in columns) fresh.key = `bare-${count}`;
    insert.run({ ...columns, ...fresh });
  };
}
