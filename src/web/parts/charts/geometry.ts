// Pixels: the one place where figures become floats, to be drawn.
import { dayNumber } from "../../../kernel/date.ts";
import { parseDecimal, sum } from "../../../kernel/decimal.ts";

const STEPS = 1_000_000n;

/** `part` of `whole` as a number for drawing; 0 where there is no whole. Both are decimals. */
export function shareOf(part: string, whole: string): number {
  const [a, b] = [parseDecimal(part), parseDecimal(whole)];
  return b === 0n ? 0 : Number((a * STEPS) / b) / Number(STEPS);
}

/** The shares of all in their sum. */
export function sharesOf(parts: readonly string[]): readonly number[] {
  const values = parts.map(parseDecimal);
  const whole = sum(values);
  return values.map((value) => (whole === 0n ? 0 : Number((value * STEPS) / whole) / Number(STEPS)));
}

/** Where a day stands between two others, from 0 to 1; 1 where they are the same. */
export function placeOf(date: string, first: string, last: string): number {
  const [at, from, to] = [dayNumber(date), dayNumber(first), dayNumber(last)];
  if (to <= from) return 1;
  return Math.min(1, Math.max(0, (at - from) / (to - from)));
}

/** A coordinate with as many places as a screen can show. */
export function px(value: number): string {
  return value.toFixed(2);
}
