// The cap table as of a date (DECISIONS section 16): replays the entries that count, and says which of them do. Pure.
//
// The order is the order of recording, not of dates: entries were decided one upon the other (a split of what was there,
// an edit that sets a figure, an adjustment that replaces the one before), so only that order gives the stored cap table
// once every entry counts. Leaving out what is dated later can leave an entry without what it builds on: a transfer
// dated before the issuance of its shares, a cancellation of more than the security had by then. Such an entry counts
// from the day on which what it builds on does. So no view has a negative holding, or shares out of nothing.
import type { Row } from "../database/sql.ts";
import { present } from "../kernel/assert.ts";
import { type Decimal, parseDecimal, ZERO } from "../kernel/decimal.ts";
import { applyEntry } from "../ledger/registry.ts";
import { toDraft } from "../ledger/replay.ts";
import { readSplit, splitQuantity } from "../ledger/split.ts";
import type { LedgerState } from "../ledger/state.ts";
import type { EntryDraft, SecurityState } from "../ledger/types.ts";

/** What a plan was used for. */
export interface PlanUse {
  /** All that was ever granted under it, in today's shares where splits came between; corrections count. */
  readonly granted: Decimal;
  /** What of that was exercised. */
  readonly exercised: Decimal;
}

export const UNUSED: PlanUse = { granted: ZERO, exercised: ZERO };

/** Replays `entries` (those dated and recorded in time, in the order of recording) onto `state`, the cap table before. */
export function replayCounted(entries: Iterable<Row<"transactions">>, state: LedgerState): Map<string, PlanUse> {
  const uses = new Map<string, PlanUse>();
  for (const row of entries) {
    const entry = present(toDraft(row), `the meaning of entry ${row.sequence}`);
    if (!hasFoundation(state, entry)) continue;
    const before = securityOf(state, entry);
    applyEntry(state, entry);
    noteUse(uses, entry, before, securityOf(state, entry));
  }
  return uses;
}

function securityOf(state: LedgerState, entry: EntryDraft): SecurityState | undefined {
  return entry.securityId === null ? undefined : state.securities.get(entry.securityId);
}

function isIssuance(entry: EntryDraft): boolean {
  return entry.type.endsWith("_ISSUANCE") && entry.metadata.directEdit !== true;
}

/** Whether the security that the entry works on is there, and holds what the entry takes from it. */
function hasFoundation(state: LedgerState, entry: EntryDraft): boolean {
  if (entry.securityId === null || isIssuance(entry)) return true;
  const security = state.securities.get(entry.securityId);
  if (!security) return false;
  if (entry.quantity === null || entry.metadata.directEdit === true) return true;
  return parseDecimal(entry.quantity) <= security.quantity;
}

/** Issuances grant, exercises use, a direct edit corrects what was granted, and a split restates both. */
function noteUse(
  uses: Map<string, PlanUse>,
  entry: EntryDraft,
  before: SecurityState | undefined,
  after: SecurityState | undefined,
): void {
  const add = (planId: string | null | undefined, granted: Decimal, exercised: Decimal) => {
    if (!planId) return;
    const use = uses.get(planId) ?? UNUSED;
    uses.set(planId, { granted: use.granted + granted, exercised: use.exercised + exercised });
  };
  if (entry.type === "STOCK_SPLIT") {
    const split = readSplit(entry.metadata);
    for (const planId of split.equityPlanIds) {
      const { granted, exercised } = uses.get(planId) ?? UNUSED;
      uses.set(planId, { granted: splitQuantity(granted, split), exercised: splitQuantity(exercised, split) });
    }
  } else if (isIssuance(entry) || entry.metadata.directEdit === true) {
    if (before?.drawsOnPlan) add(before.equityPlanId, -before.quantity, ZERO);
    if (after?.drawsOnPlan) add(after.equityPlanId, after.quantity, ZERO);
  } else if (entry.type === "STOCK_OPTION_EXERCISE") {
    add(before?.equityPlanId, ZERO, parseDecimal(present(entry.quantity, "the exercised quantity")));
  }
}
