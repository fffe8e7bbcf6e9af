// Transactions on securities as ledger entries (OCF.md section 7.9). In OCF a transaction ends its security, and what
// is left of it is issued anew: so an imported entry takes from its security and makes nothing (ledger/imported.ts).
// Pure.
import type { SecurityStatus, SecurityType } from "../../database/schema.ts";
import { type Decimal, max, min, ZERO } from "../../kernel/decimal.ts";
import type { TransactionType } from "../../ledger/types.ts";
import { type JsonObject, textOf, textsOf } from "../json.ts";
import type { ObjectType, SecurityAction } from "../schemas/registry.ts";
import { exactNumber } from "./values.ts";

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

/** The securities that a transaction acts on; none by an issuance. */
export function sourcesOf({
  type: { action },
  value,
}: {
  readonly type: ObjectType;
  readonly value: JsonObject;
}): string[] {
  if (action === "ISSUANCE") return [];
  return action === "CONSOLIDATION" ? textsOf(value, "security_ids") : [textOf(value, "security_id") ?? ""];
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

/**
 * What a transaction takes from a security that holds `held`: all of it, since OCF ends securities, but for exercises
 * and releases of equity compensation, and where a part is moved and nothing says where the rest is (DECISIONS 15).
 */
export function amountTaken(type: ObjectType, value: JsonObject, amount: Decimal | null, held: Decimal): Decimal {
  if (isInPlace(type)) return min(max(amount ?? held, ZERO), held);
  const { family, action } = type;
  const mayStay = action === "CANCELLATION" || action === "TRANSFER" || action === "REPURCHASE";
  const isPart = mayStay || (action === "CONVERSION" && family === "STOCK");
  if (!isPart || amount === null || balanceId(value) !== null) return held;
  return min(max(amount, ZERO), held);
}
