// Figures of plans and classes that a reader would not get right by adding up the rest: what it adds up must be what the
// organization has. A deleted plan or class is exported while entries name it, and counts for nothing any more.
import { type Decimal, max, ZERO } from "../../kernel/decimal.ts";
import type { JsonObject } from "../json.ts";
import { type Adjusting, authorizedAdjustmentOf, poolAdjustmentOf } from "../mapping/adjustment-to-ocf.ts";
import { restatementReason } from "../mapping/restatement.ts";
import { returnToPoolOf } from "../mapping/transaction-to-ocf.ts";
import { derivedId } from "../mapping/values-to-ocf.ts";
import { later } from "./holdings.ts";
import type { LedgerExport } from "./ledger.ts";
import type { Grant, PoolMirror } from "./pools.ts";

/**
 * What sets a plan's figures right without touching its reserve: a return to the pool, negative where the plan gives
 * more. OCF wants a security that returns: one grant stands for all. `cause` is what made the difference, for the id.
 */
export function* restatePlan(
  ledger: LedgerExport,
  pools: PoolMirror,
  planId: string,
  { cause, date }: { readonly cause: string; readonly date: string },
): Generator<JsonObject> {
  const { available, granted, exercised } = pools.gapOf(planId);
  if ((available === ZERO && granted === ZERO && exercised === ZERO) || !ledger.source.hasPlan(planId)) return;
  const grant = grantThatReturns(pools, planId, -available);
  if (!grant) return;
  const now = ledger.uses.of(planId);
  const was = { granted: now.granted + granted, exercised: now.exercised + exercised };
  const id = derivedId(cause, `restatement ${planId}`);
  const on = { id, date: later(date, grant.date), securityId: grant.id, type: "STOCK_OPTION", comments: [] } as const;
  yield returnToPoolOf(on, planId, pools.returnedByDefault(grant.id) - available, restatementReason(was, now));
  ledger.notes.add(
    "what a split or correction makes of earlier grants is no new grant in OCF; a return to the pool that is called " +
      "restated, and negative where the plan gives more, makes its sum right",
  );
}

/**
 * A return that names a grant replaces what the plan's default would return of it: that is said with it, where no other
 * grant is at hand.
 */
function grantThatReturns(pools: PoolMirror, planId: string, returned: Decimal): Grant | undefined {
  const grants = pools.grantsOf(planId);
  const free = grants.filter(({ id }) => pools.returnedByDefault(id) === ZERO);
  return free.find(({ quantity }) => quantity >= returned) ?? free[0] ?? grants[0];
}

/** What is to be set right after the last entry; `lastDay` is its day. */
export function* settleObjects(ledger: LedgerExport, pools: PoolMirror, lastDay: string): Generator<JsonObject> {
  const { deletedClasses, deletedPlans, orgId } = ledger.source;
  for (const planId of deletedPlans.keys()) {
    pools.move(planId, { available: ledger.state.plan(planId).available });
    const why = "The plan was deleted: nothing is left to grant.";
    yield* lastReserve(ledger, pools, planId, deletedPlans.get(planId) ?? lastDay, why);
  }
  for (const planId of pools.planIds) {
    if (deletedPlans.has(planId)) continue;
    for (const object of restatePlan(ledger, pools, planId, { cause: orgId, date: lastDay })) {
      pools.read(object);
      yield object;
    }
    const why = "Sets OCF's sum of reserve, grants and returns to what the plan has available.";
    yield* pools.gapOf(planId).available === ZERO
      ? lastFigureOfPlan(ledger, planId, lastDay)
      : lastReserve(ledger, pools, planId, lastDay, why);
  }
  for (const classId of ledger.state.classes.keys()) {
    if (!deletedClasses.has(classId)) yield* lastFigureOfClass(ledger, classId, lastDay);
  }
  for (const [classId, deleted] of deletedClasses) {
    const { authorized, issued } = ledger.state.stockClass(classId);
    if (authorized === null || authorized === issued) continue;
    const what = settling(ledger, classId, "class", deleted, "The class was deleted: nothing is left to issue.");
    yield authorizedAdjustmentOf(what, classId, issued);
  }
}

/** Where no grant can stand for a difference, the reserve must. */
function* lastReserve(
  ledger: LedgerExport,
  pools: PoolMirror,
  planId: string,
  date: string,
  why: string,
): Generator<JsonObject> {
  const { available } = pools.gapOf(planId);
  if (available === ZERO || !ledger.source.hasPlan(planId)) return;
  const what = settling(ledger, planId, "pool", date, why);
  // Returns may exceed the reserve, as after a split; the format knows no reserve below nothing.
  yield poolAdjustmentOf(what, planId, max(ledger.state.plan(planId).reserved - available, ZERO));
}

const SET_LATER = "Set by an import on the same day, after what stands before this.";

/** Says once more what an import of the same day set after it was set here. */
function* lastFigureOfPlan(ledger: LedgerExport, planId: string, date: string): Generator<JsonObject> {
  const { reserved } = ledger.state.plan(planId);
  if ([null, reserved].includes(ledger.figures.of(planId)) || !ledger.source.hasPlan(planId)) return;
  yield poolAdjustmentOf(settling(ledger, planId, "pool", date, SET_LATER), planId, reserved);
}

function* lastFigureOfClass(ledger: LedgerExport, classId: string, date: string): Generator<JsonObject> {
  const { authorized } = ledger.state.stockClass(classId);
  if (authorized === null || [null, authorized].includes(ledger.figures.of(classId))) return;
  yield authorizedAdjustmentOf(settling(ledger, classId, "class", date, SET_LATER), classId, authorized);
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
