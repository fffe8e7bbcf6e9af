// Ledger entries and the OCF transactions on securities that are no issuances. One function a shape; which entry takes
// which shape, and the ids of securities at that moment, are the export's and the import's to say. Pure.
import type { SecurityType } from "../../database/schema.ts";
import { type Decimal, formatDecimal } from "../../kernel/decimal.ts";
import type { JsonObject } from "../json.ts";
import { FAMILY } from "./issuance-to-ocf.ts";
import { commentsOf, compact, money } from "./values-to-ocf.ts";

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

function head(on: OnSecurity, action: string): JsonObject {
  return {
    object_type: `TX_${FAMILY[on.type]}_${action}`,
    id: on.id,
    date: on.date,
    security_id: on.securityId,
  };
}

function amount({ type, quantity, currency }: Reducing): JsonObject {
  const text = formatDecimal(quantity);
  return type === "CONVERTIBLE" ? { amount: money(text, currency) } : { quantity: text };
}

/** TX_…_TRANSFER. */
export function transferOf(on: Reducing, resultingId: string, consideration: string | null): JsonObject {
  return compact({
    ...head(on, "TRANSFER"),
    ...amount(on),
    resulting_security_ids: [resultingId],
    balance_security_id: on.balanceId,
    consideration_text: consideration,
    comments: commentsOf(...on.comments),
  });
}

/** TX_…_CANCELLATION. */
export function cancellationOf(on: Reducing, reason: string): JsonObject {
  return compact({
    ...head(on, "CANCELLATION"),
    ...amount(on),
    reason_text: reason,
    balance_security_id: on.balanceId,
    comments: commentsOf(...on.comments),
  });
}

/** TX_…_RETRACTION: as if never issued. */
export function retractionOf(on: OnSecurity, reason: string): JsonObject {
  return compact({ ...head(on, "RETRACTION"), reason_text: reason, comments: commentsOf(...on.comments) });
}

/** TX_EQUITY_COMPENSATION_EXERCISE: reduces the grant in place. */
export function optionExerciseOf(on: Reducing, resultingIds: readonly string[], consideration: string | null) {
  return compact({
    ...head(on, "EXERCISE"),
    quantity: formatDecimal(on.quantity),
    resulting_security_ids: resultingIds,
    consideration_text: consideration,
    comments: commentsOf(...on.comments),
  });
}

/** TX_WARRANT_EXERCISE: ends the warrant; what is left of it is one of the results. */
export function warrantExerciseOf(
  on: OnSecurity,
  triggerId: string,
  resultingIds: readonly string[],
  consideration: string | null,
): JsonObject {
  return compact({
    ...head(on, "EXERCISE"),
    trigger_id: triggerId,
    resulting_security_ids: resultingIds,
    consideration_text: consideration,
    comments: commentsOf(...on.comments),
  });
}

/** TX_CONVERTIBLE_CONVERSION. */
export function convertibleConversionOf(
  on: Reducing,
  triggerId: string,
  resultingIds: readonly string[],
  reason: string,
): JsonObject {
  return compact({
    ...head(on, "CONVERSION"),
    trigger_id: triggerId,
    reason_text: reason,
    quantity_converted: formatDecimal(on.quantity),
    resulting_security_ids: resultingIds,
    balance_security_id: on.balanceId,
    comments: commentsOf(...on.comments),
  });
}

/** TX_STOCK_CONVERSION. */
export function stockConversionOf(on: Reducing, resultingIds: readonly string[]): JsonObject {
  return compact({
    ...head(on, "CONVERSION"),
    quantity_converted: formatDecimal(on.quantity),
    resulting_security_ids: resultingIds,
    balance_security_id: on.balanceId,
    comments: commentsOf(...on.comments),
  });
}

/** TX_STOCK_REPURCHASE; `price` is per share. */
export function repurchaseOf(on: Reducing, price: string, consideration: string | null): JsonObject {
  return compact({
    ...head(on, "REPURCHASE"),
    price: money(price, on.currency),
    quantity: formatDecimal(on.quantity),
    consideration_text: consideration,
    balance_security_id: on.balanceId,
    comments: commentsOf(...on.comments),
  });
}

/** TX_STOCK_REISSUANCE: new certificates for old, under a split where `splitId` names one. */
export function reissuanceOf(
  on: OnSecurity,
  resultingIds: readonly string[],
  splitId: string | null,
  reason: string,
): JsonObject {
  return compact({
    ...head(on, "REISSUANCE"),
    resulting_security_ids: resultingIds,
    split_transaction_id: splitId,
    reason_text: reason,
    comments: commentsOf(...on.comments),
  });
}

/** TX_STOCK_PLAN_RETURN_TO_POOL; a quantity of zero says that nothing returned, whatever the plan's default. */
export function returnToPoolOf(on: OnSecurity, planId: string, quantity: Decimal, reason: string): JsonObject {
  return {
    object_type: "TX_STOCK_PLAN_RETURN_TO_POOL",
    id: on.id,
    date: on.date,
    security_id: on.securityId,
    stock_plan_id: planId,
    quantity: formatDecimal(quantity),
    reason_text: reason,
  };
}

/** TX_VESTING_START or TX_VESTING_EVENT. */
export function vestingOf(on: OnSecurity, kind: "START" | "EVENT", conditionId: string): JsonObject {
  return compact({
    object_type: `TX_VESTING_${kind}`,
    id: on.id,
    date: on.date,
    security_id: on.securityId,
    vesting_condition_id: conditionId,
    comments: commentsOf(...on.comments),
  });
}

/** TX_VESTING_ACCELERATION. */
export function accelerationOf(on: OnSecurity, quantity: string, reason: string): JsonObject {
  return compact({
    object_type: "TX_VESTING_ACCELERATION",
    id: on.id,
    date: on.date,
    security_id: on.securityId,
    quantity,
    reason_text: reason,
    comments: commentsOf(...on.comments),
  });
}

/** The member that says how much: shares, or an amount in the currency of `invested`. */
export function quantityMembers(quantity: Decimal, invested: JsonObject | null): JsonObject {
  const text = formatDecimal(quantity);
  return invested === null ? { quantity: text } : { investment_amount: { ...invested, amount: text } };
}
