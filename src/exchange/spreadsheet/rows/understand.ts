// Reads the sheets of the template into rows of parsed fields, and reports every cell that cannot be parsed. Pure.
import { Relief } from "../../../kernel/gc-hints.ts";
import type { SheetPlace, SheetProblems } from "../file/cell-problem.ts";
import type { Cell, Grid, GridRow } from "../file/grid.ts";
import { areaOf, tellLayout } from "../file/layout.ts";
import { type Target, TEMPLATE, type TemplateColumn, type TemplateSheet, templateSheet } from "../file/template.ts";
import { tellCurrencyColumn, tellUnknownSheet } from "../mapping/unread-parts.ts";
import type { Balance } from "../record/balance.ts";
import type { SecurityThere } from "../store.ts";
import {
  type DateOrder,
  dateIn,
  dateOrderOf,
  folded,
  textIn,
  type Understood,
  type Ways,
  wordIn,
  yesNoIn,
} from "./cell-values.ts";
import { type CellColumn, CellField, CellFields, type Fields } from "./fields.ts";
import { figureIn, percentIn, type ShownFigure, waysOfFile } from "./figures.ts";

/** A row with a value. */
export interface SheetRow {
  readonly to: Target;
  readonly place: SheetPlace;
  readonly fields: Fields;
  /** The column of each field that the file has one for: also of those that the row leaves empty. */
  readonly columns?: ReadonlyMap<string, CellColumn>;
  /** Whether a cell of it could not be parsed: then the row is not imported. */
  readonly isWrong: boolean;
  /** The quantity issued first, if the row is of balances. */
  readonly issued?: string | null;
  /** What became of the quantity issued, if not all of it is left. */
  readonly balance?: Balance | null;
  /** Whether its schedule was not understood, and all of it counts as vested. */
  readonly isAsVested?: boolean;
  /** Whether its number is not the file's: see `row-numbers.ts`. */
  readonly isNumbered?: boolean;
  /** The security that an earlier import made of an equal row without a number. */
  readonly recorded?: SecurityThere;
}

/** A column of a sheet that is read. */
interface Column extends TemplateColumn {
  readonly at: number;
  readonly shown: string;
}

const UNREAD = /^read me$|^#/i;

/** Reads all rows of the template's sheets. */
export function understand(grids: readonly Grid[], given: Ways, found: SheetProblems): SheetRow[] {
  const rows: SheetRow[] = [];
  const seen = new Set<Target>();
  const ways = waysOfFile(shownFigures(grids), given);
  for (const grid of grids) {
    if (UNREAD.test(grid.name.trim())) continue;
    const sheet = sheetOf(grid, grids);
    const place = { sheet: grid.name };
    if (sheet === null) {
      tellUnknownSheet(grid, "is not a sheet of the template, and was not read", found);
      continue;
    }
    if (seen.has(sheet.to)) {
      found.problem("repeated-sheet", place, `is a second ${sheet.sheet}`, "Put all rows into one sheet.");
      continue;
    }
    seen.add(sheet.to);
    rows.push(...readSheet(grid, sheet, ways, found));
  }
  return rows;
}

function sheetOf(grid: Grid, grids: readonly Grid[]): TemplateSheet | null {
  return templateSheet(grid.name) ?? (grids.length === 1 ? sheetByHeaders(grid) : null);
}

/** The cells of all columns of figures that are read. */
function* shownFigures(grids: readonly Grid[]): Generator<ShownFigure> {
  for (const grid of grids) {
    const sheet = UNREAD.test(grid.name.trim()) ? null : sheetOf(grid, grids);
    const [header, ...rest] = grid.rows;
    if (sheet === null || header === undefined) continue;
    for (const [at, { text }] of header.cells) {
      const column = sheet.columns.find((each) => folded(each.header) === folded(text));
      if (column) yield* figuresAt(rest, at, column.kind);
    }
  }
}

