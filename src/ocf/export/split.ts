// A stock split as OCF transactions. OCF's split multiplies the class's open stock by itself and nothing else; so what
// rounding made different is reissued under the split, the new figures of class and plans are adjustments, and options
// and warrants are cancelled into balances with theirs (DECISIONS section 15).
import { type Decimal, scale, ZERO } from "../../kernel/decimal.ts";
import { readSplit, splitFilter } from "../../ledger/split.ts";
import type { PlanState, SecurityState } from "../../ledger/types.ts";
import type { JsonObject } from "../json.ts";
import { authorizedAdjustmentOf, classSplitOf, poolAdjustmentOf } from "../mapping/adjustment-to-ocf.ts";
import { cancellationOf } from "../mapping/transaction-to-ocf.ts";
import { derivedId } from "../mapping/values-to-ocf.ts";
import type { LedgerExport, Step } from "./ledger.ts";

/** The objects of one split; `plansBefore` are the plans as they were. */
export function* splitObjects(
  ledger: LedgerExport,
  step: Step,
  plansBefore: ReadonlyMap<string, PlanState>,
): Generator<JsonObject> {
  const { entry, draft, before } = step;
  const { state } = ledger;
  const split = readSplit(draft.metadata);
  const { stockClassId, numerator, denominator } = split;
  const date = ledger.holdings.dayOfSplit(stockClassId, draft.effectiveDate);
  const onDate = { ...step, draft: { ...draft, effectiveDate: date } };
  yield classSplitOf(ledger.adjusting(entry.id, draft, date), stockClassId, numerator, denominator);
  const isConcerned = splitFilter(split);
  const concerned = [...before.values()].filter((was) => isConcerned(was) && state.security(was.id) !== was);
  const isHeld = (was: SecurityState) => was.status === "ACTIVE" && was.quantity > ZERO;
  const moved = [...ledger.source.foreknown.reclassified].map((id) => before.get(id));
  const stock = new Set([...concerned, ...moved.filter((was) => was !== undefined)].filter(isHeld));
  for (const was of stock) {
    if (was.type !== "STOCK") continue;
    const now = state.security(was.id).quantity;
    const isMultiplied = ledger.exportedClassOf(was) === stockClassId;
    if (isMultiplied) ledger.vesting.noteSplit(was.id, draft, split);
    if (isMultiplied ? now * denominator === was.quantity * numerator : now === was.quantity) {
      const isMisread = isMultiplied && ledger.vesting.isMisread(was.id, entry.sequence);
      if (isMisread) yield* ledger.restate(onDate, was, "Vests by these days now");
      continue;
    }
    const isSpared = isMultiplied && state.security(was.id) === was;
    yield* isSpared
      ? spare(ledger, onDate, was, scale(was.quantity, numerator, denominator))
      : ledger.restate(onDate, was, "Whole shares after the split");
  }
  const { authorized } = state.stockClass(stockClassId);
  const day = ledger.holdings.dayOfAdjustment(stockClassId, date);
  if (authorized !== null) {
    const what = ledger.adjusting(derivedId(entry.id, "authorized"), draft, day);
    yield authorizedAdjustmentOf(what, stockClassId, authorized);
  }
  for (const was of concerned) {
    if (was.type !== "STOCK") yield* ledger.restate(onDate, was, "Replaced after the split of its class");
  }
  for (const [planId, was] of plansBefore) yield* reserve(ledger, onDate, planId, was);
}

/**
 * Undoes what OCF's split does to stock that was of another class then, and came into this one by a later edit: `read`
 * is what a reader takes it to hold. A surplus is cancelled; too little is cancelled whole and issued anew.
 */
function* spare(ledger: LedgerExport, step: Step, was: SecurityState, read: Decimal): Generator<JsonObject> {
  const { id: entryId } = step.entry;
  const openId = derivedId(entryId, `balance ${was.id}`);
  const objectId = derivedId(entryId, `balance issuance ${was.id}`);
  const isSurplus = read > was.quantity;
  const on = {
    ...ledger.reducing(step, was, isSurplus ? read - was.quantity : read),
    id: derivedId(entryId, `restatement ${was.id}`),
    balanceId: isSurplus ? openId : null,
  };
  yield cancellationOf(on, "Of another class when that was split");
  yield* ledger.reissued(step, was, { objectId, openId, date: on.date });
}

/** The plan's new reserve; what the split makes of its grants is for settle.ts to say. */
function* reserve(ledger: LedgerExport, step: Step, planId: string, was: PlanState): Generator<JsonObject> {
  const now = ledger.state.plan(planId);
  if (now === was || !ledger.source.hasPlan(planId)) return;
  const day = ledger.holdings.dayOfAdjustment(planId, step.draft.effectiveDate);
  const what = ledger.adjusting(derivedId(step.entry.id, `reserve ${planId}`), step.draft, day);
  yield poolAdjustmentOf(what, planId, now.reserved);
}
