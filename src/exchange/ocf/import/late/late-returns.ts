// Returns to the pool that cancellations under a placeholder would have made, had its plan existed: by the plan's
// default, if no object states otherwise.
import { formatDecimal, parseDecimal, ZERO } from "../../../../kernel/numbers/decimal.ts";
import { toStored } from "../../../../ledger/imported-members.ts";
import { membersOf } from "../../../../ledger/members.ts";
import { listCancelledUnder } from "../../../../ledger/replay/replay-store.ts";
import type { EntryDraft, Metadata } from "../../../../ledger/types.ts";
import { recordDecision } from "../../../../ledger/writes/execute.ts";
import { Loader } from "../../../../ledger/writes/load.ts";
import type { ImportContext } from "../context.ts";
import { returnsOf } from "./returns.ts";

/** Applies the default of a plan that a placeholder stood for until now. */
export function returnLate({ tx, call, plan }: ImportContext, equityPlanId: string): void {
  const entries = listCancelledUnder(tx, { orgId: call.orgId, equityPlanId }).flatMap((row): EntryDraft[] => {
    const { securityId, stakeholderId, effectiveDate, quantity } = row;
    const metadata: Metadata = JSON.parse(row.metadata ?? "{}");
    const { taken, returned } = membersOf({ metadata }).imported;
    const isHandled = returned !== null || securityId === null || plan.returned.has(securityId);
    if (taken === null || isHandled || returnsOf(tx, call.orgId, securityId).isSaid) return [];
    const amount = parseDecimal(quantity ?? taken);
    if (amount <= ZERO) return [];
    const effect = { returned: formatDecimal(amount), isDefault: true } as const;
    const metadataOfReturn = { equityPlanId, ...toStored({ objectType: "TX_STOCK_PLAN_RETURN_TO_POOL", ...effect }) };
    const rest = { quantity: null, metadata: metadataOfReturn };
    return [{ type: "STOCK_PLAN_ADJUSTMENT", securityId, stakeholderId, effectiveDate, ...rest }];
  });
  if (entries.length === 0) return;
  const securities = entries.map(({ securityId }) => securityId);
  const facts = new Loader(tx, call.orgId).load({ plans: [equityPlanId], securities });
  recordDecision(tx, call, facts, { entries }, { isImport: true });
}
