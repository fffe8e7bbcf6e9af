// Schedules by example: cliffs, chains, events, month ends, and what the ledger does to them.
import { describe, expect, test } from "bun:test";
import { formatDecimal, parseDecimal } from "../../../src/kernel/numbers/decimal.ts";
import { exercisableOn, vestingStatus } from "../../../src/ledger/vesting/schedule.ts";
import { TRANCHES_MAX } from "../../../src/ledger/vesting/timeline.ts";
import type { VestingHistory, VestingRules, VestingStatus } from "../../../src/ledger/vesting/vesting-types.ts";
import { changed, granted, METHODS, onEvent, rules, timed, told } from "./support.ts";

const FOUR_YEARS = rules([
  timed("cliff", "12/48", "12 MONTHS", { nextConditionId: "monthly" }),
  timed("monthly", "1/48", "1 MONTHS", { cliffConditionId: "cliff" }),
]);
const QUARTERS = rules([timed("q", "1/4", "3 MONTHS")]);
const IN_THE_END = "9999-12-31";

function status(terms: VestingRules | null, history: VestingHistory, asOf = IN_THE_END): VestingStatus {
  return vestingStatus(terms, history, asOf);
}

function figures({ quantity, vested, unvested, unscheduled, exercised }: VestingStatus): string {
  return [quantity, vested, unvested, unscheduled, exercised].map(formatDecimal).join(" ");
}

function of(quantity: string, date: string) {
  return { quantity: parseDecimal(quantity), date };
}

describe("chains and cliffs", () => {
  test("four years with a cliff of one: nothing before it, a quarter on it, then each month", () => {
    const history = granted("4800", "2024-01-15");
    expect(figures(status(FOUR_YEARS, history, "2025-01-14"))).toBe("4800 0 4800 0 0");
    expect(figures(status(FOUR_YEARS, history, "2025-01-15"))).toBe("4800 1200 3600 0 0");
    expect(figures(status(FOUR_YEARS, history, "2025-02-15"))).toBe("4800 1300 3500 0 0");
    const events = told(status(FOUR_YEARS, history));
    expect(events).toHaveLength(37);
    expect([events[0], events[1], events.at(-1)]).toEqual([
      "2025-01-15 1200 cliff",
      "2025-02-15 100 monthly",
      "2028-01-15 100 monthly",
    ]);
  });

  test("cumulative rounding runs on across the chain", () => {
    // 100 shares: 25 on the cliff, then the running total 27.08, 29.17, 31.25 … rounded.
    const events = status(FOUR_YEARS, granted("100", "2024-01-15")).events.slice(0, 7);
    expect(events.map(({ quantity }) => formatDecimal(quantity))).toEqual(["25", "2", "2", "2", "2", "2", "3"]);
  });

  test.each(METHODS)(
    "one repeating condition shares 18 out in 4 by %s, whichever way it is told to repeat",
    (method) => {
      const history = granted("18", "2024-01-15");
      const alone = told(status(rules([timed("q", "1/4", "3 MONTHS")], method), history));
      expect(alone).toHaveLength(4);
      expect(told(status(rules([timed("q", "1/4", "3 MONTHS", { nextConditionId: "q" })], method), history))).toEqual(
        alone,
      );
      expect(told(status(rules([timed("q", "1/4", "3 MONTHS", { occurrences: 4 })], method), history))).toEqual(alone);
    },
  );

  test("the last event takes what is left when the portions do not divide the whole", () => {
    expect(told(status(rules([timed("c", "3/10", "1 YEARS")]), granted("100", "2024-02-29")))).toEqual([
      "2025-02-28 30 c",
      "2026-02-28 30 c",
      "2027-02-28 30 c",
      "2028-02-29 10 c",
    ]);
  });

  test("a condition that is only another one's successor by its cliff happens once; the rest stays unscheduled", () => {
    const terms = rules([timed("a", "1/4", "12 MONTHS"), timed("b", "1/4", "6 MONTHS", { cliffConditionId: "a" })]);
    const result = status(terms, granted("100", "2024-01-31"));
    expect(told(result)).toEqual(["2025-01-31 25 a", "2025-07-31 25 b"]);
    expect(figures(result)).toBe("100 50 50 50 0");
  });

  test("in a longer chain each happens once and the end repeats", () => {
    const terms = rules([
      timed("a", "1/20", "12 MONTHS", { nextConditionId: "b" }),
      timed("b", "3/20", "12 MONTHS", { nextConditionId: "c" }),
      timed("c", "4/20", "6 MONTHS"),
    ]);
    expect(told(status(terms, granted("100", "2024-03-01")))).toEqual([
      "2025-03-01 5 a",
      "2026-03-01 15 b",
      "2026-09-01 20 c",
      "2027-03-01 20 c",
      "2027-09-01 20 c",
      "2028-03-01 20 c",
    ]);
  });

  test("a lone condition stays within the months of its schedule", () => {
    const schedule = { totalMonths: 12, cliffMonths: 0, cliffPercent: 0, vestingFrequency: "MONTHLY" } as const;
    const monthly = { ...rules([timed("m", "1/48", "1 MONTHS")]), schedule };
    expect(figures(status(monthly, granted("48", "2024-01-31")))).toBe("48 12 36 36 0");
    // 2024 is a leap year: 366 days lie within its twelve months.
    const daily = { ...rules([timed("d", "1/1000", "1 DAYS")]), schedule };
    expect(figures(status(daily, granted("1000", "2024-01-01")))).toBe("1000 366 634 634 0");
    // A period longer than the schedule still happens: where the two differ, the conditions vest.
    const longer = { ...rules([timed("d", "1/1", "500 DAYS")]), schedule };
    expect(told(status(longer, granted("10", "2024-01-01")))).toEqual(["2025-05-15 10 d"]);
  });
});

