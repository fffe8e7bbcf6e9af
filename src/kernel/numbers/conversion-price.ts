// Whether the conversion price of a right is what its ratio comes to: the class's price divided by the ratio. Pure.
import { type Decimal, divideHalfEven, formatDecimal, max, ZERO } from "./decimal.ts";

/** A price and a right, as numbers. */
export interface PricedRight {
  readonly price: Decimal;
  readonly ratio: { readonly numerator: Decimal; readonly denominator: Decimal };
  readonly conversionPrice: Decimal;
}

/** By how much it may be off, for both are rounded: a millionth, or one of the tenth place. */
const PART = 1_000_000n;

/** The conversion price that the ratio comes to, where the one that is told is another; else null. */
export function differingPrice({ price, ratio, conversionPrice }: PricedRight): Decimal | null {
  const { numerator, denominator } = ratio;
  if (numerator === ZERO) return null;
  const [own, given] = [price * denominator, conversionPrice * numerator];
  const away = own > given ? own - given : given - own;
  return away <= max(own / PART, numerator) ? null : divideHalfEven(own, numerator);
}

/** What is said of it. */
export function differingWords(name: string, right: PricedRight, exact: Decimal): string {
  const [price, told] = [formatDecimal(right.price), formatDecimal(right.conversionPrice)];
  const ratio = `${formatDecimal(right.ratio.numerator)}:${formatDecimal(right.ratio.denominator)}`;
  return `${name} at ${price} converts ${ratio}: that comes to a conversion price of ${formatDecimal(exact)}, not ${told}.`;
}
