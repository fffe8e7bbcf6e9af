// Transfers, exercises, conversions, cancellations, repurchases and retractions as OCF transactions: what takes all or
// part of a security, and what comes of it.
import { present } from "../../kernel/assert.ts";
import { type Decimal, formatDecimal, isDecimalText, parseDecimal, ZERO } from "../../kernel/decimal.ts";
import { withheldOf } from "../../ledger/charges.ts";
import { textOf } from "../../ledger/effects.ts";
import type { EntryDraft, SecurityState } from "../../ledger/types.ts";
import type { JsonObject } from "../json.ts";
import * as tx from "../mapping/transaction-to-ocf.ts";
import { derivedId } from "../mapping/values-to-ocf.ts";
import type { LedgerExport, Step } from "./ledger.ts";

/** Transfers, exercises, conversions, cancellations, repurchases, retractions. */
export function* moveObjects(
  ledger: LedgerExport,
  step: Step,
  was: SecurityState,
  returned: Decimal,
): Generator<JsonObject> {
  const { draft } = step;
  const quantity = parseDecimal(present(draft.quantity, "the entry's quantity"));
  // One without a share may be set back to ACTIVE and deleted; in OCF it has ended.
  if (quantity === ZERO && ledger.holdings.isClosed(was.id)) return;
  const on = ledger.reducing(step, was, quantity);
  const { metadata } = draft;
  const made = textOf(metadata, "newSecurityId");
  const consideration = considerationOf(draft);
  switch (draft.type) {
    case "STOCK_OPTION_EXERCISE":
      yield* exerciseOption(ledger, step, was, on);
      return;
    case "WARRANT_EXERCISE":
      yield* exerciseWarrant(ledger, step, was, on, made);
      return;
    case "CONVERTIBLE_CONVERSION":
      yield* convert(ledger, step, was, on, made);
      return;
    case "STOCK_REPURCHASE":
      yield tx.repurchaseOf(on, repurchasePrice(ledger, step, was), textOf(metadata, "description"));
      break;
    default:
      if (draft.type.endsWith("_TRANSFER") && made !== null) {
        yield tx.transferOf(on, made, consideration);
        yield* issueMade(ledger, step, made, on.date);
      } else if (metadata.conversion === true) {
        yield tx.stockConversionOf(on, listed(made));
        if (made !== null) ledger.notBefore.set(made, on.date);
      } else yield* cancel(ledger, step, was, on, returned);
  }
  yield* ledger.balance(step, was, on);
}

function* cancel(
  ledger: LedgerExport,
  step: Step,
  was: SecurityState,
  on: tx.Reducing,
  returned: Decimal,
): Generator<JsonObject> {
  const { type, metadata } = step.draft;
  const isRetraction = (type === "STOCK_RETRACTION" || metadata.retraction === true) && on.balanceId === null;
  const said = textOf(metadata, "reason") ?? textOf(metadata, "cancellationReason");
  const description = textOf(metadata, "description");
  const words = [said, description].filter((word) => word !== null).join(": ");
  const reason = words === "" ? (isRetraction ? "Retracted" : "Cancelled") : words;
  yield isRetraction ? tx.retractionOf(on, reason) : tx.cancellationOf(on, reason);
  yield* ledger.returnToPool(step, on, was, returned, isRetraction);
}

/** What a net exercise withheld is cancelled, after the rest was exercised. */
function* exerciseOption(ledger: LedgerExport, step: Step, was: SecurityState, on: tx.Reducing): Generator<JsonObject> {
  const made = textOf(step.draft.metadata, "newSecurityId");
  const withheld = withheldOf(step.draft);
  const exercised = on.quantity - withheld;
  yield tx.optionExerciseOf({ ...on, quantity: exercised, balanceId: null }, listed(made), considerationOf(step.draft));
  ledger.holdings.put(was.id, { ...ledger.holding(was), since: on.date });
  ledger.vesting.note(was.id, { kind: "EXERCISED", date: on.date, quantity: exercised });
  yield* issueMade(ledger, step, made, on.date);
  if (withheld === ZERO) return;
  const rest = { ...on, id: derivedId(step.entry.id, "withheld"), quantity: withheld };
  yield tx.cancellationOf(rest, "Withheld in a net exercise");
  yield* ledger.returnToPool(step, rest, was, ZERO, false);
  yield* ledger.balance(step, was, rest);
}

function* exerciseWarrant(
  ledger: LedgerExport,
  step: Step,
  was: SecurityState,
  on: tx.Reducing,
  made: string | null,
): Generator<JsonObject> {
  const trigger = ledger.triggerOf(was, on.securityId);
  const results = [...listed(made), ...listed(on.balanceId)];
  const withheld = withheldOf(step.draft);
  // OCF's exercise of a warrant has no quantity, so that nothing is left to be cancelled: words have to say it.
  const note = withheld === ZERO ? null : `${formatDecimal(withheld)} were withheld in a net exercise.`;
  const comments = note === null ? on.comments : [...on.comments, note];
  yield trigger
    ? tx.warrantExerciseOf({ ...on, comments }, trigger, results, considerationOf(step.draft))
    : tx.cancellationOf(on, "Exercised");
  yield* issueMade(ledger, step, made, on.date);
  yield* ledger.balance(step, was, on);
}

function* convert(
  ledger: LedgerExport,
  step: Step,
  was: SecurityState,
  on: tx.Reducing,
  made: string | null,
): Generator<JsonObject> {
  const trigger = ledger.triggerOf(was, on.securityId);
  const reason = textOf(step.draft.metadata, "description") ?? "Conversion";
  yield trigger ? tx.convertibleConversionOf(on, trigger, listed(made), reason) : tx.cancellationOf(on, "Converted");
  yield* issueMade(ledger, step, made, on.date);
  yield* ledger.balance(step, was, on);
}

/** Issues what an operation made. */
function* issueMade(ledger: LedgerExport, step: Step, id: string | null, date: string): Generator<JsonObject> {
  const row = id === null ? null : ledger.source.findSecurity(id);
  if (row === null) return;
  const objectId = derivedId(step.entry.id, "issuance");
  const as = { objectId, openId: row.id, date, start: row.vestingStartDate, isBalance: false };
  yield* ledger.issued(step, row.id, as);
}

function listed(id: string | null): string[] {
  return id === null ? [] : [id];
}

/** What a transfer or exercise says of itself in words. */
function considerationOf({ metadata }: EntryDraft): string | null {
  const method = textOf(metadata, "paymentMethod");
  const price = textOf(metadata, "pricePerShare");
  const words = [
    textOf(metadata, "transferReason"),
    textOf(metadata, "description"),
    method === null || method === "CASH" ? null : `Paid by ${method.toLowerCase().replace("_", " ")}`,
    price === null || !isDecimalText(price) ? null : `${price} per share`,
  ].filter((word) => word !== null);
  return words.length === 0 ? null : words.join("; ");
}

/** What a share was bought back for: what the entry says, else the security's own price. */
export function repurchasePrice({ notes }: LedgerExport, { draft }: Step, was: SecurityState): string {
  const price = textOf(draft.metadata, "pricePerShare") ?? was.pricePerShare;
  if (price === null) notes.add('the price of a repurchase is not known; "0" exported');
  return price ?? "0";
}
