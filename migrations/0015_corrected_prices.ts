// A price that somebody corrects by PATCH was wrong from the day on which the security was made. The ledger goes on to
// say what was entered; what it was corrected to stands here, so that every view of it shows the right one.
import { type Kysely, sql } from "kysely";

const STATEMENTS: readonly string[] = [
  "ALTER TABLE securities ADD COLUMN correctedPrice TEXT",
  "CREATE INDEX securities_corrected ON securities (orgId) WHERE correctedPrice IS NOT NULL",
];

/** Adds the column, and an index of the few that have one. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
