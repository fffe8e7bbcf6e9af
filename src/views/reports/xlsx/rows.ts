// The rows of a sheet as XML. What the cells of a column have in common is decided once, before the first row: a register of
// a hundred thousand securities has millions of cells, and most of them say what one above them says.
import { isDecimalText } from "../../../kernel/numbers/decimal.ts";
import type { Measured, MeasuredColumn } from "../measure.ts";
import { isFigureKind, type Share, type Value } from "../sheet.ts";
import {
  dateCell,
  digitsOf,
  exactQuotientOf,
  figureCell,
  numberCell,
  quotientOf,
  textCell,
  timestampCell,
} from "./cells.ts";
import { type FormulaOf, formulaWriter, letters, type Places, readsLong } from "./formulas.ts";
import { lookOf } from "./styles.ts";

/** The height of a line, in points. */
export const LINE_HEIGHT = 13.5;

/** Writes the rows of a sheet. */
export class RowWriter {
  readonly #columns: readonly MeasuredColumn[];
  readonly #writers: readonly CellWriter[];
  /** The column of notes, whose rows are as high as their text; -1 without such a column. */
  readonly #note: number;
  readonly #noteWidth: number;
  readonly #cells: Value[];

  /** `widths`: of the columns, in characters. */
  constructor({ columns }: Measured, places: Places, widths: readonly number[]) {
    this.#columns = columns;
    this.#writers = columns.map((_, at) => cellWriter(columns, at, places));
    this.#note = columns.findIndex(({ column }) => column.key === "note");
    this.#noteWidth = widths[this.#note] ?? 1;
    this.#cells = columns.map(() => null);
  }

  /** The row of that number. Joined at once: a text that is still in pieces when memory is collected stays for long. */
  xml(row: number, data: unknown): string {
    const cells = this.#cells;
    for (let at = 0; at < cells.length; at++) cells[at] = this.#columns[at]?.column.value(data) ?? null;
    const number = String(row);
    const of = { number, cells, data };
    const pieces = ['<row r="', number, `"${this.#height(cells[this.#note])}>`];
    for (let at = 0; at < cells.length; at++) {
      const value = cells[at] ?? null;
      if (value !== null) this.#writers[at]?.(pieces, value, of);
    }
    pieces.push("</row>");
    return pieces.join("");
  }

  #height(note: Value | undefined): string {
    if (typeof note !== "string") return "";
    const lines = Math.ceil((Bun.stringWidth(note) * 1.05) / this.#noteWidth);
    return lines > 1 ? ` ht="${lines * LINE_HEIGHT}" customHeight="1"` : "";
  }
}

/** A row: its number, its cells, and what they are of. */
interface RowOf {
  readonly number: string;
  readonly cells: readonly Value[];
  readonly data: unknown;
}

type CellWriter = (pieces: string[], value: NonNullable<Value>, of: RowOf) => void;

/** Whether the column left of a text's is of figures, which end where the text begins. */
export function isBesideFigures(columns: readonly MeasuredColumn[], at: number): boolean {
  const left = columns[at - 1];
  return left !== undefined && isFigureKind(left.column.kind);
}

function cellWriter(columns: readonly MeasuredColumn[], at: number, places: Places): CellWriter {
  const measured = columns[at] as MeasuredColumn;
  const { kind, formula, isValue } = measured.column;
  const start = `<c r="${letters(at)}`;
  const said = remembering(sayer(columns, at));
  const look = lookOf(kind, measured.tally.hasFractions, false);
  const write: FormulaOf = formula ? formulaWriter(formula, places) : () => null;
  const isExact = formula !== undefined && readsLong(formula, places);
  const shared = (value: Share, text: string | null) =>
    numberCell(isExact ? exactQuotientOf(value) : quotientOf(value), lookOf(kind, false, false), text);
  const saidOf = (value: NonNullable<Value>, text: string | null) => {
    if (typeof value === "object") return shared(value, text);
    const isGiven = text === null || measured.isLong || !isDecimalText(value);
    return isGiven ? said(value) : numberCell(digitsOf(value), look, text);
  };
  return (pieces, value, { number, cells, data }) => {
    const text = !formula || isValue?.(data) === true ? null : write(number, cells);
    const rest = saidOf(value, text);
    if (rest !== "") pieces.push(start, number, rest);
  };
}

/** What a cell of a column says that no formula gives. */
function sayer(columns: readonly MeasuredColumn[], at: number): (value: string) => string {
  const { column, tally } = columns[at] as MeasuredColumn;
  const isIndented = isBesideFigures(columns, at);
  switch (column.kind) {
    case "text": {
      const look = column.key === "note" ? "note" : isIndented ? "textIndented" : "text";
      return (value) => textCell(value, look);
    }
    case "date":
      return (value) => dateCell(value, isIndented);
    case "timestamp":
      return (value) => timestampCell(value, isIndented);
    case "integer":
      return (value) => numberCell(value, lookOf("integer", false, false));
    default: {
      const looks = { number: lookOf(column.kind, tally.hasFractions, false), word: "word" } as const;
      return (value) => (isDecimalText(value) ? figureCell(value, looks) : textCell(value, "word"));
    }
  }
}

const KEPT_MAX = 2000;

/** The same, keeping what was made of values that come again; where they hardly do, nothing is kept. */
function remembering(make: (value: string) => string): (value: string) => string {
  const known = new Map<string, string>();
  let hits = 0;
  let isOfUse = true;
  let last: string | null = null;
  let lastMade = "";
  const look = (value: string): string => {
    if (!isOfUse) return make(value);
    const found = known.get(value);
    if (found !== undefined) {
      hits++;
      return found;
    }
    if (known.size >= KEPT_MAX) {
      isOfUse = hits > KEPT_MAX;
      hits = 0;
      known.clear();
    }
    const made = make(value);
    known.set(value, made);
    return made;
  };
  return (value) => {
    if (value === last) return lastMade;
    last = value;
    lastMade = look(value);
    return lastMade;
  };
}
