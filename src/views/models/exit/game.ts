// Conversion decisions at an exit: the holders who decide, and what each state of their decisions pays. Pure.
//
// A state is a set of deciders with a number of their own that convert, and the first z of those that convert into a
// part f of the liquidity capitalization L. It pays, at a price p of common,
//
//   P(p) = claims of all others + R(p) + p·Σ K of the set + what its warrants get + p·F_z·L,   F_z = f_1 + … + f_z,
//   L = (common, options, warrants + participating preferred and warrants on it, as converted
//        + Σ K of others in the set and warrants of their classes) ÷ (1 − F_z)
//
// with R the ramps of all that takes part anyhow: common, options and warrants from their strikes, participating
// preferred up to its cap. P never falls with p, so the price for a value V is where P meets V, and `p > q` says the
// same as `V > P(q)`.
import { Budget } from "../budget.ts";
import {
  add,
  compare,
  type Fraction,
  greatest,
  isPositive,
  NOTHING,
  over,
  reduced,
  subtract,
  times,
  total,
  WHOLE,
} from "../fraction.ts";
import { paidBy, type Ramp, Ramps } from "./ramp.ts";
import type { ShareTerms, Stake, Unit } from "./unit.ts";

/** A unit that converts into a number of shares of its own, or keeps its claim. */
export interface Decider {
  /** The unit; null for the warrants of a class that has no such unit. */
  readonly unit: number | null;
  readonly claim: Fraction;
  /** The shares that it converts into, K. */
  readonly shares: Fraction;
  /** The price from which converting pays. */
  readonly threshold: Fraction;
  /** What it and the warrants on its class take part with while it is held. */
  readonly heldRamps: readonly Ramp[];
  /** What the warrants on its class claim while it is held. */
  readonly heldCalls: readonly { readonly unit: number; readonly amount: Fraction }[];
  /** What those warrants take part with when it has converted. */
  readonly convertedRamps: readonly Ramp[];
  /** What of its shares and those warrants counts in L only then: nothing where it participates. */
  readonly counted: Fraction;
  /** The units of those warrants, where they decide by themselves. */
  readonly calls: readonly number[];
}

/** A unit that converts into a part of the liquidity capitalization. */
export interface Sharer {
  readonly unit: number;
  readonly claim: Fraction;
  readonly part: Fraction;
  /** The worth of L from which converting pays: claim ÷ part. */
  readonly threshold: Fraction;
}

/** A set of deciders that convert, by their places; with what sums up of it. */
export interface Joined {
  readonly key: bigint;
  readonly members: ReadonlySet<number>;
  /** Σ K, and what counts in L by them. */
  readonly shares: Fraction;
  readonly counted: Fraction;
  /** L without sharers: what counts in every state, and what the deciders of the state add. */
  readonly base: Fraction;
  /** The claims of the deciders that do not convert, their warrants in. */
  readonly claims: Fraction;
}

/** The choices of all units at an exit. */
export class Game {
  readonly deciders: readonly Decider[];
  readonly sharers: readonly Sharer[];
  /** F_z by z. */
  readonly parts: readonly Fraction[];
  /** What takes part in every state. */
  readonly fixed: Ramps;
  /** Claims of those that never convert, and what of warrants on them. */
  readonly fixedClaims: readonly { readonly unit: number; readonly amount: Fraction }[];
  readonly #fixedClaim: Fraction;
  readonly #counted: Fraction;
  readonly #sharersClaims: readonly Fraction[];
  /** The deciders that take part with something while they are held, or have warrants. */
  readonly #ramping: readonly number[];
  readonly #points: readonly Fraction[];
  readonly empty: Joined;

