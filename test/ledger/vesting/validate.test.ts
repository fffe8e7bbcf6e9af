// What vesting terms may not say, and where the findings point.
import { expect, test } from "bun:test";
import { CONDITIONS_MAX, vestingFindings } from "../../../src/ledger/vesting/validate.ts";
import type { VestingCondition } from "../../../src/ledger/vesting/vesting-types.ts";
import { onEvent, timed } from "./support.ts";

function pointers(...vestingConditions: readonly VestingCondition[]): readonly string[] {
  return vestingFindings({ vestingConditions }).map(([pointer]) => pointer);
}

test("sound terms have no findings, an edge named from both ends and a self-reference included", () => {
  const cliff = timed("cliff", "12/48", "12 MONTHS", { nextConditionId: "monthly" });
  expect(
    pointers(cliff, timed("monthly", "1/48", "1 MONTHS", { cliffConditionId: "cliff", nextConditionId: "monthly" })),
  ).toEqual([]);
  expect(pointers(onEvent("sale", "1/1"))).toEqual([]);
  expect(pointers(timed("now", "1/1", "0 DAYS"))).toEqual([]);
});

test("a circle is found along either link, a longer one too, and only its own links are pointed at", () => {
  expect(pointers(timed("a", "1/4", "1 YEARS", { cliffConditionId: "a" }))).toEqual([
    "#/vestingConditions/0/cliffConditionId",
  ]);
  const circle = pointers(
    timed("before", "1/8", "1 YEARS", { nextConditionId: "a" }),
    timed("a", "1/8", "1 YEARS", { nextConditionId: "b" }),
    timed("b", "1/8", "1 YEARS", { nextConditionId: "c" }),
    timed("c", "1/8", "1 YEARS", { nextConditionId: "a" }),
    timed("behind", "1/8", "1 YEARS", { cliffConditionId: "c" }),
  );
  expect(circle).toEqual([1, 2, 3].map((i) => `#/vestingConditions/${i}/nextConditionId`));
  const contrary = timed("a", "1/8", "1 YEARS", { nextConditionId: "b", cliffConditionId: "b" });
  expect(pointers(contrary, timed("b", "1/8", "1 YEARS"))).toEqual([
    "#/vestingConditions/0/cliffConditionId",
    "#/vestingConditions/0/nextConditionId",
  ]);
});

test("a link to nothing and a second condition of one id are found", () => {
  expect(pointers(timed("a", "1/4", "1 YEARS", { cliffConditionId: "x", nextConditionId: "y" }))).toEqual([
    "#/vestingConditions/0/cliffConditionId",
    "#/vestingConditions/0/nextConditionId",
  ]);
  expect(pointers(onEvent("a", "1/4"), onEvent("b", "1/4"), onEvent("a", "1/4"))).toEqual(["#/vestingConditions/2/id"]);
});

test("portions may reach the whole but not exceed it, occurrences counted", () => {
  expect(pointers(onEvent("a", "1/3"), onEvent("b", "2/3"))).toEqual([]);
  expect(pointers(onEvent("a", "1/3"), onEvent("b", "1/3"), onEvent("c", "334/1000"))).toEqual([
    "#/vestingConditions/2/portion",
  ]);
  expect(pointers(timed("a", "1/48", "1 MONTHS", { occurrences: 48 }))).toEqual([]);
  expect(pointers(timed("a", "1/48", "1 MONTHS", { occurrences: 49 }))).toEqual(["#/vestingConditions/0/portion"]);
  expect(pointers(onEvent("a", "5/4"))).toEqual(["#/vestingConditions/0/portion"]);
});

test("a time-based trigger needs its period; lengths and occurrences are whole numbers", () => {
  const portion = { numerator: 1, denominator: 4 };
  expect(pointers({ id: "a", portion, trigger: { type: "TIME_BASED", periodType: null } })).toEqual([
    "#/vestingConditions/0/trigger/periodLength",
    "#/vestingConditions/0/trigger/periodType",
  ]);
  expect(pointers(timed("a", "1/4", "1.5 MONTHS", { occurrences: 0.5 }), timed("b", "1/4", "-1 MONTHS"))).toEqual([
    "#/vestingConditions/0/trigger/periodLength",
    "#/vestingConditions/0/trigger/occurrences",
    "#/vestingConditions/1/trigger/periodLength",
  ]);
});

test("figures beside the schedule must not contradict it", () => {
  const schedule = { totalMonths: 48, cliffMonths: 12, cliffPercent: 25, vestingFrequency: "MONTHLY" } as const;
  const vestingConditions = [onEvent("a", "1/1")];
  expect(vestingFindings({ vestingConditions, schedule, totalVestingMonths: 48, cliffMonths: 12 })).toEqual([]);
  expect(vestingFindings({ vestingConditions, totalVestingMonths: 36, cliffMonths: 6 })).toEqual([]);
  const found = vestingFindings({ vestingConditions, schedule, totalVestingMonths: 36, cliffMonths: 0 });
  expect(found.map(([pointer]) => pointer)).toEqual(["#/totalVestingMonths", "#/cliffMonths"]);
});

test("the number of conditions is bounded", () => {
  const many = Array.from({ length: CONDITIONS_MAX + 1 }, (_, i) => onEvent(`c${i}`, "1/10000"));
  expect(pointers(...many)).toEqual(["#/vestingConditions"]);
  expect(pointers(...many.slice(1))).toEqual([]);
});
