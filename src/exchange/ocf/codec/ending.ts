// Codec of transactions that end or lower a security ↔ ledger entries. In OCF a transaction ends its security, and the
// rest of it is issued anew: so an imported entry takes from its security and makes nothing (ledger/rules/imported.ts).
// One writer for each shape; the export decides which entry takes which shape. Pure.

import { type Decimal, formatDecimal, max, min, ZERO } from "../../../kernel/numbers/decimal.ts";
import type { ToldCapitalization } from "../../../ledger/members.ts";
import type { TransactionType } from "../../../ledger/types.ts";
import type { SecurityStatus, SecurityType } from "../../../storage/database/schema.ts";
import { type JsonObject, textOf, textsOf } from "../json.ts";
import type { ObjectType, SecurityAction } from "../schemas/schema-registry.ts";
import { FAMILY } from "./issuance.ts";
import { exactNumber } from "./values.ts";
import { commentsOf, compact, money } from "./values-to-ocf.ts";

/** What an action does to the security that it ends. */
export interface Ending {
  /** The second half of the ledger type, where the security's type has such a one; else it is a cancellation. */
  readonly verb: "CANCELLATION" | "CONVERSION" | "EXERCISE" | "REPURCHASE" | "RETRACTION" | "TRANSFER";
  readonly status: SecurityStatus;
}

/** The actions that change a holding; the others (acceptance) only record something. */
export const ENDINGS: Readonly<Partial<Record<SecurityAction, Ending>>> = {
  CANCELLATION: { verb: "CANCELLATION", status: "CANCELLED" },
  CONSOLIDATION: { verb: "CANCELLATION", status: "CANCELLED" },
  CONVERSION: { verb: "CONVERSION", status: "CONVERTED" },
  EXERCISE: { verb: "EXERCISE", status: "EXERCISED" },
  REISSUANCE: { verb: "CANCELLATION", status: "CANCELLED" },
  RELEASE: { verb: "EXERCISE", status: "EXERCISED" },
  REPURCHASE: { verb: "REPURCHASE", status: "REPURCHASED" },
  RETRACTION: { verb: "RETRACTION", status: "CANCELLED" },
  TRANSFER: { verb: "TRANSFER", status: "TRANSFERRED" },
};

/** The ledger types of each verb but cancellation, which every kind of security has. */
const TYPES: Readonly<Record<Ending["verb"], Partial<Record<SecurityType, TransactionType>>>> = {
  CANCELLATION: {},
  CONVERSION: { CONVERTIBLE: "CONVERTIBLE_CONVERSION" },
  EXERCISE: { STOCK_OPTION: "STOCK_OPTION_EXERCISE", WARRANT: "WARRANT_EXERCISE" },
  REPURCHASE: { STOCK: "STOCK_REPURCHASE" },
  RETRACTION: { STOCK: "STOCK_RETRACTION" },
  TRANSFER: {
    STOCK: "STOCK_TRANSFER",
    STOCK_OPTION: "STOCK_OPTION_TRANSFER",
    WARRANT: "WARRANT_TRANSFER",
    CONVERTIBLE: "CONVERTIBLE_TRANSFER",
  },
};

/** The nearest ledger type of an action on a security. */
export function entryTypeOf({ verb }: Ending, security: SecurityType): TransactionType {
  return TYPES[verb][security] ?? `${security}_CANCELLATION`;
}

/** How much a transaction says that it moves, of a security of the given type; null where it says nothing. */
export function amountMoved(security: SecurityType, value: JsonObject): Decimal | null {
  const named = exactNumber(value, security === "CONVERTIBLE" ? "amount" : "quantity");
  return named ?? exactNumber(value, "quantity_converted");
}

/** The security that holds the rest; an empty id means none. */
export function balanceId(value: JsonObject): string | null {
  return textOf(value, "balance_security_id") || null;
}

/** The securities that a transaction names as its results and balance. */
export function madeBy(value: JsonObject): string[] {
  const single = [textOf(value, "resulting_security_id"), balanceId(value)];
  return [...textsOf(value, "resulting_security_ids"), ...single.filter((id) => id !== null)];
}

/** Whether the action lowers its security in place: OCF has no balance securities for these. */
export function isInPlace({ family, action }: ObjectType): boolean {
  return family === "EQUITY_COMPENSATION" && (action === "EXERCISE" || action === "RELEASE");
}

/** A count that a transaction moves of a security that holds `held`; null where it says none. */
export interface Moved {
  readonly type: ObjectType;
  readonly amount: Decimal | null;
  readonly held: Decimal;
}

/**
 * Whether a transaction moves more than the security holds. A warrant may leave open how many shares it is for; a
 * conversion may count in shares what is held as an amount.
 */
export function movesTooMuch({ type: { action, family }, amount, held }: Moved): boolean {
  const isComparable = held !== ZERO && !(action === "CONVERSION" && family === "CONVERTIBLE");
  return amount !== null && isComparable && amount > held;
}

/**
 * Whether a transaction that takes `taken` leaves a rest, and names no balance security: the rest then stays in the
 * source.
 */
export function leavesUnnamedRest({ type, amount, held }: Moved, taken: Decimal): boolean {
  return amount !== null && amount > ZERO && taken < held && !isInPlace(type);
}

/**
 * What a transaction takes from a security that holds `held`: all of it, since OCF ends securities. Exercises and
 * releases of equity compensation take their amount, and so does a transaction that moves a part and names no balance
 * security: ending the source would lose the rest.
 */
