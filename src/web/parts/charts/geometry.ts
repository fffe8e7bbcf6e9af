// Pixels: the one place where figures become floats, to be drawn.
import { dayNumber } from "../../../kernel/date.ts";
import { max as larger, parseDecimal, sum } from "../../../kernel/numbers/decimal.ts";

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

/** Stacked values of each point as heights from 0 to 1, of the largest sum of all; one more than layers, from the base. */
export function sharesOfLargest(points: readonly (readonly string[])[]): readonly (readonly number[])[] {
  const sums = points.map((values) => sum(values.map(parseDecimal)));
  const largest = sums.reduce<bigint>((most, each) => larger(most, each), 0n);
  return points.map((values) => {
    let height = 0n;
    const tops = [0];
    for (const value of values) {
      height += parseDecimal(value);
      tops.push(largest === 0n ? 0 : Number((height * STEPS) / largest) / Number(STEPS));
    }
    return tops;
  });
}

interface Steps {
  readonly dates: readonly string[];
  readonly tops: readonly (readonly number[])[];
  readonly layer: number;
  readonly first: string;
  readonly last: string;
  readonly width: number;
  readonly height: number;
}

/** Of the chart's height: room above for the hand's label. */
const FILLED = 0.94;

/** The outline of one layer of stacked steps: along its top to the right, along its bottom back. */
export function stepsOf({ dates, tops, layer, first, last, width, height }: Steps): string {
  const x = (index: number) => {
    const date = dates[index];
    return px(date === undefined ? width : placeOf(date, first, last) * width);
  };
  const y = (index: number, edge: number) => px(height - (tops[index]?.[edge] ?? 0) * height * FILLED);
  const count = dates.length;
  if (count === 0) return "";
  const there = Array.from({ length: count }, (_, i) => `L${x(i)} ${y(i, layer + 1)}H${x(i + 1)}`);
  const back = Array.from({ length: count }, (_, i) => count - 1 - i).map((i) => `L${x(i + 1)} ${y(i, layer)}H${x(i)}`);
  return `M${there.join("").slice(1)}${back.join("")}Z`;
}

const YEAR_MARKS_MAX = 12;

/** The beginnings of years between two days, fewer where there are many. */
export function yearMarks(first: string, last: string): readonly { readonly year: string; readonly place: number }[] {
  const [from, to] = [Number(first.slice(0, 4)) + 1, Number(last.slice(0, 4))];
  const every = Math.max(1, Math.ceil((to - from + 1) / YEAR_MARKS_MAX));
  const years = Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => from + index);
  return years
    .filter((year) => (year - from) % every === 0)
    .map((year) => ({ year: String(year), place: placeOf(`${String(year).padStart(4, "0")}-01-01`, first, last) }))
    .filter(({ place }) => place > 0.01 && place < 0.97);
}

/** The outline of one layer of stacked values that grow evenly to the right. */
export function areaOf(tops: readonly (readonly number[])[], layer: number, width: number, height: number): string {
  const last = Math.max(1, tops.length - 1);
  const point = (index: number, edge: number) =>
    `${px((index / last) * width)} ${px(height - (tops[index]?.[edge] ?? 0) * height * FILLED)}`;
  const indexes = tops.map((_, index) => index);
  const there = indexes.map((index) => point(index, layer + 1));
  const back = indexes.toReversed().map((index) => point(index, layer));
  return `M${[...there, ...back].join("L")}Z`;
}

/**
 * Where values of the second kind stand on an axis of the first, from 0 to 1: both grow together in `points`, which are
 * even steps of the first. What lies beyond is left out.
 */
export function placesAmong(values: readonly string[], points: readonly string[]): readonly number[] {
  const grown = points.map(parseDecimal);
  const last = grown.length - 1;
  return values.flatMap((value) => {
    const wanted = parseDecimal(value);
    const at = grown.findIndex((each) => each >= wanted);
    if (at < 0 || wanted === 0n) return [];
    const [low, high] = [grown[at - 1] ?? 0n, grown[at] ?? 0n];
    const part = high === low ? 0 : Number(((wanted - low) * STEPS) / (high - low)) / Number(STEPS);
    return [(Math.max(0, at - 1) + part) / last];
  });
}
