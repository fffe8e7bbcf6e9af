// SQL that only valuations need.
import { build, type Params, statement, type Tx } from "../../database/sql.ts";

const forget = statement((param: Params<{ orgId: string; valuationId: string }>) =>
  build
    .updateTable("securities")
    .set({ valuationId: null })
    .where("orgId", "=", param("orgId"))
    .where("valuationId", "=", param("valuationId")),
);

/** Takes a deleted valuation out of the securities that name it (DECISIONS section 7). */
export function forgetValuation(tx: Tx, orgId: string, valuationId: string): void {
  forget.run(tx, { orgId, valuationId });
}
