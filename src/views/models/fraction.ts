// Exact fractions of integers: what models compute with, and round once, where a figure is shown. Pure.
//
// A fraction is kept as it comes, and reduced only when it has grown long: a common divisor costs far more than a
// product of short numbers, and comparing needs none. So two equal fractions may have different members; ask `compare`.
import { type Decimal, divideHalfEven, floorDivide, greatestCommonDivisor, ONE } from "../../kernel/numbers/decimal.ts";

/** `n ÷ d`; `d` is positive. */
export interface Fraction {
  readonly n: bigint;
  readonly d: bigint;
}

/** Longer than what sums of some hundred terms come to: those have no divisor that is worth its search. */
const LONG = 1n << 16_384n;
/** 0 and 1. */
export const NOTHING: Fraction = { n: 0n, d: 1n };
export const WHOLE: Fraction = { n: 1n, d: 1n };

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}

/** In lowest terms. */
export function reduced({ n, d }: Fraction): Fraction {
  const divisor = greatestCommonDivisor(magnitude(n), d);
  return divisor === 1n ? { n, d } : { n: n / divisor, d: d / divisor };
}

function made(n: bigint, d: bigint): Fraction {
  return d > LONG ? reduced({ n, d }) : { n, d };
}

/** `n ÷ d` for a `d` that is not zero. */
export function fraction(n: bigint, d = 1n): Fraction {
  return d < 0n ? made(-n, -d) : made(n, d);
}

/** A decimal as a fraction. */
export function ofDecimal(value: Decimal): Fraction {
  return value % ONE === 0n ? { n: value / ONE, d: 1n } : { n: value, d: ONE };
}

/** A percentage as a fraction: 20 is 1/5. */
export function ofPercent(value: Decimal): Fraction {
  return { n: value, d: 100n * ONE };
}

export function add(a: Fraction, b: Fraction): Fraction {
  if (a.d === b.d) return { n: a.n + b.n, d: a.d };
  // Sums of parts come back to denominators that hold those of before.
  if (a.d % b.d === 0n) return { n: a.n + b.n * (a.d / b.d), d: a.d };
  if (b.d % a.d === 0n) return { n: a.n * (b.d / a.d) + b.n, d: b.d };
  return made(a.n * b.d + b.n * a.d, a.d * b.d);
}

export function subtract(a: Fraction, { n, d }: Fraction): Fraction {
  return add(a, { n: -n, d });
}

export function times(a: Fraction, b: Fraction): Fraction {
  return made(a.n * b.n, a.d * b.d);
}

/** `a ÷ b` for a `b` that is not zero. */
export function over(a: Fraction, b: Fraction): Fraction {
  return fraction(a.n * b.d, a.d * b.n);
}

/** Below zero where `a` is less than `b`, above where it is more. */
export function compare(a: Fraction, b: Fraction): number {
  const difference = a.d === b.d ? a.n - b.n : a.n * b.d - b.n * a.d;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

export function isPositive({ n }: Fraction): boolean {
  return n > 0n;
}

export function isZero({ n }: Fraction): boolean {
  return n === 0n;
}

export function least(a: Fraction, b: Fraction): Fraction {
  return compare(b, a) < 0 ? b : a;
}

export function greatest(a: Fraction, b: Fraction): Fraction {
  return compare(b, a) > 0 ? b : a;
}

/** The sum, added up in pairs, so that long denominators meet late. */
export function total(values: readonly Fraction[]): Fraction {
  const alike = new Map<bigint, bigint>();
  for (const { n, d } of values) alike.set(d, (alike.get(d) ?? 0n) + n);
  let level: Fraction[] = [...alike].map(([d, n]) => ({ n, d }));
  while (level.length > 1) {
    const next: Fraction[] = [];
    for (let index = 0; index < level.length; index += 2) {
      const [one, other] = [level[index], level[index + 1]];
      if (one) next.push(other ? add(one, other) : one);
    }
    level = next;
  }
  return level[0] ?? NOTHING;
}

/** The whole number below, and above. */
export function floor({ n, d }: Fraction): bigint {
  return floorDivide(n, d);
}

export function ceiling({ n, d }: Fraction): bigint {
  return -floorDivide(-n, d);
}

/** To so many places (at most 10), half even. */
export function roundTo({ n, d }: Fraction, places: number): Decimal {
  return divideHalfEven(n * 10n ** BigInt(places), d) * 10n ** BigInt(10 - places);
}

/** To 10 places, half even: as shares, prices and claims are shown. */
export function shown(value: Fraction): Decimal {
  return roundTo(value, 10);
}

/** To the cent, half even: as money is shown. */
export function toCents(value: Fraction): Decimal {
  return roundTo(value, 2);
}
