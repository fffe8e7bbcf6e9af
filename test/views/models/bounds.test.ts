// What states of an exit pay lies between the bounds by which they are compared, for every set and number of sharers; and
// where bounds do not tell two values apart, the values do.
import { describe, expect, test } from "bun:test";
import { Glances } from "../../../src/views/models/exit/bounded-payouts.ts";
import { type Bounds, boundsOf, compareValues, Value } from "../../../src/views/models/exit/bounds.ts";
import { Game, type Joined } from "../../../src/views/models/exit/game.ts";
import { readStake } from "../../../src/views/models/exit/stake.ts";
import { compare, type Fraction, fraction } from "../../../src/views/models/fraction.ts";
import { Random } from "../../kit/random.ts";
import { EXIT_DATE, randomCompany } from "./random-company.ts";

const UNIT = 1n << 192n;
const isBetween = ({ low, high }: Bounds, exact: Fraction) =>
  compare(fraction(low, UNIT), exact) <= 0 && compare(exact, fraction(high, UNIT)) <= 0;

function randomSet(random: Random, game: Game): Joined {
  let set = game.empty;
  for (const index of game.deciders.keys()) if (random.chance(0.5)) set = game.with(set, index);
  return set;
}

/** The exact values that lie outside their bounds, of a random company's states. */
function outside(seed: number, tamper: (bounds: Bounds) => Bounds = (bounds) => bounds): string[] {
  const random = new Random(seed);
  const company = randomCompany(random, { deciders: 8, hasParts: true });
  const game = new Game(readStake(company, { exitValues: ["1"] }, EXIT_DATE));
  const glances = new Glances(game);
  const found: string[] = [];
  const prices = [...game.deciders.map(({ threshold }) => threshold), ...game.fixed.points, fraction(1n, 3n)];
  for (let tries = 0; tries < 4; tries += 1) {
    const set = randomSet(random, game);
    for (let z = 0; z <= game.most; z += 1) {
      for (const p of prices) {
        if (!isBetween(tamper(glances.pays(set, z, p).bounds), game.pays(set, z, p))) found.push(`${seed} ${z} at p`);
      }
      const threshold = game.sharers[z - 1]?.threshold;
      if (threshold && set.base.n > 0n) {
        const { bounds } = glances.paysAtThreshold(set, z);
        if (!isBetween(tamper(bounds), game.paysAtWorth(set, z, threshold))) found.push(`${seed} ${z} at worth`);
      }
    }
  }
  return found;
}

describe("bounds", () => {
  test("hold what 300 random companies pay in random states", () => {
    expect(Array.from({ length: 300 }, (_none, seed) => outside(seed)).flat()).toEqual([]);
  });

  test("that are narrower by one part in 10 to the 20th would not", () => {
    const narrow = ({ high }: Bounds) => ({ low: high + high / 10n ** 20n, high });
    expect(Array.from({ length: 20 }, (_none, seed) => outside(seed, narrow)).flat().length).toBeGreaterThan(100);
  });

  test("of numbers below zero are refused", () => {
    expect(() => boundsOf(fraction(-1n, 3n))).toThrow("from zero on");
  });

  test("leave the exact values to tell what they do not", () => {
    const fine = fraction(1n, 1n << 300n);
    const [third, again] = [Value.of(fraction(1n, 3n)), Value.of(fraction(2n, 6n))];
    const more = Value.of(fraction((1n << 300n) + 3n, 3n << 300n));
    expect(isBetween(more.bounds, fraction(1n, 3n))).toBe(true);
    expect([compareValues(third, again), compareValues(third, more), compareValues(more, third)]).toEqual([0, -1, 1]);
    expect([compareValues(Value.of(fine), Value.of(fraction(0n))), compareValues(third, third)]).toEqual([1, 0]);
  });
});
