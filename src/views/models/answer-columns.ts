// Percentages of fractions, and cents. Pure.
import { percentText } from "../../kernel/numbers/columns.ts";
import { type Decimal, formatDecimal, ONE } from "../../kernel/numbers/decimal.ts";
import { type Fraction, fraction, roundTo } from "./fraction.ts";

/** One percentage, rounded half even, in millionths; 0 of a whole of nothing. */
export function percentOf(part: Fraction, whole: Fraction): bigint {
  if (whole.n === 0n) return 0n;
  return roundTo(fraction(part.n * whole.d * 100n, part.d * whole.n), 6) / 10_000n;
}

/** The same of decimals, written out. */
export function percentOfDecimals(part: Decimal, whole: Decimal): string {
  return percentText(percentOf({ n: part, d: ONE }, { n: whole, d: ONE }));
}

/** Cents of a decimal that has at most two places. */
export function centsOf(value: Decimal): bigint {
  return value / (ONE / 100n);
}

/** Cents as text: `"10.5"`. */
export function centsText(cents: bigint): string {
  return formatDecimal(cents * (ONE / 100n));
}