describe("dates", () => {
  test("months clamp to their end from the start date, never from a clamped date", () => {
    const dates = told(status(rules([timed("m", "1/5", "1 MONTHS")]), granted("5", "2024-01-31")));
    expect(dates.map((event) => event.slice(0, 10))).toEqual([
      "2024-02-29",
      "2024-03-31",
      "2024-04-30",
      "2024-05-31",
      "2024-06-30",
    ]);
  });

  test("the day of the month survives a chain whose cliff ends on a clamped date", () => {
    const terms = rules([
      timed("cliff", "1/2", "1 MONTHS", { nextConditionId: "then" }),
      timed("then", "1/2", "1 MONTHS", { cliffConditionId: "cliff" }),
    ]);
    expect(told(status(terms, granted("2", "2023-01-31")))).toEqual(["2023-02-28 1 cliff", "2023-03-31 1 then"]);
  });

  test("days count days, and months after them count from the day they end on", () => {
    const terms = rules([
      timed("days", "1/3", "30 DAYS", { nextConditionId: "months" }),
      timed("months", "1/3", "1 MONTHS"),
    ]);
    expect(told(status(terms, granted("3", "2024-12-31")))).toEqual([
      "2025-01-30 1 days",
      "2025-02-28 1 months",
      "2025-03-30 1 months",
    ]);
  });

  test("start-vesting replaces the start of all, or of the condition it names", () => {
    const terms = rules([timed("a", "1/2", "1 YEARS"), timed("b", "1/2", "2 YEARS")]);
    const startAll = { kind: "STARTED", date: "2024-06-01", conditionId: null } as const;
    const startB = { kind: "STARTED", date: "2023-01-01", conditionId: "b" } as const;
    expect(told(status(terms, granted("2", "2024-01-01", startAll)))).toEqual(["2025-06-01 1 a", "2026-06-01 1 b"]);
    expect(told(status(terms, granted("2", "2024-01-01", startB)))).toEqual(["2025-01-01 1 a", "2025-01-01 1 b"]);
    const again = granted("2", "2024-01-01", startB, startAll);
    expect(told(status(terms, again))).toEqual(["2025-06-01 1 a", "2026-06-01 1 b"]);
  });

  test("vesting that has not started has no dates", () => {
    const notStarted = { ...granted("100", "2024-01-01"), vestingStartDate: null };
    expect(figures(status(QUARTERS, notStarted))).toBe("100 0 100 100 0");
  });
});

