// Corrections of plans' and classes' figures that a reader would not get right by adding up the rest: its sum must be
// the organization's figure. A deleted plan or class is exported while entries name it, and no longer counts.
import { type Decimal, max, ZERO } from "../../../../kernel/numbers/decimal.ts";
import type { LedgerState } from "../../../../ledger/replay/state.ts";
import type { PlanUses } from "../../../../ledger/rules/plan-use.ts";
import { type Adjusting, authorizedAdjustmentOf, poolAdjustmentOf, returnToPoolOf } from "../../codec/event-codec.ts";
import { restatementReason } from "../../codec/restatement.ts";
import { derivedId } from "../../codec/values-to-ocf.ts";
import type { JsonObject } from "../../json.ts";
import { later } from "../holdings.ts";
import type { OcfWriter } from "../writer.ts";
import type { AdjustedFigures } from "./adjusted.ts";
import type { Grant, PoolGaps } from "./pool-gaps.ts";

/** The ledger's figures after an entry, and a reader's figures of the exported objects. */
export interface Settling {
  readonly writer: OcfWriter;
  readonly state: LedgerState;
  readonly uses: PlanUses;
  readonly pools: PoolGaps;
  readonly figures: AdjustedFigures;
  /** The day of the last entry that was made here. */
  readonly lastDay: string;
}

/**
 * Corrects a plan's figures without touching its reserve: a return to the pool, negative if the plan gives more. OCF
 * requires a security that returns: one grant stands for all. `cause` is what made the difference, for the id.
 */
export function* restatePlan(
  { writer, uses, pools }: Settling,
  planId: string,
  { cause, date }: { readonly cause: string; readonly date: string },
): Generator<JsonObject> {
  const { available, granted, exercised } = pools.of(planId);
  if ((available === ZERO && granted === ZERO && exercised === ZERO) || !writer.source.hasPlan(planId)) return;
  const grant = grantThatReturns(pools, planId, -available);
  if (!grant) return;
  const now = uses.of(planId);
  const was = { granted: now.granted + granted, exercised: now.exercised + exercised };
  const id = derivedId(cause, `restatement ${planId}`);
  const on = { id, date: later(date, grant.date), securityId: grant.id, type: "STOCK_OPTION", comments: [] } as const;
  yield returnToPoolOf(on, planId, pools.returnedUnsaid(grant.id) - available, restatementReason(was, now));
  writer.notes.add(
    "what a split or correction makes of earlier grants is no new grant in OCF; a return to the pool that is called " +
      "restated, and negative where the plan gives more, makes its sum right",
  );
}

/**
 * A return that names a grant replaces what the plan's default would return of it: that is said with it, where no other
 * grant is at hand.
 */
function grantThatReturns(pools: PoolGaps, planId: string, returned: Decimal): Grant | undefined {
  const grants = pools.grantsOf(planId);
  const free = grants.filter(({ id }) => pools.returnedUnsaid(id) === ZERO);
  return free.find(({ quantity }) => quantity >= returned) ?? free[0] ?? grants[0];
}

/** The corrections after the last entry. */
export function* settleObjects(settling: Settling): Generator<JsonObject> {
  const { writer, state, pools, lastDay } = settling;
  const { deletedClasses, deletedPlans, orgId } = writer.source;
  for (const [planId, deleted] of deletedPlans) {
    pools.move(planId, { available: state.plan(planId).available });
    const why = "The plan was deleted: nothing is left to grant.";
    yield* lastReserve(settling, { id: planId, date: deleted, why });
  }
  for (const planId of pools.planIds) {
    if (deletedPlans.has(planId)) continue;
    yield* restatePlan(settling, planId, { cause: orgId, date: lastDay });
    const why = "Sets OCF's sum of reserve, grants and returns to what the plan has available.";
    yield* pools.of(planId).available === ZERO
      ? lastFigureOfPlan(settling, planId)
      : lastReserve(settling, { id: planId, date: lastDay, why });
  }
  for (const classId of state.classes.keys()) {
    if (!deletedClasses.has(classId)) yield* lastFigureOfClass(settling, classId);
  }
  for (const [classId, deleted] of deletedClasses) {
    const { authorized, issued } = state.stockClass(classId);
    if (authorized === null || authorized === issued) continue;
    const why = "The class was deleted: nothing is left to issue.";
    yield authorizedAdjustmentOf(lastAdjustment(writer, "class", { id: classId, date: deleted, why }), classId, issued);
  }
}

/** A class or plan whose figure is stated once more: on which day, and why. */
interface Last {
  readonly id: string;
  readonly date: string;
  readonly why: string;
}

/** If no grant can stand for a difference, the reserve must. */
function* lastReserve({ writer, state, pools }: Settling, last: Last): Generator<JsonObject> {
  const { available } = pools.of(last.id);
  if (available === ZERO || !writer.source.hasPlan(last.id)) return;
  const what = lastAdjustment(writer, "pool", last);
  // Returns may exceed the reserve, as after a split; the format knows no reserve below nothing.
  yield poolAdjustmentOf(what, last.id, max(state.plan(last.id).reserved - available, ZERO));
}

const SET_LATER = "Set by an import on the same day, after what stands before this.";

/** States once more a figure that was set here and that an import of the same day set again. */
function* lastFigureOfPlan({ writer, state, figures, lastDay: date }: Settling, id: string): Generator<JsonObject> {
  const { reserved } = state.plan(id);
  if ([null, reserved].includes(figures.of(id)) || !writer.source.hasPlan(id)) return;
  yield poolAdjustmentOf(lastAdjustment(writer, "pool", { id, date, why: SET_LATER }), id, reserved);
}

function* lastFigureOfClass({ writer, state, figures, lastDay: date }: Settling, id: string): Generator<JsonObject> {
  const { authorized } = state.stockClass(id);
  if (authorized === null || [null, authorized].includes(figures.of(id))) return;
  yield authorizedAdjustmentOf(lastAdjustment(writer, "class", { id, date, why: SET_LATER }), id, authorized);
}

/** Its id names the organization too: one that imported another's last figure may come to have its own. */
function lastAdjustment({ source, holdings }: OcfWriter, role: "class" | "pool", { id, date, why }: Last): Adjusting {
  return {
    id: derivedId(`${source.orgId} ${id}`, role),
    date: holdings.dayOfAdjustment(id, date),
    boardApprovalDate: null,
    stockholderApprovalDate: null,
    comments: [why],
  };
}
