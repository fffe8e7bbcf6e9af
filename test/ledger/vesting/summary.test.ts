// The derived figures of a vesting terms response.
import { expect, test } from "bun:test";
import { vestingSummary } from "../../../src/ledger/vesting/summary.ts";
import type { VestingCondition } from "../../../src/ledger/vesting/vesting-types.ts";
import { onEvent, rules, timed } from "./support.ts";

function summary(...conditions: readonly VestingCondition[]): string {
  return Object.values(vestingSummary(rules(conditions))).join(" ");
}

test.each([
  ["MONTHLY", 48, 12, "MONTHS 1 48 12"],
  ["QUARTERLY", 48, 12, "MONTHS 3 16 4"],
  ["QUARTERLY", 47, 1, "MONTHS 3 16 1"],
  ["ANNUALLY", 48, 12, "YEARS 1 4 1"],
  ["ANNUALLY", 49, 0, "YEARS 1 5 0"],
] as const)(
  "from a schedule, %s over %d months with a cliff of %d: %s",
  (vestingFrequency, totalMonths, cliffMonths, expected) => {
    const schedule = { vestingFrequency, totalMonths, cliffMonths, cliffPercent: 25 };
    const derived = vestingSummary({ ...rules([timed("other", "1/1", "9 DAYS")]), schedule });
    expect(Object.values(derived).join(" ")).toBe(expected);
  },
);

test("from the conditions: pace of the first that repeats, periods with the cliff's, length of the cliff", () => {
  const monthly = timed("m", "1/48", "1 MONTHS", { cliffConditionId: "c" });
  expect(summary(timed("c", "12/48", "12 MONTHS", { nextConditionId: "m" }), monthly)).toBe("MONTHS 1 48 12");
  expect(summary(timed("c", "12/48", "1 YEARS", { nextConditionId: "m" }), monthly)).toBe("MONTHS 1 48 12");
  const quarterly = timed("q", "1/16", "3 MONTHS", { cliffConditionId: "c", occurrences: 12 });
  expect(summary(timed("c", "4/16", "12 MONTHS"), quarterly)).toBe("MONTHS 3 16 4");
  expect(summary(timed("y", "1/4", "1 YEARS"))).toBe("YEARS 1 4 0");
  expect(summary(timed("y", "1/8", "1 YEARS", { occurrences: 4 }), timed("late", "1/2", "9 YEARS"))).toBe(
    "YEARS 1 4 0",
  );
  expect(summary(timed("y", "3/10", "365 DAYS"))).toBe("DAYS 365 4 0");
});

test("days and months are compared by the average month", () => {
  const monthly = timed("m", "1/48", "1 MONTHS", { cliffConditionId: "c" });
  expect(summary(timed("c", "12/48", "365 DAYS", { nextConditionId: "m" }), monthly)).toBe("MONTHS 1 48 12");
});

test("where nothing repeats the first time-based condition gives the pace and the last one the end", () => {
  expect(summary(timed("a", "1/2", "6 MONTHS"), timed("b", "1/2", "12 MONTHS", { cliffConditionId: "a" }))).toBe(
    "MONTHS 6 3 1",
  );
});

test("terms of events alone have no periods", () => {
  expect(summary(onEvent("sale", "1/1"))).toBe("MONTHS 0 0 0");
});

test("a cliff that is an event takes no periods", () => {
  const monthly = timed("m", "1/4", "1 MONTHS", { cliffConditionId: "e" });
  expect(summary(onEvent("e", "1/2", { nextConditionId: "m" }), monthly)).toBe("MONTHS 1 2 0");
});