/** The cells of a column, where its kind is one of figures. */
export function* figuresAt(rows: readonly GridRow[], at: number, kind: TemplateColumn["kind"]): Generator<ShownFigure> {
  if (!FIGURES.has(kind)) return;
  for (const { cells } of rows) {
    const cell = cells.get(at);
    if (cell) yield { cell, isMoney: kind === "money", isPercent: kind === "percent" };
  }
}

const FIGURES: ReadonlySet<string> = new Set(["quantity", "money", "percent", "integer"]);

/** The only sheet of the template whose required headers a table has. */
export function sheetByHeaders(grid: Grid): TemplateSheet | null {
  const headers = new Set((grid.rows[0]?.cells.values() ?? []).map(({ text }) => folded(text)));
  const fitting = TEMPLATE.filter(({ columns }) =>
    columns.every(({ header, required }) => !required || headers.has(folded(header))),
  );
  return fitting.length === 1 ? (fitting[0] ?? null) : null;
}

function readSheet(grid: Grid, sheet: TemplateSheet, ways: Ways, found: SheetProblems): SheetRow[] {
  const [header, ...rest] = grid.rows;
  if (header?.number !== 1) {
    if (grid.rows.length > 0) {
      found.problem("missing-header", { sheet: grid.name, row: 1 }, "has no headers in row 1", "Take the template's.");
    }
    return [];
  }
  const columns = readHeaders(grid, header, { sheet, ways }, found);
  const isComplete = !tellMissing(grid, header, { sheet, columns, found });
  const byField = new Map(columns.map((column) => [column.field, column]));
  const read = columns.map(({ at }) => at);
  tellLayout(grid, areaOf(grid, header.number, read), found);
  const orders = new Map(columns.map(({ at, kind }) => [at, kind === "date" ? orderOf(rest, at, ways) : null]));
  const relief = new Relief();
  return rest.flatMap((row) => {
    relief.row();
    const read = readRow(grid, row, { sheet, columns, orders, ways, found });
    return read ? { ...read, columns: byField, isWrong: read.isWrong || !isComplete } : [];
  });
}

function readHeaders(
  grid: Grid,
  header: GridRow,
  { sheet, ways }: Pick<Reading, "sheet" | "ways">,
  found: SheetProblems,
): Column[] {
  const columns: Column[] = [];
  for (const [at, cell] of header.cells) {
    const place = { sheet: grid.name, row: header.number, column: at, header: cell.text, value: cell.text };
    const known = sheet.columns.find((column) => folded(column.header) === folded(cell.text));
    if (!known) {
      if (textIn(cell) !== null) {
        found.warning(
          "unknown-column",
          place,
          "is not a column of the template, and was not read",
          "Name it as the template does.",
        );
        tellCurrencyColumn(grid, header, { at, currency: ways.currency }, found);
      }
    } else if (columns.some(({ field }) => field === known.field)) {
      found.problem("repeated-header", place, `is a second ${known.header}`, "Keep one of them.");
    } else columns.push({ ...known, at, shown: cell.text });
  }
  return columns;
}

/** Reports each missing required column: once, and not at each row. Returns whether there is any. */
function tellMissing(
  grid: Grid,
  { number: row }: GridRow,
  { sheet, columns, found }: Pick<Reading, "sheet" | "columns" | "found">,
): boolean {
  const missing = sheet.columns.filter(
    ({ field, required }) => required && !columns.some((column) => column.field === field),
  );
  for (const { header } of missing) {
    const place = { sheet: grid.name, row, header };
    found.problem("missing-column", place, `the column ${header} is missing`, "Add it; the template has it.");
  }
  return missing.length > 0;
}

function orderOf(rows: readonly GridRow[], at: number, { dateOrder }: Ways): DateOrder | "CONTRADICTS" | null {
  return dateOrder ?? dateOrderOf(textsIn(rows, at));
}

/** A column's texts, row by row. */
export function textsIn(rows: readonly GridRow[], at: number): string[] {
  return rows.flatMap(({ cells }) => {
    const cell = cells.get(at);
    return cell?.kind === "text" ? [textIn(cell) ?? ""] : [];
  });
}

