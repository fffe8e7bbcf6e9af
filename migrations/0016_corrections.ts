// The columns by which records say more: what a class votes by, what adjusts its conversion price.
import { type Kysely, sql } from "kysely";

const STATEMENTS: readonly string[] = [
  // The day on which vesting of a security's shares stopped, and those of which it has.
  `ALTER TABLE securities ADD COLUMN vestingStoppedOn TEXT`,
  `CREATE INDEX securities_stopped ON securities (orgId) WHERE vestingStoppedOn IS NOT NULL`,
  // What of a financing adjusts a class's conversion price; null where nobody said it.
  `ALTER TABLE share_classes ADD COLUMN antiDilutionCounts TEXT`,
  "ALTER TABLE imports ADD COLUMN closed INTEGER NOT NULL DEFAULT 0",
  "ALTER TABLE imports ADD COLUMN schedules TEXT NOT NULL DEFAULT '[]'",
];

/** Adds the columns; what was recorded before has their defaults. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
