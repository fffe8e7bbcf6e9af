// A leaver: what has not vested of each option goes, what has may be exercised until the window ends; what has not
// vested of stock vests no more. It concerns what the leaver holds, and all that came of what was first the leaver's.
import { isTooEarly, latestThrough, TOMORROW } from "./dates.ts";
import { haltedOn, held, vestedBy } from "./parcels.ts";
import { record } from "./record.ts";
import { refuseIf } from "./refusal.ts";
import { isOpen, type Model, securityOf, vestingOf } from "./state.ts";
import type { Leaving } from "./step.ts";
import type { Units } from "./units.ts";
import { makeOwn, standing } from "./vesting.ts";

/** Whether the end of a holder's service concerns a security. */
export function isConcerned(model: Model, holder: number, index: number): boolean {
  const security = model.securities[index];
  if (!security || security.isDeleted) return false;
  return security.holder === holder || firstHolder(model, vestingOf(model, index).grant) === holder;
}

/** To whom a grant was issued, as corrected. */
export function firstHolder({ log }: Model, grant: number): number | null {
  let first: number | null = null;
  for (const { effect, isCorrection } of log) {
    if (effect.does === "issue" && effect.made === grant) first = effect.as.holder;
    if (effect.does === "hand" && effect.security === grant && isCorrection) first = effect.holder;
  }
  return first;
}

/** Ends a holder's service. */
export function leave(model: Model, step: Leaving): void {
  const { holder, date, continues } = step;
  refuseIf(date > TOMORROW, "validation-failed");
  const concerned = [...model.securities.keys()].filter((index) => isConcerned(model, holder, index));
  const open = concerned.filter((index) => isOpen(model.securities[index]));
  refuseIf(
    continues.some((index) => !open.includes(index)),
    "validation-failed",
  );
  const isLateExercise = ({ date: day, effect }: Model["log"][number]) =>
    effect.does === "move" &&
    effect.closed === "EXERCISED" &&
    concerned.includes(effect.security) &&
    securityOf(model, effect.security).kind === "STOCK_OPTION" &&
    day > date;
  refuseIf(model.log.some(isLateExercise), "invalid-state");
  for (const index of open.filter((each) => !continues.includes(each))) {
    const { kind } = securityOf(model, index);
    if (kind === "STOCK_OPTION") endOption(model, index, step);
    else if (kind === "STOCK") endStock(model, index, date);
  }
}

/** How many shares end, of those that have not vested by a day. */
function ending(model: Model, index: number, date: string): Units {
  const parcels = standing(model, index).filter(({ halted }) => !halted);
  const quantity = held(parcels) - vestedBy(parcels, date);
  refuseIf(quantity > 0n && isTooEarly(date, latestThrough(model, index)), "invalid-state");
  return quantity;
}

function endStock(model: Model, index: number, date: string): void {
  if (ending(model, index, date) === 0n) return;
  makeOwn(model, index, date);
  const { facts } = vestingOf(model, index);
  const back = facts.flatMap((fact) => (fact.is === "returned" ? [fact.date] : [])).at(-1);
  const on = back !== undefined && back > date ? back : date;
  facts.push({ is: "ended", entry: model.log.length, date, on });
  record(model, { date, on: [index], effect: { does: "tell", security: index, isDated: true } });
}

function endOption(model: Model, index: number, { date, days }: Leaving): void {
  const quantity = ending(model, index, date);
  if (quantity > 0n) {
    vestingOf(model, index).facts.push({ is: "cut", entry: model.log.length, date, quantity, vested: null });
    const effect = { does: "take", security: index, quantity, closed: "CANCELLED", returns: true } as const;
    record(model, { date, on: [index], effect });
  }
  const option = securityOf(model, index);
  if (days === null || option.quantity === 0n) return;
  const end = Temporal.PlainDate.from(date).add({ days }).toString();
  if (option.expires !== null && end >= option.expires) return;
  refuseIf(isMadeAfter(model, index, date), "invalid-state");
  option.expires = end;
}

function isMadeAfter({ log }: Model, security: number, day: string): boolean {
  return log.some(({ date, effect }) => "made" in effect && effect.made === security && date > day);
}

/** The leaver is back: stopped vesting of a security goes on. Returns whether it had stopped. */
export function comeBack(model: Model, security: number, date: string, condition: string | null): boolean {
  const on = haltedOn(standing(model, security));
  if (on === null) return false;
  refuseIf(condition !== null, "invalid-state");
  refuseIf(date < on, "validation-failed");
  vestingOf(model, security).facts.push({ is: "returned", entry: model.log.length, date, on });
  record(model, { date, on: [security], effect: { does: "tell", security, isDated: true } });
  return true;
}
