// Whoever changes stock asks whether its class is being split by an import at the moment, piece by piece: the index has
// the pieces of such splits alone, by class.
import { type Kysely, sql } from "kysely";

/** Adds the index. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`CREATE INDEX transactions_split_pieces
      ON transactions (orgId, json_extract(metadata, '$.stockClassId'), sequence)
      WHERE type = 'STOCK_SPLIT' AND json_extract(metadata, '$.ocfUpTo') IS NOT NULL`)
    .execute(db);
}
