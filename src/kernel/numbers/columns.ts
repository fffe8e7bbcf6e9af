// Columns that add up: each figure is cut off at its last place, and the missing units go one by one to the largest
// remainders, ties to the earlier row (the method of Hamilton). So the parts of a whole always sum to it. Pure.
import { floorDivide } from "./decimal.ts";

/** Breaks a tie between rows with equal remainders: negative if the first argument comes first. */
export type Ties = (a: number, b: number) => number;

const EARLIER_FIRST: Ties = (a, b) => a - b;

/**
 * Divides `units` in proportion to the weights, which are not negative; all zero if all weights are. Weights are
 * integers or fractions of one denominator, which cancels out. Ties go to the earlier row unless `ties` decides
 * otherwise.
 */
export function apportion(units: bigint, weights: readonly bigint[], ties = EARLIER_FIRST): bigint[] {
  return new Column(units, weights, ties).all();
}

/**
 * Cuts amounts off at the unit and gives the units missing from `units` to the largest remainders; the amounts are
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
  // A larger amount never rounds to less than a smaller one.
  const rounded = Float64Array.from(rests, Number);
  const chosen = largest(rounded, { count: Number(missing), slack: 0, exact: (place) => rests[place] ?? 0n, ties });
  for (const place of chosen) parts[place] = (parts[place] ?? 0n) + 1n;
  return parts;
}

/** How many of the largest amounts to find, and how to compare amounts that floats cannot tell apart. */
interface Largest {
  readonly count: number;
  /** Amounts that differ by more are in the order of their floats. */
  readonly slack: number;
  readonly exact: (place: number) => bigint;
  readonly ties: Ties;
}

/**
 * The indexes of the largest amounts. Among thousands only those near the smallest of these need an exact comparison.
 */
function largest(rounded: Float64Array, { count, slack, exact, ties }: Largest): number[] {
  if (count <= 0) return [];
  const least = rounded.toSorted()[Math.max(rounded.length - count, 0)] ?? 0;
  const [chosen, near]: [number[], { readonly place: number; readonly amount: bigint }[]] = [[], []];
  for (let place = 0; place < rounded.length; place++) {
    const size = rounded[place] ?? 0;
    if (size > least + slack) chosen.push(place);
    else if (size >= least - slack) near.push({ place, amount: exact(place) });
  }
  near.sort((a, b) => (a.amount === b.amount ? ties(a.place, b.place) : a.amount > b.amount ? -1 : 1));
  for (const { place } of near.slice(0, count - chosen.length)) chosen.push(place);
  return chosen;
}

/** Floats decide parts of up to so many units, with an error of some 2^-23 of a unit. */
const ROUGH_UNITS_MAX = 2n ** 28n;
const ERROR = 2 ** -20;
/** A larger whole is not a finite float. */
const ROUGH_WHOLE_MAX = 2n ** 900n;

/** Parts cut off exactly, and their remainders in units, as floats with an error of up to {@link ERROR}. */
interface Cut {
  readonly parts: Float64Array;
  readonly rests: Float64Array;
  /** The units left to hand out. */
  readonly missing: number;
}

/**
 * `units` divided in proportion to weights as {@link apportion} does it, all parts or single ones. An exact division
 * for each of thousands of rows takes longer than the rest of a view, so floats decide where they can; only parts near
 * a whole unit, or near the last remainder that gets a unit, are divided exactly.
 */
export class Column {
  readonly #units: bigint;
  readonly #weights: readonly bigint[];
  readonly #ties: Ties;
  readonly #whole: bigint;
  #cut: Cut | null = null;
  #all: bigint[] | null = null;