describe("events", () => {
  const HYBRID = rules([
    onEvent("sale", "1/2", { cliffConditionId: "service" }),
    timed("service", "1/4", "12 MONTHS"),
    onEvent("audit", "1/4", { nextConditionId: null }),
  ]);
  const sale = { kind: "HAPPENED", date: "2024-06-01", conditionId: "sale" } as const;

  test("what waits for an event has no date until it happens", () => {
    expect(figures(status(HYBRID, granted("100", "2024-01-01")))).toBe("100 25 75 75 0");
  });

  test("an event behind a cliff vests on the later of the two", () => {
    expect(told(status(HYBRID, granted("100", "2024-01-01", sale)))).toEqual([
      "2025-01-01 25 service",
      "2025-01-01 50 sale",
    ]);
    const late = granted("100", "2024-01-01", { ...sale, date: "2026-03-01" });
    expect(told(status(HYBRID, late))).toEqual(["2025-01-01 25 service", "2026-03-01 50 sale"]);
  });

  test("an event starts the clock of what comes next", () => {
    const terms = rules([onEvent("ipo", "1/4", { nextConditionId: "after" }), timed("after", "1/4", "6 MONTHS")]);
    const ipo = { kind: "HAPPENED", date: "2024-08-31", conditionId: "ipo" } as const;
    expect(told(status(terms, granted("4", "2024-01-01", ipo)))).toEqual([
      "2024-08-31 1 ipo",
      "2025-02-28 1 after",
      "2025-08-31 1 after",
      "2026-02-28 1 after",
    ]);
  });

  test("an event that repeats takes one record each time", () => {
    const terms = rules([onEvent("year-end", "1/4", { nextConditionId: "year-end" })]);
    const records = ["2025-01-31", "2024-01-31"].map(
      (date) => ({ kind: "HAPPENED", date, conditionId: "year-end" }) as const,
    );
    const result = status(terms, granted("18", "2023-01-01", ...records));
    expect(told(result)).toEqual(["2024-01-31 5 year-end", "2025-01-31 4 year-end"]);
    expect(formatDecimal(result.unscheduled)).toBe("9");
  });
});

describe("without terms", () => {
  test("all has vested with the grant", () => {
    expect(figures(status(null, granted("100", "2024-01-01"), "2024-01-01"))).toBe("100 100 0 0 0");
  });

  test("a milestone's shares wait for it, and vest on the day it is completed", () => {
    const pending = {
      ...granted("100", "2024-01-01"),
      milestones: [{ quantity: parseDecimal("30"), completedOn: null }],
    };
    expect(figures(status(null, pending))).toBe("100 70 30 30 0");
    const completed = { ...pending, milestones: [{ quantity: parseDecimal("30"), completedOn: "2025-05-05" }] };
    expect(told(status(null, completed))).toEqual(["2024-01-01 70 null", "2025-05-05 30 null"]);
  });
});

describe("what the ledger does to a schedule", () => {
  const GRANT = granted("100", "2024-01-01");

  test("a cancellation takes unvested shares first, from the last event backwards", () => {
    const cancelled = changed(GRANT, { kind: "CANCELLED", ...of("60", "2024-08-01"), vested: null });
    const result = status(QUARTERS, cancelled, "2024-08-01");
    expect(told(result)).toEqual(["2024-04-01 25 q", "2024-07-01 15 q"]);
    expect(figures(result)).toBe("40 40 0 0 0");
    const less = changed(GRANT, { kind: "CANCELLED", ...of("30", "2024-08-01"), vested: null });
    expect(figures(status(QUARTERS, less, "2024-08-01"))).toBe("70 50 20 0 0");
  });

  test("an acceleration moves the last events' shares to its day, and no more than had not vested", () => {
    const some = changed(GRANT, { kind: "ACCELERATED", ...of("30", "2024-05-01") });
    expect(told(status(QUARTERS, some))).toEqual([
      "2024-04-01 25 q",
      "2024-05-01 30 null",
      "2024-07-01 25 q",
      "2024-10-01 20 q",
    ]);
    const tooMany = changed(GRANT, { kind: "ACCELERATED", ...of("500", "2024-05-01") });
    expect(told(status(QUARTERS, tooMany))).toEqual(["2024-04-01 25 q", "2024-05-01 75 null"]);
  });

  test("an acceleration takes shares that wait for an event before those that have a date", () => {
    const terms = rules([timed("time", "1/2", "1 YEARS"), onEvent("sale", "1/2")]);
    const result = status(terms, changed(GRANT, { kind: "ACCELERATED", ...of("20", "2024-05-01") }));
    expect(told(result)).toEqual(["2024-05-01 20 null", "2025-01-01 50 time"]);
    expect(formatDecimal(result.unscheduled)).toBe("30");
  });

  test("a split counts what came before it in new shares, from its day on", () => {
    const split = { kind: "SPLIT", date: "2024-06-01", numerator: 3n, denominator: 2n } as const;
    const history = granted("100", "2024-01-01", { ...split, after: parseDecimal("150") });
    expect(figures(status(QUARTERS, history, "2024-05-31"))).toBe("100 25 75 0 0");
    expect(figures(status(QUARTERS, history, "2024-06-30"))).toBe("150 38 112 0 0");
  });

  test("what a split's rounding takes is missing from the grant, so that the parts go on summing to it", () => {
    const split = { kind: "SPLIT", date: "2024-06-01", numerator: 3n, denominator: 2n } as const;
    const rounded = granted("1001", "2024-01-01", { ...split, after: parseDecimal("1501") });
    expect(figures(status(QUARTERS, rounded))).toBe("1501 1501 0 0 0");
    const raise = { kind: "ISSUED", ...of("1", "2024-01-01") } as const;
    const seventh = { ...split, numerator: 1n, denominator: 7n, after: parseDecimal("1") };
    const six = granted("1", "2024-01-01", raise, raise, raise, raise, raise, seventh);
    expect(formatDecimal(status(QUARTERS, six).quantity)).toBe("1");
  });

  test("a milestone holds back the last shares of a schedule, and completing it moves nothing else", () => {
    const milestone = (completedOn: string | null) => ({
      ...granted("100", "2024-01-01"),
      milestones: [{ quantity: parseDecimal("40"), completedOn }],
    });
    const pending = status(QUARTERS, milestone(null));
    expect(told(pending)).toEqual(["2024-04-01 25 q", "2024-07-01 25 q", "2024-10-01 10 q"]);
    expect(formatDecimal(pending.unscheduled)).toBe("40");
    expect(told(status(QUARTERS, milestone("2024-05-05")))).toEqual([
      "2024-04-01 25 q",
      "2024-05-05 40 null",
      "2024-07-01 25 q",
      "2024-10-01 10 q",
    ]);
  });

  test("only what has vested and is not exercised can be exercised", () => {
    const history = changed(GRANT, { kind: "EXERCISED", ...of("20", "2024-09-01") });
    const on = (date: string) => formatDecimal(exercisableOn(QUARTERS, history, date).exercisable);
    expect([on("2024-03-31"), on("2024-04-01"), on("2024-07-01"), on("2025-01-01")]).toEqual(["0", "5", "30", "80"]);
  });
});

