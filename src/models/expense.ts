// The expense of grants over the periods in which they vest (ASC 718-10-35-8; forfeitures as they occur, ASU 2016-09).
// By the end of a day, with t the days from the grant to that day, that day in, and T those from the grant to a vesting
// event:
//
//   GRADED         Σ value of each event × min(1, t ÷ T)
//   STRAIGHT_LINE  max( total value × min(1, t ÷ T of the last event), value vested by then )
//
// of the events as cancellations up to that day have left them. Each cumulative figure is rounded once, to the cent;
// what a period bears is the difference of two. Pure.
import { addDays, addMonths, type CalendarDate, dayNumber } from "../kernel/date.ts";
import { type Decimal, formatDecimal, ZERO } from "../kernel/decimal.ts";
import { add, compare, type Fraction, fraction, greatest, NOTHING, ofDecimal, times, toCents } from "./fraction.ts";

/** Shares of a grant that vest on a day, counted in shares as granted. */
export interface GrantEvent {
  readonly date: CalendarDate;
  readonly quantity: Fraction;
}

/** A grant to be expensed. */
export interface ExpensedGrant {
  readonly securityId: string;
  readonly grantDate: CalendarDate;
  readonly fairValuePerShare: Decimal;
  /** Its events as they were on a day: with the cancellations up to it. */
  eventsOn(day: CalendarDate): readonly GrantEvent[];
}

export interface Period {
  readonly from: CalendarDate;
  readonly to: CalendarDate;
}

export type Method = "STRAIGHT_LINE" | "GRADED";

const MONTHS = { MONTH: 1, QUARTER: 3, YEAR: 12 } as const;

/** The periods from a day on; the last may be short. */
export function periodsOf(from: CalendarDate, to: CalendarDate, period: keyof typeof MONTHS): readonly Period[] {
  const periods: Period[] = [];
  for (let start = from; start <= to && periods.length <= 120; ) {
    const next = addMonths(from, MONTHS[period] * (periods.length + 1));
    const end = addDays(next, -1);
    periods.push({ from: start, to: end < to ? end : to });
    if (next <= start) break;
    start = next;
  }
  return periods;
}

/** The value of all events, and what of it is recognized by the end of a day. */
export function recognizedBy(
  grant: ExpensedGrant,
  method: Method,
  day: CalendarDate,
): { total: Decimal; recognized: Decimal } {
  const price = ofDecimal(grant.fairValuePerShare);
  const events = grant.eventsOn(day).map(({ date, quantity }) => ({ date, value: times(price, quantity) }));
  const total = events.reduce((sum, { value }) => add(sum, value), NOTHING);
  const whole = toCents(total);
  if (day < grant.grantDate) return { total: whole, recognized: ZERO };
  if (method === "GRADED") {
    const parts = events.map(({ date, value }) => times(value, partBy(grant.grantDate, date, day)));
    return { total: whole, recognized: toCents(parts.reduce(add, NOTHING)) };
  }
  const last = [grant.grantDate, ...events.map(({ date }) => date)].sort().at(-1) ?? grant.grantDate;
  const vested = events.reduce((sum, { date, value }) => (date <= day ? add(sum, value) : sum), NOTHING);
  return { total: whole, recognized: toCents(greatest(times(total, partBy(grant.grantDate, last, day)), vested)) };
}

/**
 * The part of the time from the grant to an event that is over by the end of a day; all of it for one not after the
 * grant.
 */
function partBy(grantDate: CalendarDate, eventDate: CalendarDate, day: CalendarDate): Fraction {
  const whole = dayNumber(eventDate) - dayNumber(grantDate);
  const over = dayNumber(day) - dayNumber(grantDate) + 1;
  const part = whole <= 0 || over >= whole ? fraction(1n) : fraction(BigInt(over), BigInt(whole));
  return compare(part, NOTHING) < 0 ? NOTHING : part;
}

/** The schedule of many grants, and its sums. */
export function expenseSchedule(grants: readonly ExpensedGrant[], method: Method, periods: readonly Period[]) {
  const sums = periods.map(() => ZERO);
  const [first, last] = [periods[0], periods.at(-1)];
  if (!first || !last) return { grants: [], periods: [] };
  const rows = grants.map((grant) => {
    const before = recognizedBy(grant, method, addDays(first.from, -1)).recognized;
    const end = recognizedBy(grant, method, last.to);
    let recognized = before;
    const amounts = periods.map(({ from, to }, index) => {
      const now = recognizedBy(grant, method, to).recognized;
      const amount = now - recognized;
      recognized = now;
      sums[index] = (sums[index] ?? ZERO) + amount;
      return { from, to, amount: formatDecimal(amount) };
    });
    return {
      securityId: grant.securityId,
      total: formatDecimal(end.total),
      recognizedBefore: formatDecimal(before),
      periods: amounts,
      unrecognizedAfter: formatDecimal(end.total - end.recognized),
    };
  });
  const told = periods.map(({ from, to }, index) => ({ from, to, amount: formatDecimal(sums[index] ?? ZERO) }));
  return { grants: rows, periods: told };
}
