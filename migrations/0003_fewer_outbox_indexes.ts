// Every entry that moves shares adds a row to the outbox, and pays for each of its indexes: those that no query needs go,
// and what is looked for among jobs that were tried has one of those alone.
import { type Kysely, sql } from "kysely";

const STATEMENTS: readonly string[] = [
  "DROP INDEX outbox_open",
  "DROP INDEX outbox_security",
  `CREATE INDEX outbox_tried ON outbox (nextAttemptAtMs) WHERE state IN ('QUEUED', 'RUNNING') AND attempts > 0`,
];

/** Exchanges indexes of the outbox. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
