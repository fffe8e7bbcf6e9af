// Columns that add up: each figure is cut off at its last place, and what is then missing goes unit by unit to the
// largest remainders, ties to the earlier row (the method of Hamilton). So the parts of a whole sum to it, whatever
// they are. Pure.
import { floorDivide } from "./decimal.ts";

/**
 * Divides `units` in proportion to the weights, none of which is negative; all zero where all weights are. Weights are
 * integers or fractions of one denominator, which plays no part.
 */
export function apportion(units: bigint, weights: readonly bigint[]): bigint[] {
  let whole = 0n;
  for (const weight of weights) whole += weight;
  if (whole === 0n) return weights.map(() => 0n);
  const parts = weights.map((weight) => (weight * units) / whole);
  const remainders = weights.map((weight) => (weight * units) % whole);
  return handOut(units, parts, (index) => remainders[index] ?? 0n);
}

/**
 * Cuts amounts off at the unit and gives what is missing from `units` to the largest remainders; the amounts are
 * numerators over `denominator`, counted in units.
 */
export function cutOff(units: bigint, amounts: readonly bigint[], denominator: bigint): bigint[] {
  const parts = amounts.map((amount) => floorDivide(amount, denominator));
  return handOut(units, parts, (index) => (amounts[index] ?? 0n) - (parts[index] ?? 0n) * denominator);
}

function handOut(units: bigint, parts: bigint[], remainder: (index: number) => bigint): bigint[] {
  let missing = units;
  for (const part of parts) missing -= part;
  if (missing <= 0n) return parts;
  const order = parts.map((_part, index) => ({ index, rest: remainder(index) }));
  order.sort((a, b) => (a.rest === b.rest ? a.index - b.index : a.rest > b.rest ? -1 : 1));
  for (const { index } of order.slice(0, Number(missing))) parts[index] = (parts[index] ?? 0n) + 1n;
  return parts;
}

const HUNDRED = 100_000_000n;

/** Six places, always written out: `"12.500000"`. */
export function percentText(millionths: bigint): string {
  const digits = (millionths < 0n ? -millionths : millionths).toString().padStart(7, "0");
  return `${millionths < 0n ? "-" : ""}${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

/** Percentages of the whole that sum to exactly `100.000000`, in millionths of one percent point. */
export function percentColumn(weights: readonly bigint[]): bigint[] {
  return apportion(HUNDRED, weights);
}
