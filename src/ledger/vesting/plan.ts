// Plan of vesting terms: how often each condition happens and what part of the grant each time vests, before any date
// is known. Portions are integers over one common denominator, so that sums are exact. No dates but the start.
import { addMonths, type CalendarDate, dayNumber } from "../../kernel/date.ts";
import { greatestCommonDivisor } from "../../kernel/numbers/decimal.ts";
import type { VestingCondition, VestingRules, VestingTrigger } from "./vesting-types.ts";

/** A condition with its number of occurrences; the last of them may vest less than the others. */
export interface PlannedCondition {
  readonly condition: VestingCondition;
  readonly repeats: boolean;
  readonly occurrences: bigint;
  /** In units of the plan's `whole`. */
  readonly portion: bigint;
  readonly lastPortion: bigint;
}

/** What the terms give away. `whole` is the grant, in the unit that every portion has. */
export interface Plan {
  readonly whole: bigint;
  readonly conditions: readonly PlannedCondition[];
}

/** Average days of a month in the Gregorian calendar, as a fraction: 146097 days in 4800 months. */
export const DAYS_IN_MONTHS = { days: 146_097, months: 4_800 } as const;

/** The least number that every denominator divides: the unit in which all portions are whole numbers. */
export function commonDenominator(conditions: readonly VestingCondition[]): bigint {
  let common = 1n;
  for (const { portion } of conditions) {
    const denominator = BigInt(portion.denominator);
    common *= denominator / greatestCommonDivisor(denominator, common % denominator);
  }
  return common;
}

/** A condition's portion in units of a common denominator. */
export function portionOf({ portion }: VestingCondition, whole: bigint): bigint {
  return BigInt(portion.numerator) * (whole / BigInt(portion.denominator));
}

/** Counts of months in a time-based trigger's period; `null` for `DAYS`. */
export function periodMonths({ periodLength, periodType }: VestingTrigger): number | null {
  if (periodType === "DAYS") return null;
  return (periodLength ?? 0) * (periodType === "YEARS" ? 12 : 1);
}

function isLoneTimeBased(condition: VestingCondition, conditions: readonly VestingCondition[]): boolean {
  return conditions.length === 1 && condition.trigger.type === "TIME_BASED";
}

/** Whether the links make the condition repeat. One that hands on to another happens once: the chain's end repeats. */
function repeatsByLink(condition: VestingCondition, namedAsNext: ReadonlySet<string>): boolean {
  if (condition.nextConditionId === condition.id) return true;
  return namedAsNext.has(condition.id) && (condition.nextConditionId ?? null) === null;
}

/** How many periods of `trigger` end within `months`; at least one, for the condition itself always happens. */
function periodsWithin(trigger: VestingTrigger, months: number, start: CalendarDate | null): bigint | null {
  const length = trigger.periodLength ?? 0;
  if (length === 0) return null;
  const inMonths = periodMonths(trigger);
  if (inMonths !== null) return BigInt(Math.max(1, Math.floor(months / inMonths)));
  const days = start
    ? dayNumber(addMonths(start, Math.min(Math.floor(months), 120_000))) - dayNumber(start)
    : Math.round((months * DAYS_IN_MONTHS.days) / DAYS_IN_MONTHS.months);
  return BigInt(Math.max(1, Math.floor(days / length)));
}

/**
 * Plans the occurrences of every condition. What repeats shares what the others leave, taking turns where several do;
 * the condition that reaches the whole takes just what is left. A lone time-based condition stays within
 * `schedule.totalMonths`, counted from `start`. Portions that exceed the whole leave nothing to what repeats.
 */
export function planOf(rules: VestingRules, start: CalendarDate | null): Plan {
  const conditions = rules.vestingConditions;
  const whole = commonDenominator(conditions);
  const namedAsNext = new Set<string>();
  for (const { id, nextConditionId } of conditions) {
    if (nextConditionId && nextConditionId !== id) namedAsNext.add(nextConditionId);
  }
  const drafts = conditions.map((condition) => {
    const portion = portionOf(condition, whole);
    const fixed = condition.trigger.occurrences ?? null;
    const byLink = repeatsByLink(condition, namedAsNext);
    const repeats = fixed === null && portion > 0n && (byLink || isLoneTimeBased(condition, conditions));
    return { condition, portion, repeats, byLink, occurrences: BigInt(fixed ?? 1) };
  });

  let left = whole;
  let turn = 0n;
  for (const { repeats, portion, occurrences } of drafts) {
    if (repeats) turn += portion;
    else left -= portion * occurrences;
  }
  if (left < 0n) left = 0n;
  let inLastTurn = turn > 0n ? left % turn : 0n;
  const planned = drafts.map(({ condition, portion, repeats, byLink, occurrences }): PlannedCondition => {
    if (!repeats) return { condition, portion, repeats: occurrences > 1n, occurrences, lastPortion: portion };
    const partial = portion < inLastTurn ? portion : inLastTurn;
    inLastTurn -= partial;
    const count = left / turn + (partial > 0n ? 1n : 0n);
    const lastPortion = partial > 0n ? partial : portion;
    const limit =
      rules.schedule && !byLink ? periodsWithin(condition.trigger, rules.schedule.totalMonths, start) : null;
    if (limit === null || limit >= count) return { condition, portion, repeats, occurrences: count, lastPortion };
    return { condition, portion, repeats, occurrences: limit, lastPortion: portion };
  });
  return { whole, conditions: planned };
}
