// Direct edits as OCF transactions (DECISIONS section 15). They are corrections, which issuances show already; what is
// left to say is a status that closes a security, and a new quantity where a split lies between it and the issuance.
import { type Decimal, ZERO } from "../../kernel/decimal.ts";
import type { SecurityState } from "../../ledger/types.ts";
import type { JsonObject } from "../json.ts";
import * as tx from "../mapping/transaction-to-ocf.ts";
import { derivedId } from "../mapping/values-to-ocf.ts";
import type { LedgerExport, Step } from "./ledger.ts";
import { repurchasePrice } from "./moves.ts";

const CORRECTED = "Quantity corrected";

/** The objects of one direct edit; `returned` is what its plan got back, negative for what it gave. */
export function* editObjects(ledger: LedgerExport, step: Step, returned: Decimal): Generator<JsonObject> {
  const { entry, draft } = step;
  const was = draft.securityId === null ? undefined : step.before.get(draft.securityId);
  if (!was) return;
  const { foreknown } = ledger.source;
  if (isSplitOtherwise(ledger, was)) yield* ledger.restate(step, was, "Of another class when that was split");
  const restatement = foreknown.findRestatement(entry.id);
  if (restatement) {
    const { from, to } = restatement;
    yield* to < from ? lower(ledger, step, was, from - to, returned) : raise(ledger, step, was, from);
  }
  if (!foreknown.isClosing(was.id, entry.id)) return;
  const held = was.quantity + foreknown.correction(was.id, entry.sequence);
  const { status } = ledger.state.security(was.id);
  if (held > ZERO && !ledger.holdings.isClosed(was.id)) yield* closeByStatus(ledger, step, was, held, status);
}

/**
 * Whether an edit just moved imported stock between classes of which an import split one: its issuance shows the class
 * of today, and a reader has it split with that.
 */
function isSplitOtherwise({ state, source }: LedgerExport, was: SecurityState): boolean {
  const { stockClassId } = state.security(was.id);
  const isMoved = was.type === "STOCK" && was.status === "ACTIVE" && was.quantity > ZERO;
  if (!isMoved || was.stockClassId === stockClassId) return false;
  const isSplit = [was.stockClassId, stockClassId].some((id) => source.foreknown.isClassSplitByImport(id));
  return isSplit && source.findOriginalIssuance(was.id) !== null;
}

function* lower(ledger: LedgerExport, step: Step, was: SecurityState, by: Decimal, returned: Decimal) {
  const on = ledger.reducing(step, was, by);
  yield tx.cancellationOf(on, CORRECTED);
  yield* ledger.returnToPool(step, on, was, returned, false);
  yield* ledger.balance(step, was, on);
}

/** OCF has no way to raise what a security holds: it is cancelled, and issued anew with the right quantity. */
function* raise(ledger: LedgerExport, step: Step, was: SecurityState, from: Decimal): Generator<JsonObject> {
  const { entry } = step;
  const on = { ...ledger.reducing(step, was, from), balanceId: null };
  if (from > ZERO) {
    yield tx.cancellationOf(on, CORRECTED);
    yield* ledger.returnToPool(step, on, was, was.charge === null ? ZERO : from, false);
  }
  const openId = derivedId(entry.id, "balance");
  yield* ledger.reissued(step, was, { objectId: derivedId(entry.id, "balance issuance"), openId, date: on.date });
}

function* closeByStatus(
  ledger: LedgerExport,
  step: Step,
  was: SecurityState,
  held: Decimal,
  status: string,
): Generator<JsonObject> {
  const on = { ...ledger.reducing(step, was, held), balanceId: null };
  const trigger = ledger.triggerOf(was, on.securityId);
  const kind = `${status} ${was.type}`;
  ledger.holdings.close(was.id);
  if (kind === "EXERCISED STOCK_OPTION") yield tx.optionExerciseOf(on, [], null);
  else if (kind === "EXERCISED WARRANT" && trigger) yield tx.warrantExerciseOf(on, trigger, [], null);
  else if (kind === "CONVERTED CONVERTIBLE" && trigger) {
    yield tx.convertibleConversionOf(on, trigger, [], "Conversion");
  } else if (kind === "CONVERTED STOCK") yield tx.stockConversionOf(on, []);
  else if (kind === "REPURCHASED STOCK") yield tx.repurchaseOf(on, repurchasePrice(ledger, step, was), null);
  else {
    yield tx.cancellationOf(on, `Status set to ${status}`);
    yield* ledger.returnToPool(step, on, was, ZERO, false);
  }
}
