// An adjustment may not be dated before the last one of the same class or plan: the index has adjustments alone, by what
// they adjust. Without it each looks through all others, and an import of many takes their square.
import { type Kysely, sql } from "kysely";

/** Adds the index. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql
    .raw(`CREATE INDEX transactions_adjustments
      ON transactions (
        orgId,
        coalesce(json_extract(metadata, '$.equityPlanId'), json_extract(metadata, '$.stockClassId'))
      )
      WHERE type IN ('STOCK_CLASS_ADJUSTMENT', 'STOCK_PLAN_ADJUSTMENT')`)
    .execute(db);
}
