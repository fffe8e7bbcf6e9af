// Columns that add up: each figure is cut off at its last place, and what is then missing goes unit by unit to the
// largest remainders, ties to the earlier row (the method of Hamilton). So the parts of a whole sum to it, whatever
// they are. Pure.
import { floorDivide } from "./decimal.ts";

/** Which of two rows comes first where what is cut off of both is as much: negative where the first one given does. */
export type Ties = (a: number, b: number) => number;

const EARLIER_FIRST: Ties = (a, b) => a - b;

/**
 * Divides `units` in proportion to the weights, none of which is negative; all zero where all weights are. Weights are
 * integers or fractions of one denominator, which plays no part. Ties go to the earlier row unless `ties` says else.
 */
export function apportion(units: bigint, weights: readonly bigint[], ties = EARLIER_FIRST): bigint[] {
  let whole = 0n;
  for (const weight of weights) whole += weight;
  if (whole === 0n) return weights.map(() => 0n);
  const parts: bigint[] = [];
  const rests: bigint[] = [];
  for (const weight of weights) {
    const share = weight * units;
    const part = share / whole;
    parts.push(part);
    rests.push(share - part * whole);
  }
  return handOut(units, parts, rests, ties);
}

/**
 * Cuts amounts off at the unit and gives what is missing from `units` to the largest remainders; the amounts are
 * numerators over `denominator`, counted in units.
 */
export function cutOff(units: bigint, amounts: readonly bigint[], denominator: bigint): bigint[] {
  const parts = amounts.map((amount) => floorDivide(amount, denominator));
  const rests = parts.map((part, index) => (amounts[index] ?? 0n) - part * denominator);
  return handOut(units, parts, rests, EARLIER_FIRST);
}

function handOut(units: bigint, parts: bigint[], rests: readonly bigint[], ties: Ties): bigint[] {
  let missing = units;
  for (const part of parts) missing -= part;
  for (const index of largest(rests, Number(missing), ties)) parts[index] = (parts[index] ?? 0n) + 1n;
  return parts;
}

/**
 * The places of the `count` largest amounts. Of thousands of them only those near the smallest of these have to be
 * compared exactly: a larger amount never rounds to less than a smaller one does.
 */
function largest(amounts: readonly bigint[], count: number, ties: Ties): number[] {
  if (count <= 0) return [];
  const rounded = Float64Array.from(amounts, Number);
  const least = rounded.toSorted()[Math.max(rounded.length - count, 0)] ?? 0;
  const [chosen, near]: [number[], number[]] = [[], []];
  for (let index = 0; index < rounded.length; index++) {
    const size = rounded[index] ?? 0;
    if (size > least) chosen.push(index);
    else if (size === least) near.push(index);
  }
  near.sort((a, b) => {
    const [one, other] = [amounts[a] ?? 0n, amounts[b] ?? 0n];
    return one === other ? ties(a, b) : one > other ? -1 : 1;
  });
  return [...chosen, ...near.slice(0, count - chosen.length)];
}

const HUNDRED = 100_000_000n;

/** Six places, always written out: `"12.500000"`. */
export function percentText(millionths: bigint): string {
  const digits = (millionths < 0n ? -millionths : millionths).toString().padStart(7, "0");
  return `${millionths < 0n ? "-" : ""}${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

/** Percentages of the whole that sum to exactly `100.000000`, in millionths of one percent point. */
export function percentColumn(weights: readonly bigint[], ties = EARLIER_FIRST): bigint[] {
  return apportion(HUNDRED, weights, ties);
}
