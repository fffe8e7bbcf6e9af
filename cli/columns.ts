// Tables that fit a terminal: of several ways to show the same, the first that is narrow enough.

import { CSV_DEFAULTS, type CsvOptions, csvText, type Field } from "../src/kernel/files/csv.ts";
import { printable } from "../src/kernel/text/text.ts";
import { processEnvironment } from "../src/server/config.ts";

/** A column: its heading, how its cells stand, and what it says of a row. */
export interface Column<R> {
  readonly heading: string;
  readonly isFigure?: boolean;
  /** Cells may be cut to what is left of the line; at most one column of a table. */
  readonly isCut?: boolean;
  cell(row: R): string;
}

/** A column of figures, grouped; a word such as `UNLIMITED` stays as it is, and nothing is a dash. */
export function columnOfFigures<R>(heading: string, of: (row: R) => unknown): Column<R> {
  return { heading: heading.toUpperCase(), isFigure: true, cell: (row) => dimmed(grouped(String(of(row) ?? ""))) };
}

/** Nothing is a dash, so that what there is stands out. */
function dimmed(figure: string): string {
  return figure === "" || figure === "0" ? "-" : figure;
}

const GAP = 2;
/** The least that is left of a cell that is cut. */
const CUT_TO = 18;

/** How wide lines may be: what `COLUMNS` says, else the terminal; no bound where the output goes elsewhere. */
export function terminalWidth(
  environment: Readonly<Record<string, string | undefined>> = processEnvironment(),
  columns: number | undefined = process.stdout.columns,
): number {
  const said = Number(environment.COLUMNS);
  if (Number.isInteger(said) && said > 0) return said;
  return columns || Number.POSITIVE_INFINITY;
}

/** Lays rows out by the first of `layouts` that fits `width`, or else by the last; the heading comes first. */
export function fitted<R>(rows: readonly R[], layouts: readonly (readonly Column<R>[])[], width: number): string[] {
  const laidOut = layouts.map((columns) => layOut(rows, columns));
  const fitting = laidOut.find((table) => table.least <= width) ?? laidOut.at(-1);
  return fitting?.lines(width) ?? [];
}

function layOut<R>(rows: readonly R[], columns: readonly Column<R>[]) {
  const cells = [
    columns.map(({ heading }) => heading),
    ...rows.map((row) => columns.map((column) => column.cell(row))),
  ];
  const shown = cells.map((line) => line.map(printable));
  const widths = columns.map((_, at) => shown.reduce((most, line) => Math.max(most, widthOf(line[at])), 0));
  const gaps = GAP * Math.max(0, columns.length - 1);
  const cutAt = columns.findIndex(({ isCut }) => isCut === true);
  const others = widths.reduce((sum, each, at) => sum + (at === cutAt ? 0 : each), gaps);
  return {
    least: others + Math.min(CUT_TO, widths[cutAt] ?? 0),
    lines(width: number): string[] {
      const room = Math.min(widths[cutAt] ?? 0, Math.max(CUT_TO, width - others));
      const wide = widths.map((each, at) => (at === cutAt ? room : each));
      return shown.map((line) =>
        line
          .map((cell, at) => aligned(cell, wide[at] ?? 0, columns[at]?.isFigure === true))
          .join(" ".repeat(GAP))
          .trimEnd(),
      );
    },
  };
}

function widthOf(cell = ""): number {
  return Bun.stringWidth(cell);
}

/** Signs that a reader sees as one are kept together. */
const signs = new Intl.Segmenter();

function aligned(cell: string, width: number, isFigure: boolean): string {
  const fits = widthOf(cell) <= width ? cell : cut(cell, width);
  const blank = " ".repeat(Math.max(0, width - widthOf(fits)));
  return isFigure ? `${blank}${fits}` : `${fits}${blank}`;
}

function cut(cell: string, width: number): string {
  let kept = "";
  for (const { segment } of signs.segment(cell)) {
    if (widthOf(kept) + widthOf(segment) > width - 1) break;
    kept += segment;
  }
  return `${kept.trimEnd()}…`;
}

/** A decimal with its thousands set apart: `1500000.5` is `1,500,000.5`. */
export function grouped(decimal: string): string {
  const [whole = "", places] = decimal.split(".");
  const apart = whole.replace(/(?<=\d)(?=(?:\d{3})+$)/g, ",");
  return places === undefined ? apart : `${apart}.${places}`;
}

/** Records as CSV that spreadsheets open as it is meant, in which nothing is there that a terminal would obey. */
export function toCsv(records: readonly (readonly Field[])[], options: CsvOptions = CSV_DEFAULTS): string {
  return csvText(
    records.map((record) => record.map(({ text, isText }) => ({ text: isText ? printable(text) : text, isText }))),
    options,
  );
}
