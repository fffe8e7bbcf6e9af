// Exports transfers, exercises, conversions, cancellations, repurchases and retractions as OCF transactions: what takes
// all or part of a security, and its results.
import { present } from "../../../kernel/assert.ts";
import { formatDecimal, isDecimalText, parseDecimal, ZERO } from "../../../kernel/numbers/decimal.ts";
import { membersOf } from "../../../ledger/members.ts";
import { withheldOf } from "../../../ledger/rules/charges.ts";
import { type EntryDraft, type SecurityState, textOf } from "../../../ledger/types.ts";
import * as tx from "../codec/ending.ts";
import { derivedId } from "../codec/values-to-ocf.ts";
import type { JsonObject } from "../json.ts";
import type { Step } from "./source.ts";
import type { OcfWriter, Taking } from "./writer.ts";

/** Transfers, exercises, conversions, cancellations, repurchases, retractions. */
export function* moveObjects(writer: OcfWriter, step: Step, was: SecurityState): Generator<JsonObject> {
  const { entry: draft } = step.event;
  const quantity = parseDecimal(present(draft.quantity, "the entry's quantity"));
  // One without a share may be set back to ACTIVE and deleted; in OCF it has ended.
  if (quantity === ZERO && writer.holdings.isClosed(was.id)) return;
  const on = writer.reducing(step, was, quantity);
  const taking = { step, was, on };
  const { metadata } = draft;
  const made = madeBy(taking);
  switch (draft.type) {
    case "STOCK_OPTION_EXERCISE":
      yield* exerciseOption(writer, taking);
      return;
    case "WARRANT_EXERCISE":
      yield* exerciseWarrant(writer, taking);
      break;
    case "CONVERTIBLE_CONVERSION":
      yield* convert(writer, taking);
      break;
    case "STOCK_REPURCHASE":
      yield tx.repurchaseOf(on, repurchasePrice(writer, taking), textOf(metadata, "description"));
      yield* writer.returnToPool(taking, step.returned);
      break;
    default:
      if (step.event.how === "transfer" && made !== null) {
        yield tx.transferOf(on, made, considerationOf(draft));
        yield* issueMade(writer, taking);
      } else if (step.event.said.isConversion) {
        yield tx.stockConversionOf(on, listed(made));
        if (made !== null) writer.holdings.setFirstDay(made, on.date);
      } else yield* cancel(writer, taking);
  }
  yield* writer.balance(taking);
}

/** The security that the entry makes of another, or null. */
function madeBy({ step }: Taking): string | null {
  return step.event.said.newSecurityId;
}

function* cancel(writer: OcfWriter, taking: Taking): Generator<JsonObject> {
  const { step, on } = taking;
  const { how, said: members, entry } = step.event;
  const { metadata } = entry;
  const isRetraction = (how === "retraction" || members.isRetraction) && on.balanceId === null;
  const said = textOf(metadata, "reason") ?? textOf(metadata, "cancellationReason");
  const description = textOf(metadata, "description");
  const words = [said, description].filter((word) => word !== null).join(": ");
  const reason = words === "" ? (isRetraction ? "Retracted" : "Cancelled") : words;
  yield isRetraction ? tx.retractionOf(on, reason) : tx.cancellationOf(on, reason);
  yield* writer.returnToPool(taking, step.returned, isRetraction);
}

/** What a net exercise withheld is cancelled, after the rest was exercised. */
function* exerciseOption(writer: OcfWriter, taking: Taking): Generator<JsonObject> {
  const { step, was, on } = taking;
  const withheld = withheldOf(step.event.said);
  const exercised = on.quantity - withheld;
  const exercise = { ...on, quantity: exercised, balanceId: null };
  yield tx.optionExerciseOf(exercise, listed(madeBy(taking)), considerationOf(step.event.entry));
  writer.holdings.put(was.id, { ...writer.holding(was.id), since: on.date });
  writer.vesting.note(was.id, { kind: "EXERCISED", date: on.date, quantity: exercised });
  yield* issueMade(writer, taking);
  if (withheld === ZERO) return;
  const rest = { ...taking, on: { ...on, id: derivedId(step.entry.id, "withheld"), quantity: withheld } };
  yield tx.cancellationOf(rest.on, "Withheld in a net exercise");
  yield* writer.returnToPool(rest, ZERO);
  yield* writer.balance(rest);
}

function* exerciseWarrant(writer: OcfWriter, taking: Taking): Generator<JsonObject> {
  const { step, was, on } = taking;
  const trigger = writer.triggerOf(was, on.securityId);
  const results = [...listed(madeBy(taking)), ...listed(on.balanceId)];
  const withheld = withheldOf(step.event.said);
  // OCF's exercise of a warrant has no quantity, so that nothing is left to be cancelled: a comment has to state it.
  const note = withheld === ZERO ? null : `${formatDecimal(withheld)} were withheld in a net exercise.`;
  const comments = note === null ? on.comments : [...on.comments, note];
  yield trigger
    ? tx.warrantExerciseOf({ ...on, comments }, trigger, results, considerationOf(step.event.entry))
    : tx.cancellationOf(on, "Exercised");
  yield* issueMade(writer, taking);
}

function* convert(writer: OcfWriter, taking: Taking): Generator<JsonObject> {
  const { step, was, on } = taking;
  const { triggerId: told, capitalization } = step.event.said;
  const triggerId = told ?? writer.triggerOf(was, on.securityId);
  const reason = textOf(step.event.entry.metadata, "description") ?? "Conversion";
  const resultingIds = listed(madeBy(taking));
  const counted = capitalization && writer.countedBy(capitalization);
  yield triggerId
    ? tx.convertibleConversionOf(on, { triggerId, resultingIds, reason, counted })
    : tx.cancellationOf(on, "Converted");
  yield* issueMade(writer, taking);
}

/** Issues what an operation made. */
function* issueMade(writer: OcfWriter, taking: Taking): Generator<JsonObject> {
  const { step, on } = taking;
  const id = madeBy(taking);
  const row = id === null ? null : writer.source.findSecurity(id);
  if (row === null) return;
  const as = { objectId: derivedId(step.entry.id, "issuance"), openId: row.id, date: on.date };
  yield* writer.issued(step, row.id, { ...as, start: row.vestingStartDate, isBalance: false });
}

function listed(id: string | null): string[] {
  return id === null ? [] : [id];
}

/** The comment of a transfer or exercise. */
function considerationOf(draft: EntryDraft): string | null {
  const { metadata } = draft;
  const method = textOf(metadata, "paymentMethod");
  const price = membersOf(draft).pricePerShare;
  const words = [
    textOf(metadata, "transferReason"),
    textOf(metadata, "description"),
    method === null || method === "CASH" ? null : `Paid by ${method.toLowerCase().replace("_", " ")}`,
    price === null || !isDecimalText(price) ? null : `${price} per share`,
  ].filter((word) => word !== null);
  return words.length === 0 ? null : words.join("; ");
}

/** What a share was bought back for: what the entry says, else the security's own price. */
export function repurchasePrice({ notes }: OcfWriter, { step, was }: Taking): string {
  const price = step.event.said.pricePerShare ?? was.pricePerShare;
  if (price === null) notes.add('the price of a repurchase is not known; "0" exported');
  return price ?? "0";
}
