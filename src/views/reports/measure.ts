// First pass over a sheet: the totals and widths of its columns, and those with figures that a spreadsheet's numbers
// cannot hold. Pure.

import { Relief } from "../../kernel/gc-hints.ts";
import { type Decimal, formatDecimal, ZERO } from "../../kernel/numbers/decimal.ts";
import { type Column, isLong, type Kind, type Sheet, Tally, type Value } from "./sheet.ts";
import { isCut } from "./xlsx/text.ts";

/** A column as it was measured. */
export interface MeasuredColumn {
  readonly column: Column<unknown>;
  readonly tally: Tally;
  /** The longest cell, in characters of a spreadsheet; of those that are wider than any column, one of them. */
  readonly width: number;
  /** Whether no formula may read it: a cell or the total has more digits than a spreadsheet's number. */
  readonly isLong: boolean;
  /** The whole of a percentage column; null for other columns. */
  readonly wholes: { readonly part: Decimal; readonly whole: Decimal } | null;
}

/** A sheet as it was measured. */
export interface Measured {
  readonly sheet: Sheet;
  readonly rowCount: number;
  readonly columns: readonly MeasuredColumn[];
  /** Texts that a cell cannot hold whole. */
  readonly cutTexts: number;
}

/** What is longer than that is as wide as that on any sheet. */
const WIDEST = 60;
const PERCENT_WIDTH = 10;
const DATE_WIDTH = 11;
const TIMESTAMP_WIDTH = 23;

/** How long a cell is when it is shown: figures are grouped by thousands. */
function lengthOf(kind: Kind, value: string): number {
  if (kind === "date") return DATE_WIDTH;
  if (kind === "timestamp") return TIMESTAMP_WIDTH;
  if (kind === "text") return Bun.stringWidth(value);
  const [whole = ""] = value.split(".");
  return value.length + Math.floor((whole.length - 1) / 3) + (kind === "money" && !value.includes(".") ? 3 : 0);
}

/** Goes through all rows once. */
export function measure(sheet: Sheet): Measured {
  const { columns } = sheet;
  const tallies = columns.map(() => new Tally());
  const widths = columns.map<number>(({ kind }) => (kind === "percent" ? PERCENT_WIDTH : 0));
  const wholes: ({ part: Decimal; whole: Decimal } | null)[] = columns.map(() => null);
  let rowCount = 0;
  let cutTexts = 0;
  const lasts: (string | null)[] = columns.map(() => null);
  const look = (value: Value, at: number, { kind, isSummed = false }: Column<unknown>) => {
    if (value === null) return;
    if (typeof value === "object") {
      const before = wholes[at]?.part ?? ZERO;
      wholes[at] = { part: before + value.part, whole: value.whole };
      return;
    }
    // Columns repeat themselves: of what stands above only the total changes.
    if (value === lasts[at]) {
      if (isSummed) tallies[at]?.again();
      return;
    }
    lasts[at] = value;
    if (kind === "quantity" || kind === "money") tallies[at]?.add(value, isSummed);
    else if (isCut(value)) {
      cutTexts++;
      lasts[at] = null;
    }
    if ((widths[at] ?? 0) < WIDEST) widths[at] = Math.max(widths[at] ?? 0, lengthOf(kind, value));
  };
  const relief = new Relief();
  for (const row of sheet.rows()) {
    relief.row();
    rowCount++;
    for (const [at, column] of columns.entries()) {
      // Days and instants are as long as one another.
      if ((widths[at] ?? 0) > 0 && (column.kind === "date" || column.kind === "timestamp")) continue;
      look(column.measured ? column.measured(row) : column.value(row), at, column);
    }
  }
  return {
    sheet,
    rowCount,
    cutTexts,
    columns: columns.map((column, at) => {
      const tally = tallies[at] ?? new Tally();
      const total = formatDecimal(tally.total);
      const totalWidth = column.isSummed && column.kind !== "percent" ? lengthOf(column.kind, total) : 0;
      return {
        column,
        tally,
        width: Math.max(widths[at] ?? 0, totalWidth),
        isLong: tally.hasLong || (column.isSummed === true && isLong(total)),
        wholes: wholes[at] ?? null,
      };
    }),
  };
}