describe("absurd terms", () => {
  function timedRun(terms: VestingRules, quantity: string): VestingStatus {
    // The processor's time, which other programs on the machine do not add to.
    const started = process.cpuUsage();
    const result = status(terms, granted(quantity, "2024-01-01"), "2030-01-01");
    expect(process.cpuUsage(started).user).toBeLessThan(2_000_000);
    return result;
  }

  test("a billion daily events: the first ones each on their day, all further ones together on the very last", () => {
    const { events, unscheduled } = timedRun(rules([timed("d", "1/1000000000", "1 DAYS")], "FRACTIONAL"), "1000000000");
    expect([events.length, unscheduled]).toEqual([TRANCHES_MAX, 0n]);
    expect(events[0]?.date).toBe("2024-01-02");
    expect(events.at(-1)?.date).toBe(IN_THE_END);
    expect(formatDecimal(events.at(-1)?.quantity ?? 0n)).toBe(String(1_000_000_000 - (TRANCHES_MAX - 1)));
  });

  test("figures beyond any calendar and any counting lose no share either", () => {
    const huge = [
      timed("a", "1/9007199254740991", "9007199254740991 YEARS"),
      timed("b", "0/1", "0 DAYS", { occurrences: 9e15 }),
    ];
    expect(formatDecimal(timedRun(rules(huge), "7").unscheduled)).toBe("7");
    expect(told(timedRun(rules([timed("a", "1/1", "1e308 YEARS")]), "7"))).toEqual(["9999-12-31 7 a"]);
    expect(told(timedRun(rules([timed("a", "1/2", "1e300 DAYS")]), "7"))).toEqual(["9999-12-31 4 a", "9999-12-31 3 a"]);
  });

  test("a thousand conditions in one chain, each with a denominator of its own", () => {
    const chain = Array.from({ length: 1_000 }, (_, i) =>
      timed(`c${i}`, `1/${2_000_003 + 2 * i}`, "1 DAYS", { nextConditionId: `c${i + 1}`, occurrences: 20 }),
    );
    const { quantity, vested } = timedRun(rules(chain, "FRACTIONAL"), "1000000");
    expect(formatDecimal(quantity)).toBe("1000000");
    expect(vested).toBeGreaterThan(0n);
  });

  test("an import's faulty terms do no harm: circles never begin, portions beyond the whole give nothing", () => {
    const circle = rules([
      timed("a", "1/2", "1 YEARS", { nextConditionId: "b" }),
      timed("b", "1/2", "1 YEARS", { nextConditionId: "a" }),
    ]);
    expect(figures(status(circle, granted("10", "2024-01-01")))).toBe("10 0 10 10 0");
    const tooMuch = rules([timed("a", "3/4", "1 YEARS"), timed("a", "3/4", "2 YEARS")]);
    expect(figures(status(tooMuch, granted("10", "2024-01-01")))).toBe("10 10 0 0 0");
  });
});
