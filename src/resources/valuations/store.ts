// SQL that only valuations need.
import { changeLogged } from "../../database/logged.ts";
import { ofOrganization, type Params, statement, type Tx } from "../../database/sql.ts";
import type { Call } from "../../kernel/call.ts";

const naming = statement((param: Params<{ orgId: string; valuationId: string }>) =>
  ofOrganization("securities", param).select("id").where("valuationId", "=", param("valuationId")),
);

/** Takes a deleted valuation out of the securities that name it (DECISIONS section 7). */
export function forgetValuation(tx: Tx, call: Call, valuationId: string): void {
  for (const { id } of naming.all(tx, { orgId: call.orgId, valuationId })) {
    changeLogged(tx, call, "securities", id, { valuationId: null });
  }
}
