// The yardstick for writes: a bare better-sqlite3 loop that writes the rows of an issuance into the same tables, with one
// `synchronous=FULL` commit for each. The rows are copies of those that the service itself wrote.
import Database from "better-sqlite3";
import { openWritable } from "../../src/database/open.ts";

const TABLES = ["securities", "transactions", "audit_log", "outbox", "idempotency_keys"] as const;

/** Writes issuances for `seconds` into a copy of `database`, which holds at least one; returns how many a second. */
export function bareIssuancesPerSecond(database: string, copy: string, seconds: number): number {
  // Not a copy of the file: its newest pages may be in the -wal file.
  const source = new Database(database, { readonly: true });
  source.prepare("VACUUM INTO ?").run(copy);
  source.close();
  const { sqlite } = openWritable(copy);
  const inserts = TABLES.map((table) => insertLike(sqlite, table));
  const update = sqlite.prepare("update share_classes set issued = ? where seq = 1");
  const begin = sqlite.prepare("BEGIN IMMEDIATE");
  const commit = sqlite.prepare("COMMIT");
  const started = performance.now();
  let count = 0;
  while (performance.now() - started < seconds * 1000) {
    begin.run();
    const securityId = Bun.randomUUIDv7();
    for (const insert of inserts) insert(count, securityId);
    update.run(String(count));
    commit.run();
    count++;
  }
  const perSecond = count / ((performance.now() - started) / 1000);
  sqlite.close();
  return perSecond;
}

/** Copies the table's newest row with fresh ids. */
function insertLike(sqlite: Database.Database, table: (typeof TABLES)[number]) {
  const row = sqlite
    .prepare<[], Record<string, string | number | null>>(`select * from ${table} order by seq desc`)
    .get();
  if (!row) throw new Error(`${table} is empty: the service has written no issuance yet`);
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
