// Problems and warnings of a file, cell by cell, all found in one reading. Pure.
import { columnName } from "./grid.ts";

/** A problem or warning at a place of the file. */
export interface SheetProblem {
  readonly code: string;
  readonly sheet: string | null;
  readonly row: number | null;
  /** Such as `F12`. */
  readonly cell: string | null;
  readonly header: string | null;
  readonly value: string | null;
  readonly detail: string;
  readonly fix: string;
}

/** A place of the file. */
export interface SheetPlace {
  readonly sheet: string;
  readonly row?: number;
  readonly column?: number;
  readonly header?: string;
  readonly value?: string;
}

const VALUE_MAX = 100;

/** Collects problems and warnings in their order. */
export class SheetProblems {
  readonly problems: SheetProblem[] = [];
  readonly warnings: SheetProblem[] = [];

  problem(code: string, place: SheetPlace, detail: string, fix: string): void {
    this.problems.push(problemAt(code, place, detail, fix));
  }

  warning(code: string, place: SheetPlace, detail: string, fix: string): void {
    this.warnings.push(problemAt(code, place, detail, fix));
  }

  /** Adds separately collected findings. */
  add({ problems, warnings }: SheetProblems): void {
    this.problems.push(...problems);
    this.warnings.push(...warnings);
  }
}

function problemAt(code: string, place: SheetPlace, detail: string, fix: string): SheetProblem {
  const { sheet, row, column, header = null, value } = place;
  const cell = row === undefined || column === undefined ? null : `${columnName(column)}${row}`;
  const shown = value === undefined ? null : [...value].slice(0, VALUE_MAX).join("");
  return { code, sheet, row: row ?? null, cell, header, value: shown, detail, fix };
}
