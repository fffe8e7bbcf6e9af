// A sheet of a report before it is written: columns with what they say of a row, how a cell follows from others, and
// what adds up. The workbook and CSV are written from it. Pure.
import { type Decimal, isDecimalText, parseDecimal, ZERO } from "../../kernel/numbers/decimal.ts";

/** What stands in a column. */
export type Kind = "text" | "quantity" | "money" | "percent" | "date" | "timestamp" | "integer";

/** A part of a whole. */
export interface Share {
  readonly part: Decimal;
  readonly whole: Decimal;
  /** What it is as a percentage of a column that adds up; rounded by itself without it. */
  readonly percent?: string;
}

/** A cell: a decimal string where figures stand, and any other text there is a word; null is no cell. */
export type Value = string | Share | null;

/** Cells of the row, by their columns' keys, that are added and taken off. */
export interface Terms {
  readonly plus: readonly string[];
  readonly minus?: readonly string[];
}

/** How a cell follows from others of its sheet. */
export type Formula =
  | ({ readonly kind: "sum" } & Terms)
  | { readonly kind: "product"; readonly of: readonly [string, string] }
  /**
   * The terms' part of the same terms in the row of totals, less what the first of them has in the last `lessRows`
   * rows; or of one cell of the row.
   */
  | ({
      readonly kind: "share";
      readonly of: "total" | { readonly column: string };
      readonly lessRows?: number;
    } & Terms);

/** A column of rows `R`. */
export interface Column<R> {
  readonly key: string;
  readonly header: string;
  readonly kind: Kind;
  readonly formula?: Formula;
  readonly isSummed?: boolean;
  /** What its length is measured of, where the value itself takes long: as long, or nearly. */
  measured?(row: R): Value;
  /** Rows whose cell stands by itself, although the column has a formula. */
  isValue?(row: R): boolean;
  value(row: R): Value;
}

/** A sheet. */
export interface Sheet<R = unknown> {
  readonly key: string;
  readonly name: string;
  /** A snapshot has its totals below its rows; a ledger has them above, and a filter. */
  readonly isSnapshot: boolean;
  /** Whether anything is added up at all. */
  readonly hasTotals: boolean;
  /** How many columns stay when others are scrolled, and how many are printed. */
  readonly frozen: number;
  readonly printed: number;
  readonly columns: readonly Column<R>[];
  rows(): Iterable<R>;
}

/** Makes a sheet of columns; its users need not know the type of row any more. */
export function sheetOf<R>(sheet: Omit<Sheet<R>, "hasTotals" | "printed"> & { readonly printed?: number }): Sheet {
  const hasTotals = sheet.columns.some(({ isSummed }) => isSummed === true);
  return { ...sheet, printed: sheet.printed ?? sheet.columns.length, hasTotals } as Sheet;
}

/** Whether a kind is of figures, which stand on the right. */
export function isFigureKind(kind: Kind): boolean {
  return kind === "quantity" || kind === "money" || kind === "percent" || kind === "integer";
}

/** The exact figure of a cell; null for a word, a share, and no cell. */
export function figureOf(value: Value): Decimal | null {
  return typeof value === "string" && isDecimalText(value) ? parseDecimal(value) : null;
}

/** How many decimals a figure is written with, without those that say nothing. */
export function placesOf(figure: string): number {
  const at = figure.indexOf(".");
  if (at === -1) return 0;
  let end = figure.length;
  while (figure[end - 1] === "0") end--;
  return Math.max(0, end - at - 1);
}

/** The most digits that a spreadsheet's numbers keep. */
const DIGITS_MAX = 15;

/** Whether a spreadsheet's number cannot hold a figure digit by digit. */
export function isLong(figure: string): boolean {
  if (figure.length <= DIGITS_MAX) return false;
  const digits = figure.replace(/^[-+]/, "");
  const significant = (
    digits.includes(".") ? digits.replace(/0+$/, "").replace(".", "") : digits.replace(/0+$/, "")
  ).replace(/^0+/, "");
  return significant.length > DIGITS_MAX;
}

/** What a column adds up to, and what its cells are like; words are in no sum. */
export class Tally {
  total: Decimal = ZERO;
  places = 0;
  hasLong = false;
  hasFractions = false;
  /** Words where figures belong. */
  words = 0;
  /** What was added last; null where it was a word. */
  #last: Decimal | null = null;

  /** `isSummed`: whether the total is asked for. */
  add(value: Value, isSummed: boolean): void {
    if (value === null || typeof value === "object") return;
    if (!isDecimalText(value)) {
      this.words++;
      this.#last = null;
      return;
    }
    if (isSummed) {
      this.#last = parseDecimal(value);
      this.total += this.#last;
    }
    const places = placesOf(value);
    if (places > this.places) this.places = places;
    if (places > 0) this.hasFractions = true;
    if (isLong(value)) this.hasLong = true;
  }

  /** Adds the last figure, which was summed, or word once more. */
  again(): void {
    if (this.#last === null) this.words++;
    else this.total += this.#last;
  }
}
