// SQL that only share classes need.

import type { Call } from "../../kernel/call.ts";
import { changeLogged } from "../../storage/database/log/logged.ts";
import { all, ofOrganization, type Params, statement, type Tx } from "../../storage/database/sql.ts";

/** Every class of the organization, oldest first. */
export const listAllClasses = all((param: Params<{ orgId: string }>) =>
  ofOrganization("share_classes", param).selectAll().where("deletedAt", "is", null),
);

const valuationsOf = statement((param: Params<{ orgId: string; stockClassId: string }>) =>
  ofOrganization("valuations", param).select("id").where("stockClassId", "=", param("stockClassId")),
);

const plansOf = statement((param: Params<{ orgId: string }>) =>
  ofOrganization("equity_plans", param).select(["id", "stockClassIds"]).where("deletedAt", "is", null),
);

/** Removes a deleted class from the valuations and plans that name it, since the API shows no deleted record. */
export function forgetClass(tx: Tx, call: Call, stockClassId: string): void {
  const { orgId } = call;
  for (const { id } of valuationsOf.all(tx, { orgId, stockClassId })) {
    changeLogged(tx, call, "valuations", id, { stockClassId: null });
  }
  for (const plan of plansOf.all(tx, { orgId })) {
    const ids: string[] = JSON.parse(plan.stockClassIds);
    if (!ids.includes(stockClassId)) continue;
    const left = JSON.stringify(ids.filter((id) => id !== stockClassId));
    changeLogged(tx, call, "equity_plans", plan.id, { stockClassIds: left });
  }
}
