// Numbers between two bounds, each a whole count of 2^−192: what an exit is cut by are long fractions, most of which are
// only compared. Their bounds tell which is more, nearly always, at a fraction of the cost; where they do not, and where
// a number is answered, it is worked out exactly. All are zero or more. Pure.
import { compare, type Fraction } from "../fraction.ts";

const BITS = 192n;

export interface Bounds {
  readonly low: bigint;
  readonly high: bigint;
}

export const ZERO_BOUNDS: Bounds = { low: 0n, high: 0n };

/** The bounds of a fraction that is not below zero. */
export function boundsOf({ n, d }: Fraction): Bounds {
  if (n < 0n) throw new Error("bounds are of numbers from zero on");
  const scaled = n << BITS;
  const low = scaled / d;
  return { low, high: low * d === scaled ? low : low + 1n };
}

export function plus(...all: readonly Bounds[]): Bounds {
  let [low, high] = [0n, 0n];
  for (const each of all) {
    low += each.low;
    high += each.high;
  }
  return { low, high };
}

export function product(a: Bounds, b: Bounds): Bounds {
  return { low: productBelow(a.low, b.low), high: productAbove(a.high, b.high) };
}

/** `a ÷ b` for a `b` whose lower bound is above zero. */
export function quotient(a: Bounds, b: Bounds): Bounds {
  return { low: (a.low << BITS) / b.high, high: (a.high << BITS) / b.low + 1n };
}

/** No more than the product of two bounds. */
export function productBelow(a: bigint, b: bigint): bigint {
  return (a * b) >> BITS;
}

/** No less than it. */
export function productAbove(a: bigint, b: bigint): bigint {
  return -((-a * b) >> BITS);
}

/** A number known by its bounds, and computed exactly on first request. */
export class Value {
  #exact: Fraction | null = null;

  constructor(
    readonly bounds: Bounds,
    readonly work: () => Fraction,
  ) {}

  static of(exact: Fraction): Value {
    return new Value(boundsOf(exact), () => exact);
  }

  get exact(): Fraction {
    this.#exact ??= this.work();
    return this.#exact;
  }
}

/** Below zero where `a` is less than `b`, above where it is more. */
export function compareValues(a: Value, b: Value): number {
  if (a === b) return 0;
  if (a.bounds.high < b.bounds.low) return -1;
  if (a.bounds.low > b.bounds.high) return 1;
  return compare(a.exact, b.exact);
}
