// What states pay, between bounds (bounds.ts): the same sums as in game.ts, which works them out exactly. What is paid
// never falls with the price, so that the bounds of a price give those of what is paid at it. Pure.
import { firstPlaceIn } from "../../../kernel/text/search.ts";
import { type Fraction, NOTHING, subtract, WHOLE } from "../fraction.ts";
import {
  type Bounds,
  boundsOf,
  plus,
  product,
  productAbove,
  productBelow,
  quotient,
  Value,
  ZERO_BOUNDS,
} from "./bounds.ts";
import type { Game, Joined } from "./game.ts";
import type { Knot, Ramp } from "./ramp.ts";

/** A knot, or a ramp, between bounds. */
interface BoundKnot {
  readonly p: Bounds;
  readonly slope: Bounds;
  readonly value: Bounds;
}
interface BoundRamp {
  readonly from: Bounds;
  readonly to: Bounds | null;
  readonly slope: Bounds;
}

/** What of a set all its states have. */
interface BoundSet {
  readonly base: Bounds;
  readonly shares: Bounds;
  readonly claims: Bounds;
  readonly ramps: readonly BoundRamp[];
}

/** F_z, 1 − F_z, what the first z sharers have for each share of the others, and the claims of the other sharers. */
interface BoundParts {
  readonly part: Bounds;
  readonly rest: Bounds;
  readonly claims: Bounds;
}

/** What the states of a game pay. */
export class Glances {
  readonly #game: Game;
  readonly #knots: readonly BoundKnot[];
  readonly #parts: readonly BoundParts[];
  readonly #thresholds: readonly Bounds[];
  readonly #ramps = new Map<Ramp, BoundRamp>();
  readonly #sets = new WeakMap<Joined, BoundSet>();

  constructor(game: Game) {
    this.#game = game;
    this.#knots = game.fixed.knots.map(boundKnot);
    this.#parts = game.parts.slice(0, game.most + 1).map((part, z) => ({
      part: boundsOf(part),
      rest: boundsOf(subtract(WHOLE, part)),
      claims: boundsOf(game.claimsOfOthers(z)),
    }));
    this.#thresholds = game.sharers.map(({ threshold }) => boundsOf(threshold));
  }

  /** P(p). */
  pays(set: Joined, z: number, p: Fraction): Value {
    const of = this.#boundsOf(set);
    const price = boundsOf(p);
    const bounds = plus(this.#others(of, z, price), product(price, this.#shared(of, z)));
    return new Value(bounds, () => this.#game.pays(set, z, p));
  }

  /** P(κ_z ÷ L), κ_z the worth of L from which the last of z sharers converts. */
  paysAtThreshold(set: Joined, z: number): Value {
    const of = this.#boundsOf(set);
    const { part, rest } = this.#parts[z] ?? { part: ZERO_BOUNDS, rest: ZERO_BOUNDS };
    const worth = this.#thresholds[z - 1] ?? ZERO_BOUNDS;
    const price = quotient(product(worth, rest), of.base);
    const bounds = plus(this.#others(of, z, price), product(worth, part));
    return new Value(bounds, () => this.#game.paysAtWorth(set, z, this.#game.sharers[z - 1]?.threshold ?? NOTHING));
  }

  /** Of all but the sharers that convert. */
  #others({ shares, claims, ramps }: BoundSet, z: number, p: Bounds): Bounds {
    this.#game.budget.glance();
    const moving = ramps.map((ramp) => paidBy(ramp, p));
    return plus(claims, this.#parts[z]?.claims ?? ZERO_BOUNDS, product(shares, p), this.#fixed(p), ...moving);
  }

  #shared({ base }: BoundSet, z: number): Bounds {
    if (z === 0) return ZERO_BOUNDS;
    const { part, rest } = this.#parts[z] ?? { part: ZERO_BOUNDS, rest: ZERO_BOUNDS };
    return quotient(product(base, part), rest);
  }

  /** Claims and ramps that participate whichever units convert. */
  #fixed(p: Bounds): Bounds {
    return { low: this.#fixedBelow(p.low), high: this.#fixedAbove(p.high) };
  }

  /** From the last knot that is surely passed, and no farther than the next one surely is. */
  #fixedBelow(p: bigint): bigint {
    const next = firstPlaceIn(this.#knots, ({ p: { high } }) => high > p);
    const knot = this.#knots[next - 1];
    if (!knot) return 0n;
    const end = this.#knots[next]?.p.low ?? p;
    const passed = (p < end ? p : end) - knot.p.high;
    return knot.value.low + (passed > 0n ? productBelow(knot.slope.low, passed) : 0n);
  }

  /** From the last knot that may be passed. */
  #fixedAbove(p: bigint): bigint {
    const knot = this.#knots[firstPlaceIn(this.#knots, ({ p: { low } }) => low > p) - 1];
    return knot ? knot.value.high + productAbove(knot.slope.high, p - knot.p.low) : 0n;
  }

  #boundsOf(set: Joined): BoundSet {
    const known = this.#sets.get(set);
    if (known) return known;
    const found = {
      base: boundsOf(set.base),
      shares: boundsOf(set.shares),
      claims: boundsOf(this.#game.claimsBesideSharers(set)),
      ramps: this.#game.movingRamps(set).map((ramp) => this.#boundRamp(ramp)),
    };
    this.#sets.set(set, found);
    return found;
  }

  #boundRamp(ramp: Ramp): BoundRamp {
    const known = this.#ramps.get(ramp);
    if (known) return known;
    const { from, to, slope } = ramp;
    const found = { from: boundsOf(from), to: to && boundsOf(to), slope: boundsOf(slope) };
    this.#ramps.set(ramp, found);
    return found;
  }
}

function boundKnot({ p, slope, value }: Knot): BoundKnot {
  return { p: boundsOf(p), slope: boundsOf(slope), value: boundsOf(value) };
}

function paidBy({ from, to, slope }: BoundRamp, p: Bounds): Bounds {
  const low = (to && to.low < p.low ? to.low : p.low) - from.high;
  const high = (to && to.high < p.high ? to.high : p.high) - from.low;
  return {
    low: low > 0n ? productBelow(slope.low, low) : 0n,
    high: high > 0n ? productAbove(slope.high, high) : 0n,
  };
}
