// The expense of grants over the periods in which they vest (ASC 718-10-35-8; forfeitures as they occur, ASU 2016-09).
// By the end of a day, with t the days from the grant to that day, that day in, and T those from the grant to a vesting
// event:
//
//   GRADED         Σ value of each event × min(1, t ÷ T)
//   STRAIGHT_LINE_BY_TRANCHE
//                  Σ value of each event × the part that has passed of the days from the event before it, or from the
//                  grant, to its own
//   STRAIGHT_LINE  max( total value × min(1, t ÷ T of the last event), value vested by then )
//
// of the events as cancellations up to that day have left them. Each cumulative figure is rounded once, to the cent;
// what a period bears is the difference of two. Pure.
import { addDays, addMonths, type CalendarDate, dayNumber } from "../../kernel/date.ts";
import { type Decimal, formatDecimal, ZERO } from "../../kernel/numbers/decimal.ts";
import { firstPlaceIn } from "../../kernel/text/search.ts";
import { Budget } from "./budget.ts";
import { add, type Fraction, fraction, greatest, NOTHING, ofDecimal, subtract, times, toCents } from "./fraction.ts";

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
  /** Its events as they were on a day: with the cancellations up to it. The same list where nothing was between days. */
  eventsOn(day: CalendarDate): readonly GrantEvent[];
}

export interface Period {
  readonly from: CalendarDate;
  readonly to: CalendarDate;
}

export const METHODS = ["STRAIGHT_LINE", "STRAIGHT_LINE_BY_TRANCHE", "GRADED"] as const;
export type Method = (typeof METHODS)[number];

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

/** What of a grant's events is recognized by a day, with the sums that all days ask for made once. */
class Recognition {
  /** The value of all events, whatever is recognized of it. */
  readonly whole: Fraction;
  readonly #grantDay: number;
  /** The days from the grant to each event, rising. */
  readonly #spans: readonly number[];
  /** By place: the value of the events before it, and Σ value ÷ days of those from it on. */
  readonly #before: readonly Fraction[];
  readonly #running: readonly Fraction[];

  constructor({ grantDate, fairValuePerShare }: ExpensedGrant, events: readonly GrantEvent[], budget: Budget) {
    const price = ofDecimal(fairValuePerShare);
    this.#grantDay = dayNumber(grantDate);
    const valued = events.map(({ date, quantity }) => {
      budget.glance();
      return { span: dayNumber(date) - this.#grantDay, value: times(price, quantity) };
    });
    valued.sort((a, b) => a.span - b.span);
    this.#spans = valued.map(({ span }) => span);
    const before = [NOTHING];
    for (const { value } of valued) before.push(add(before.at(-1) ?? NOTHING, value));
    const running = [NOTHING];
    for (const { span, value } of valued.reverse()) {
      const last = running.at(-1) ?? NOTHING;
      running.push(span <= 0 ? last : add(last, times(value, fraction(1n, BigInt(span)))));
    }
    this.#before = before;
    this.#running = running.reverse();
    this.whole = before.at(-1) ?? NOTHING;
  }

  /** By the end of a day that is not before the grant. */
  by(method: Method, day: CalendarDate): Fraction {
    const since = dayNumber(day) - this.#grantDay;
    if (method === "STRAIGHT_LINE_BY_TRANCHE") return this.#byTranche(since + 1);
    if (method === "GRADED") {
      const done = this.#countUpTo(since + 1);
      const running = times(this.#running[done] ?? NOTHING, fraction(BigInt(since + 1)));
      return add(this.#before[done] ?? NOTHING, running);
    }
    const last = this.#spans.at(-1) ?? 0;
    const part = last <= 0 || since + 1 >= last ? fraction(1n) : fraction(BigInt(since + 1), BigInt(last));
    return greatest(times(this.whole, part), this.#before[this.#countUpTo(since)] ?? NOTHING);
  }

  /** All events up to a count of days, and of those of the next day of vesting the part that has passed. */
  #byTranche(days: number): Fraction {
    const done = this.#countUpTo(days);
    const passed = this.#before[done] ?? NOTHING;
    const next = this.#spans[done];
    if (next === undefined) return passed;
    const from = Math.max(0, this.#spans[done - 1] ?? 0);
    const value = subtract(this.#before[this.#countUpTo(next)] ?? NOTHING, passed);
    return add(passed, times(value, fraction(BigInt(days - from), BigInt(next - from))));
  }

  /** How many events are no more than so many days after the grant. */
  #countUpTo(days: number): number {
    return firstPlaceIn(this.#spans, (span) => span > days);
  }
}

/** One grant by days. */
class Expense {
  readonly #grant: ExpensedGrant;
  readonly #method: Method;
  readonly #budget: Budget;
  readonly #known = new Map<readonly GrantEvent[], Recognition>();

  constructor(grant: ExpensedGrant, method: Method, budget: Budget) {
    this.#grant = grant;
    this.#method = method;
    this.#budget = budget;
  }

  /** The value of all events, and what of it is recognized by the end of a day. */
  by(day: CalendarDate): { readonly total: Decimal; readonly recognized: Decimal } {
    this.#budget.glance();
    const events = this.#grant.eventsOn(day);
    const recognition = this.#known.get(events) ?? new Recognition(this.#grant, events, this.#budget);
    this.#known.set(events, recognition);
    const total = toCents(recognition.whole);
    if (day < this.#grant.grantDate) return { total, recognized: ZERO };
    return { total, recognized: toCents(recognition.by(this.#method, day)) };
  }
}

/** The schedule of many grants, and its sums. Throws `409 invalid-state` where it takes more than a model may. */
export function expenseSchedule(
  grants: readonly ExpensedGrant[],
  method: Method,
  periods: readonly Period[],
  budget = new Budget(),
) {
  const sums = periods.map(() => ZERO);
  const [first, last] = [periods[0], periods.at(-1)];
  if (!first || !last) return { grants: [], periods: [] };
  const dayBefore = addDays(first.from, -1);
  const rows = grants.map((grant) => {
    budget.hold(periods.length);
    const expense = new Expense(grant, method, budget);
    const before = expense.by(dayBefore).recognized;
    const end = expense.by(last.to);
    let recognized = before;
    const amounts = periods.map(({ from, to }, index) => {
      const now = expense.by(to).recognized;
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
