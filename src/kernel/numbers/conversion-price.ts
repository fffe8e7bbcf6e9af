// Conversion prices: checks that a right's price equals the class's price divided by the ratio. Pure.
import { type Decimal, divideHalfEven, formatDecimal, max, ZERO } from "./decimal.ts";

/** A price and a right, as numbers. */
export interface PricedRight {
  readonly price: Decimal;
  readonly ratio: { readonly numerator: Decimal; readonly denominator: Decimal };
  readonly conversionPrice: Decimal;
}

/** The tolerance, for both are rounded: a millionth, or one unit of the tenth place. */
const PART = 1_000_000n;

/** The conversion price that follows from the ratio, if the stated one differs; else null. */
export function differingPrice({ price, ratio, conversionPrice }: PricedRight): Decimal | null {
  const { numerator, denominator } = ratio;
  if (numerator === ZERO) return null;
  const [own, given] = [price * denominator, conversionPrice * numerator];
  const away = own > given ? own - given : given - own;
  return away <= max(own / PART, numerator) ? null : divideHalfEven(own, numerator);
}

/** The warning's text. */
export function differingWords(name: string, right: PricedRight, exact: Decimal): string {
  const [price, told] = [formatDecimal(right.price), formatDecimal(right.conversionPrice)];
  const ratio = `${formatDecimal(right.ratio.numerator)}:${formatDecimal(right.ratio.denominator)}`;
  return `${name} at ${price} converts ${ratio}: that comes to a conversion price of ${formatDecimal(exact)}, not ${told}.`;
}
