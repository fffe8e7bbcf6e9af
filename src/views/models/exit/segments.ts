// Segments of an exit, which is linear between two breakpoints: from one value of what is distributed to the next every
// unit gets so much more for each further unit of money. First the tiers, each up to its claims; then the states. Pure.
import { firstPlace, firstPlaceIn } from "../../../kernel/text/search.ts";
import {
  add,
  compare,
  type Fraction,
  isPositive,
  isZero,
  NOTHING,
  over,
  subtract,
  times,
  total,
  WHOLE,
} from "../fraction.ts";
import type { Game } from "./game.ts";
import { paidBy, type Ramp } from "./ramp.ts";
import { type StateSpan, statesOf } from "./states.ts";
import type { Tier } from "./unit.ts";

/**
 * What a unit gets in a segment: `fixed + slope × x + part × L × x`, x the segment's own measure. Each is short;
 * L, and where the segment begins, may be long fractions, which no line repeats.
 */
export interface Share {
  readonly unit: number;
  readonly fixed: Fraction;
  readonly slope: Fraction;
  readonly part: Fraction;
}

/**
 * A straight piece, for values above `from` and up to where the next one begins. Its measure x is the fraction of a
 * tier's claims that is paid, or the price of common; it is `start` where the segment begins, and `offset + slope × x`
 * is the value.
 */
export interface Segment {
  readonly from: Fraction;
  readonly start: Fraction;
  readonly offset: Fraction;
  /** 0: no unit has a claim to more. */
  readonly slope: Fraction;
  /** L, the liquidity capitalization that parts are of. */
  readonly whole: Fraction;
  readonly tier: Tier | null;
  readonly state: StateSpan | null;
  readonly shares: readonly Share[];
}

/** An exit worked out: ask it for a value. */
export class Course {
  readonly segments: readonly Segment[];

  constructor(readonly game: Game) {
    this.segments = [...tierSegments(game), ...stateSegments(game)];
  }

  /** The segment of a value: the last that begins below it, or the first. */
  at(value: Fraction): Segment | null {
    const next = firstPlaceIn(this.segments, ({ from }) => compare(from, value) >= 0);
    return this.segments[Math.max(0, next - 1)] ?? null;
  }
}

/** The measure of a segment at a value. */
export function measureAt({ start, offset, slope }: Segment, value: Fraction): Fraction {
  return isPositive(slope) ? over(subtract(value, offset), slope) : start;
}

/** All that a unit gets for one more of the measure. */
export function slopeOf({ whole }: Segment, { slope, part }: Share): Fraction {
  return isZero(part) ? slope : add(slope, times(part, whole));
}

/** The price of common at a value: none is paid before all tiers are. */
export function priceAt(segment: Segment, value: Fraction): Fraction {
  return segment.tier ? NOTHING : measureAt(segment, value);
}

/**
 * The tiers, each from nothing of its claims to all of them; a warrant takes part with what a share gets less its
 * strike.
 */
function tierSegments({ stake, budget }: Game): readonly Segment[] {
  const segments: Segment[] = [];
  const paid = new Map<number, Fraction>();
  let from = NOTHING;
  for (const tier of stake.tiers) {
    const ramps = tierRamps(tier, stake.units);
    if (ramps.length === 0) continue;
    for (const { x, next } of pieces(ramps, NOTHING, WHOLE)) {
      const shares = sharesOf(paid, ramps, x);
      budget.hold(shares.length);
      const slope = total(shares.map((share) => share.slope));
      if (isPositive(slope)) {
        const offset = total(shares.map(({ fixed }) => fixed));
        segments.push({ from, start: x, offset, slope, whole: NOTHING, tier, state: null, shares });
        from = add(from, times(slope, subtract(next ?? WHOLE, x)));
      }
    }
    for (const ramp of ramps) put(paid, ramp.unit, paidBy(ramp, WHOLE));
  }
  return segments;
}

