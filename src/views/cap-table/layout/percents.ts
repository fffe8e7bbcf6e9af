// Percentages of the cap table: what each is a part of, in six places and in words. Pure.
import { type Decimal, divideHalfEven, parseDecimal, ZERO } from "../../../kernel/numbers/decimal.ts";
import type { LayoutColumn } from "./layout-column.ts";

/** A part of a whole, in exact figures. */
export interface Part {
  readonly part: Decimal;
  readonly whole: Decimal;
  /** The percentage in a column that adds up; rounded by itself without it. */
  readonly percent?: string;
}

/** A column of percentages. */
export interface PercentColumn<L> extends LayoutColumn<L> {
  readonly kind: "percent";
  /** The key of the column whose figures are parts of the whole. */
  readonly of: string;
  part(line: L): Part | null;
}

type Cell<L> = (line: L) => string | null;

/** What a column of percentages is of, and its words. */
interface Percents<L> {
  readonly key: string;
  readonly heading: string;
  readonly short: string;
  readonly of: LayoutColumn<L>;
  readonly whole: Decimal;
  /** The percentage of a line in a column that adds up, where there is one. */
  readonly percent?: Cell<L>;
  /** Lines that are no part of the whole. */
  readonly isLeftOut?: (line: L) => boolean;
}

/** A column of what part another column's figures are of a whole. */
export function percentColumn<L>({ of, whole, percent, isLeftOut, ...words }: Percents<L>): PercentColumn<L> {
  const part = (line: L): Part | null => {
    const figure = isLeftOut?.(line) ? null : of.cell(line);
    if (figure === null) return null;
    const told = percent?.(line) ?? null;
    return { part: parseDecimal(figure), whole, ...(told === null ? {} : { percent: told }) };
  };
  const cell = (line: L) => {
    const found = part(line);
    return found && (found.percent ?? formatPercent(found.part, found.whole));
  };
  return { ...words, kind: "percent", of: of.key, part, cell };
}

const PERCENT_PLACES = 6;
const HUNDRED = 100n * 10n ** BigInt(PERCENT_PLACES);

/** `part` of `whole` in percent, rounded half even to 6 places or as many as are asked for; of nothing 0. */
export function formatPercent(part: Decimal, whole: Decimal, places = PERCENT_PLACES): string {
  const hundred = places === PERCENT_PLACES ? HUNDRED : 100n * 10n ** BigInt(places);
  const units = whole === ZERO ? 0n : divideHalfEven(part * hundred, whole);
  const digits = units.toString().padStart(places + 1, "0");
  return `${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

const PLACES_IN_WORDS = 2;

/**
 * A part of a whole in percent as it is read, each rounded by itself to two places (six are in files), so that equal
 * parts are shown equal and a column may add up to a hundredth more or less than 100. What is something is never shown
 * as nothing, and what is not all never as all.
 */
export function percentInWords({ part, whole }: Part): string {
  const percent = formatPercent(part, whole, PLACES_IN_WORDS);
  if (percent === "0.00" && part !== ZERO && whole !== ZERO) return "<0.01%";
  return percent === "100.00" && part !== whole ? ">99.99%" : `${percent}%`;
}
