// A workbook as read from any format: sheets of rows of cells, each with its text as in the file. Pure.

import { Relief } from "../../../kernel/gc-hints.ts";
import { tooMany } from "../../../kernel/too-complex.ts";
import type { ZipLimits } from "../../ocf/zip-read.ts";

/** The content of a cell. */
export type CellKind = "text" | "number" | "date" | "boolean" | "error" | "unsaved";

/** A cell that is not empty. */
export interface Cell {
  readonly kind: CellKind;
  /** As it stands in the file; of a date `YYYY-MM-DD`. */
  readonly text: string;
  /** Whether a number is shown as a percentage: 0.2 as 20 %. */
  readonly isPercent?: boolean;
  /** The currency, as its sign or code, that a number's format says. */
  readonly currency?: string;
  /** A number as its format shows it, where that has zeros before it or a text around it: `CS-001` of 1. */
  readonly shown?: string;
  /** Whether a number that is a day counts from 1904. */
  readonly is1904?: boolean;
}

/** A row that has cells: its number from 1, its cells by column from 0. */
export interface GridRow {
  readonly number: number;
  readonly cells: Cells;
}

/** The cells of a row by column from 0, in a list: a map of its own for each row takes four times the memory. */
export class Cells {
  readonly #cells: (Cell | undefined)[] = [];

  constructor(cells: Iterable<readonly [column: number, cell: Cell]> = []) {
    for (const [column, cell] of cells) this.put(column, cell);
  }

  put(column: number, cell: Cell): void {
    this.#cells[column] = cell;
  }

  get(column: number): Cell | undefined {
    return this.#cells[column];
  }

  get isEmpty(): boolean {
    return this.#cells.length === 0;
  }

  *[Symbol.iterator](): Generator<[column: number, cell: Cell]> {
    for (const [column, cell] of this.#cells.entries()) if (cell) yield [column, cell];
  }

  /** The cells from the first column on. */
  values(): Cell[] {
    return this.#cells.filter((cell) => cell !== undefined);
  }
}

/** A sheet. */
export interface Grid {
  readonly name: string;
  readonly rows: readonly GridRow[];
  /** Ranges of merged cells, such as `A1:C1`. */
  readonly merged: readonly string[];
  /** Whether the whole of it is hidden. */
  readonly isHidden: boolean;
  /** The numbers of hidden rows that have cells, and ranges of hidden columns. */
  readonly hiddenRows?: readonly number[];
  readonly hiddenColumns?: readonly ColumnRange[];
}

/** Columns side by side, from 0, the last one included. */
export interface ColumnRange {
  readonly first: number;
  readonly last: number;
}

/** The file is not a readable spreadsheet: one line says why. */
export class UnreadableFile extends Error {
  override readonly name = "UnreadableFile";
}

/** The limits of a file. */
export const LIMITS = {
  fileBytes: 25 * 1024 * 1024,
  rows: 50_000,
  sheets: 50,
  columns: 200,
  cells: 2_000_000,
  cellCharacters: 32_767,
} as const;

/** The unpacked size of a workbook, or a zip of CSVs. */
export const ZIP_LIMITS: ZipLimits = {
  bytesMax: 256 * 1024 ** 2,
  ratioMax: 100,
  entriesMax: 1000,
  mayOverlap: false,
};

/** The limits of reading a file, whether it has a result or not; beyond them it is `file-too-complex`. */
const PASSED = {
  rows: { what: "rows (empty ones counted)", most: 1_000_000 },
  cells: { what: "cells (empty ones counted)", most: 5_000_000 },
  columns: { what: "columns described by <col>", most: 16_384 },
  strings: { what: "shared strings", most: 2_000_000 },
  styles: { what: "styles", most: 65_536 },
  formats: { what: "number formats", most: 65_536 },
  merges: { what: "merged ranges", most: 100_000 },
  links: { what: "links", most: 65_536 },
} as const;

/** Cells are kept to be shared up to this length, and up to this many. */
const SHARED_LENGTH = 100;
const SHARED_MAX = 20_000;

/** Counts the content of a file against its limits. Throws {@link UnreadableFile} or `file-too-complex` beyond them. */
export class Meter {
  readonly #pulse: () => void;
  readonly #shared = new Map<string, Cell>();
  readonly #relief = new Relief();
  readonly #passed: Record<keyof typeof PASSED, number> = {
    ...{ rows: 0, cells: 0, columns: 0, strings: 0, styles: 0, formats: 0, merges: 0, links: 0 },
  };
  #cells = 0;
  #rows = 0;
  #sheets = 0;

  /** `pulse` is called as the reading goes on; what it throws ends that. */
  constructor(pulse: () => void = () => undefined) {
    this.#pulse = pulse;
  }

  /** A sheet begins; its header counts as no row. */
  sheet(): void {
    this.#sheets++;
    this.#passed.rows = 0;
    this.#passed.cells = 0;
  }

  /** Counts another item that the whole workbook may have only so many of. */
  count(what: Exclude<keyof typeof PASSED, "rows" | "cells">): void {
    this.#pass(what);
  }

  /** Another row of the sheet, whether or not it has a filled cell. */
  anyRow(): void {
    this.#pass("rows");
  }

  /** So many more cells of the sheet, filled or not. */
  anyCell(count = 1): void {
    this.#pass("cells", count);
  }

  #pass(what: keyof typeof PASSED, count = 1): void {
    this.#passed[what] += count;
    const { what: words, most } = PASSED[what];
    if (this.#passed[what] > most) throw tooMany(words, this.#passed[what], most);
  }

  row(): void {
    this.#pulse();
    this.#relief.row();
    if (++this.#rows > LIMITS.rows + this.#sheets)
      throw new UnreadableFile(`The file has more than ${LIMITS.rows} rows.`);
  }

  /** Answers the first of equal cells, which a file has many of. */
  cell(column: number, cell: Cell): Cell {
    const { text } = cell;
    if (++this.#cells > LIMITS.cells) throw new UnreadableFile(`The file has more than ${LIMITS.cells} filled cells.`);
    if (column >= LIMITS.columns) throw new UnreadableFile(`The file has more than ${LIMITS.columns} columns.`);
    if (text.length > LIMITS.cellCharacters) {
      throw new UnreadableFile(`A cell has more than ${LIMITS.cellCharacters} characters.`);
    }
    const { kind, isPercent = false, is1904 = false, currency = "", shown = "" } = cell;
    const key = `${kind} ${isPercent} ${is1904} ${currency} ${shown.length} ${shown} ${text}`;
    const known = this.#shared.get(key);
    if (known) return known;
    if (text.length > SHARED_LENGTH) return cell;
    if (this.#shared.size >= SHARED_MAX) this.#shared.clear();
    this.#shared.set(key, cell);
    return cell;
  }
}

const LETTERS = 26;

/** `A` of 0, `AA` of 26. */
export function columnName(at: number): string {
  const rest = String.fromCharCode(65 + (at % LETTERS));
  return at < LETTERS ? rest : columnName(Math.floor(at / LETTERS) - 1) + rest;
}

/** The number of a column by its letters. */
export function columnNumber(letters: string): number {
  let number = 0;
  for (const letter of letters) number = number * LETTERS + letter.charCodeAt(0) - 64;
  return number - 1;
}
