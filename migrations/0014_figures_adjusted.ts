// An adjustment may not be dated before the last one that set a figure of the same class or plan. A plan to which
// thousands of securities came back has as many adjustments that set none: the index has those alone that set one, with
// their days.
import { type Kysely, sql } from "kysely";

const STATEMENTS: readonly string[] = [
  "DROP INDEX transactions_adjustments",
  `CREATE INDEX transactions_adjustments
    ON transactions (
      orgId,
      coalesce(json_extract(metadata, '$.equityPlanId'), json_extract(metadata, '$.stockClassId')),
      effectiveDate
    )
    WHERE recordOnly = 0
      AND type IN ('STOCK_CLASS_ADJUSTMENT', 'STOCK_PLAN_ADJUSTMENT')
      AND coalesce(json_extract(metadata, '$.newSharesAuthorized'), json_extract(metadata, '$.newSharesReserved'))
        IS NOT NULL`,
];

/** Puts the index in the place of the one before. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
