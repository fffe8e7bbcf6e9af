// Rounds of random companies: what must hold of each does, and each of these properties catches a mutant of its own.
import { describe, expect, setDefaultTimeout, test } from "bun:test";
import { Problem } from "../../../src/kernel/problem.ts";
import { compare, fraction, times } from "../../../src/views/models/fraction.ts";
import { tellRound } from "../../../src/views/models/round/answer.ts";
import { solve } from "../../../src/views/models/round/equations.ts";
import type { Equations, Solution } from "../../../src/views/models/round/known.ts";
import { modelRound, poseRound, type RoundOutcome } from "../../../src/views/models/round/round.ts";
import { Random } from "../../kit/random.ts";
import { RELEASE } from "../../kit/release.ts";
import { EXIT_DATE, randomCompany, randomRound } from "./random-company.ts";
import { equationFaults, leastFaults, partFaults, tableFaults } from "./round-faults.ts";

setDefaultTimeout(3_600_000);

const ROUNDS = RELEASE ? 20_000 : 75;

/** A round that follows from a seed; null where no price solves it, with what was asked. */
function roundFrom(seed: number) {
  const random = new Random(seed);
  const company = randomCompany(random, { deciders: 6, hasParts: true });
  const body = randomRound(random, company);
  try {
    return { company, body, outcome: modelRound(company, body, EXIT_DATE) };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { company, body, outcome: null, refusal: error.slug };
  }
}

/** The exact solution; null without one. */
function solutionOf(equations: Equations): Solution | null {
  try {
    return solve(equations);
  } catch (error) {
    if (error instanceof Problem) return null;
    throw error;
  }
}

function faultsOf(outcome: RoundOutcome): string[] {
  const { equations, solution } = outcome;
  return [
    ...equationFaults(equations, solution),
    ...partFaults(outcome),
    ...leastFaults(equations, solution),
    ...tableFaults(tellRound(outcome), outcome),
  ];
}

test(`${ROUNDS} rounds: every equation holds, by the smallest solution; SAFEs own their parts; tables add up`, () => {
  let solved = 0;
  for (let seed = 0; seed < ROUNDS; seed += 1) {
    const { company, body, outcome, refusal } = roundFrom(seed);
    if (outcome) {
      solved += 1;
      expect({ seed, faults: faultsOf(outcome) }).toEqual({ seed, faults: [] });
    } else if (refusal === "unsolvable-model") {
      // None has a solution, or one with a price that rounds to nothing.
      const { equations } = poseRound(company, body, EXIT_DATE);
      const solution = solutionOf(equations);
      const faults = [...(solution ? equationFaults(equations, solution) : []), ...leastFaults(equations, solution)];
      expect({ seed, faults }).toEqual({ seed, faults: [] });
    }
  }
  expect(solved).toBeGreaterThan(ROUNDS / 2);
});

describe("a mutant is caught", () => {
  const seeds = Array.from({ length: 200 }, (_none, seed) => seed);
  const outcomes = seeds.flatMap((seed) => roundFrom(seed).outcome ?? []);
  const first = (fits: (outcome: RoundOutcome) => boolean): RoundOutcome => {
    const found = outcomes.find(fits);
    if (!found) throw new Error("no round fits");
    return found;
  };
  const more = fraction(1_000_001n, 1_000_000n);

  test("a price that is a little off", () => {
    const { equations, solution } = first(({ equations: known }) => known.price.kind === "VALUATION");
    expect(equationFaults(equations, { ...solution, y: times(solution.y, more) })).not.toEqual([]);
  });

  test("a convertible with a share too many, by another part of the capitalization", () => {
    const outcome = first(({ conversions }) =>
      conversions.some(
        ({ basis, security: { terms } }) =>
          basis === "CAP" && terms.mechanism.type === "SAFE" && terms.mechanism.timing === "POST_MONEY",
      ),
    );
    const convertibles = outcome.solution.convertibles.map((each) => ({ ...each, shares: times(each.shares, more) }));
    const mutant = { equations: outcome.equations, solution: { ...outcome.solution, convertibles } };
    expect(equationFaults(mutant.equations, mutant.solution)).not.toEqual([]);
    expect(partFaults(mutant)).not.toEqual([]);
  });

  test("a solution that is not the smallest, and one that was overlooked", () => {
    const { equations, solution } = first(() => true);
    expect(leastFaults(equations, { ...solution, y: times(solution.y, fraction(2n)) })).not.toEqual([]);
    expect(leastFaults(equations, { ...solution, y: times(solution.y, fraction(1n, 2n)) })).not.toEqual([]);
    expect(leastFaults(equations, null)).not.toEqual([]);
  });

  test("conversions that are forgotten where they adjust a price", () => {
    const forgotten = outcomes.flatMap(({ equations, solution }) => {
      const guarded = equations.protected.map((each) => ({ ...each, countsConversions: false }));
      const mutant = solutionOf({ ...equations, protected: guarded });
      const isOther = mutant && solution.adjusted.includes(true) && compare(mutant.y, solution.y) !== 0;
      return isOther ? [equationFaults(equations, mutant)] : [];
    });
    expect(forgotten.length).toBeGreaterThan(5);
    for (const faults of forgotten) expect(faults).not.toEqual([]);
  });

  test("a percentage, a share and a pool that are a unit off", () => {
    const outcome = first(({ plan, increase }) => plan.pool.target !== null && increase > 0n);
    const told = tellRound(outcome);
    const pool = { ...told.after.pool, percentFullyDiluted: "99.000000" };
    expect(tableFaults({ ...told, after: { ...told.after, pool } }, outcome)).not.toEqual([]);
    const classes = told.classes.map((row) => ({ ...row, shares: "1" }));
    expect(tableFaults({ ...told, classes }, outcome)).not.toEqual([]);
    const share = 10_000_000_000n;
    for (const by of [share, -share]) {
      const { available, fullyDiluted } = outcome.figuresAfter;
      const figuresAfter = { ...outcome.figuresAfter, available: available + by, fullyDiluted: fullyDiluted + by };
      expect(tableFaults(told, { ...outcome, figuresAfter })).not.toEqual([]);
    }
  });
});
