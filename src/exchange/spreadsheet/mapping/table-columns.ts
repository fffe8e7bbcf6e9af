// A mapping's table on a sheet, and the places of its columns. Pure.
import { columnNumber, type Grid, type GridRow } from "../file/grid.ts";
import { textIn } from "../rows/cell-values.ts";
import type { MappedTable } from "./mapping.ts";

/** A table of a mapping as it was found on a sheet. */
export interface FoundTable {
  readonly table: MappedTable;
  readonly grid: Grid;
  /** What the signs of the sheet's pattern stand for. */
  readonly wildcards: readonly string[];
  readonly header: GridRow;
}

/** Headers compare by their words. */
export function words(header: string): string {
  return header
    .normalize("NFKC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

/** Where the columns that a mapping names are, by their names. */
export class Columns {
  readonly #at = new Map<string, number>();

  constructor(header: GridRow) {
    for (const [at, { text }] of header.cells) if (!this.#at.has(words(text))) this.#at.set(words(text), at);
  }

  at(name: string): number | null {
    if (/^#[A-Z]{1,3}$/.test(name)) return columnNumber(name.slice(1));
    return this.#at.get(words(name)) ?? null;
  }

  text(row: GridRow, name: string): string | null {
    const cell = row.cells.get(this.at(name) ?? -1);
    return cell ? textIn(cell) : null;
  }
}
