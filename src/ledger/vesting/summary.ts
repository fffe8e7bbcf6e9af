// Summary of vesting terms for responses: unit, length and number of periods, and those of the cliff. For display;
// nothing vests by them.
import { indexById, inOrder, predecessors } from "./graph.ts";
import { DAYS_IN_MONTHS, type PlannedCondition, periodMonths, planOf } from "./plan.ts";
import type { VestingRules, VestingSchedule } from "./vesting-types.ts";

/** The derived members of a vesting terms response. */
export interface VestingSummary {
  readonly periodLengthUnits: "DAYS" | "MONTHS" | "YEARS";
  readonly periodLength: number;
  /** The cliff's periods included. */
  readonly totalPeriods: number;
  readonly cliffPeriods: number;
}

const FREQUENCIES = {
  MONTHLY: { periodLengthUnits: "MONTHS", periodLength: 1, months: 1 },
  QUARTERLY: { periodLengthUnits: "MONTHS", periodLength: 3, months: 3 },
  ANNUALLY: { periodLengthUnits: "YEARS", periodLength: 1, months: 12 },
} as const;

/** A length of time in 4800ths of an average day, so that days and months can be added and compared exactly. */
type Span = number;

function spanOf({ condition }: PlannedCondition, periods: number): Span {
  if (condition.trigger.type === "EVENT_BASED") return 0;
  const months = periodMonths(condition.trigger);
  const each =
    months === null ? (condition.trigger.periodLength ?? 0) * DAYS_IN_MONTHS.months : months * DAYS_IN_MONTHS.days;
  return each * periods;
}

function periodsIn(span: Span, period: Span): number {
  return period === 0 ? 0 : Math.min(Math.ceil(span / period), Number.MAX_SAFE_INTEGER);
}

/** The time from the start to the last occurrence of each condition, as far as it is a matter of time. */
function ends(planned: readonly PlannedCondition[]): readonly Span[] {
  const before = predecessors(planned.map(({ condition }) => condition));
  const end: Span[] = planned.map(() => 0);
  for (const i of inOrder(before)) {
    const [own, earlier] = [planned[i], before[i]];
    if (!own || !earlier) continue;
    const begin = [...earlier].reduce((latest, j) => Math.max(latest, end[j] ?? 0), 0);
    end[i] = begin + spanOf(own, Number(own.occurrences));
  }
  return end;
}

function summaryOfSchedule({ vestingFrequency, totalMonths, cliffMonths }: VestingSchedule): VestingSummary {
  const { months, ...period } = FREQUENCIES[vestingFrequency];
  return { ...period, totalPeriods: Math.ceil(totalMonths / months), cliffPeriods: Math.ceil(cliffMonths / months) };
}

/**
 * Derives the summary from `schedule` where there is one, else from the conditions: the pace is that of the first
 * time-based condition that repeats, which also says when it all ends. Where none repeats, the first time-based one
 * gives the pace and the last one the end.
 */
export function vestingSummary(rules: VestingRules): VestingSummary {
  if (rules.schedule) return summaryOfSchedule(rules.schedule);
  const { conditions: planned } = planOf(rules, null);
  const isTimeBased = ({ condition }: PlannedCondition) => condition.trigger.type === "TIME_BASED";
  const repeating = planned.findIndex((own) => own.repeats && isTimeBased(own));
  const pace = planned[repeating] ?? planned.find(isTimeBased);
  if (!pace) return { periodLengthUnits: "MONTHS", periodLength: 0, totalPeriods: 0, cliffPeriods: 0 };

  const period = spanOf(pace, 1);
  const end = ends(planned);
  const last = end[repeating] ?? end.reduce((latest, span) => Math.max(latest, span), 0);
  const index = indexById(rules.vestingConditions);
  const cliff = rules.vestingConditions
    .map((own) => planned[index.get(own.cliffConditionId ?? "") ?? -1])
    .find(Boolean);
  return {
    periodLengthUnits: pace.condition.trigger.periodType ?? "MONTHS",
    periodLength: pace.condition.trigger.periodLength ?? 0,
    totalPeriods: periodsIn(last, period),
    cliffPeriods: cliff ? periodsIn(spanOf(cliff, Number(cliff.occurrences)), period) : 0,
  };
}
