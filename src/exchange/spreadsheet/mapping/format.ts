// Detects the format of a file: the template, a vendor's, or one that a mapping describes.

import type { SheetProblems } from "../file/cell-problem.ts";
import type { Grid } from "../file/grid.ts";
import { UnreadableFile } from "../file/grid.ts";
import { templateSheet } from "../file/template.ts";
import { dateIn, folded, type Ways } from "../rows/cell-values.ts";
import type { Directory } from "../rows/directory.ts";
import { waysOfFile } from "../rows/figures.ts";
import type { Total } from "../rows/stated-totals.ts";
import { type SheetRow, sheetByHeaders, understand } from "../rows/understand.ts";
import { completeRows } from "./complete.ts";
import { findTables, readTable, shownFigures } from "./map-tables.ts";
import { FORMATS, fits, type Mapping, mappingOf } from "./mapping.ts";
import type { Schedules } from "./schedule-rows.ts";
import type { FoundTable } from "./table-columns.ts";
import { tellSheets } from "./unread-parts.ts";

/** A format by its name, with the mapping that reads it; the template has none. */
export interface Format {
  readonly name: string;
  readonly mapping: Mapping | null;
}

const TEMPLATE: Format = { name: "CAPTABLE", mapping: null };

/** The format of a file. Throws {@link UnreadableFile} if no format, or several, fit. */
export function formatOf(grids: readonly Grid[], asked: string, mapping: Mapping | null): Format {
  if (mapping) return { name: "MAPPING", mapping };
  if (asked === "CAPTABLE") return TEMPLATE;
  if (asked !== "AUTO") return { name: asked, mapping: mappingOf(asked) };
  const fitting = Object.keys(FORMATS).filter((name) => {
    const { found, missing } = findTables(grids, mappingOf(name));
    return found.length > 0 && missing.length === 0;
  });
  if (isTemplate(grids)) fitting.unshift(TEMPLATE.name);
  const [only, other] = fitting;
  if (only && !other) return only === TEMPLATE.name ? TEMPLATE : { name: only, mapping: mappingOf(only) };
  const sheets = grids.map(({ name }) => name).join(", ");
  throw new UnreadableFile(
    only
      ? `The file fits several formats (${fitting.join(", ")}). Choose one.`
      : `The format of the file is unknown; it has the sheets ${sheets}. Use the template, or a mapping.`,
  );
}

/** Whether a sheet that is named as one of the template's has most of its required headers, or the only table all of them. */
function isTemplate(grids: readonly Grid[]): boolean {
  const [first, ...others] = grids;
  if (first && others.length === 0 && sheetByHeaders(first) !== null) return true;
  return grids.some((grid) => {
    const headers = new Set((grid.rows[0]?.cells.values() ?? []).map(({ text }) => folded(text)));
    const required = templateSheet(grid.name)?.columns.filter((column) => column.required) ?? [];
    const there = required.filter(({ header }) => headers.has(folded(header)));
    return there.length * 2 > required.length;
  });
}

/** The date that a file states; null without one. */
export function asOfIn(grids: readonly Grid[], { mapping }: Format, ways: Ways): string | null {
  if (!mapping?.asOf) return null;
  const { sheet, rows, text } = mapping.asOf;
  const [from = 1, to = from] = rows.split("-").map(Number);
  const order = ways.dateOrder ?? mapping.options?.dateOrder ?? null;
  for (const grid of grids) {
    if (fits(sheet, grid.name) === null) continue;
    const near = grid.rows.filter(({ number }) => number >= from && number <= to);
    for (const cell of near.flatMap(({ cells }) => cells.values())) {
      const shown = fits(text, cell.text)?.at(-1);
      const read = shown === undefined ? null : dateIn({ kind: "text", text: shown }, order);
      if (read && "value" in read) return read.value;
    }
  }
  return null;
}

/** What reading rows needs besides the file. */
export interface Surroundings {
  readonly ways: Ways;
  readonly directory: Directory;
  readonly found: SheetProblems;
  readonly skipUnsupported: boolean;
  act(row: SheetRow, what: "leftOut" | "closed"): void;
  readonly totals: Total[];
  readonly schedules: Schedules;
  /** Called at each row of a mapped table; what it throws ends the reading. */
  readonly pulse: () => void;
}

function* figuresOf(tables: readonly FoundTable[]) {
  for (const table of tables) yield* shownFigures(table);
}

/** The user's formats of figures and days, else the mapping's. */
function waysOf({ options = {} }: Mapping, ways: Ways): Ways {
  const dateOrder = ways.dateOrder ?? options.dateOrder ?? null;
  if (ways.isDecimalAssumed !== true || options.decimal === undefined) return { ...ways, dateOrder };
  return { ...ways, dateOrder, decimal: options.decimal, isDecimalAssumed: false };
}

/** The rows of a file as the template has them. */
export function rowsIn(grids: readonly Grid[], { name, mapping }: Format, around: Surroundings): SheetRow[] {
  const { ways, found, pulse } = around;
  if (mapping === null) return understand(grids, ways, found);
  const { found: tables, missing } = findTables(grids, mapping);
  for (const { sheet, headerHas = [] } of missing) {
    const detail = `has no sheet ${sheet.join(" or ")} with the headers ${headerHas.join(", ")}`;
    found.problem(
      "missing-table",
      { sheet: sheet[0] ?? "" },
      detail,
      "Export the file again, or choose another format.",
    );
  }
  if (name === "PULLEY") {
    found.warning(
      "unconfirmed",
      { sheet: "" },
      "this format is known from one source only",
      "Check the preview closely.",
    );
  }
  const own = waysOfFile(figuresOf(tables), waysOf(mapping, ways));
  tellSheets(grids, mapping, tables, found);
  const { mode } = mapping;
  const rows = tables.flatMap((table) => readTable(table, { mode, ways: own, found, pulse }));
  return completeRows(rows, { ...around, mapping });
}
