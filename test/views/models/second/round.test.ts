// A second implementation of rounds, written from the rules, comes to the same price, pool and shares, exactly.
import { expect, setDefaultTimeout, test } from "bun:test";
import { Problem } from "../../../../src/kernel/problem.ts";
import { solve } from "../../../../src/views/models/round/equations.ts";
import { poseRound } from "../../../../src/views/models/round/round.ts";
import { Random } from "../../../kit/random.ts";
import { RELEASE } from "../../../kit/release.ts";
import { EXIT_DATE, randomCompany, randomRound } from "../random-company.ts";
import { ONE, Q } from "./rational.ts";
import { type SecondRound, secondRound } from "./round.ts";

setDefaultTimeout(3_600_000);

const ROUNDS = Number(process.env.CAPTABLE_SECOND ?? (RELEASE ? 20_000 : 300));

type Told = "refused" | "unsolvable" | readonly string[];
const written = (values: readonly Q[]) => values.map(({ n, d }) => `${n}/${d}`);

/** The solution that the model comes to, before anything is rounded: a price that rounds to nothing solves a round too. */
function modelled(seed: number): { readonly told: Told; readonly second: () => SecondRound | null | undefined } {
  const random = new Random(seed);
  const company = randomCompany(random, { deciders: 5, hasParts: true });
  const body = randomRound(random, company);
  const second = () => secondRound(company, body);
  try {
    const { y, increase, convertibles } = solve(poseRound(company, body, EXIT_DATE).equations);
    const all = [y, increase, ...convertibles.map(({ shares }) => shares)];
    return { told: written(all.map(({ n, d }) => new Q(n, d))), second };
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return { told: error.slug === "unsolvable-model" ? "unsolvable" : "refused", second };
  }
}

test(`${ROUNDS} rounds: the same smallest solution, or none`, () => {
  const found: string[] = [];
  let [solved, unsolvable, skipped] = [0, 0, 0];
  for (let seed = 0; seed < ROUNDS; seed += 1) {
    const { told, second } = modelled(seed);
    const answer = told === "refused" ? undefined : second();
    if (answer === undefined) {
      skipped += 1;
      continue;
    }
    const theirs = answer === null ? "unsolvable" : written([answer.y, answer.increase, ...answer.shares]);
    if (theirs === "unsolvable") unsolvable += 1;
    else solved += 1;
    if (!Bun.deepEquals(told, theirs)) found.push(Bun.inspect({ seed, told, theirs }));
  }
  expect([found.length, found.slice(0, 3)]).toEqual([0, []]);
  expect([solved > ROUNDS / 2, unsolvable < ROUNDS / 3, skipped < ROUNDS / 4]).toEqual([true, true, true]);
});

test("another share is noticed", () => {
  const { told, second } = modelled(1);
  const answer = second();
  if (!answer) throw new Error("the round has a solution");
  expect(told).toEqual(written([answer.y, answer.increase, ...answer.shares]));
  expect(told).not.toEqual(written([answer.y.plus(ONE), answer.increase, ...answer.shares]));
});
