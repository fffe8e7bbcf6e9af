// What each unit is paid at a value, exactly and in cents (MODELLING section 7.3). Pure.
import { divideHalfEven, greatestCommonDivisor } from "../../kernel/decimal.ts";
import { cutOff } from "../columns.ts";
import { add, type Fraction, fraction, NOTHING, times } from "../fraction.ts";
import { type Course, measureAt, priceAt, type Segment } from "./segments.ts";

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
  /** The exact amounts, on a denominator that they share. */
  readonly exact: readonly bigint[];
  readonly paid: bigint;
}

/** Lines of a segment on one denominator: `(fixed + slope × x)`, each a whole count of `1 ÷ denominator`. */
interface Whole {
  readonly denominator: bigint;
  readonly lines: readonly { readonly unit: number; readonly fixed: bigint; readonly slope: bigint }[];
}

/** Pays units at values of one course; what a segment needs is worked out once. */
export class Payer {
  readonly #course: Course;
  readonly #units: number;
  readonly #known = new Map<Segment, Whole>();

  constructor(course: Course) {
    this.#course = course;
    this.#units = course.game.stake.units.length;
  }

  /** What a distributable value, in cents, pays. */
  pay(distributable: bigint): Payments {
    const value = fraction(distributable, 100n);
    const segment = this.#course.at(value);
    const amounts = new Array<bigint>(this.#units).fill(0n);
    if (segment === null) return { segment, price: NOTHING, cents: amounts, exact: amounts, paid: 0n };
    const { denominator, lines } = this.#whole(segment);
    const x = measureAt(segment, value);
    let sum = 0n;
    for (const { unit, fixed, slope } of lines) {
      const amount = (fixed * x.d + slope * x.n) * 100n;
      amounts[unit] = amount;
      sum += amount;
    }
    const paid = divideHalfEven(sum, denominator * x.d);
    const cents = cutOff(paid, amounts, denominator * x.d);
    return { segment, price: priceAt(segment, value), cents, exact: amounts, paid };
  }

  #whole(segment: Segment): Whole {
    const known = this.#known.get(segment);
    if (known) return known;
    let denominator = 1n;
    for (const { fixed, slope } of segment.shares) {
      denominator = multiple(multiple(denominator, fixed.d), slope.d);
    }
    const lines = segment.shares.map(({ unit, fixed, slope }) => ({
      unit,
      fixed: fixed.n * (denominator / fixed.d),
      slope: slope.n * (denominator / slope.d),
    }));
    const whole = { denominator, lines };
    this.#known.set(segment, whole);
    return whole;
  }
}

/** The least common multiple. */
function multiple(a: bigint, b: bigint): bigint {
  return b === 1n || a % b === 0n ? a : (a / greatestCommonDivisor(a, b)) * b;
}

/** What a unit gets exactly where the segment's measure is x. */
export function exactPay(segment: Segment, unit: number, x: Fraction): Fraction {
  const share = segment.shares.find((each) => each.unit === unit);
  return share ? add(share.fixed, times(share.slope, x)) : NOTHING;
}

/** Whole numbers in the proportion of fractions that are not negative. */
export function inProportion(values: readonly Fraction[]): readonly bigint[] {
  let denominator = 1n;
  for (const { d } of values) denominator = multiple(denominator, d);
  return values.map(({ n, d }) => n * (denominator / d));
}
