// Warns of hidden rows, columns and sheets, and of merged cells. Pure.

import type { SheetProblems } from "./cell-problem.ts";
import { type ColumnRange, columnNumber, type Grid } from "./grid.ts";

/** The place of a table on its sheet. */
export interface TableArea {
  readonly headerRow: number;
  readonly lastRow: number;
  /** The columns that are read, from 0. */
  readonly columns: readonly number[];
}

/** The place of a sheet's table whose header is in this row. */
export function areaOf(grid: Grid, headerRow: number, columns: readonly number[]): TableArea {
  return { headerRow, lastRow: grid.rows.at(-1)?.number ?? headerRow, columns: [...columns].sort((a, b) => a - b) };
}

/** Warns of each, at its first cell. Adjacent rows or columns are reported once. */
export function tellLayout(grid: Grid, area: TableArea, found: SheetProblems): void {
  const { headerRow, lastRow, columns } = area;
  const [first = 0] = columns;
  const hidden = (row: number, column: number, what: string) =>
    found.warning("hidden-cells", { sheet: grid.name, row, column }, `${what}; it was read`, "Show it, and check it.");
  if (grid.isHidden) hidden(headerRow, first, "the sheet is hidden");
  const rows = (grid.hiddenRows ?? []).filter((row) => row >= headerRow && row <= lastRow);
  for (const { from, to } of runsOf(rows)) {
    hidden(from, first, from === to ? `row ${from} is hidden` : `rows ${from} to ${to} are hidden`);
  }
  const gone = columns.filter((column) => isIn(grid.hiddenColumns ?? [], column));
  for (const { from } of runsOf(gone)) hidden(headerRow, from, "the column is hidden");
  for (const { text, row, column } of mergedIn(grid, area)) {
    const place = { sheet: grid.name, row, column };
    found.warning("merged-cells", place, `${text} is merged; only its first cell has the value`, "Split the cells.");
  }
}

function isIn(ranges: readonly ColumnRange[], column: number): boolean {
  return ranges.some(({ first, last }) => first <= column && column <= last);
}

function runsOf(numbers: readonly number[]): readonly { readonly from: number; readonly to: number }[] {
  const runs: { from: number; to: number }[] = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last && number === last.to + 1) last.to = number;
    else runs.push({ from: number, to: number });
  }
  return runs;
}

/** The merged ranges that have a cell of the table in them. */
function mergedIn({ merged }: Grid, { headerRow, lastRow, columns }: TableArea) {
  return merged.flatMap((text) => {
    const match = /^([A-Z]{1,3})(\d+):([A-Z]{1,3})(\d+)$/.exec(text);
    if (!match) return [];
    const [, left = "", top, right = "", bottom] = match;
    const [row, column] = [Number(top), columnNumber(left)];
    if (Number(bottom) < headerRow || row > lastRow) return [];
    return columns.some((each) => each >= column && each <= columnNumber(right)) ? [{ text, row, column }] : [];
  });
}
