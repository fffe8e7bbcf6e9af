// Price paid for a security: its price times the issued shares, and the tolerance for another stated total. Pure.
import {
  abs,
  type Decimal,
  formatDecimal,
  max,
  multiply,
  ONE,
  parseDecimal,
  scale,
} from "../../kernel/numbers/decimal.ts";
import type { Warning } from "../../kernel/warning.ts";
import { membersOf } from "../members.ts";
import type { EntryDraft } from "../types.ts";

/** Price × quantity as text, half even to 10 places; null without a price. */
export function totalPrice(pricePerShare: string | null, quantity: Decimal): string | null {
  return pricePerShare === null ? null : formatDecimal(multiply(parseDecimal(pricePerShare), quantity));
}

/**
 * The shares paid for by the entry that creates a security: a conversion's results; of an exercise the gross number,
 * whose strike is paid whatever is withheld.
 */
export function paidShares(entry: Pick<EntryDraft, "type" | "quantity" | "metadata">): Decimal {
  const { isConversion, resultingQuantity } = membersOf(entry);
  const isConverted = entry.type === "CONVERTIBLE_CONVERSION" || isConversion;
  return parseDecimal((isConverted ? resultingQuantity : null) ?? entry.quantity ?? "0");
}

const CENT = ONE / 100n;

/** The last place to which a price is written, at least a cent's. */
function lastPlace(price: string): Decimal {
  const places = price.split(".")[1]?.length ?? 0;
  const unit = scale(ONE, 1n, 10n ** BigInt(places));
  return unit < CENT ? unit : CENT;
}

/**
 * Warns of a total that is not price × quantity: off by more than a cent, and by more than the rounding of the price's
 * last place explains.
 */
export function differingTotal(total: string | null, price: string | null, quantity: Decimal): readonly Warning[] {
  if (total === null || price === null) return [];
  const product = multiply(parseDecimal(price), quantity);
  const rounding = max(CENT, multiply(quantity, lastPlace(price)) / 2n);
  if (abs(parseDecimal(total) - product) <= rounding) return [];
  const detail = `The stated total is ${total}, but ${formatDecimal(quantity)} at ${price} are ${formatDecimal(product)}.`;
  return [{ code: "consideration-differs", detail }];
}
