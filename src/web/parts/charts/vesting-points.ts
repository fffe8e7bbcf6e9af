// What vests when, as the steps of a chart: sums by day, exact.
import { formatDecimal, parseDecimal } from "../../../kernel/numbers/decimal.ts";

/** Something that vests on a day; a decimal quantity. */
export interface VestingEvent {
  readonly date: string;
  readonly quantity: string;
}

/** A day of a schedule: what vests on it, and what has vested by then. */
export interface VestingStep extends VestingEvent {
  readonly total: string;
}

/** Events of one or several grants as steps, a step a day, the earliest first. */
export function stepsOfVesting(events: readonly VestingEvent[]): readonly VestingStep[] {
  const byDay = new Map<string, bigint>();
  for (const { date, quantity } of events) byDay.set(date, (byDay.get(date) ?? 0n) + parseDecimal(quantity));
  let total = 0n;
  const days = [...byDay].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return days.map(([date, quantity]) => {
    total += quantity;
    return { date, quantity: formatDecimal(quantity), total: formatDecimal(total) };
  });
}

/** The first step after a day; null where nothing is to come. */
export function nextStep(steps: readonly VestingStep[], day: string): VestingStep | null {
  return steps.find(({ date }) => date > day) ?? null;
}

/** The decimal `a` less `b`, and 0 where that is below. */
export function lessOf(a: string, b: string): string {
  const left = parseDecimal(a) - parseDecimal(b);
  return formatDecimal(left < 0n ? 0n : left);
}
