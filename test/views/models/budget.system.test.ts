// No model takes more than its budget: of steps and of lines held, an exit and a round are refused beyond it, and what
// they need is well within what they get.
import { expect, setDefaultTimeout, test } from "bun:test";
import { ONE } from "../../../src/kernel/numbers/decimal.ts";
import { Problem } from "../../../src/kernel/problem.ts";
import { Budget, type BudgetLimits } from "../../../src/views/models/budget.ts";
import { modelWaterfall } from "../../../src/views/models/exit/waterfall.ts";
import type { Company, OptionHeld } from "../../../src/views/models/model-company.ts";
import { solve } from "../../../src/views/models/round/equations.ts";
import { poseRound } from "../../../src/views/models/round/round.ts";
import { Random } from "../../kit/random.ts";
import { EXIT_DATE, randomCompany, randomRound } from "./random-company.ts";

setDefaultTimeout(60_000);

const PLENTY: BudgetLimits = { steps: 10_000, lines: 10_000 };

function refusalOf(run: () => unknown): string | null {
  try {
    run();
    return null;
  } catch (error) {
    if (!(error instanceof Problem)) throw error;
    return `${error.slug}: ${error.detail}`;
  }
}

const company = randomCompany(new Random(7), { deciders: 6, hasParts: true });
const exit = (of: Company, limits?: BudgetLimits) => () =>
  modelWaterfall(of, { exitValues: ["5000000"], breakpoints: false }, EXIT_DATE, limits && new Budget(limits));

test("an exit beyond its steps, or its lines, is refused", () => {
  expect(refusalOf(exit(company, PLENTY))).toBeNull();
  expect(refusalOf(exit(company, { ...PLENTY, steps: 3 }))).toMatch(/^invalid-state: .* steps of calculation/);
  expect(refusalOf(exit(company, { ...PLENTY, lines: 3 }))).toMatch(/^invalid-state: .* figures to hold at once/);
});

test("a round beyond its steps is refused", () => {
  const seeds = Array.from({ length: 50 }, (_none, seed) => seed);
  const converting = seeds.flatMap((seed) => {
    const random = new Random(seed);
    const each = randomCompany(random, { deciders: 6, hasParts: true });
    const body = randomRound(random, each);
    const { equations } = poseRound(each, body, EXIT_DATE);
    return equations.convertibles.length > 1 ? [equations] : [];
  });
  const [equations] = converting;
  if (!equations) throw new Error("some of the rounds convert something");
  expect(refusalOf(() => solve(equations, new Budget({ steps: 1, lines: 0 })))).toMatch(/^invalid-state/);
  expect(refusalOf(() => solve(equations, new Budget(PLENTY)))).not.toMatch(/^invalid-state/);
});

test("two thousand strikes would take too much memory, whether breakpoints are asked for or not", () => {
  const options = Array.from({ length: 2_000 }, (_none, index): OptionHeld => {
    const key = `many-${index}`;
    const grant = { planKey: null, classKey: "common", expirationDate: null, grantDate: "2022-06-30" };
    const strike = BigInt(index + 1) * (ONE / 100n);
    return {
      ...grant,
      key,
      id: key,
      name: key,
      holder: "h0",
      type: "STOCK_OPTION",
      quantity: ONE,
      strike,
      unvested: 0n,
    };
  });
  const many = { ...company, held: [...company.held, ...options] };
  expect(refusalOf(exit(many))).toMatch(/^invalid-state: .* figures to hold at once/);
});
