// The cap table as of a day, and what days bind.
import { apply } from "./apply.ts";
import { copyOfState, type Entry, issuedOf, type Model, type State } from "./state.ts";
import type { Units } from "./units.ts";

/** The day on which the histories happen, and the one after. */
export const TODAY = "2026-06-15";
export const TOMORROW = "2026-06-16";

/** After every day that the histories name. */
export const LAST_DAY = "9999-12-31";

/** A view: the cap table as of a day, and the places of the entries that count in it. */
export interface View {
  readonly state: State;
  readonly counted: ReadonlySet<number>;
}

/**
 * The cap table as of a day: what the entries dated until then add up to, in the order of the ledger. An entry whose
 * security is not there, or holds too little, waits until that is there.
 */
export function viewOf(model: Model, day: string): View {
  const state = copyOfState({ ...model.founded, securities: [] });
  const counted = new Set<number>();
  let waiting: number[] = [];
  const attempt = (index: number): boolean => {
    const entry = model.log[index];
    if (!entry || !apply(state, entry.effect, model.rules)) return false;
    counted.add(index);
    return true;
  };
  for (const [index, entry] of model.log.entries()) {
    if (dayOf(model, entry) > day) continue;
    waiting.push(index);
    for (let isNew = true; isNew; ) {
      const left: number[] = waiting.filter((place) => !attempt(place));
      isNew = left.length < waiting.length && left.length > 0;
      waiting = left;
    }
  }
  return { state, counted };
}

/** The day from which an entry counts; under the wrong rule of a control, an issuance counts with whatever names it. */
function dayOf(model: Model, { date, from, effect }: Entry): string {
  if (from !== undefined) return from;
  if (model.rules.unfoundedEntriesWait || effect.does !== "issue") return date;
  const naming = model.log.filter(({ on }) => on.includes(effect.made)).map((entry) => entry.date);
  return naming.sort()[0] ?? date;
}

/** The days on which limits bind: today, and later ones that have entries. */
function bindingDays(model: Model): string[] {
  const later = model.log.map(({ date }) => date).filter((date) => date > TODAY);
  return [TODAY, ...new Set(later)].sort();
}

/** What the authorized shares and the reserves have left. */
function leftOf(state: State): { readonly classes: Units[]; readonly plans: Units[] } {
  return {
    classes: state.classes.map(({ authorized }, index) => authorized - issuedOf(state, index)),
    plans: state.plans.map(({ available }) => available),
  };
}

/** The limits that a step breaks, or breaks by more: as the record stands, and on each day from today on. */
export function brokenLimits(before: Model, after: Model): string[] {
  const found = new Set<string>();
  const compare = (was: State, is: State) => {
    const [old, now] = [leftOf(was), leftOf(is)];
    const isWorse = (left: Units, index: number, list: Units[]) => left < 0n && left < (list[index] ?? 0n);
    if (now.classes.some((left, index) => isWorse(left, index, old.classes))) {
      found.add("insufficient-authorized-shares");
    }
    if (now.plans.some((left, index) => isWorse(left, index, old.plans))) found.add("insufficient-plan-reserve");
  };
  compare(before, after);
  if (before.rules.limitsBindOnLaterDays) {
    for (const day of bindingDays(after)) compare(viewOf(before, day).state, viewOf(after, day).state);
  }
  return [...found];
}

/** The latest day of the entries that are about one of these securities; null without any. */
export function latestOn(model: Model, securities: ReadonlySet<number>): string | null {
  return latest(model.log.filter((entry) => entry.on.some((security) => securities.has(security))));
}

/** The latest day of the entries that are about a security, and of the splits that it went through. */
export function latestThrough(model: Model, security: number): string | null {
  return latest(model.log.filter(({ on, through }) => on.includes(security) || through?.has(security)));
}

/** The securities that an entry of a day to come takes from or closes: on the cap table of today that is yet to be. */
export function losingAhead({ log }: Model): ReadonlySet<number> {
  const losing = new Set<number>();
  for (const { date, effect, isCorrection } of log) {
    if (date <= TODAY || isCorrection || effect.does === "tell") continue;
    if ("security" in effect) losing.add(effect.security);
  }
  return losing;
}

/**
 * Whether an entry of a day to come bears on the shares of a security: one that takes some, or a split that it went
 * through when that was recorded, whatever became of it since.
 */
export function differsAhead(model: Model, security: number): boolean {
  return losingAhead(model).has(security) || isThroughAhead(model, security);
}

/** Whether a security went through a split of a day to come. */
export function isThroughAhead({ log }: Model, security: number): boolean {
  return log.some(({ date, through }) => date > TODAY && through?.has(security) === true);
}

/** The latest day of some entries; null without any. */
export function latest(entries: readonly Entry[]): string | null {
  return (
    entries
      .map(({ date }) => date)
      .sort()
      .at(-1) ?? null
  );
}

/** Whether an operation of an extension route that changes holdings is dated before what it may be. */
export function isTooEarly(date: string, last: string | null): boolean {
  return last !== null && date < (last > TODAY ? TODAY : last);
}