function tierRamps({ claims, calls }: Tier, units: Game["stake"]["units"]): readonly Ramp[] {
  return [
    ...claims.map(({ unit, amount }) => ({ unit, from: NOTHING, to: null, slope: amount })),
    ...calls.flatMap((unit) => {
      const { pay, count } = units[unit] ?? { pay: null, count: NOTHING };
      if (pay?.kind !== "PREFERRED_CALL" || compare(pay.share.claim, pay.strike) <= 0) return [];
      const slope = times(count, pay.share.claim);
      return [{ unit, from: over(pay.strike, pay.share.claim), to: null, slope }];
    }),
  ].filter(({ slope }) => isPositive(slope));
}

function stateSegments(game: Game): readonly Segment[] {
  return statesOf(game).flatMap((state) => segmentsOf(game, state));
}

/**
 * The straight pieces of a state, from the price at which it begins: the highest that pays no more than the value below
 * it.
 */
function segmentsOf(game: Game, state: StateSpan): readonly Segment[] {
  const { set, z, from: begin, to: end } = state;
  const points = game.pointsOf(set);
  const ramps = game.rampsOf(set);
  const claims = game.claimsByUnit(set, z);
  const parts = new Map(game.sharers.slice(0, z).map(({ unit, part }) => [unit, part]));
  const whole = game.capitalization(set, z);
  const valueAt = (place: number) => game.pays(set, z, points[place] ?? NOTHING);
  const segments: Segment[] = [];
  for (let place = firstPlace(points.length, (each) => compare(valueAt(each), begin) > 0) - 1; ; place += 1) {
    const x = points[Math.max(0, place)];
    if (x === undefined) break;
    const value = valueAt(Math.max(0, place));
    const isWithin = compare(value, begin) < 0;
    const from = isWithin ? begin : value;
    if (end !== null && compare(from, end) >= 0) break;
    const slope = game.slopeFrom(set, z, x);
    const isLast = place >= points.length - 1;
    if (isPositive(slope) || isLast) {
      const shares = sharesOf(claims, ramps, x, parts);
      game.budget.hold(shares.length);
      const offset = total(shares.map(({ fixed }) => fixed));
      const start = isWithin && isPositive(slope) ? over(subtract(begin, offset), slope) : x;
      segments.push({ from, start, offset, slope, whole, tier: null, state, shares });
    }
    if (place < 0) place = 0;
  }
  return segments;
}

/** The points between which the slopes of ramps stay the same, from one measure to another (null: without an end). */
function pieces(
  ramps: readonly Ramp[],
  start: Fraction,
  end: Fraction | null,
): readonly { readonly x: Fraction; readonly next: Fraction | null }[] {
  const points = ramps
    .flatMap(({ from, to }) => (to === null ? [from] : [from, to]))
    .filter((point) => compare(point, start) > 0 && (end === null || compare(point, end) < 0))
    .sort(compare)
    .filter((point, index, list) => index === 0 || compare(point, list[index - 1] ?? NOTHING) > 0);
  return [start, ...points].map((x, index) => ({ x, next: points[index] ?? end }));
}

function put(sums: Map<number, Fraction>, unit: number, amount: Fraction): void {
  sums.set(unit, add(sums.get(unit) ?? NOTHING, amount));
}

/** What each unit gets about x, as a line in the measure; `paid` is theirs whatever it is. */
function sharesOf(
  paid: ReadonlyMap<number, Fraction>,
  ramps: readonly Ramp[],
  x: Fraction,
  parts: ReadonlyMap<number, Fraction> = new Map(),
): readonly Share[] {
  const fixed = new Map(paid);
  const slopes = new Map<number, Fraction>();
  for (const { unit, from, to, slope } of ramps) {
    if (compare(from, x) > 0) continue;
    if (to !== null && compare(x, to) >= 0) put(fixed, unit, times(slope, subtract(to, from)));
    else {
      put(slopes, unit, slope);
      if (!isZero(from)) put(fixed, unit, times({ n: -slope.n, d: slope.d }, from));
    }
  }
  return [...new Set([...fixed.keys(), ...slopes.keys(), ...parts.keys()])]
    .sort((a, b) => a - b)
    .map((unit) => ({
      unit,
      fixed: fixed.get(unit) ?? NOTHING,
      slope: slopes.get(unit) ?? NOTHING,
      part: parts.get(unit) ?? NOTHING,
    }));
}
