// API keys that end by themselves. Existing ones have no end, which is the column's default: the log need not tell it.
import { type Kysely, sql } from "kysely";

/** Adds the column. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql.raw("ALTER TABLE api_keys ADD COLUMN expiresAt TEXT").execute(db);
}