  constructor(units: bigint, weights: readonly bigint[], ties = EARLIER_FIRST) {
    [this.#units, this.#weights, this.#ties] = [units, weights, ties];
    let whole = 0n;
    for (const weight of weights) whole += weight;
    this.#whole = whole;
  }

  /** Every part. */
  all(): bigint[] {
    this.#all ??= this.#isRough() ? this.#allRoughly() : this.#allExactly();
    return this.#all;
  }

  /** The part of one row; zero if the row does not exist. */
  part(place: number): bigint {
    const isKnown = this.#all !== null || !this.#isRough() || this.#weights[place] === undefined;
    return isKnown ? (this.all()[place] ?? 0n) : this.#partRoughly(place);
  }

  #isRough(): boolean {
    return this.#whole > 0n && this.#whole < ROUGH_WHOLE_MAX && this.#units > 0n && this.#units < ROUGH_UNITS_MAX;
  }

  #allExactly(): bigint[] {
    if (this.#whole === 0n) return this.#weights.map(() => 0n);
    const parts = this.#weights.map((weight) => (weight * this.#units) / this.#whole);
    return handOut(
      this.#units,
      parts,
      parts.map((_part, place) => this.#rest(place)),
      this.#ties,
    );
  }

  #allRoughly(): bigint[] {
    const { parts, rests, missing: count } = this.#cutRoughly();
    const whole = Array.from(parts, BigInt);
    // Two floats, each with that error.
    const told = { count, slack: 2 * ERROR, exact: (place: number) => this.#rest(place), ties: this.#ties };
    for (const place of largest(rests, told)) whole[place] = (whole[place] ?? 0n) + 1n;
    return whole;
  }

  #partRoughly(place: number): bigint {
    const { parts, rests, missing } = this.#cutRoughly();
    const part = BigInt(parts[place] ?? 0);
    return this.#countBefore(place, rests, missing) < missing ? part + 1n : part;
  }

  /** The number of rows that get a unit before this one, counted up to `enough`. */
  #countBefore(place: number, rests: Float64Array, enough: number): number {
    const rest = rests[place] ?? 0;
    const exact = this.#rest(place);
    let count = 0;
    for (let other = 0; other < rests.length && count < enough; other++) {
      const away = (rests[other] ?? 0) - rest;
      if (away > 2 * ERROR) count++;
      else if (away >= -2 * ERROR && other !== place) {
        const amount = this.#rest(other);
        if (amount > exact || (amount === exact && this.#ties(other, place) < 0)) count++;
      }
    }
    return count;
  }

  /** The remainder of a row's part, over the whole. */
  #rest(place: number): bigint {
    return ((this.#weights[place] ?? 0n) * this.#units) % this.#whole;
  }

  #cutRoughly(): Cut {
    this.#cut ??= this.#makeCut();
    return this.#cut;
  }

  #makeCut(): Cut {
    const [weights, units, whole] = [this.#weights, this.#units, this.#whole];
    const each = Number(units) / Number(whole);
    const [parts, rests] = [new Float64Array(weights.length), new Float64Array(weights.length)];
    let missing = Number(units);
    for (let place = 0; place < weights.length; place++) {
      const share = Number(weights[place] ?? 0n) * each;
      let part = Math.floor(share);
      let rest = share - part;
      if (rest < ERROR || rest > 1 - ERROR) {
        const exact = (weights[place] ?? 0n) * units;
        part = Number(exact / whole);
        rest = Number(exact % whole) / Number(whole);
      }
      parts[place] = part;
      rests[place] = rest;
      missing -= part;
    }
    return { parts, rests, missing };
  }
}

const HUNDRED = 100_000_000n;

/** Six places, always written out: `"12.500000"`. */
export function percentText(millionths: bigint): string {
  const digits = (millionths < 0n ? -millionths : millionths).toString().padStart(7, "0");
  return `${millionths < 0n ? "-" : ""}${digits.slice(0, -6)}.${digits.slice(-6)}`;
}

/** Percentages of the whole that sum to exactly `100.000000`, in millionths of one percent point. */
export function percentColumn(weights: readonly bigint[], ties = EARLIER_FIRST): bigint[] {
  return columnOfPercents(weights, ties).all();
}

/** The same percentages, computed one by one on request. */
export function columnOfPercents(weights: readonly bigint[], ties: Ties): Column {
  return new Column(HUNDRED, weights, ties);
}
