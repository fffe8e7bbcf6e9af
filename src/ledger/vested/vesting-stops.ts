// Vesting stops and resumptions: the effect of the end of service, and of a return, on a security's shares during a
// replay. Pure; vesting-book.ts processes all other entries.
import { addDays, type CalendarDate, dayNumber } from "../../kernel/date.ts";
import { membersOf } from "../members.ts";
import type { LedgerEvent } from "../replay/event.ts";
import type { EntryDraft } from "../types.ts";
import { vestingDates } from "../vesting/history.ts";
import type { Parcels } from "../vesting/parcels.ts";
import * as lists from "../vesting/parcels.ts";
import * as schedule from "../vesting/schedule.ts";
import type { VestingEntry, VestingHistory, VestingRules } from "../vesting/vesting-types.ts";
import { type Account, type SecurityVesting, sharesIn, sharesOf, vestingOf } from "./vesting-account.ts";

/**
 * Whether an entry sets when shares vest, whatever its own day: a start or an event, but not an end of service or
 * return.
 */
export function saysWhen({ kind, said }: LedgerEvent): boolean {
  return kind === "fact" && said.vestingStopped === null;
}

/** The day on which vesting of outstanding shares stopped; null if all of them vest. */
export function stoppedOn(vesting: SecurityVesting, asOf?: CalendarDate): CalendarDate | null {
  const { own, history } = vesting;
  // A schedule never makes stopped shares: those came with an issuance, or are own parcels.
  if (own === null && (history.vestings ?? null) === null) return null;
  return lists.stoppedOn(schedule.openOf(sharesIn(vesting, asOf)));
}

/** The open shares of a security when its vesting stops on a day: the shares unvested by then have stopped. */
export function stoppedBy(vesting: SecurityVesting, date: CalendarDate): Parcels {
  return afterStops(schedule.openOf(sharesIn(vesting)), [{ date, isStop: true }], vesting);
}

/** The open shares of a security whose holder returns on a day. */
export function resumedBy(vesting: SecurityVesting, date: CalendarDate): Parcels {
  return afterStops(schedule.openOf(sharesIn(vesting)), [{ date, isStop: false }], vesting);
}

/** An end of service or a return in an entry. */
export interface ToldStop {
  readonly date: CalendarDate;
  readonly isStop: boolean;
}

/** The end of service or return in an entry; null for all else. */
export function stopOf(entry: EntryDraft): ToldStop | null {
  const { vestingStopped } = membersOf(entry);
  return vestingStopped === null ? null : { date: entry.effectiveDate, isStop: vestingStopped };
}

/**
 * The effect of ends of service and returns on open shares, in order. If service ends before a return recorded for a
 * later day, that return decides the days up to it.
 */
export function afterStops(
  parcels: Parcels,
  stops: readonly ToldStop[],
  { rules, resumedOn: before = null }: Pick<SecurityVesting, "rules" | "resumedOn">,
): Parcels {
  let [open, resumedOn] = [parcels, before];
  for (const { date, isStop } of stops) {
    const on = resumedOn !== null && resumedOn > date ? resumedOn : date;
    open = isStop ? lists.stop(open, { date, on }) : lists.resume(open, date, eventsOf(rules));
    if (!isStop) resumedOn = date;
  }
  return open;
}

function eventsOf(rules: VestingRules | null): ReadonlySet<string | null> {
  const conditions = rules?.vestingConditions ?? [];
  return new Set(conditions.filter(({ trigger }) => trigger.type === "EVENT_BASED").map(({ id }) => id));
}

/**
 * Processes an entry that stops or resumes vesting: by its stored parcels, or in a view with fewer entries by the rule.
 */
export function followStop(account: Account, { entry, said }: LedgerEvent, isStop: boolean): void {
  const { effectiveDate: date } = entry;
  const vesting = vestingOf(account);
  const { left } = said.parcels;
  const byRule = isStop ? stoppedBy(vesting, date) : resumedBy(vesting, date);
  if (!isStop) {
    account.entries.push(...shifted(vesting.history, stoppedOn(vesting), date));
    account.resumedOn = date;
  }
  account.own = schedule.withOpen(sharesOf(account), left === null || account.isPartial ? byRule : left);
}

/** The starts of vesting, each as many days later as vesting stood still: they give waiting shares their days. */
function shifted(history: VestingHistory, on: CalendarDate | null, date: CalendarDate): VestingEntry[] {
  if (on === null) return [];
  const later = (day: CalendarDate) => addDays(day, dayNumber(date) - dayNumber(on));
  const { start, conditionStarts } = vestingDates(history);
  return [
    ...(start === null ? [] : [{ kind: "STARTED", date: later(start), conditionId: null } as const]),
    ...Array.from(conditionStarts, ([conditionId, day]) => {
      return { kind: "STARTED", date: later(day), conditionId } as const;
    }),
  ];
}
