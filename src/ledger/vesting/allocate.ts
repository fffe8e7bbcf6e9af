// Allocation: the seven ways to distribute a grant over its events, each by the OCF definition of the same name (18
// shares in 4: 5-4-5-4, 4-5-4-5, 5-5-4-4, 4-4-5-5, 6-4-4-4, 4-4-4-6, 4.5 each). Exact integers only; no dates.

import type { AllocationMethod } from "../../kernel/allocation-method.ts";
import { type Decimal, floorDivide, max, min, ONE, scale, sum, ZERO } from "../../kernel/numbers/decimal.ts";

/**
 * Shares `quantity` out over events. `portions` are the events' parts of it, in order, counted in `whole`ths. When they
 * reach the whole, the result sums to `quantity` exactly, fractions of a share included; else to their part of it,
 * rounded as the method rounds. Portions beyond the whole get nothing.
 */
export function allocate(
  method: AllocationMethod,
  quantity: Decimal,
  portions: readonly bigint[],
  whole: bigint,
): readonly Decimal[] {
  const grant: Grant = { quantity, whole, portions: withinWhole(portions, whole) };
  switch (method) {
    case "CUMULATIVE_ROUNDING":
      return byRunningTotal(grant, wholeSharesNearest);
    case "CUMULATIVE_ROUND_DOWN":
      return byRunningTotal(grant, wholeSharesDown);
    case "FRONT_LOADED":
      return wholeSharesEach(grant, "first", ONE);
    case "BACK_LOADED":
      return wholeSharesEach(grant, "last", ONE);
    case "FRONT_LOADED_TO_SINGLE_TRANCHE":
      return wholeSharesEach(grant, "first", quantity);
    case "BACK_LOADED_TO_SINGLE_TRANCHE":
      return wholeSharesEach(grant, "last", quantity);
    case "FRACTIONAL":
      return tenPlacesEach(grant);
  }
}

/** Events' portions of a grant of `whole`, and what the first so many of them come to: one more than there are events. */
export interface Portions {
  readonly whole: bigint;
  readonly portions: readonly bigint[];
  readonly running: readonly bigint[];
}

/** The portions with their running total. */
export function totalled(portions: readonly bigint[], whole: bigint): Portions {
  const running = [0n];
  for (const portion of portions) running.push((running.at(-1) ?? 0n) + portion);
  return { whole, portions, running };
}

/** The shares of the first `count` events, for methods whose running total gives them without the others. */
export function allocatedTo(method: AllocationMethod, quantity: Decimal, events: Portions, count: number): Decimal {
  const { whole, portions, running } = events;
  const rounding = CUMULATIVE[method];
  if (rounding) return part({ quantity, whole, portions }, min(running[count] ?? whole, whole), rounding);
  return sum(allocate(method, quantity, portions, whole).slice(0, count));
}

interface Grant {
  readonly quantity: Decimal;
  readonly whole: bigint;
  readonly portions: readonly bigint[];
}

type Rounding = (grant: Grant, portion: bigint) => Decimal;

/** The methods by which the running total is rounded, and nothing else decides. */
const CUMULATIVE: Partial<Record<AllocationMethod, Rounding>> = {
  CUMULATIVE_ROUNDING: wholeSharesNearest,
  CUMULATIVE_ROUND_DOWN: wholeSharesDown,
};

function withinWhole(portions: readonly bigint[], whole: bigint): readonly bigint[] {
  let left = whole;
  return portions.map((portion) => {
    const taken = min(portion, left);
    left -= taken;
    return taken;
  });
}

function wholeSharesDown({ quantity, whole }: Grant, portion: bigint): Decimal {
  return floorDivide(quantity * portion, whole * ONE) * ONE;
}

/** The nearest whole number of shares, halves up: 4.5 is 5. */
function wholeSharesNearest({ quantity, whole }: Grant, portion: bigint): Decimal {
  return floorDivide(2n * quantity * portion + whole * ONE, 2n * whole * ONE) * ONE;
}

/** The shares of a `portion` of the grant: all of it for the whole, else as rounded, but never more than the grant. */
function part(grant: Grant, portion: bigint, rounding: Rounding): Decimal {
  return portion === grant.whole ? grant.quantity : min(grant.quantity, rounding(grant, portion));
}

/** Each event brings the total so far to the rounded part of the grant. */
function byRunningTotal(grant: Grant, rounding: Rounding): readonly Decimal[] {
  let portionSoFar = 0n;
  let given = ZERO;
  return grant.portions.map((portion) => {
    portionSoFar += portion;
    const before = given;
    given = part(grant, portionSoFar, rounding);
    return given - before;
  });
}

/** Whole shares for each event; the rest goes out from one end, up to `atOnce` for each event. */
function wholeSharesEach(grant: Grant, end: "first" | "last", atOnce: Decimal): readonly Decimal[] {
  const { portions } = grant;
  const shares = portions.map((portion) => wholeSharesDown(grant, portion));
  let rest = part(grant, sum(portions), wholeSharesDown) - sum(shares);
  for (let i = 0; i < shares.length && rest > ZERO; i++) {
    const at = end === "first" ? i : shares.length - 1 - i;
    if (portions[at] === 0n) continue;
    const extra = min(rest, atOnce);
    shares[at] = (shares[at] ?? ZERO) + extra;
    rest -= extra;
  }
  return shares;
}

/** Each event rounded to 10 places; the last one takes the rest. */
function tenPlacesEach(grant: Grant): readonly Decimal[] {
  const toTenPlaces: Rounding = ({ quantity, whole }, portion) => scale(quantity, portion, whole);
  const last = grant.portions.findLastIndex((portion) => portion > 0n);
  let left = part(grant, sum(grant.portions), toTenPlaces);
  return grant.portions.map((portion, i) => {
    const shares = i === last ? left : max(ZERO, min(left, toTenPlaces(grant, portion)));
    left -= shares;
    return shares;
  });
}
