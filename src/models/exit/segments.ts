// The whole of an exit as straight pieces: between two values of what is distributed every unit gets so much more for
// each further unit of money (MODELLING section 7.3, "breakpoints"). First the tiers, each up to its claims; then the
// states. Pure.
import { add, compare, type Fraction, isPositive, NOTHING, over, subtract, times, total, WHOLE } from "../fraction.ts";
import type { Game } from "./game.ts";
import { paidBy, type Ramp } from "./ramp.ts";
import { type StateSpan, statesOf } from "./states.ts";
import type { Tier } from "./unit.ts";

/** What a unit gets in a segment: `fixed + slope × x`, x the segment's own measure from its start. */
export interface Share {
  readonly unit: number;
  readonly fixed: Fraction;
  readonly slope: Fraction;
}

/**
 * A straight piece, for values above `from` and up to where the next one begins. Its measure x is the fraction of a
 * tier's claims that is paid, or the price of common; it is `start` where the segment begins and grows by 1 for each
 * `slope` of value.
 */
export interface Segment {
  readonly from: Fraction;
  readonly start: Fraction;
  /** 0: nobody has a claim to more. */
  readonly slope: Fraction;
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
    let [low, high] = [0, this.segments.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      const segment = this.segments[middle];
      if (segment && compare(segment.from, value) < 0) low = middle + 1;
      else high = middle;
    }
    return this.segments[Math.max(0, low - 1)] ?? null;
  }
}

/** The measure of a segment at a value. */
export function measureAt({ from, start, slope }: Segment, value: Fraction): Fraction {
  return isPositive(slope) ? add(start, over(subtract(value, from), slope)) : start;
}

/** The price of common at a value: none is paid before all tiers are. */
export function priceAt(segment: Segment, value: Fraction): Fraction {
  return segment.tier ? NOTHING : measureAt(segment, value);
}

/**
 * The tiers, each from nothing of its claims to all of them; a warrant takes part with what a share gets less its
 * strike.
 */
function tierSegments({ stake }: Game): readonly Segment[] {
  const segments: Segment[] = [];
  const paid = new Map<number, Fraction>();
  let from = NOTHING;
  for (const tier of stake.tiers) {
    const ramps = tierRamps(tier, stake.units);
    if (ramps.length === 0) continue;
    for (const { x, next } of pieces(ramps, NOTHING, WHOLE)) {
      const active = ramps.filter((ramp) => isActive(ramp, x));
      const slope = total(active.map((ramp) => ramp.slope));
      const before = new Map(paid);
      for (const ramp of ramps) put(before, ramp.unit, paidBy(ramp, x));
      if (isPositive(slope)) {
        segments.push({ from, start: x, slope, tier, state: null, shares: sharesOf(before, active, x) });
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
  const ramps = game.rampsOf(state.set, state.z);
  const claims = game.claimsByUnit(state.set, state.z);
  const segments: Segment[] = [];
  let value = game.claims(state.set, state.z);
  for (const { x, next, slope } of slopesOf(ramps)) {
    const end = next === null ? null : add(value, times(slope, subtract(next, x)));
    if (end === null || compare(end, state.from) > 0) {
      const isWithin = compare(value, state.from) < 0;
      const from = isWithin ? state.from : value;
      if (state.to !== null && compare(from, state.to) >= 0) break;
      const start = isWithin && isPositive(slope) ? add(x, over(subtract(state.from, value), slope)) : x;
      if (isPositive(slope) || next === null) {
        const active = ramps.filter((ramp) => isActive(ramp, start));
        const paid = new Map(claims);
        for (const ramp of ramps) put(paid, ramp.unit, paidBy(ramp, start));
        segments.push({ from, start, slope, tier: null, state, shares: sharesOf(paid, active, start) });
      }
    }
    if (end !== null) value = end;
  }
  return segments;
}

/** Where the sum of ramps changes its slope, from 0 on, with the slope up to the next such point. */
function* slopesOf(ramps: readonly Ramp[]): Generator<{ x: Fraction; next: Fraction | null; slope: Fraction }> {
  const changes = ramps
    .flatMap(({ from, to, slope }) => [
      { p: from, by: slope },
      ...(to === null ? [] : [{ p: to, by: { n: -slope.n, d: slope.d } }]),
    ])
    .sort((a, b) => compare(a.p, b.p));
  let [x, slope] = [NOTHING, NOTHING];
  for (const { p, by } of changes) {
    if (compare(p, x) > 0) yield { x, next: p, slope };
    [x, slope] = [p, add(slope, by)];
  }
  yield { x, next: null, slope };
}

function isActive({ from, to }: Ramp, x: Fraction): boolean {
  return compare(from, x) <= 0 && (to === null || compare(x, to) < 0);
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

/** What each unit gets at x, as a line in the measure. */
function sharesOf(paid: ReadonlyMap<number, Fraction>, active: readonly Ramp[], x: Fraction): readonly Share[] {
  const slopes = new Map<number, Fraction>();
  for (const { unit, slope } of active) put(slopes, unit, slope);
  return [...new Set([...paid.keys(), ...slopes.keys()])]
    .sort((a, b) => a - b)
    .map((unit) => {
      const slope = slopes.get(unit) ?? NOTHING;
      return { unit, slope, fixed: subtract(paid.get(unit) ?? NOTHING, times(slope, x)) };
    });
}
