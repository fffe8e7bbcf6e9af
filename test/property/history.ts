// One history: steps done in the service and in the model, which must agree on whether each is allowed and on all that
// follows; and after each what must always hold (invariants.ts), read from the service alone.

import type { Choice } from "./choosing.ts";
import type { Company } from "./company.ts";
import { expectRows, expectView } from "./compare.ts";
import { expectPositions } from "./compare-positions.ts";
import { expectVesting } from "./compare-vesting.ts";
import {
  expectNoneUnvested,
  expectSameSums,
  expectVestingAddsUp,
  familyOf,
  onlyDivides,
  onlyVests,
  sumsOf,
} from "./family.ts";
import { expectBoundPools, expectVerified } from "./invariants.ts";
import { mattersOf } from "./matters.ts";
import { LAST_DAY } from "./model/dates.ts";
import { type Decided, decide } from "./model/decide.ts";
import type { Model } from "./model/state.ts";
import type { Step } from "./model/step.ts";
import type { Tally } from "./tally.ts";
import { DATES } from "./values.ts";

const ALL_DAYS = [...DATES, LAST_DAY];
const VESTING_DAYS = ["2025-06-30", "2026-06-15", "2026-12-31", LAST_DAY];

/** Who decides what must come of a step: the model, or a control's wrong one. */
export type Decides = (model: Model, step: Step) => Decided;

interface Options {
  readonly tally?: Tally;
  readonly decides?: Decides;
}

export class History {
  readonly company: Company;
  model: Model;
  readonly steps: Step[] = [];
  readonly #tally: Tally | undefined;
  readonly #decides: Decides;

  constructor(company: Company, model: Model, { tally, decides = decide }: Options = {}) {
    this.company = company;
    this.model = model;
    this.#tally = tally;
    this.#decides = decides;
  }

  /** Makes a choice and sees that everything is as it must be. */
  advance(choose: Choice): void {
    const step = choose(this.model);
    if (step === null) return;
    this.steps.push(step);
    const watched = watchedBy(step, this.model);
    const before = watched === null ? [] : sumsOf(this.company, this.model, watched);
    const decided = this.#decides(this.model, step);
    this.expectOutcome(step, decided);
    const isDone = "after" in decided;
    this.#tally?.count(step.op, isDone);
    if (isDone) {
      for (const matter of mattersOf(step, this.model, decided.after)) this.#tally?.count(matter, true);
      this.model = decided.after;
    }
    expectRows(this.company, this.model);
    if (watched !== null && isDone) {
      const after = sumsOf(this.company, this.model, watched);
      if (onlyDivides(step)) expectSameSums(before, after);
      else expectNoneUnvested(before, after);
    }
    this.#look(step);
  }

  /** Expects the service to allow a step, or to refuse it for a reason that the model knows. */
  expectOutcome(step: Step, decided: Decided, isDry = false): void {
    const outcome = this.company.run(step, isDry);
    const said = outcome.isDone ? "done" : outcome.slug;
    const allowed = "refused" in decided ? decided.refused : ["done"];
    if (allowed.includes(said)) return;
    const why = outcome.isDone ? "" : ` (${outcome.detail})`;
    throw new Error(`${JSON.stringify(step)} came to ${said}${why}, not ${allowed.join(" or ")}`);
  }

  /** After a step: the invariants, the whole record, and another day each time. */
  #look(step: Step): void {
    const { company, model, steps } = this;
    expectBoundPools(company);
    expectVerified(company);
    for (const day of [LAST_DAY, dayOf(ALL_DAYS, steps.length)]) expectView(company, model, day);
    const touched = "security" in step ? step.security : model.securities.length - 1;
    const family = touched < 0 ? [] : familyOf(model, touched);
    for (const day of [LAST_DAY, dayOf(VESTING_DAYS, steps.length)]) this.#expectVesting(day, family);
  }

  /** At the end: every security, and every day on which anything is dated, and those between. */
  finish(): void {
    const { company, model } = this;
    for (const day of datedDays(model)) expectView(company, model, day);
    const all = model.securities.flatMap((security, index) => (security?.isDeleted === false ? [index] : []));
    for (const day of VESTING_DAYS) this.#expectVesting(day, all);
    for (const day of VESTING_DAYS) expectPositions(company, model, day);
  }

  #expectVesting(day: string, securities: readonly number[]): void {
    expectVesting(this.company, this.model, day, securities);
    for (const security of securities) expectVestingAddsUp(this.company, security, day);
  }

  /** What was done, a step a line, as a person can read it and a test can take it. */
  told(): string {
    return this.steps.map((step) => `  ${JSON.stringify(step)}`).join("\n");
  }
}

/** The security whose family's sums a step must leave, or only make vest more. */
function watchedBy(step: Step, model: Model): number | null {
  if (!onlyDivides(step) && !onlyVests(step)) return null;
  return model.securities[step.security]?.isDeleted === false ? step.security : null;
}

/** The days on which entries are dated or classes and plans begin, each with its eve, and the last. */
function datedDays(model: Model): string[] {
  const dated = new Set([...DATES, ...model.log.map(({ date }) => date)]);
  const eves = [...dated].map((day) => Temporal.PlainDate.from(day).subtract({ days: 1 }).toString());
  return [...new Set([...dated, ...eves, LAST_DAY])];
}

function dayOf(days: readonly string[], number: number): string {
  return days[number % days.length] ?? LAST_DAY;
}
