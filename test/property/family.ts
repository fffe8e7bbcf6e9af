// What holds of vesting whatever happens, by the service's own answers: over a security, and over a family, which is a
// grant and all that transfers, exercises and conversions made of it.
import { expect } from "bun:test";
import type { Company } from "./company.ts";
import { askVesting } from "./compare-vesting.ts";
import type { Model } from "./model/state.ts";
import type { Step } from "./model/step.ts";
import { total, type Units, units } from "./model/units.ts";

/** The days on which sums are looked at. */
const SUM_DAYS = ["2025-01-15", "2025-06-30", "2026-03-01", "2026-06-15", "2026-12-31", "2031-01-01"] as const;

/** What a family holds and what of it has vested, each less the vested shares that were exercised. */
export interface FamilySum {
  readonly day: string;
  readonly quantity: Units;
  readonly vested: Units;
}

/** The members of a security's family that can be asked. */
export function familyOf(model: Model, security: number): number[] {
  const grant = model.vesting[security]?.grant;
  return model.vesting.flatMap((each, index) => {
    return each.grant === grant && model.securities[index]?.isDeleted === false ? [index] : [];
  });
}

/**
 * The sums of a security's family on some days: those on which all that made its shares more counts. What was divided
 * by the shares of today cannot be parts of those that were fewer, so days before that are the ledger's order against
 * the calendar's, and nothing is said of them.
 */
export function sumsOf(company: Company, model: Model, security: number): FamilySum[] {
  const family = familyOf(model, security);
  const since = growthOf(model, new Set(family));
  return SUM_DAYS.filter((day) => since === null || since <= day).map((day) => {
    const answers = family.map((member) => {
      const { quantity, vested, exercised, earlyExercised } = askVesting(company, member, day);
      const kept = units(exercised) - units(earlyExercised);
      return { quantity: units(quantity) - kept, vested: units(vested) - kept };
    });
    return {
      day,
      quantity: total(answers.map((each) => each.quantity)),
      vested: total(answers.map((each) => each.vested)),
    };
  });
}

/** The latest day of the entries that made a family's shares more, or other ones; null without any. */
function growthOf(model: Model, family: ReadonlySet<number>): string | null {
  const days = model.log.flatMap(({ date, effect }) => {
    const isMore = effect.does === "size" && effect.after > effect.before && family.has(effect.security);
    return isMore || effect.does === "split" ? [date] : [];
  });
  return days.sort().at(-1) ?? null;
}

/** Steps that divide a family's shares anew, and take none away nor make any vest. */
export function onlyDivides(step: Step): step is Extract<Step, { readonly op: "transfer" | "exercise" }> {
  return step.op === "transfer" || step.op === "exercise";
}

/** Steps that only make shares vest. */
export function onlyVests(
  step: Step,
): step is Extract<Step, { readonly op: "accelerate-vesting" | "record-vesting-event" }> {
  return step.op === "accelerate-vesting" || step.op === "record-vesting-event";
}

/** Expects a family's sums to be the same on every day, before a step that only divides and after it. */
export function expectSameSums(before: readonly FamilySum[], after: readonly FamilySum[]): void {
  expect(after).toEqual([...before]);
}

/** Expects no day on which less has vested than before, and the same to be held. */
export function expectNoneUnvested(before: readonly FamilySum[], after: readonly FamilySum[]): void {
  for (const [index, was] of before.entries()) {
    const { day, quantity, vested } = after[index] ?? was;
    expect({ day, quantity, isLess: vested < was.vested }).toEqual({ day, quantity: was.quantity, isLess: false });
  }
}

/** Expects the figures of a security's vesting to add up on a day. */
export function expectVestingAddsUp(company: Company, security: number, day: string): void {
  const answer = askVesting(company, security, day);
  const [quantity, vested, unvested] = [units(answer.quantity), units(answer.vested), units(answer.unvested)];
  const kept = units(answer.exercised) - units(answer.earlyExercised);
  const sumOf = (parts: readonly { readonly quantity: string }[]) => total(parts.map((part) => units(part.quantity)));
  const byThen = answer.events.filter(({ date }) => date <= day);
  const figures = [answer.quantity, answer.vested, answer.unvested, answer.unscheduled, answer.earlyExercised];
  expect({
    security,
    day,
    total: vested + unvested,
    scheduled: sumOf(answer.events) + units(answer.unscheduled),
    outstanding: sumOf(answer.parcels),
    byThen: sumOf(byThen),
    isPositive: [...answer.events, ...answer.parcels].every((part) => units(part.quantity) > 0n),
    isNegative: figures.some((figure) => figure.startsWith("-")) || kept < 0n,
    isExercisedVested: kept <= vested,
  }).toEqual({
    security,
    day,
    total: quantity,
    scheduled: quantity,
    outstanding: quantity - kept,
    byThen: vested,
    isPositive: true,
    isNegative: false,
    isExercisedVested: true,
  });
}
