// Sheets as lines, one a row, and back: so the process that reads a spreadsheet hands it to the one that imports it.
// Pure.
import { type Cell, type CellKind, Cells, type ColumnRange, type Grid, type GridRow, Meter } from "./grid.ts";

const KINDS: readonly CellKind[] = ["text", "number", "date", "boolean", "error", "unsaved"];
const [PERCENT, FROM_1904] = [1, 2];
const MERGED_A_LINE = 1000;
const HIDDEN_A_LINE = 10_000;

/** A cell: its column from 0, its kind, its text; of numbers, flags, currency and how it is shown, where there are any. */
export type CellLine = readonly [
  column: number,
  kind: number,
  text: string,
  flags?: number,
  currency?: string | null,
  shown?: string,
];

/** The kinds of lines of a sheet. */
export type SheetLine =
  | { readonly sheet: { readonly name: string; readonly isHidden: boolean } }
  | { readonly row: readonly [number: number, cells: readonly CellLine[]] }
  | { readonly merged: readonly string[] }
  | { readonly hiddenRows: readonly number[] }
  | { readonly hiddenColumns: readonly ColumnRange[] };

/** The lines of sheets. */
export function* sheetLines(grids: readonly Grid[]): Generator<SheetLine> {
  for (const { name, isHidden, rows, merged, hiddenRows = [], hiddenColumns = [] } of grids) {
    yield { sheet: { name, isHidden } };
    for (const { number, cells } of rows) yield { row: [number, [...cells].map(([at, cell]) => cellLine(at, cell))] };
    for (let at = 0; at < merged.length; at += MERGED_A_LINE) yield { merged: merged.slice(at, at + MERGED_A_LINE) };
    for (let at = 0; at < hiddenRows.length; at += HIDDEN_A_LINE) {
      yield { hiddenRows: hiddenRows.slice(at, at + HIDDEN_A_LINE) };
    }
    for (let at = 0; at < hiddenColumns.length; at += HIDDEN_A_LINE) {
      yield { hiddenColumns: hiddenColumns.slice(at, at + HIDDEN_A_LINE) };
    }
  }
}

function cellLine(at: number, { kind, text, isPercent, is1904, currency, shown }: Cell): CellLine {
  const flags = (isPercent === true ? PERCENT : 0) + (is1904 === true ? FROM_1904 : 0);
  const number = KINDS.indexOf(kind);
  if (shown !== undefined) return [at, number, text, flags, currency ?? null, shown];
  if (currency !== undefined) return [at, number, text, flags, currency];
  return flags === 0 ? [at, number, text] : [at, number, text, flags];
}

interface OpenGrid extends Grid {
  readonly rows: GridRow[];
  readonly merged: string[];
  readonly hiddenRows: number[];
  readonly hiddenColumns: ColumnRange[];
}

/** Makes sheets of their lines. */
export class SheetLines {
  readonly #grids: OpenGrid[] = [];
  readonly #meter: Meter;

  /** `pulse` is called at each row; what it throws ends the reading. */
  constructor(pulse?: () => void) {
    this.#meter = new Meter(pulse);
  }

  take(line: SheetLine): void {
    if ("sheet" in line) {
      this.#meter.sheet();
      this.#grids.push({ ...line.sheet, rows: [], merged: [], hiddenRows: [], hiddenColumns: [] });
      return;
    }
    const grid = this.#grids.at(-1);
    if (!grid) throw new Error("a line of a sheet comes before the sheet");
    if ("row" in line) grid.rows.push(this.#row(line.row));
    else if ("merged" in line) grid.merged.push(...line.merged);
    else if ("hiddenRows" in line) grid.hiddenRows.push(...line.hiddenRows);
    else grid.hiddenColumns.push(...line.hiddenColumns);
  }

  /** The sheets, once all lines were taken. */
  get grids(): readonly Grid[] {
    return this.#grids;
  }

  #row([number, cells]: readonly [number: number, cells: readonly CellLine[]]): GridRow {
    this.#meter.row();
    return { number, cells: new Cells(cells.map((line) => [line[0], this.#meter.cell(line[0], cellOf(line))])) };
  }
}

function cellOf([, number, text, flags = 0, currency = null, shown]: CellLine): Cell {
  const kind = KINDS[number] ?? "text";
  // Nearly all cells are such, and an object spread costs more than the rest of the line.
  if (flags === 0 && currency === null && shown === undefined) return { kind, text };
  return {
    ...{ kind, text },
    ...(flags & PERCENT ? { isPercent: true } : {}),
    ...(currency === null ? {} : { currency }),
    ...(shown === undefined ? {} : { shown }),
    ...(flags & FROM_1904 ? { is1904: true } : {}),
  };
}
