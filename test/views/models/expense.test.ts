// The expense of grants by days, worked out with sums that all days share, is what the rule says event by event, on random
// grants with cancellations; and no schedule takes more than its budget.
import { expect, test } from "bun:test";
import { addDays, type CalendarDate, dayNumber } from "../../../src/kernel/date.ts";
import { formatDecimal, ONE } from "../../../src/kernel/numbers/decimal.ts";
import { Problem } from "../../../src/kernel/problem.ts";
import { Budget } from "../../../src/views/models/budget.ts";
import {
  type ExpensedGrant,
  expenseSchedule,
  type GrantEvent,
  METHODS,
  type Method,
  periodsOf,
} from "../../../src/views/models/expense.ts";
import {
  add,
  compare,
  type Fraction,
  fraction,
  NOTHING,
  ofDecimal,
  times,
  toCents,
} from "../../../src/views/models/fraction.ts";
import { Random } from "../../kit/random.ts";

const GRANTED = "2024-01-10";

function randomGrant(random: Random): ExpensedGrant {
  const events = Array.from({ length: random.between(0, 30) }, (): GrantEvent => {
    return { date: addDays(GRANTED, random.between(-20, 900)), quantity: fraction(BigInt(random.between(1, 999)), 3n) };
  }).sort((a, b) => (a.date < b.date ? -1 : 1));
  const cancelled = addDays(GRANTED, random.between(0, 900));
  const rest = events.slice(0, random.below(events.length + 1));
  return {
    securityId: "o",
    grantDate: GRANTED,
    fairValuePerShare: BigInt(random.between(1, 99_999)) * (ONE / 1000n),
    eventsOn: (day) => (day < cancelled ? events : rest),
  };
}

/** As the rule says it. */
function recognized({ grantDate, fairValuePerShare, eventsOn }: ExpensedGrant, method: Method, day: CalendarDate) {
  const days = (date: CalendarDate) => BigInt(dayNumber(date) - dayNumber(grantDate));
  const events = eventsOn(day).map(({ date, quantity }) => ({
    date,
    value: times(ofDecimal(fairValuePerShare), quantity),
  }));
  const sum = (list: readonly Fraction[]) => list.reduce(add, NOTHING);
  if (day < grantDate) return 0n;
  const part = (date: CalendarDate) =>
    date <= grantDate || days(day) + 1n >= days(date) ? fraction(1n) : fraction(days(day) + 1n, days(date));
  if (method === "GRADED") return toCents(sum(events.map(({ date, value }) => times(value, part(date)))));
  if (method === "STRAIGHT_LINE_BY_TRANCHE") {
    return toCents(sum(events.map(({ date, value }) => times(value, trancheOf(events, { grantDate, date, day })))));
  }
  const last =
    events
      .map(({ date }) => date)
      .sort()
      .at(-1) ?? grantDate;
  const line = times(sum(events.map(({ value }) => value)), part(last));
  const vested = sum(events.filter(({ date }) => date <= day).map(({ value }) => value));
  return toCents(compare(line, vested) > 0 ? line : vested);
}

/** What has passed of the days from the event before one, or from the grant, to its own. */
function trancheOf(
  events: readonly { readonly date: CalendarDate }[],
  at: Record<"grantDate" | "date" | "day", string>,
) {
  const { grantDate, date, day } = at;
  if (date <= grantDate) return fraction(1n);
  const earlier = events.map((each) => each.date).filter((each) => each < date && each > grantDate);
  const begins = dayNumber(earlier.sort().at(-1) ?? grantDate);
  const [passed, all] = [dayNumber(day) + 1 - begins, dayNumber(date) - begins];
  return passed <= 0 ? NOTHING : passed >= all ? fraction(1n) : fraction(BigInt(passed), BigInt(all));
}

function differences(seed: number, shift = 0): string[] {
  const random = new Random(seed);
  const grants = [randomGrant(random), randomGrant(random)];
  const method = random.pick(METHODS);
  const from = addDays(GRANTED, random.between(-60, 300));
  const periods = periodsOf(from, addDays(from, random.between(0, 900)), random.pick(["MONTH", "QUARTER", "YEAR"]));
  const { grants: rows } = expenseSchedule(grants, method, periods);
  return grants.flatMap((grant, index) => {
    const expected = periods.map(({ from: first, to }) => {
      const before = recognized(grant, method, addDays(first, shift - 1));
      return formatDecimal(recognized(grant, method, to) - before);
    });
    const told = rows[index]?.periods.map(({ amount }) => amount);
    return Bun.deepEquals(told, expected) ? [] : [Bun.inspect({ seed, method, told, expected })];
  });
}

test("500 random schedules say what the rule says of each day", () => {
  expect(
    Array.from({ length: 500 }, (_none, seed) => differences(seed))
      .flat()
      .slice(0, 2),
  ).toEqual([]);
});

test("a day more is noticed", () => {
  expect(Array.from({ length: 50 }, (_none, seed) => differences(seed, 1)).flat().length).toBeGreaterThan(20);
});

test("a schedule beyond its budget is refused, in steps and in figures", () => {
  const grants = Array.from({ length: 40 }, (_none, seed) => randomGrant(new Random(seed)));
  const periods = periodsOf(GRANTED, addDays(GRANTED, 900), "MONTH");
  const run = (steps: number, lines: number) => () =>
    expenseSchedule(grants, "GRADED", periods, new Budget({ steps, lines }));
  expect(run(1000, 10_000)).not.toThrow();
  expect(run(10, 10_000)).toThrow(Problem);
  expect(run(1000, 100)).toThrow(Problem);
});
