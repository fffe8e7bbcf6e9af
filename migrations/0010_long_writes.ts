// What a commit has decided for more rows than it could change at once: rows are changed a few at a time afterwards,
// and who reads meanwhile sees what was decided. Nothing is kept of it once it is done: the log tells of each row.
import { type Kysely, sql } from "kysely";

/** Adds the table; `after` is the row number of the last row that its turn came to. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`CREATE TABLE long_writes (
      seq INTEGER PRIMARY KEY,
      orgId TEXT NOT NULL REFERENCES organizations (id),
      kind TEXT NOT NULL CHECK (kind IN ('release', 'forget-valuation', 'expect-tokens', 'retry-tokens')),
      subject TEXT NOT NULL,
      after INTEGER NOT NULL,
      origin TEXT NOT NULL,
      UNIQUE (orgId, kind, subject)
    ) STRICT`)
    .execute(db);
}
