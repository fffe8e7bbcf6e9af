// Cell formulas: no formula if an operand is a word, or has more digits than a spreadsheet keeps.
import type { Measured, MeasuredColumn } from "../measure.ts";
import { type Formula, figureOf, placesOf, type Terms, type Value } from "../sheet.ts";

/** Rows above the data: title, moment, totals of a ledger, headers. */
export const HEAD_ROWS = 4;
/** The row of a ledger's totals. */
const TOTALS_ROW = 3;
const PLACES_MAX = 10;

const LETTERS: string[] = [];

/** `A`, `B` … `Z`, `AA` … of a column counted from 0. */
export function letters(at: number): string {
  LETTERS[at] ??= lettersOf(at);
  return LETTERS[at];
}

function lettersOf(at: number): string {
  const rest = String.fromCharCode(65 + (at % 26));
  return at < 26 ? rest : letters(Math.floor(at / 26) - 1) + rest;
}

/** Where things stand on a sheet. */
export class Places {
  readonly firstRow = HEAD_ROWS + 1;
  readonly lastRow: number;
  readonly totalsRow: number;
  readonly #at: ReadonlyMap<string, number>;
  readonly #measured: Measured;

  constructor(measured: Measured) {
    this.#measured = measured;
    this.lastRow = HEAD_ROWS + measured.rowCount;
    this.totalsRow = measured.sheet.isSnapshot ? this.lastRow + 1 : TOTALS_ROW;
    this.#at = new Map(measured.sheet.columns.map(({ key }, at) => [key, at]));
  }

  /** The letters of a column. */
  letters(key: string): string {
    return letters(this.#at.get(key) ?? 0);
  }

  /** The place of a column, counted from 0; -1 if the sheet has no such key. */
  index(key: string): number {
    return this.#at.get(key) ?? -1;
  }

  column(key: string): MeasuredColumn | undefined {
    return this.#measured.columns[this.index(key)];
  }

  /** A formula that sums a column's rows; null without rows. */
  sum(key: string, from = this.firstRow): string | null {
    const column = this.letters(key);
    return from > this.lastRow ? null : `SUM(${column}${from}:${column}${this.lastRow})`;
  }
}

function keysOf(formula: Formula): readonly string[] {
  if (formula.kind === "product") return formula.of;
  return [...formula.plus, ...(formula.minus ?? [])];
}

/** Whether any column that the formula reads cannot be read as numbers. */
export function readsLong(formula: Formula, places: Places): boolean {
  return keysOf(formula).some((key) => places.column(key)?.isLong === true);
}

/** Adds and takes off cells of a row. */
function termsWriter({ plus, minus = [] }: Terms, places: Places): (row: string) => string {
  const [first = "", ...added] = plus.map((key) => places.letters(key));
  const more = [...added.map((column) => `+${column}`), ...minus.map((key) => `-${places.letters(key)}`)];
  return (row) => {
    let text = first + row;
    for (const term of more) text += term + row;
    return text;
  };
}

function rounded(expression: string, places: number): string {
  return places === 0 ? expression : `ROUND(${expression},${places})`;
}

/** The formula of a column's cell in a row of such cells; null if it has no formula. */
export type FormulaOf = (row: string, cells: readonly Value[]) => string | null;

/** How a column's formula is written, with all decided that its rows have in common. */
export function formulaWriter(formula: Formula, places: Places): FormulaOf {
  if (readsLong(formula, places)) return () => null;
  const decimals = decimalsReader(keysOf(formula), places);
  if (formula.kind === "share") return (row, cells) => decimals(cells) && shareOf(formula, row, places);
  if (formula.kind === "sum") {
    const write = termsWriter(formula, places);
    return (row, cells) => {
      const read = decimals(cells);
      return read && rounded(write(row), Math.max(0, ...read));
    };
  }
  const [one, other] = formula.of.map((key) => places.letters(key));
  return (row, cells) => {
    const product = decimals(cells)?.reduce((sum, each) => sum + each, 0) ?? Number.POSITIVE_INFINITY;
    return product > PLACES_MAX ? null : rounded(`${one}${row}*${other}${row}`, product);
  };
}

const NO_DECIMALS: readonly number[] = [];

/** Counts the decimals of each cell that is read; null where one is a word. Where no column has either, none is looked at. */
function decimalsReader(
  keys: readonly string[],
  places: Places,
): (cells: readonly Value[]) => readonly number[] | null {
  if (keys.every((key) => isOfWholeFigures(places.column(key)))) return () => NO_DECIMALS;
  const read = keys.map((key) => places.index(key));
  return (cells) => {
    const values = read.map((at) => cells[at] ?? null);
    if (values.some((value) => typeof value === "string" && figureOf(value) === null)) return null;
    return values.map((value) => (typeof value === "string" ? placesOf(value) : 0));
  };
}

type Share = Extract<Formula, { kind: "share" }>;

/** Whether a column has neither words nor decimals. */
function isOfWholeFigures(column: MeasuredColumn | undefined): boolean {
  if (!column || (column.column.kind !== "quantity" && column.column.kind !== "money")) return false;
  return column.tally.words === 0 && !column.tally.hasFractions;
}

/** The formula of a share; `row` is the row of its part. Null where there are no rows to be a part. */
export function shareOf(formula: Share, row: string, places: Places): string | null {
  const { plus, minus = [], of, lessRows = 0 } = formula;
  const isTotal = row === String(places.totalsRow);
  if (readsLong(formula, places)) return null;
  const write = termsWriter(formula, places);
  if (of !== "total") {
    const part = write(row);
    const whole = `${places.letters(of.column)}${row}`;
    return `IF(${whole}=0,0,${minus.length > 0 ? `(${part})` : part}/${whole})`;
  }
  const tail = lessRows > 0 ? places.sum(plus[0] ?? "", places.lastRow - lessRows + 1) : null;
  const isBare = minus.length === 0 && tail === null;
  const bracket = (text: string, isAlone: boolean) => (isAlone ? text : `(${text})`);
  const total = write(`$${places.totalsRow}`) + (tail === null ? "" : `-${tail}`);
  const whole = bracket(total, isBare && plus.length === 1);
  const part = isTotal ? whole : bracket(write(row), minus.length === 0 && plus.length === 1);
  return `IF(${total}=0,0,${part}/${whole})`;
}
