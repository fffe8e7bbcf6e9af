// The vesting terms of the histories, each with what a PATCH may make of them.
import type { Condition, Terms } from "./schedule.ts";

const time = (id: string, months: number, times: number, portion: Condition["portion"], after: string | null = null) =>
  ({ id, months, times, portion, after }) satisfies Condition;
const event = (id: string, portion: Condition["portion"]) =>
  ({ id, months: null, times: 1, portion, after: null }) satisfies Condition;

/** A year's cliff and then by the month. */
const cliff = (numerator: number, denominator: number): Terms => ({
  method: "CUMULATIVE_ROUNDING",
  conditions: [time("year", 12, 1, [1, 4]), time("month", 1, 12, [numerator, denominator], "year")],
});

/** By the quarter, some when the company is sold, and some half a year after that. */
const hybrid = (months: number): Terms => ({
  method: "CUMULATIVE_ROUND_DOWN",
  conditions: [time("quarter", months, 4, [1, 12]), event("sale", [1, 3]), time("stay", 6, 2, [1, 6], "sale")],
});

/** To the last fraction, each half year; what is left never vests by them. */
const fractional = (times: number): Terms => ({
  method: "FRACTIONAL",
  conditions: [time("half", 6, times, [1, 6])],
});

/** For each terms of a history, what they are at first and what a PATCH makes of them. */
export const VARIANTS: readonly (readonly [Terms, Terms])[] = [
  [cliff(1, 16), cliff(1, 32)],
  [hybrid(3), hybrid(6)],
  [fractional(6), fractional(4)],
];