export function amountTaken(type: ObjectType, value: JsonObject, amount: Decimal | null, held: Decimal): Decimal {
  if (isInPlace(type)) return min(max(amount ?? held, ZERO), held);
  const { family, action } = type;
  const mayStay = action === "CANCELLATION" || action === "TRANSFER" || action === "REPURCHASE";
  const isPart = mayStay || (action === "CONVERSION" && family === "STOCK");
  if (!isPart || amount === null || balanceId(value) !== null) return held;
  return min(max(amount, ZERO), held);
}

/** What every transaction on a security says. */
export interface OnSecurity {
  readonly id: string;
  readonly date: string;
  /** The security's id in OCF at that moment. */
  readonly securityId: string;
  readonly type: SecurityType;
  readonly comments: readonly (string | null)[];
}

/** A transaction that takes all or part of a security; what is left is `balanceId`, null for nothing. */
export interface Reducing extends OnSecurity {
  readonly quantity: Decimal;
  readonly balanceId: string | null;
  /** Of the security's amounts. */
  readonly currency: string;
}

/** A transaction on a security: `members` are its own. */
function transaction(on: OnSecurity, action: string, members: JsonObject): JsonObject {
  return compact({
    object_type: `TX_${FAMILY[on.type]}_${action}`,
    id: on.id,
    date: on.date,
    security_id: on.securityId,
    ...members,
    comments: commentsOf(...on.comments),
  });
}

function amount({ type, quantity, currency }: Reducing): JsonObject {
  const text = formatDecimal(quantity);
  return type === "CONVERTIBLE" ? { amount: money(text, currency) } : { quantity: text };
}

/** TX_…_TRANSFER. */
export function transferOf(on: Reducing, resultingId: string, consideration: string | null): JsonObject {
  return transaction(on, "TRANSFER", {
    ...amount(on),
    resulting_security_ids: [resultingId],
    balance_security_id: on.balanceId,
    consideration_text: consideration,
  });
}

/** TX_…_CANCELLATION. */
export function cancellationOf(on: Reducing, reason: string): JsonObject {
  return transaction(on, "CANCELLATION", {
    ...amount(on),
    reason_text: reason,
    balance_security_id: on.balanceId,
  });
}

/** TX_…_ACCEPTANCE: it ends nothing. */
export function acceptanceOf(on: OnSecurity): JsonObject {
  return transaction(on, "ACCEPTANCE", {});
}

/** TX_…_RETRACTION: as if never issued. */
export function retractionOf(on: OnSecurity, reason: string): JsonObject {
  return transaction(on, "RETRACTION", { reason_text: reason });
}

/** TX_EQUITY_COMPENSATION_EXERCISE: reduces the grant in place. */
export function optionExerciseOf(on: Reducing, resultingIds: readonly string[], consideration: string | null) {
  return transaction(on, "EXERCISE", {
    quantity: formatDecimal(on.quantity),
    resulting_security_ids: resultingIds,
    consideration_text: consideration,
  });
}

/** TX_WARRANT_EXERCISE: ends the warrant; what is left of it is one of the results. */
export function warrantExerciseOf(
  on: OnSecurity,
  triggerId: string,
  resultingIds: readonly string[],
  consideration: string | null,
): JsonObject {
  return transaction(on, "EXERCISE", {
    trigger_id: triggerId,
    resulting_security_ids: resultingIds,
    consideration_text: consideration,
  });
}

/** What a conversion says of itself. */
export interface Converting {
  readonly triggerId: string;
  readonly resultingIds: readonly string[];
  readonly reason: string;
  /** What counted as the company's capitalization, where that made its shares. */
  readonly counted?: ToldCapitalization | null;
}

/** TX_CONVERTIBLE_CONVERSION. */
export function convertibleConversionOf(
  on: Reducing,
  { triggerId, resultingIds, reason, counted = null }: Converting,
): JsonObject {
  return transaction(on, "CONVERSION", {
    trigger_id: triggerId,
    reason_text: reason,
    quantity_converted: formatDecimal(on.quantity),
    resulting_security_ids: resultingIds,
    balance_security_id: on.balanceId,
    capitalization_definition: counted && {
      include_stock_class_ids: counted.stockClassIds,
      include_stock_plans_ids: counted.equityPlanIds,
      include_security_ids: counted.securityIds,
      exclude_security_ids: counted.excludedSecurityIds,
    },
  });
}

/** TX_STOCK_CONVERSION. */
export function stockConversionOf(on: Reducing, resultingIds: readonly string[]): JsonObject {
  return transaction(on, "CONVERSION", {
    quantity_converted: formatDecimal(on.quantity),
    resulting_security_ids: resultingIds,
    balance_security_id: on.balanceId,
  });
}

/** TX_STOCK_REPURCHASE; `price` is per share. */
export function repurchaseOf(on: Reducing, price: string, consideration: string | null): JsonObject {
  return transaction(on, "REPURCHASE", {
    price: money(price, on.currency),
    quantity: formatDecimal(on.quantity),
    consideration_text: consideration,
    balance_security_id: on.balanceId,
  });
}

/** TX_STOCK_REISSUANCE: new certificates for old, under a split where `splitId` names one. */
export function reissuanceOf(
  on: OnSecurity,
  resultingIds: readonly string[],
  splitId: string | null,
  reason: string,
): JsonObject {
  return transaction(on, "REISSUANCE", {
    resulting_security_ids: resultingIds,
    split_transaction_id: splitId,
    reason_text: reason,
  });
}

/** The member that says how much: shares, or an amount in the currency of `invested`. */
export function quantityMembers(quantity: Decimal, invested: JsonObject | null): JsonObject {
  const text = formatDecimal(quantity);
  return invested === null ? { quantity: text } : { investment_amount: { ...invested, amount: text } };
}