  constructor(
    readonly stake: Stake,
    readonly budget = new Budget(),
  ) {
    const { units } = stake;
    const parties = partiesOf(units);
    this.deciders = parties.deciders;
    this.sharers = parties.sharers;
    this.fixed = new Ramps(parties.ramps);
    this.#points = rising([NOTHING, ...this.fixed.points]);
    this.fixedClaims = parties.claims;
    this.#fixedClaim = total(parties.claims.map(({ amount }) => amount));
    this.#counted = add(parties.counted, stake.unvested);
    this.parts = sums(this.sharers.map(({ part }) => part));
    const all = total(this.sharers.map(({ claim }) => claim));
    this.#sharersClaims = sums(this.sharers.map(({ claim }) => claim)).map((sum) => subtract(all, sum));
    this.#ramping = this.deciders.flatMap(({ heldRamps, convertedRamps }, index) =>
      heldRamps.length + convertedRamps.length > 0 ? [index] : [],
    );
    const claims = total(this.deciders.map(claimsOf));
    this.empty = {
      ...{ key: 0n, members: new Set(), shares: NOTHING, counted: NOTHING, claims },
      base: this.#counted,
    };
  }

  /** The set with one more. */
  with(set: Joined, index: number): Joined {
    const decider = this.deciders[index];
    if (!decider) throw new Error(`no decider ${index}`);
    const counted = add(set.counted, decider.counted);
    return {
      key: set.key | (1n << BigInt(index)),
      members: new Set(set.members).add(index),
      shares: add(set.shares, decider.shares),
      counted,
      base: add(this.#counted, counted),
      claims: subtract(set.claims, claimsOf(decider)),
    };
  }

  /** How many of the sharers can convert at once: their parts must stay below the whole. */
  get most(): number {
    let most = 0;
    while (most < this.sharers.length && isPositive(subtract(WHOLE, this.parts[most + 1] ?? WHOLE))) most += 1;
    return most;
  }

  /** L, with the first z sharers in. */
  capitalization(set: Joined, z: number): Fraction {
    return z === 0 ? set.base : over(set.base, subtract(WHOLE, this.parts[z] ?? NOTHING));
  }

  /** What all claims come to that are not converted. */
  claims(set: Joined, z: number): Fraction {
    return total([this.#fixedClaim, set.claims, this.claimsOfOthers(z)]);
  }

  /** Those of the sharers behind the first z. */
  claimsOfOthers(z: number): Fraction {
    return this.#sharersClaims[z] ?? NOTHING;
  }

  /** Those of all but sharers. */
  claimsBesideSharers(set: Joined): Fraction {
    return add(this.#fixedClaim, set.claims);
  }

  /** F_z·L: what the first z sharers have together. F ÷ (1 − F) spares the long denominator of L. */
  shared(set: Joined, z: number): Fraction {
    if (z === 0) return NOTHING;
    const { n, d } = this.parts[z] ?? NOTHING;
    return times(set.base, { n, d: d - n });
  }

  /** P(p). */
  pays(set: Joined, z: number, p: Fraction): Fraction {
    const { fixed, slope } = this.#lineAbout(set, z, p);
    return add(fixed, times(p, add(slope, this.shared(set, z))));
  }

  /**
   * P(κ ÷ L): what is paid where the liquidity capitalization is worth κ. With F = N ÷ D, L = B ÷ (1 − F) and a line
   * C + S·p of all but the sharers it is C + κ·((D − N)·S ÷ B + N) ÷ D, which holds each long number once.
   */
  paysAtWorth(set: Joined, z: number, worth: Fraction): Fraction {
    const { n, d } = this.parts[z] ?? NOTHING;
    const { base } = set;
    const { fixed, slope } = this.#lineAbout(set, z, over(times(worth, { n: d - n, d }), base));
    const sharing = (d - n) * slope.n * base.d + n * slope.d * base.n;
    const denominator = worth.d * d * slope.d * base.n;
    return { n: fixed.n * denominator + worth.n * sharing * fixed.d, d: fixed.d * denominator };
  }

  /** What is paid to all but the sharers that convert, about a price: `fixed + slope × p`. */
  #lineAbout(set: Joined, z: number, p: Fraction): { readonly fixed: Fraction; readonly slope: Fraction } {
    this.budget.step();
    const always = this.fixed.lineAbout(p);
    let fixed = add(this.claims(set, z), always.fixed);
    let slope = add(set.shares, always.slope);
    for (const ramp of this.movingRamps(set)) {
      if (compare(p, ramp.from) < 0) continue;
      if (ramp.to !== null && compare(p, ramp.to) >= 0) fixed = add(fixed, paidBy(ramp, ramp.to));
      else {
        fixed = subtract(fixed, times(ramp.slope, ramp.from));
        slope = add(slope, ramp.slope);
      }
    }
    return { fixed, slope };
  }

  /** By how much P grows from a price on. */
  slopeFrom(set: Joined, z: number, p: Fraction): Fraction {
    return add(this.#lineAbout(set, z, p).slope, this.shared(set, z));
  }

  /** The prices at which that may change, rising from 0. */
  pointsOf(set: Joined): readonly Fraction[] {
    const moving = this.movingRamps(set).flatMap(({ from, to }) => (to === null ? [from] : [from, to]));
    if (moving.length === 0) return this.#points;
    return rising([...this.#points, ...moving]);
  }

  /** The ramps of a state, each with its unit: all that is paid beyond the claims, but what sharers get. */
  rampsOf(set: Joined): readonly Ramp[] {
    const converted = [...set.members].flatMap((index): readonly Ramp[] => {
      const { unit, shares } = this.deciders[index] ?? { unit: null, shares: NOTHING };
      return unit === null ? [] : [{ unit, from: NOTHING, to: null, slope: shares }];
    });
    return [...this.fixed.ramps, ...converted, ...this.movingRamps(set)].filter(({ slope }) => isPositive(slope));
  }

  /** The claims of a state by unit. */
  claimsByUnit(set: Joined, z: number): ReadonlyMap<number, Fraction> {
    const claims = new Map<number, Fraction>();
    const put = (unit: number, amount: Fraction) => claims.set(unit, add(claims.get(unit) ?? NOTHING, amount));
    for (const { unit, amount } of this.fixedClaims) put(unit, amount);
    for (const [index, { unit, claim, heldCalls }] of this.deciders.entries()) {
      if (set.members.has(index)) continue;
      if (unit !== null) put(unit, claim);
      for (const call of heldCalls) put(call.unit, call.amount);
    }
    for (const { unit, claim } of this.sharers.slice(z)) put(unit, claim);
    return claims;
  }

  /** The ramps of deciders, and of the warrants on them, as they are in a state. */
  movingRamps(set: Joined): readonly Ramp[] {
    return this.#ramping.flatMap((index) => {
      const decider = this.deciders[index];
      if (!decider) return [];
      return set.members.has(index) ? decider.convertedRamps : decider.heldRamps;
    });
  }
}

function claimsOf({ claim, heldCalls }: Decider): Fraction {
  return heldCalls.reduce((sum, { amount }) => add(sum, amount), claim);
}

/** In order, each once. */
function rising(points: readonly Fraction[]): readonly Fraction[] {
  const sorted = [...points].sort(compare);
  return sorted.filter((point, index) => index === 0 || compare(point, sorted[index - 1] ?? NOTHING) > 0);
}

/** 0, the first, the first two, … */
function sums(values: readonly Fraction[]): readonly Fraction[] {
  const list = [NOTHING];
  for (const value of values) list.push(reduced(add(list.at(-1) ?? NOTHING, value)));
  return list;
}

interface Parties {
  readonly deciders: Decider[];
  readonly sharers: Sharer[];
  readonly ramps: Ramp[];
  readonly claims: { unit: number; amount: Fraction }[];
  counted: Fraction;
}

function partiesOf(units: readonly Unit[]): Parties {
  const parties: Parties = { deciders: [], sharers: [], ramps: [], claims: [], counted: NOTHING };
  const calls = callsByClass(units);
  for (const [unit, { pay, count, classKey }] of units.entries()) {
    if (pay.kind === "COMMON" || pay.kind === "CALL") {
      const from = pay.kind === "CALL" ? pay.strike : NOTHING;
      parties.ramps.push({ unit, from, to: null, slope: count });
      parties.counted = add(parties.counted, count);
    } else if (pay.kind === "CONVERTIBLE") {
      addConvertible(parties, unit, pay);
    } else if (pay.kind === "PREFERRED") {
      const { share } = pay;
      // Warrants get no dividends: on a class whose shares have them they follow a share without.
      const own = units.filter((other) => other.kind === "PREFERRED" && other.classKey === classKey);
      const isAlike = own.length === 1 && isSameShare(share, calls.get(classKey ?? "")?.[0]?.share);
      const followers = isAlike ? (calls.get(classKey ?? "") ?? []) : [];
      if (isAlike) calls.delete(classKey ?? "");
      addShares(parties, { unit, count, share }, followers);
    }
  }
  for (const followers of calls.values()) {
    const [first] = followers;
    if (first) addShares(parties, { unit: null, count: NOTHING, share: first.share }, followers);
  }
  parties.deciders.sort((a, b) => compare(a.threshold, b.threshold) || place(a, units) - place(b, units));
  parties.sharers.sort((a, b) => compare(a.threshold, b.threshold) || a.unit - b.unit);
  return parties;
}

const place = ({ unit }: Decider, units: readonly Unit[]) => unit ?? units.length;

interface Call {
  readonly unit: number;
  readonly count: Fraction;
  readonly strike: Fraction;
  readonly share: ShareTerms;
}

function callsByClass(units: readonly Unit[]): Map<string, Call[]> {
  const calls = new Map<string, Call[]>();
  for (const [unit, { pay, count, classKey }] of units.entries()) {
    if (pay.kind !== "PREFERRED_CALL" || classKey === null) continue;
    const list = calls.get(classKey) ?? [];
    list.push({ unit, count, strike: pay.strike, share: pay.share });
    calls.set(classKey, list);
  }
  return calls;
}

function isSameShare(a: ShareTerms, b: ShareTerms | undefined): boolean {
  return b !== undefined && compare(a.claim, b.claim) === 0;
}

function addConvertible(parties: Parties, unit: number, pay: Extract<Unit["pay"], { kind: "CONVERTIBLE" }>): void {
  const claim = add(pay.cash, pay.premium);
  if (pay.part !== null) {
    const threshold = reduced(over(claim, pay.part));
    parties.sharers.push({ unit, claim, part: pay.part, threshold });
  } else if (pay.shares !== null && isPositive(pay.shares)) {
    const { shares } = pay;
    const threshold = reduced(over(claim, shares));
    const none = { heldRamps: [], heldCalls: [], convertedRamps: [], calls: [] };
    parties.deciders.push({ unit, claim, shares, threshold, counted: shares, ...none });
  } else {
    parties.claims.push({ unit, amount: claim });
  }
}

/** A preferred class's shares, and the warrants that get what such a share gets. */
function addShares(
  parties: Parties,
  { unit, count, share }: { readonly unit: number | null; readonly count: Fraction; readonly share: ShareTerms },
  calls: readonly Call[],
): void {
  const { claim, ratio, isParticipating, cap } = share;
  const doesConvert = isPositive(ratio) && !(isParticipating && cap === null);
  const own = unit === null ? [] : heldRamp(unit, count, share, null);
  const heldRamps = [...own, ...calls.flatMap((call) => heldRamp(call.unit, call.count, share, call.strike))];
  const heldCalls = calls.map((call) => ({ unit: call.unit, amount: times(call.count, less(claim, call.strike)) }));
  const preference = times(count, claim);
  const sharesOf = (list: readonly Call[]) => list.reduce((sum, call) => add(sum, times(call.count, ratio)), NOTHING);
  // What participates is paid beside what it would be as converted, and not in place of that.
  const isCountedAnyhow = ({ strike }: Call) => isParticipating || compare(strike, claim) >= 0;
  const shares = times(count, ratio);
  const anyhow = sharesOf(calls.filter(isCountedAnyhow));
  parties.counted = total([parties.counted, anyhow, isParticipating ? shares : NOTHING]);
  if (!doesConvert) {
    if (unit !== null) parties.claims.push({ unit, amount: preference });
    parties.claims.push(...heldCalls);
    parties.ramps.push(...heldRamps);
    return;
  }
  parties.deciders.push({
    unit,
    claim: preference,
    shares,
    threshold: reduced(over(cap ?? claim, ratio)),
    heldRamps,
    heldCalls,
    convertedRamps: calls.map((call) => ({
      unit: call.unit,
      from: over(call.strike, ratio),
      to: null,
      slope: times(call.count, ratio),
    })),
    counted: add(sharesOf(calls.filter((call) => !isCountedAnyhow(call))), isParticipating ? NOTHING : shares),
    calls: unit === null ? calls.map((call) => call.unit) : [],
  });
}

const less = (a: Fraction, b: Fraction) => greatest(NOTHING, subtract(a, b));

/** What shares, or warrants on them, take part with while they are held: r·p beyond the preference, up to the cap. */
function heldRamp(unit: number, count: Fraction, share: ShareTerms, strike: Fraction | null): readonly Ramp[] {
  const { claim, ratio, isParticipating, cap } = share;
  if (!isParticipating || !isPositive(ratio)) return [];
  const from = strike === null ? NOTHING : over(less(strike, claim), ratio);
  const to = cap === null ? null : over(subtract(cap, claim), ratio);
  if (to !== null && compare(to, from) <= 0) return [];
  return [{ unit, from, to, slope: times(count, ratio) }];
}
