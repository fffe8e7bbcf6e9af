// As-converted counts: a share class's shares by its conversion ratio, in whole shares for each security. Pure.
import { type Decimal, floorDivide, ONE } from "./decimal.ts";

/** `numerator ÷ denominator` shares for one. */
export interface Ratio {
  readonly numerator: Decimal;
  readonly denominator: Decimal;
}

/** How a right rounds to whole shares: down, up, or to the nearest with halves up. */
export const RIGHT_ROUNDINGS = ["FLOOR", "CEILING", "NORMAL"] as const;
export type RightRounding = (typeof RIGHT_ROUNDINGS)[number];

/** A quantity of a class as converted, in whole shares; unchanged for a class that converts one for one. */
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
