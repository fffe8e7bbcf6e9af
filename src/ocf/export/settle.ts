// The last figures of plans and classes, after everything that the ledger recorded: what a reader adds up must be what
// the organization has. A deleted plan or class is exported while entries name it, and counts for nothing any more.
import { max, ZERO } from "../../kernel/decimal.ts";
import type { JsonObject } from "../json.ts";
import { type Adjusting, authorizedAdjustmentOf, poolAdjustmentOf } from "../mapping/adjustment-to-ocf.ts";
import { derivedId } from "../mapping/values-to-ocf.ts";
import type { LedgerExport } from "./ledger.ts";
import type { PoolMirror } from "./pools.ts";

/** One adjustment for each plan and class whose figure is not right yet; `lastDay` is that of the last entry. */
export function* settleObjects(ledger: LedgerExport, pools: PoolMirror, lastDay: string): Generator<JsonObject> {
  const { deletedClasses, deletedPlans } = ledger.source;
  for (const planId of deletedPlans.keys()) pools.drift(planId, ledger.state.plan(planId).available);
  for (const [planId, difference] of pools.differences()) {
    if (!ledger.source.hasPlan(planId)) continue;
    const deleted = deletedPlans.get(planId);
    const why = deleted
      ? "The plan was deleted: nothing is left to grant."
      : "Sets OCF's sum of reserve, grants and returns to what the plan has available.";
    const what = settling(ledger, planId, "pool", deleted ?? lastDay, why);
    // Returns may exceed the reserve, as after a split; the format knows no reserve below nothing.
    yield poolAdjustmentOf(what, planId, max(ledger.reserveOf(planId) - difference, ZERO));
  }
  for (const [classId, deleted] of deletedClasses) {
    const { authorized, issued } = ledger.state.stockClass(classId);
    if (authorized === null || authorized === issued) continue;
    const what = settling(ledger, classId, "class", deleted, "The class was deleted: nothing is left to issue.");
    yield authorizedAdjustmentOf(what, classId, issued);
  }
}

/** Its id names the organization too: one that imported another's last figure may come to have its own. */
function settling(ledger: LedgerExport, id: string, role: string, date: string, why: string): Adjusting {
  return {
    id: derivedId(`${ledger.source.orgId} ${id}`, role),
    date: ledger.holdings.dayOfAdjustment(id, date),
    boardApprovalDate: null,
    stockholderApprovalDate: null,
    comments: [why],
  };
}