/** What reading a row needs of its sheet. */
interface Reading {
  readonly sheet: TemplateSheet;
  readonly columns: readonly Column[];
  readonly orders: ReadonlyMap<number, DateOrder | "CONTRADICTS" | null>;
  readonly ways: Ways;
  readonly found: SheetProblems;
}

function readRow(grid: Grid, row: GridRow, { sheet, columns, orders, ways, found }: Reading): SheetRow | null {
  let isWrong = false;
  const isFilled = ({ at }: Column) => {
    const cell = row.cells.get(at);
    return cell !== undefined && (textIn(cell) !== null || cell.kind === "unsaved");
  };
  if (!columns.some(isFilled)) return null;
  const rowPlace = { sheet: grid.name, row: row.number };
  const fields = new CellFields(rowPlace, columns, row.cells);
  for (const [index, column] of columns.entries()) {
    const cell = row.cells.get(column.at);
    const shown = cell?.text ?? "";
    const place = () => new CellField("", rowPlace, column, shown).place;
    const read = cell ? readCell(cell, column, orders.get(column.at) ?? null, ways) : null;
    if (read === null) {
      if (!column.required) continue;
      isWrong = true;
      found.problem("missing-value", place(), `${column.header} is empty`, "Fill it in.");
    } else if ("fault" in read) {
      isWrong = true;
      found.problem(read.fault.code, place(), read.fault.detail, read.fault.fix);
    } else {
      if (read.warning) found.warning(read.warning.code, place(), read.warning.detail, read.warning.fix);
      fields.put(index, read.value);
    }
  }
  return { to: sheet.to, place: rowPlace, fields, isWrong };
}

/** The value of a cell in a column; null for an empty one. */
export function readCell(
  cell: Cell,
  column: TemplateColumn,
  order: DateOrder | "CONTRADICTS" | null,
  ways: Ways,
): Understood | null {
  if (cell.kind === "unsaved") {
    const fix = "Open the file in a spreadsheet, save it, and try again.";
    return { fault: { code: "formula-without-value", detail: "is a formula without its value", fix } };
  }
  if (cell.kind === "error") {
    return {
      fault: {
        code: "error-value",
        detail: `is the error ${cell.text}`,
        fix: "Correct the formula, or write a value.",
      },
    };
  }
  const text = textIn(cell);
  if (text === null) return null;
  switch (column.kind) {
    case "quantity":
    case "money":
      return figureIn(cell, ways, column.kind === "money");
    case "percent":
      return percentIn(cell, ways);
    case "integer":
      return integerIn(cell, ways);
    case "date":
      return dateIn(cell, order);
    case "yes-no":
      return yesNoIn(text);
    case "enum":
      return wordIn(text, column.allowed ?? []);
    case "list":
      return listIn(text, column.allowed);
    case "text":
      return { value: LONG.has(column.field) ? text : onOneLine(cell.shown ?? text) };
  }
}

/** Fields of several lines. */
const LONG: ReadonlySet<string> = new Set(["comments", "description"]);

/** A name that a cell has on two lines is one name. */
function onOneLine(text: string): string {
  return text.replace(/(?<!\s)\s*[\r\n\t\u2028\u2029]+\s*/g, " ");
}

function integerIn(cell: Cell, ways: Ways): Understood {
  const read = figureIn(cell, ways, false);
  if ("fault" in read || /^\d+$/.test(read.value)) return read;
  return { fault: { code: "bad-number", detail: "is not a whole number", fix: "Write a whole number." } };
}

function listIn(text: string, allowed: readonly string[] | undefined): Understood {
  const parts = text
    .split(";")
    .map((part) => part.trim())
    .filter((part) => part !== "");
  if (allowed === undefined) return { value: parts.join(";") };
  const words = parts.map((part) => wordIn(part, allowed));
  const wrong = words.find((word) => "fault" in word);
  return wrong ?? { value: words.map((word) => ("value" in word ? word.value : "")).join(";") };
}
