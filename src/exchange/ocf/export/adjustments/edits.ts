// Direct edits as OCF transactions. They are corrections, which issuances show already; only a status that closes a
// security needs a transaction, and a new quantity if a split lies between it and the issuance.
import { type Decimal, ZERO } from "../../../../kernel/numbers/decimal.ts";
import { isFirstOfTwo } from "../../../../ledger/replay/event.ts";
import type { SecurityState } from "../../../../ledger/types.ts";
import * as tx from "../../codec/ending.ts";
import { derivedId } from "../../codec/values-to-ocf.ts";
import type { JsonObject } from "../../json.ts";
import { repurchasePrice } from "../moves.ts";
import type { Step } from "../source.ts";
import type { OcfWriter, Taking } from "../writer.ts";

const CORRECTED = "Quantity corrected";

/** The objects of one direct edit. */
export function* editObjects(writer: OcfWriter, step: Step): Generator<JsonObject> {
  const { entry, was, state } = step;
  if (!was) return;
  const { corrections } = writer.source;
  if (isSplitOtherwise(writer, step, was)) yield* writer.restate(step, was, "Of another class when that was split");
  const restatement = corrections.findRestatement(entry.id);
  if (isFromFirstDay(writer, step, was)) {
    writer.notes.add(
      "an edit of what a security holds, or of its holder, class or plan, counts here from its own day, and in OCF, " +
        "which corrects issuances, from the day of issue; days between show what it came to",
    );
  }
  if (restatement) {
    const { from, to } = restatement;
    const taking = (quantity: Decimal) => ({ step, was, on: writer.reducing(step, was, quantity) });
    yield* to < from ? lower(writer, taking(from - to)) : raise(writer, taking(from));
  }
  if (!corrections.isClosing(was.id, entry.id)) return;
  const held = was.quantity + corrections.sumAfter(was.id, entry.sequence);
  if (held <= ZERO || writer.holdings.isClosed(was.id)) return;
  const on = { ...writer.reducing(step, was, held), balanceId: null };
  yield* closeByStatus(writer, { step, was, on }, state.security(was.id).status);
}

/** Whether the issuance shows on days before an edit what the edit made of the security. */
function isFromFirstDay({ source, holdings }: OcfWriter, { entry, event, day }: Step, was: SecurityState): boolean {
  const { isCorrection, before } = event.said;
  if (isCorrection || source.corrections.isTakenBack(entry.id) || holdings.isClosed(was.id)) return false;
  const row = source.findSecurity(was.id);
  if (row === null || row.deletedAt !== null || day <= row.grantDate) return false;
  const isOfKind = before.stockClassId !== undefined || before.equityPlanId !== undefined;
  // A change of class or plan is two entries that say the same: the second one stands for both.
  if (isOfKind) return !isFirstOfTwo(event);
  const isQuantity = before.quantity !== undefined && source.corrections.findRestatement(entry.id) === null;
  return before.stakeholderId !== undefined || isQuantity;
}

/**
 * Whether an edit just moved imported stock between classes of which an import split one: its issuance shows the
 * current class, and a reader splits it with that class.
 */
function isSplitOtherwise({ source }: OcfWriter, { state }: Step, was: SecurityState): boolean {
  const { stockClassId } = state.security(was.id);
  const isMoved = was.type === "STOCK" && was.status === "ACTIVE" && was.quantity > ZERO;
  if (!isMoved || was.stockClassId === stockClassId) return false;
  const isSplit = [was.stockClassId, stockClassId].some((id) => source.corrections.isClassSplitByImport(id));
  return isSplit && source.findOriginalIssuance(was.id) !== null;
}

function* lower(writer: OcfWriter, taking: Taking): Generator<JsonObject> {
  yield tx.cancellationOf(taking.on, CORRECTED);
  yield* writer.returnToPool(taking, taking.step.returned);
  yield* writer.balance(taking);
}

/** OCF has no way to raise what a security holds: it is cancelled, and issued anew with the right quantity. */
function* raise(writer: OcfWriter, { step, was, on: reducing }: Taking): Generator<JsonObject> {
  const { id } = step.entry;
  const on = { ...reducing, balanceId: null };
  if (on.quantity > ZERO) {
    yield tx.cancellationOf(on, CORRECTED);
    yield* writer.returnToPool({ step, was, on }, was.charge === null ? ZERO : on.quantity);
  }
  const openId = derivedId(id, "balance");
  yield* writer.reissued(step, was, { objectId: derivedId(id, "balance issuance"), openId, date: on.date });
}

function* closeByStatus(writer: OcfWriter, taking: Taking, status: string): Generator<JsonObject> {
  const { was, on } = taking;
  const trigger = writer.triggerOf(was, on.securityId);
  const kind = `${status} ${was.type}`;
  writer.holdings.close(was.id);
  if (kind === "EXERCISED STOCK_OPTION") yield tx.optionExerciseOf(on, [], null);
  else if (kind === "EXERCISED WARRANT" && trigger) yield tx.warrantExerciseOf(on, trigger, [], null);
  else if (kind === "CONVERTED CONVERTIBLE" && trigger) {
    yield tx.convertibleConversionOf(on, { triggerId: trigger, resultingIds: [], reason: "Conversion" });
  } else if (kind === "CONVERTED STOCK") yield tx.stockConversionOf(on, []);
  else if (kind === "REPURCHASED STOCK") yield tx.repurchaseOf(on, repurchasePrice(writer, taking), null);
  else {
    yield tx.cancellationOf(on, `Status set to ${status}`);
    yield* writer.returnToPool(taking, ZERO);
  }
}
