// Exports a stock split as OCF transactions. OCF's split multiplies the class's open stock by itself and nothing else;
// so stock that rounding made different is reissued under the split, the new figures of class and plans are
// adjustments, and options and warrants are cancelled into balances with their new figures.
import { type Decimal, scale, ZERO } from "../../../kernel/numbers/decimal.ts";
import type { SplitEvent } from "../../../ledger/replay/event.ts";
import { type ToldClassTerms, toldClassTerms } from "../../../ledger/rules/class-terms.ts";
import type { PlanState, SecurityState } from "../../../ledger/types.ts";
import { cancellationOf } from "../codec/ending.ts";
import { authorizedAdjustmentOf, classSplitOf, poolAdjustmentOf } from "../codec/event-codec.ts";
import { derivedId } from "../codec/values-to-ocf.ts";
import type { JsonObject } from "../json.ts";
import type { SplitBefore } from "./day-walk.ts";
import type { Step } from "./source.ts";
import type { OcfWriter } from "./writer.ts";

interface SplitStep extends Step {
  readonly event: SplitEvent;
}

/** The objects of one split. */
export function* splitObjects(writer: OcfWriter, step: SplitStep, before: SplitBefore): Generator<JsonObject> {
  const { entry, event, state } = step;
  const { entry: draft } = event;
  const { stockClassId, numerator, denominator } = event.split;
  const { holdings } = writer;
  const told = toldClassTerms(draft.metadata);
  const date = holdings.dayOfSplit(stockClassId, holdings.dayOfTerms(told, step.day), entry.id);
  holdings.dayOfTerms(told, date);
  const onDate = { ...step, day: date };
  yield classSplitOf(writer.adjusting(entry.id, draft, date), stockClassId, numerator, denominator);
  yield* unissued(writer, onDate, told);
  const concerned = [...before.securities.values()].filter(event.concerns);
  const isHeld = (was: SecurityState) => was.status === "ACTIVE" && was.quantity > ZERO;
  const moved = [...writer.source.corrections.reclassified].map((id) => before.securities.get(id));
  const stock = new Set([...concerned, ...moved.filter((was) => was !== undefined)].filter(isHeld));
  for (const was of stock) if (was.type === "STOCK") yield* stockObjects(writer, onDate, was);
  const { authorized } = state.stockClass(stockClassId);
  const day = writer.holdings.dayOfAdjustment(stockClassId, date);
  if (authorized !== null) {
    const what = writer.adjusting(derivedId(entry.id, "authorized"), draft, day);
    yield authorizedAdjustmentOf(what, stockClassId, authorized);
  }
  for (const was of concerned) {
    const isChanged = !Bun.deepEquals(state.security(was.id), was);
    if (was.type !== "STOCK" && isChanged) yield* writer.restate(onDate, was, "Replaced after the split of its class");
  }
  yield* reopened(writer, onDate, before);
  for (const [planId, was] of before.plans) yield* reserve(writer, onDate, planId, was);
}

/**
 * A security that was empty on the days before has a rest by the split: entries that are dated back took all of it, in
 * the shares after the split.
 */
function* reopened(writer: OcfWriter, step: Step, { securities }: SplitBefore): Generator<JsonObject> {
  const { entry, state, day: date } = step;
  const isHeld = ({ status, quantity }: SecurityState) => status === "ACTIVE" && quantity > ZERO;
  for (const [id, was] of securities) {
    if (isHeld(was) || !isHeld(state.security(id))) continue;
    const objectId = derivedId(entry.id, `balance issuance ${id}`);
    yield* writer.reissued(step, was, { objectId, openId: derivedId(entry.id, `balance ${id}`), date });
  }
}

/**
 * The rights of other classes that a reader assumes to be written in shares of after the split: nothing of those
 * classes is issued.
 */
function* unissued(writer: OcfWriter, step: SplitStep, told: readonly ToldClassTerms[]): Generator<JsonObject> {
  const { entry, event, day } = step;
  const { entry: draft } = event;
  for (const { stockClassId, after } of told) {
    if (stockClassId === event.split.stockClassId || writer.holdings.hasStockBy(stockClassId, day)) continue;
    const what = writer.adjusting(derivedId(entry.id, `conversion ${stockClassId}`), draft, day);
    yield writer.adjustedRatio(what, stockClassId, after);
  }
}

/** Stock that the split concerns, or that a reader takes it to concern: reissued where the two differ. */
function* stockObjects(writer: OcfWriter, step: SplitStep, was: SecurityState): Generator<JsonObject> {
  const { entry, event, state } = step;
  const { stockClassId, numerator, denominator } = event.split;
  const now = state.security(was.id);
  const isMultiplied = writer.exportedClassOf(was) === stockClassId;
  if (isMultiplied) writer.vesting.noteSplit(was.id, event);
  const isReadSo = isMultiplied
    ? now.quantity * denominator === was.quantity * numerator
    : now.quantity === was.quantity;
  if (isReadSo) {
    const isMisread = isMultiplied && writer.vesting.isMisread(was.id, entry.sequence);
    if (isMisread) yield* writer.restate(step, was, "Vests by these days now");
  } else if (isMultiplied && !event.concerns(was)) {
    yield* spare(writer, step, was, scale(was.quantity, numerator, denominator));
  } else yield* writer.restate(step, was, "Whole shares after the split");
}

/**
 * Undoes OCF's split of stock that was of another class then, and came into this one by a later edit: `read` is the
 * reader's quantity. A surplus is cancelled; too little is cancelled whole and issued anew.
 */
function* spare(writer: OcfWriter, step: Step, was: SecurityState, read: Decimal): Generator<JsonObject> {
  const { id: entryId } = step.entry;
  const openId = derivedId(entryId, `balance ${was.id}`);
  const objectId = derivedId(entryId, `balance issuance ${was.id}`);
  const isSurplus = read > was.quantity;
  const on = {
    ...writer.reducing(step, was, isSurplus ? read - was.quantity : read),
    id: derivedId(entryId, `restatement ${was.id}`),
    balanceId: isSurplus ? openId : null,
  };
  yield cancellationOf(on, "Of another class when that was split");
  yield* writer.reissued(step, was, { objectId, openId, date: on.date });
}

/** The plan's new reserve; settle.ts states what the split makes of its grants. */
function* reserve(writer: OcfWriter, step: Step, planId: string, was: PlanState): Generator<JsonObject> {
  const now = step.state.plan(planId);
  if (now.reserved === was.reserved || !writer.source.hasPlan(planId)) return;
  const day = writer.holdings.dayOfAdjustment(planId, step.day);
  const what = writer.adjusting(derivedId(step.entry.id, `reserve ${planId}`), step.event.entry, day);
  yield poolAdjustmentOf(what, planId, now.reserved);
}
