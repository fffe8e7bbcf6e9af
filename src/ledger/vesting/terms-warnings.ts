// Warnings about vesting terms: display figures that the conditions contradict, and portions that never reach the
// whole. Judged by a grant whose vesting starts on the first of a month. Pure.
import { addMonths, type CalendarDate } from "../../kernel/date.ts";
import { greatestCommonDivisor } from "../../kernel/numbers/decimal.ts";
import { counted } from "../../kernel/text/text.ts";
import type { Warning } from "../../kernel/warning.ts";
import { planOf } from "./plan.ts";
import { type Tranche, tranchesOf } from "./timeline.ts";
import type { VestingRules, VestingSchedule } from "./vesting-types.ts";

/** A day from which months are counted without clamping. */
const START: CalendarDate = "2001-01-01";
const FREQUENCY_MONTHS = { MONTHLY: 1, QUARTERLY: 3, ANNUALLY: 12 } as const;
/** The tolerance of a percentage, since a fraction may be rounded for display. */
const PERCENT_TOLERANCE = 0.1;

interface Dated extends Tranche {
  readonly date: CalendarDate;
}

/** The terms' display of their vesting: a schedule, or without one its months alone; null if they have neither. */
export interface Said {
  readonly schedule: VestingSchedule | null;
  readonly totalVestingMonths: number | null;
  readonly cliffMonths: number | null;
}

/** Warnings about vesting terms, the cliff's first; an empty list if there is no remark. */
export function termsWarnings(rules: VestingRules, said: Said): readonly Warning[] {
  const plan = planOf(rules, START);
  const tranches = tranchesOf(plan, { start: START, conditionStarts: new Map(), happened: new Map() }).filter(
    ({ portion }) => portion > 0n,
  );
  const dated = tranches.filter((tranche): tranche is Dated => tranche.date !== null);
  return [
    ...cliffWarnings(said, dated, plan.whole),
    ...endWarnings(said, dated),
    ...completeWarnings(tranches, dated, plan.whole),
  ];
}

/** The summary says when vesting begins and with how much; the conditions may begin otherwise. */
function cliffWarnings({ schedule, ...said }: Said, dated: readonly Dated[], whole: bigint): readonly Warning[] {
  const [first] = dated;
  const cliffMonths = schedule?.cliffMonths ?? said.cliffMonths;
  // Months alone do not say how often it vests, so that no cliff may mean any first day.
  if (cliffMonths === null || !first || (cliffMonths === 0 && !schedule)) return [];
  const firstMonths = cliffMonths === 0 && schedule ? FREQUENCY_MONTHS[schedule.vestingFrequency] : cliffMonths;
  const expected = addMonths(START, firstMonths);
  const isLate = cliffMonths === 0 ? first.date > expected : first.date !== expected;
  const vested = percentOf(
    dated.filter(({ date }) => date === first.date),
    whole,
  );
  const isOther = schedule && cliffMonths > 0 && Math.abs(vested - schedule.cliffPercent) >= PERCENT_TOLERANCE;
  if (!isLate && !isOther) return [];
  const withPercent = schedule ? ` with ${schedule.cliffPercent}%` : "";
  const cliff = cliffMonths === 0 ? "no cliff" : `a cliff of ${cliffMonths} months${withPercent}`;
  const found = `${shownPercent(vested)}% first vests after ${monthsUntil(first.date)}`;
  return [{ code: "cliff-differs", detail: `The ${nounOf(schedule)} ${cliff}; by the conditions ${found}.` }];
}

function endWarnings({ schedule, totalVestingMonths }: Said, dated: readonly Dated[]): readonly Warning[] {
  const last = dated.at(-1);
  const months = schedule?.totalMonths ?? totalVestingMonths;
  if (months === null || !last || last.date === addMonths(START, months)) return [];
  const end = `by the conditions the last shares vest after ${monthsUntil(last.date)}`;
  return [{ code: "end-differs", detail: `The ${nounOf(schedule)} ${months} months; ${end}.` }];
}

function nounOf(schedule: VestingSchedule | null): string {
  return schedule ? "schedule says" : "terms say";
}

function completeWarnings(all: readonly Tranche[], dated: readonly Dated[], whole: bigint): readonly Warning[] {
  const reached = all.reduce((sum, { portion }) => sum + portion, 0n);
  if (reached >= whole) return [];
  const divisor = greatestCommonDivisor(whole - reached, whole);
  const rest = `${(whole - reached) / divisor}/${whole / divisor}`;
  const last = dated.at(-1);
  const since = last ? `From ${monthsUntil(last.date)} after the start on` : "Without dated conditions";
  return [{ code: "never-complete", detail: `${since}, ${rest} of a grant never vests.` }];
}

function percentOf(tranches: readonly Tranche[], whole: bigint): number {
  const portion = tranches.reduce((sum, each) => sum + each.portion, 0n);
  return Number((portion * 1_000_000n) / whole) / 10_000;
}

function shownPercent(percent: number): string {
  return String(Math.round(percent * 100) / 100);
}

/** A length of time since the start: in whole months, or else the day. */
function monthsUntil(date: CalendarDate): string {
  const [year = 0, month = 0, day = 0] = date.split("-").map(Number);
  const months = (year - 2001) * 12 + month - 1;
  const days = day - 1;
  if (days === 0) return counted(months, "month");
  return months === 0 ? counted(days, "day") : `${counted(months, "month")} and ${counted(days, "day")}`;
}
