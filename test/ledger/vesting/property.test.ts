// What holds of every schedule: the second calculation agrees, nothing is lost, nothing falls, nothing is early.
import { expect, setDefaultTimeout, test } from "bun:test";
import fc from "fast-check";
import { parseDecimal, sum } from "../../../src/kernel/numbers/decimal.ts";
import { exercisableOn, vestingStatus } from "../../../src/ledger/vesting/schedule.ts";
import { vestingFindings } from "../../../src/ledger/vesting/validate.ts";
import type { VestingEntry, VestingStatus } from "../../../src/ledger/vesting/vesting-types.ts";
import { RELEASE } from "../../kit/release.ts";
import { modelStatus } from "./model.ts";
import { someDate, someExercisedHistory, someHistory, somePlainHistory, someRules } from "./support.ts";

setDefaultTimeout(60_000);

/** The figures that the model works out, too. */
function figuresOf({ earlyExercised, parcels, ...figures }: VestingStatus) {
  expect(earlyExercised).toBe(0n);
  const unexercised = figures.quantity > figures.exercised ? figures.quantity - figures.exercised : 0n;
  expect(sum(parcels.map(({ quantity }) => quantity))).toBe(unexercised);
  return figures;
}

/** How many runs a release takes; a quick run takes a tenth. */
const runs = (release: number) => ({ numRuns: RELEASE ? release : release / 10 });

test("the engine and an independent calculation agree on terms and histories", () => {
  const withAndWithout = fc.option(someRules, { freq: 20 });
  fc.assert(
    fc.property(withAndWithout, someHistory, someDate, (rules, history, asOf) => {
      if (rules) expect(vestingFindings(rules)).toEqual([]);
      expect(figuresOf(vestingStatus(rules, history, asOf))).toEqual(modelStatus(rules, history, asOf));
    }),
    runs(8_000),
  );
});

test("conditions that fall on one day share in the order in which they were given, wave by wave", () => {
  const condition = (id: string, numerator: number, months: number, cliffConditionId: string | null) => ({
    id,
    portion: { numerator, denominator: 2 },
    trigger: { type: "TIME_BASED", periodLength: months, periodType: "MONTHS" } as const,
    cliffConditionId,
  });
  const vestingConditions = [
    condition("a", 0, 0, null),
    condition("b", 0, 0, null),
    condition("first", 1, 7, "b"),
    condition("second", 1, 7, "a"),
  ];
  const rules = { allocationMethod: "CUMULATIVE_ROUNDING", vestingConditions, schedule: null } as const;
  const entries = [{ kind: "ISSUED", date: "2020-02-29", quantity: parseDecimal("1") }] as const;
  const history = { grantDate: "2020-02-29", vestingStartDate: "2020-02-29", entries, milestones: [] };
  const status = vestingStatus(rules, history, "2021-01-01");
  expect(status.events.map(({ conditionId }) => conditionId)).toEqual(["first"]);
  expect(figuresOf(status)).toEqual(modelStatus(rules, history, "2021-01-01"));
});

test("events and what is unscheduled sum to the grant; events are in order and positive", () => {
  fc.assert(
    fc.property(someRules, someHistory, someDate, (rules, history, asOf) => {
      const status = vestingStatus(rules, history, asOf);
      expect(sum(status.events.map(({ quantity }) => quantity)) + status.unscheduled).toBe(status.quantity);
      expect(status.vested + status.unvested).toBe(status.quantity);
      expect(status.unscheduled).toBeLessThanOrEqual(status.unvested);
      expect(status.events.every(({ quantity }) => quantity > 0n)).toBe(true);
      const dates = status.events.map(({ date }) => date);
      expect(dates).toEqual(dates.toSorted());
    }),
    runs(1_000),
  );
});

test("what has vested never falls from day to day", () => {
  const dates = fc.array(someDate, { minLength: 2, maxLength: 6 });
  fc.assert(
    fc.property(someRules, someHistory, dates, (rules, history, days) => {
      const vested = days.toSorted().map((day) => vestingStatus(rules, history, day).vested);
      for (const [i, now] of vested.entries()) expect(now).toBeGreaterThanOrEqual(vested[i - 1] ?? 0n);
    }),
    runs(1_000),
  );
});

test("an event that takes place changes nothing of what had vested before it", () => {
  fc.assert(
    fc.property(
      someRules,
      somePlainHistory,
      someDate,
      fc.constantFrom("c0", "c1", "c2"),
      (rules, history, date, id) => {
        const before = (days: readonly string[]) => days.every((day) => day < date);
        const earlier = history.entries.flatMap((e) => (e.kind === "HAPPENED" && e.conditionId === id ? [e.date] : []));
        fc.pre(before(earlier));
        const happened: VestingEntry = { kind: "HAPPENED", date, conditionId: id };
        const after = vestingStatus(rules, { ...history, entries: [...history.entries, happened] }, date);
        const then = vestingStatus(rules, history, date);
        expect(after.events.filter((event) => event.date < date)).toEqual(
          then.events.filter((event) => event.date < date),
        );
      },
    ),
    runs(1_000),
  );
});

test("nothing vests before its cliff, unless it is accelerated", () => {
  fc.assert(
    fc.property(someRules, somePlainHistory, someDate, (rules, history, asOf) => {
      const [first] = history.entries;
      const entries = history.entries.map((e) => (e === first ? { ...e, quantity: parseDecimal("1000000") } : e));
      const fractional = { ...rules, allocationMethod: "FRACTIONAL" as const };
      const { events } = vestingStatus(fractional, { ...history, entries }, asOf);
      for (const { id, cliffConditionId, portion } of rules.vestingConditions) {
        const cliff = rules.vestingConditions.find((other) => other.id === cliffConditionId);
        if (!cliff || cliff.portion.numerator === 0 || portion.numerator === 0) continue;
        const cliffDays = events.filter((event) => event.conditionId === cliff.id).map((event) => event.date);
        const days = events.filter((event) => event.conditionId === id).map((event) => event.date);
        // Until some of the cliff has vested, nothing behind it may; and nothing before the cliff's last day.
        if (days.length > 0 && cliff.trigger.type === "TIME_BASED") expect(cliffDays.length).toBeGreaterThan(0);
        for (const day of days) expect(day >= (cliffDays.at(-1) ?? "")).toBe(true);
      }
    }),
    runs(1_000),
  );
});

test("what can be exercised never exceeds what has vested and is left", () => {
  fc.assert(
    fc.property(someRules, someExercisedHistory, someDate, (rules, history, date) => {
      const exercised = sum((history.changes ?? []).flatMap((e) => (e.kind === "EXERCISED" ? [e.quantity] : [])));
      const { vested, exercisable } = exercisableOn(rules, history, date);
      expect(exercisable).toBe(vested > exercised ? vested - exercised : 0n);
      expect(vested).toBeLessThanOrEqual(vestingStatus(rules, history, "9999-12-31").quantity);
    }),
    runs(500),
  );
});
