// Payments of an exit value to each unit, exactly and in cents. Pure.
import { greatestCommonDivisor, ONE } from "../../../kernel/numbers/decimal.ts";
import { add, type Fraction, fraction, isPositive, isZero, NOTHING, times, toCents } from "../fraction.ts";
import { type Course, measureAt, priceAt, type Segment, type Share, slopeOf } from "./segments.ts";

/** How a unit comes out. */
export type Outcome =
  | "CASH"
  | "CONVERTS"
  | "PREFERENCE"
  | "PARTICIPATES"
  | "CAPPED"
  | "COMMON"
  | "EXERCISED"
  | "OUT_OF_THE_MONEY";

/** What is paid at a value. */
export interface Payments {
  readonly segment: Segment | null;
  readonly price: Fraction;
  /** In cents, by unit. */
  readonly cents: readonly bigint[];
  /** Whether a unit gets anything at all, less than a cent too. */
  readonly isPaid: readonly boolean[];
  readonly paid: bigint;
}

/** Bits of a remainder that are looked at first: those of few are alike. */
const GLANCE = 64n;

/** An amount in cents: whole ones, and what is left as `rest ÷ denominator`, with its first bits. */
interface Amount {
  readonly unit: number;
  readonly glance: bigint;
  readonly rest: bigint;
  readonly denominator: bigint;
}

/** Pays units at values of one course. */
export class Payer {
  readonly #course: Course;
  readonly #units: number;

  constructor(course: Course) {
    this.#course = course;
    this.#units = course.game.stake.units.length;
  }

  /**
   * What a distributable value, in cents, pays. A unit's amount is a short line in two measures, the price and the
   * worth of all that parts are of; so each takes one product and one quotient of a long number.
   */
  pay(distributable: bigint): Payments {
    const value = fraction(distributable, 100n);
    const segment = this.#course.at(value);
    const cents = new Array<bigint>(this.#units).fill(0n);
    const isPaid = new Array<boolean>(this.#units).fill(false);
    if (segment === null) return { segment, price: NOTHING, cents, isPaid, paid: 0n };
    const x = measureAt(segment, value);
    const worth = isZero(segment.whole) ? NOTHING : times(x, segment.whole);
    let sum = 0n;
    const amounts = segment.shares.map(({ unit, fixed, slope, part }): Amount => {
      const { n, d } = isZero(part) ? line(fixed, slope, x) : line(fixed, part, worth);
      const scaled = (n * 100n) << GLANCE;
      const quotient = scaled / d;
      const whole = quotient >> GLANCE;
      cents[unit] = whole;
      isPaid[unit] = n > 0n;
      sum += whole;
      return { unit, glance: quotient - (whole << GLANCE), rest: n * 100n - whole * d, denominator: d };
    });
    // A state divides all of the value; tiers too, unless no unit has a claim to more.
    const paid = isPositive(segment.slope) ? distributable : toCents(segment.offset) / (ONE / 100n);
    const missing = Number(paid - sum);
    if (missing > 0) for (const { unit } of largest(amounts, missing)) cents[unit] = (cents[unit] ?? 0n) + 1n;
    return { segment, price: priceAt(segment, value), cents, isPaid, paid };
  }
}

/** `fixed + slope × x`, unreduced. */
function line(fixed: Fraction, slope: Fraction, x: Fraction): Fraction {
  if (isZero(slope)) return fixed;
  if (isZero(fixed)) return { n: slope.n * x.n, d: slope.d * x.d };
  const { n, d } = add(fixed, { n: 0n, d: slope.d });
  return { n: n * x.d + slope.n * (d / slope.d) * x.n, d: d * x.d };
}

/** Those with the largest remainders, ties to the earlier. */
function largest(amounts: readonly Amount[], count: number): readonly Amount[] {
  const sorted = [...amounts].sort((a, b) => {
    if (a.glance !== b.glance) return a.glance > b.glance ? -1 : 1;
    const [one, other] = [a.rest * b.denominator, b.rest * a.denominator];
    return one === other ? a.unit - b.unit : one > other ? -1 : 1;
  });
  return sorted.slice(0, count);
}

/** The least common multiple. */
function multiple(a: bigint, b: bigint): bigint {
  return b === 1n || a % b === 0n ? a : (a / greatestCommonDivisor(a, b)) * b;
}

/** What a unit gets exactly where the segment's measure is x. */
export function exactPay(segment: Segment, share: Share | undefined, x: Fraction): Fraction {
  return share ? add(share.fixed, times(slopeOf(segment, share), x)) : NOTHING;
}

/** Whole numbers in the proportion of what units get of each further unit of money. */
export function slopesInProportion({ whole }: Segment, shares: readonly Share[]): readonly bigint[] {
  const [n, d] = isZero(whole) ? [0n, 1n] : [whole.n, whole.d];
  const slopes = shares.map(({ slope, part }) =>
    isZero(part) ? { n: slope.n * d, d: slope.d } : { n: part.n * n, d: part.d },
  );
  let denominator = 1n;
  for (const each of slopes) denominator = multiple(denominator, each.d);
  return slopes.map((each) => each.n * (denominator / each.d));
}
