// The fields of a row by name. A file may have half a million: of each only its texts are kept, and what all fields of
// a column have in common once. Pure.

import type { SheetPlace } from "../file/cell-problem.ts";
import type { Cells } from "../file/grid.ts";

/** A field of a row. */
export interface Field {
  /** As the API takes it; of a list its parts joined by `;`. */
  readonly value: string;
  readonly place: SheetPlace;
}

/** The fields of a row. */
export interface Fields extends Iterable<[name: string, field: Field]> {
  get(name: string): Field | undefined;
  has(name: string): boolean;
  keys(): Iterable<string>;
}

/** A field that was read from a cell. Its place is put together when it is asked for: most never are. */
export class CellField implements Field {
  readonly #row: SheetPlace;
  readonly #column: CellColumn;
  readonly #shown: string;

  /** `row` is the place of its row; `shown` is the cell's text. */
  constructor(
    readonly value: string,
    row: SheetPlace,
    column: CellColumn,
    shown: string,
  ) {
    this.#row = row;
    this.#column = column;
    this.#shown = shown;
  }

  get place(): SheetPlace {
    const { at, shown } = this.#column;
    return { ...this.#row, column: at, header: shown, value: this.#shown };
  }
}

/** A column that cells stand in: from 0, under a header. */
export interface CellColumn {
  readonly at: number;
  readonly shown: string;
}

/** A column whose cells are a field. */
export interface FieldColumn extends CellColumn {
  readonly field: string;
}

/** The fields of a row whose cells stand in columns that are the same for all rows of its sheet. */
export class CellFields implements Fields {
  readonly #row: SheetPlace;
  readonly #columns: readonly FieldColumn[];
  readonly #cells: Cells;
  readonly #values: (string | undefined)[] = [];

  /** `row` is the place of the row. */
  constructor(row: SheetPlace, columns: readonly FieldColumn[], cells: Cells) {
    this.#row = row;
    this.#columns = columns;
    this.#cells = cells;
  }

  /** Sets the field of the column that is the `index`-th. */
  put(index: number, value: string): void {
    this.#values[index] = value;
  }

  get(name: string): Field | undefined {
    return this.#at(this.#columns.findIndex(({ field }) => field === name));
  }

  has(name: string): boolean {
    return this.get(name) !== undefined;
  }

  *keys(): Generator<string> {
    for (const [index, { field }] of this.#columns.entries()) if (this.#values[index] !== undefined) yield field;
  }

  *[Symbol.iterator](): Generator<[name: string, field: Field]> {
    for (const [index, { field }] of this.#columns.entries()) {
      const found = this.#at(index);
      if (found) yield [field, found];
    }
  }

  #at(index: number): Field | undefined {
    const [value, column] = [this.#values[index], this.#columns[index]];
    if (value === undefined || !column) return undefined;
    return new CellField(value, this.#row, column, this.#cells.get(column.at)?.text ?? "");
  }
}
