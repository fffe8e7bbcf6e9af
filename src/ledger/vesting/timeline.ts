// Timeline of vesting conditions: when each occurrence happens, by chains, cliffs, events, month ends. Gives the
// tranches of a grant in order of date, those without one last. Knows portions, not shares.
import { addDays, addMonths, type CalendarDate } from "../../kernel/date.ts";
import { inOrder, predecessors } from "./graph.ts";
import { type Plan, type PlannedCondition, periodMonths } from "./plan.ts";
import type { VestingTrigger } from "./vesting-types.ts";

/** The dates that a security brings to its terms. */
export interface VestingDates {
  /** `null` when vesting has not started. */
  readonly start: CalendarDate | null;
  /** Starts of single conditions, by id. */
  readonly conditionStarts: ReadonlyMap<string, CalendarDate>;
  /** The days on which events of event-based conditions took place, by condition id, ascending. */
  readonly happened: ReadonlyMap<string, readonly CalendarDate[]>;
}

/**
 * One occurrence of a condition, from 1; `portion` in units of the plan's whole, `date` `null` while it has no date.
 */
export interface Tranche {
  readonly conditionId: string;
  readonly occurrence: number;
  readonly date: CalendarDate | null;
  readonly portion: bigint;
}

/**
 * The most tranches that the conditions of one grant have between them (54 years of days). Of a condition that happens
 * more often, all further occurrences vest together on the day of the very last: never early, and nothing is lost.
 */
export const TRANCHES_MAX = 20_000;

/** More months, or days, than lie between two dates of this calendar; larger offsets mean the same: its last day. */
const OFFSET_MAX = 4_000_000;

/** A day that months are counted from: `months` after `from`, so that clamping at a month's end never accumulates. */
interface Anchor {
  readonly from: CalendarDate;
  readonly months: number;
}

function dateOf(anchor: Anchor): CalendarDate {
  return addMonths(anchor.from, anchor.months);
}

function advance(anchor: Anchor, trigger: VestingTrigger, periods: number): Anchor {
  const months = periodMonths(trigger);
  if (months !== null) return { ...anchor, months: Math.min(anchor.months + months * periods, OFFSET_MAX) };
  const days = Math.min((trigger.periodLength ?? 0) * periods, OFFSET_MAX);
  return { from: addDays(dateOf(anchor), days), months: 0 };
}

function later(a: Anchor, b: Anchor): Anchor {
  return dateOf(b) > dateOf(a) ? b : a;
}

/** The end of the conditions that come before; `null` while one of them is not satisfied. */
function gateOf(before: ReadonlySet<number>, satisfied: readonly (Anchor | null)[]): Anchor | null {
  let gate: Anchor | null = null;
  for (const i of before) {
    const end = satisfied[i] ?? null;
    if (end === null) return null;
    gate = gate === null ? end : later(gate, end);
  }
  return gate;
}

/** The day of a condition's n-th occurrence, from 1; `null` if it is not known to happen. */
type Clock = (ordinal: number) => Anchor | null;

const NEVER: Clock = () => null;

function clockOf({ condition }: PlannedCondition, dates: VestingDates, gate: Anchor | null, follows: boolean): Clock {
  if (follows && gate === null) return NEVER;
  const notBeforeGate = (anchor: Anchor): Anchor => (gate === null ? anchor : later(gate, anchor));
  if (condition.trigger.type === "EVENT_BASED") {
    const days = dates.happened.get(condition.id) ?? [];
    return (ordinal) => {
      const day = days[ordinal - 1];
      return day === undefined ? null : notBeforeGate({ from: day, months: 0 });
    };
  }
  const own = dates.conditionStarts.get(condition.id) ?? (follows ? null : dates.start);
  const begin = own === null ? gate : { from: own, months: 0 };
  return begin === null ? NEVER : (ordinal) => notBeforeGate(advance(begin, condition.trigger, ordinal));
}

function occurrencesOf(planned: PlannedCondition, clock: Clock, countMax: number): readonly Tranche[] {
  const { condition, occurrences, portion, lastPortion } = planned;
  if (occurrences === 0n) return [];
  const count = occurrences > BigInt(countMax) ? countMax : Number(occurrences);
  const rest = portion * (occurrences - BigInt(count)) + lastPortion;
  return Array.from({ length: count }, (_, i) => {
    const isLast = i === count - 1;
    const anchor = clock(isLast ? Number(occurrences) : i + 1);
    const date = anchor && dateOf(anchor);
    return { conditionId: condition.id, occurrence: i + 1, date, portion: isLast ? rest : portion };
  });
}

function byDate(a: Tranche, b: Tranche): number {
  if (a.date === b.date) return 0;
  if (a.date === null) return 1;
  if (b.date === null) return -1;
  return a.date < b.date ? -1 : 1;
}

/**
 * Every tranche of the plan, by date; on one day in the order of the conditions, those without a date last. A condition
 * begins at the end of the last of those before it, or counts from its own start but never vests before them.
 */
export function tranchesOf(plan: Plan, dates: VestingDates): readonly Tranche[] {
  const { conditions } = plan;
  const countMax = Math.max(1, Math.floor(TRANCHES_MAX / conditions.length));
  const before = predecessors(conditions.map(({ condition }) => condition));
  const clocks = conditions.map(() => NEVER);
  const satisfied: (Anchor | null)[] = conditions.map(() => null);
  const order = inOrder(before);
  for (const i of order) {
    const [planned, earlier] = [conditions[i], before[i]];
    if (!planned || !earlier) continue;
    const clock = clockOf(planned, dates, gateOf(earlier, satisfied), earlier.size > 0);
    clocks[i] = clock;
    satisfied[i] = clock(Number(planned.occurrences));
  }
  const inReach = new Set(order);
  const walk = [...order, ...conditions.keys().filter((i) => !inReach.has(i))];
  return walk
    .flatMap((i) => {
      const planned = conditions[i];
      return planned ? occurrencesOf(planned, clocks[i] ?? NEVER, countMax) : [];
    })
    .sort(byDate);
}
