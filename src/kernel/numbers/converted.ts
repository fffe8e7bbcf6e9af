// What shares of a class count as converted: each security by a ratio, in whole shares. Pure.
import { type Decimal, floorDivide, ONE } from "./decimal.ts";

/** `numerator ÷ denominator` shares for one. */
export interface Ratio {
  readonly numerator: Decimal;
  readonly denominator: Decimal;
}

/** How a right makes shares whole. */
export type RightRounding = "FLOOR" | "CEILING" | "NORMAL";

/** What a quantity of a class counts as converted, in whole shares; of a class that counts one for one, itself. */
export function convertedBy(
  quantity: Decimal,
  conversion: { readonly ratio: Ratio; readonly rounding: RightRounding } | null | undefined,
): Decimal {
  if (!conversion) return quantity;
  const { numerator, denominator } = conversion.ratio;
  if (numerator === denominator) return quantity;
  return wholeShares(quantity * numerator, denominator * ONE, conversion.rounding);
}

/** `n ÷ d` shares as whole ones by a right's rule; `NORMAL` takes halves up. `d` is positive. */
export function wholeShares(n: bigint, d: bigint, rounding: RightRounding): Decimal {
  if (rounding === "FLOOR") return floorDivide(n, d) * ONE;
  if (rounding === "CEILING") return -floorDivide(-n, d) * ONE;
  return floorDivide(2n * n + d, 2n * d) * ONE;
}
