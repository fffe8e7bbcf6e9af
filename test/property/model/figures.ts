// What changes the figures of classes and plans: splits, adjustments, corrections, deletions.

import { isSplit } from "./apply.ts";
import { isThroughAhead, isTooEarly, latest, latestOn, losingAhead, TODAY, TOMORROW } from "./dates.ts";
import { plansOf } from "./pools.ts";
import { record } from "./record.ts";
import { refuseIf } from "./refusal.ts";
import { START } from "./start.ts";
import { classOf, type Effect, isOpen, type Model, planOf, type Security, vestingOf } from "./state.ts";
import type { Figuring } from "./step.ts";
import { units } from "./units.ts";

/** Changes the figures of a class or plan. */
export function changeFigures(model: Model, step: Figuring): void {
  refuseIf("date" in step && step.date > TOMORROW, "validation-failed");
  if ("stockClass" in step) refuseIf(classOf(model, step.stockClass).isDeleted, "not-found");
  else refuseIf(planOf(model, step.plan).isDeleted, "not-found");
  switch (step.op) {
    case "split":
      split(model, step);
      return;
    case "adjust-authorized":
    case "patch-class":
      authorize(model, step);
      return;
    case "adjust-reserve":
    case "patch-plan":
      reserve(model, step);
      return;
    case "patch-plan-classes": {
      const { plan, classes } = step;
      refuseIf(
        classes.some((index) => classOf(model, index).isDeleted),
        "not-found",
      );
      planOf(model, plan).classes = classes;
      return;
    }
    case "delete-class": {
      const { stockClass } = step;
      refuseIf(
        counting(model).some((security) => security.stockClass === stockClass),
        "in-use",
      );
      classOf(model, stockClass).isDeleted = true;
      for (const plan of model.plans) plan.classes = plan.classes.filter((index) => index !== stockClass);
      return;
    }
    case "delete-plan":
      refuseIf(
        counting(model).some((security) => security.plan === step.plan),
        "in-use",
      );
      planOf(model, step.plan).isDeleted = true;
      return;
  }
}

/** The securities that are open, or are until the day to come on which they lose what they hold. */
function counting(model: Model): Security[] {
  const losing = losingAhead(model);
  const isUntilThen = (index: number) => losing.has(index) || isThroughAhead(model, index);
  return model.securities.filter((each, index): each is Security => isOpen(each) || (!!each && isUntilThen(index)));
}

function split(model: Model, step: Extract<Figuring, { op: "split" }>): void {
  const { stockClass, rounding, date } = step;
  const ofClass = model.securities.flatMap((security, index) => (security?.stockClass === stockClass ? [index] : []));
  refuseIf(isTooEarly(date, latestOn(model, new Set(ofClass))), "invalid-state");
  const isFollowed = (other: number) =>
    other === stockClass || (setsRight(model, other) && setsRight(model, stockClass));
  const last = latest(model.log.filter(({ effect }) => effect.does === "split" && isFollowed(effect.stockClass)));
  refuseIf(last !== null && date < last, "invalid-state");
  const before = model.securities.map((security) => security?.quantity ?? 0n);
  const ratio = { numerator: BigInt(step.numerator), denominator: BigInt(step.denominator) };
  const plans = plansOf(model, stockClass);
  const affected = new Set(
    model.securities.flatMap((each, index) => (isSplit(each, stockClass, plans) ? [index] : [])),
  );
  const effect = { does: "split", stockClass, ...ratio, rounding, plans } as const;
  const entry = record(model, { date, on: [], through: affected, effect });
  for (const [index, security] of model.securities.entries()) {
    const was = before[index] ?? 0n;
    const after = security?.quantity ?? 0n;
    if (!affected.has(index)) continue;
    vestingOf(model, index).facts.push({ is: "split", entry, date, ...ratio, before: was, after });
  }
}

/** Whether a split of a class sets how the preferred one converts: its own, and that of the common one. */
function setsRight(model: Model, stockClass: number): boolean {
  const common = model.classes.findIndex(({ isDeleted }, index) => classTypeOf(index) === "COMMON" && !isDeleted);
  const preferred = START.classes.findIndex(({ classType }) => classType === "PREFERRED");
  return !classOf(model, preferred).isDeleted && (stockClass === preferred || stockClass === common);
}

const classTypeOf = (index: number) => START.classes[index]?.classType;

type Authorizing = Extract<Figuring, { op: "adjust-authorized" | "patch-class" }>;

function authorize(model: Model, step: Authorizing): void {
  const { op, stockClass } = step;
  const isSame = (effect: Effect) => effect.does === "authorize" && effect.stockClass === stockClass;
  const figure = units(step.figure);
  if (op === "adjust-authorized") {
    refuseTooEarly(model, step.date, isSame);
    record(model, { date: step.date, on: [], effect: { does: "authorize", stockClass, figure, by: 0n } });
    return;
  }
  const own = classOf(model, stockClass);
  const by = figure - own.initial;
  own.initial = figure;
  if (by !== 0n) record(model, { date: TODAY, on: [], effect: { does: "authorize", stockClass, figure: null, by } });
}

type Reserving = Extract<Figuring, { op: "adjust-reserve" | "patch-plan" }>;

function reserve(model: Model, step: Reserving): void {
  const { op, plan } = step;
  const isSame = (effect: Effect) => effect.does === "reserve" && effect.plan === plan;
  const figure = units(step.figure);
  if (op === "adjust-reserve") {
    refuseTooEarly(model, step.date, isSame);
    record(model, { date: step.date, on: [], effect: { does: "reserve", plan, figure, by: 0n } });
    return;
  }
  const own = planOf(model, plan);
  const by = figure - own.initial;
  own.initial = figure;
  if (by !== 0n) record(model, { date: TODAY, on: [], effect: { does: "reserve", plan, figure: null, by } });
}

function refuseTooEarly(model: Model, date: string, isSame: (effect: Effect) => boolean): void {
  refuseIf(isTooEarly(date, latest(model.log.filter(({ effect }) => isSame(effect)))), "invalid-state");
}
