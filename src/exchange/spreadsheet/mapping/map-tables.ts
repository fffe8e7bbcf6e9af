// Finds the tables of a mapping in a workbook, and reads their rows into fields. Pure.
import { parseDecimal, ZERO } from "../../../kernel/numbers/decimal.ts";
import { type SheetPlace, SheetProblems } from "../file/cell-problem.ts";
import type { Cell, Grid, GridRow } from "../file/grid.ts";
import { areaOf, tellLayout } from "../file/layout.ts";
import { TEMPLATE, type TemplateColumn } from "../file/template.ts";
import { dateOrderOf, folded, textIn, type Ways } from "../rows/cell-values.ts";
import { type CellColumn, CellField, type Field } from "../rows/fields.ts";
import { fractionIn, type ShownFigure } from "../rows/figures.ts";
import { figuresAt, readCell, type SheetRow, textsIn } from "../rows/understand.ts";
import { fits, type MappedTable, type Mapping, NEXT } from "./mapping.ts";
import { columnsOut, isDash, readBalance } from "./outstanding.ts";
import { Columns, type FoundTable, words } from "./table-columns.ts";
import { tellColumns, tellForeign } from "./unread-parts.ts";

const HEADER_ROWS = 30;

/** Fields that only mappings have. */
const MORE: readonly TemplateColumn[] = [
  { header: "Outstanding", field: "outstanding", kind: "quantity", required: false },
  { header: "Vested", field: "vested", kind: "quantity", required: false },
  { header: "Email", field: "holderEmail", kind: "text", required: false },
  { header: "Holder type", field: "holderType", kind: "enum", required: false, allowed: ["Individual", "Institution"] },
  { header: "Outstanding", field: "outstandingTotal", kind: "quantity", required: false },
  { header: "Available", field: "available", kind: "quantity", required: false },
];

/** The tables that a workbook has, and the required ones that it lacks. */
export function findTables(grids: readonly Grid[], { tables }: Mapping) {
  const found: FoundTable[] = [];
  const seen = new Set<MappedTable>();
  for (const grid of grids) {
    for (const table of tables) {
      const wildcards = table.sheet.map((pattern) => fits(pattern, grid.name)).find((match) => match !== null);
      if (!wildcards || table.notSheet?.some((pattern) => fits(pattern, grid.name) !== null)) continue;
      const header = headerOf(grid, table);
      if (!header) continue;
      found.push({ table, grid, wildcards, header });
      seen.add(table);
      break;
    }
  }
  const missing = tables.filter((table) => table.optional !== true && !seen.has(table));
  return { found, missing };
}

function headerOf(grid: Grid, { headerRow, headerHas }: MappedTable): GridRow | undefined {
  if (headerRow !== undefined) return grid.rows.find(({ number }) => number === headerRow);
  const wanted = (headerHas ?? []).map(words);
  return grid.rows.slice(0, HEADER_ROWS).find(({ number, cells }) => {
    const headers = new Set(cells.values().map(({ text }) => words(text)));
    return number <= HEADER_ROWS && wanted.every((header) => headers.has(header));
  });
}

/** A row of a table, with the mapping's own statements besides its fields. */
export interface MappedRow extends SheetRow {
  readonly isClosed: boolean;
  /** The fields whose cells are wrong. */
  readonly faulty: ReadonlySet<string>;
  /** The cell that names an unsupported kind; null if the row's kind is supported. */
  readonly unsupportedAt: SheetPlace | null;
  /** The quantity issued, if it differs from the outstanding one. */
  readonly issued: string | null;
  /** The empty cell of the outstanding quantity; null if it has a value, or there is no such column. */
  readonly unsaidAt: SheetPlace | null;
}

const NONE: ReadonlySet<string> = new Set();

/** How the rows of a table are read. */
export interface TableReading {
  readonly mode: Mapping["mode"];
  readonly ways: Ways;
  readonly found: SheetProblems;
  /** Called at each row; what it throws ends the reading. */
  readonly pulse: () => void;
}

/** Reads the rows of a table. */
export function readTable(found: FoundTable, { mode, ways, found: problems, pulse }: TableReading): MappedRow[] {
  const { table, grid, header } = found;
  const columns = new Columns(header);
  tellColumns(found, columns, ways.currency, problems);
  const isMoney = (field: string) => columnOf(table.to, field)?.kind === "money";
  tellForeign(found, columns, { currency: ways.currency, isMoney }, problems);
  const read = Object.keys(table.columns).flatMap((name) => columns.at(name) ?? []);
  tellLayout(grid, areaOf(grid, header.number, read), problems);
  const isIn = sectionOf(table, columns);
  const inside = grid.rows.filter((row) => {
    pulse();
    return isIn(row) && row.number > header.number;
  });
  if (inside.length === 0) tellEmptySection(found, columns, problems);
  const { rows, bands } = withoutBands(
    inside.filter((row) => !isSkipped(row, table, columns) && !isHeader(row, header)),
    table,
    columns,
  );
  const orders = ordersOf(rows, columns, ways);
  const byField = columnsByField(found, columns);
  return rows.flatMap((row) => {
    pulse();
    return (
      readRow(row, found, { mode, columns, byField, orders, ways, problems, bandOf: (own) => bands.get(own) }) ?? []
    );
  });
}

/** Whether a row, asked from the first on, is in the section that is read: that may begin in the header's row, or above. */
function sectionOf({ section }: MappedTable, columns: Columns): (row: GridRow) => boolean {
  let isIn = section === undefined;
  return (row) => {
    const mark = section ? columns.text(row, section.column) : null;
    if (section && mark !== null) isIn = folded(mark) === folded(section.is);
    return isIn;
  };
}

/** A missing section leaves a whole table out: always reported. */
function tellEmptySection({ table, grid, header }: FoundTable, columns: Columns, problems: SheetProblems): void {
  const { section } = table;
  if (!section || grid.rows.every(({ number }) => number <= header.number)) return;
  const column = columns.at(section.column);
  const place = { sheet: grid.name, row: header.number, ...(column === null ? {} : { column }) };
  const detail = `has no rows of ${section.is}, and none was read`;
  problems.warning(
    "empty-section",
    place,
    detail,
    `Write ${section.is} above the rows that are meant, in this column.`,
  );
}

function isSkipped(row: GridRow, { skipRows = [], skipWhere = {} }: MappedTable, columns: Columns): boolean {
  const first = row.cells.values()[0];
  if (!first) return true;
  if (skipRows.some((pattern) => fits(pattern, first.text) !== null)) return true;
  return Object.entries(skipWhere).some(([name, values]) => isOneOf(columns.text(row, name), values));
}

function isOneOf(text: string | null, values: readonly string[]): boolean {
  return text !== null && values.some((value) => folded(value) === folded(text));
}

function ordersOf(rows: readonly GridRow[], columns: Columns, { dateOrder }: Ways) {
  return (name: string) => {
    if (dateOrder !== null) return dateOrder;
    const at = columns.at(name) ?? -1;
    return dateOrderOf(textsIn(rows, at));
  };
}

/** The cells of all columns of figures that a table reads. */
export function* shownFigures(found: FoundTable): Generator<ShownFigure> {
  const { table, grid, header } = found;
  const columns = new Columns(header);
  const isIn = sectionOf(table, columns);
  const rows = grid.rows.filter((row) => isIn(row) && row.number > header.number && !isSkipped(row, table, columns));
  for (const [name, field] of Object.entries(table.columns)) {
    const kind = table.units?.[field] === "FRACTION" ? "percent" : columnOf(table.to, field)?.kind;
    if (kind !== undefined) yield* figuresAt(rows, columns.at(name) ?? -1, kind);
  }
  const { names, kind } = columnsOut(found);
  for (const name of names) yield* figuresAt(rows, columns.at(name) ?? -1, kind);
}

interface Reading {
  readonly mode: Mapping["mode"];
  readonly columns: Columns;
  readonly byField: ReadonlyMap<string, CellColumn>;
  readonly orders: ReturnType<typeof ordersOf>;
  readonly ways: Ways;
  readonly problems: SheetProblems;
  /** The row that says a field of this one, and of all up to the next. */
  readonly bandOf: (row: GridRow) => GridRow | undefined;
}

/** Whether a row is that of the headers once more. */
function isHeader(row: GridRow, header: GridRow): boolean {
  const filled = [...row.cells].filter(([, cell]) => textIn(cell) !== null);
  return filled.every(([at, { text }]) => words(text) === words(header.cells.get(at)?.text ?? ""));
}

/** The rows that are not bands, and the band above each. */
function withoutBands(all: readonly GridRow[], { band }: MappedTable, columns: Columns) {
  const bands = new Map<GridRow, GridRow>();
  const at = band && columns.at(band.column);
  if (at === undefined || at === null) return { rows: all, bands };
  let last: GridRow | undefined;
  const rows = all.filter((row) => {
    const filled = [...row.cells].filter(([, cell]) => textIn(cell) !== null);
    const isBand = filled.length === 1 && filled[0]?.[0] === at;
    if (isBand) last = row;
    else if (last) bands.set(row, last);
    return !isBand;
  });
  return { rows, bands };
}

function columnOf(to: string, field: string): TemplateColumn | undefined {
  const own = TEMPLATE.find((sheet) => sheet.to === to)?.columns.find((column) => column.field === field);
  const more = MORE.find((column) => column.field === field);
  // The rest of a convertible is a principal.
  return own ?? (more && to === "convertibles" && more.kind === "quantity" ? { ...more, kind: "money" } : more);
}

function readRow(row: GridRow, found: FoundTable, given: Reading): MappedRow | null {
  const { table, grid } = found;
  const { columns, problems } = given;
  const unsupportedAt = unsupportedIn(row, found, columns);
  const isBalance = SECURITIES.has(table.to) && given.mode === "OUTSTANDING";
  const isEnded = isBalance && (table.closedWhen ?? []).some((name) => columns.text(row, name) !== null);
  const reading = { ...given, problems: new SheetProblems() };
  const fields = new Map<string, Field>();
  if (!Object.keys(table.columns).some((name) => columns.text(row, name) !== null)) return null;
  let faulty = NONE;
  for (const [name, field] of Object.entries(table.columns)) {
    const at = columns.at(name);
    const cell = at === null ? undefined : row.cells.get(at);
    if (at === null || !cell || fields.has(field) || isOneOf(textIn(cell), table.emptyWhen?.[field] ?? [])) continue;
    const place = { sheet: grid.name, row: row.number, column: at, header: name.replace(/^#/, ""), value: cell.text };
    if (!readField(cell, { name, field, place, fields }, found, reading)) faulty = new Set([...faulty, field]);
  }
  const band = given.bandOf(row);
  if (band && !readBand(band, fields, found, reading)) faulty = new Set([...faulty, table.band?.field ?? ""]);
  putOthers(row, found, columns, fields);
  const isReadable = isBalance && !isEnded && !faulty.has("outstanding") && !faulty.has("quantity");
  const read = isReadable ? readBalance(row, found, reading, fields) : null;
  const left = fields.get("outstanding") ?? fields.get("quantity");
  const isNothing = isReadable && left !== undefined && parseDecimal(left.value) === ZERO && !read?.isWrong;
  const isClosed = isEnded || (isNothing && read?.unsaidAt === null);
  // The other cells of a row that is left out need not be valid.
  if (!unsupportedAt && !isClosed) problems.add(reading.problems);
  const { issued = null, balance = null, unsaidAt = null } = read ?? {};
  const place = { sheet: grid.name, row: row.number };
  const isWrong = faulty.size > 0 || read?.isWrong === true;
  const told = { isClosed, unsupportedAt, issued, balance, unsaidAt: unsupportedAt ? null : unsaidAt };
  return { to: table.to, place, fields, columns: given.byField, isWrong, faulty, ...told };
}

const SECURITIES: ReadonlySet<string> = new Set(["stock", "options", "warrants", "convertibles"]);

/** The field that the band above a row says, where the row does not. Whether it could be read. */
function readBand(band: GridRow, fields: Map<string, Field>, found: FoundTable, reading: Reading): boolean {
  const { table, grid } = found;
  const { column: name = "", field = "" } = table.band ?? {};
  const at = reading.columns.at(name);
  const cell = at === null ? undefined : band.cells.get(at);
  if (at === null || cell === undefined || fields.has(field)) return true;
  const place = { sheet: grid.name, row: band.number, column: at, header: name.replace(/^#/, ""), value: cell.text };
  return readField(cell, { name, field, place, fields }, found, reading);
}

/** What the mapping says of a row besides its cells. */
function putOthers(row: GridRow, found: FoundTable, columns: Columns, fields: Map<string, Field>): void {
  const { table, grid } = found;
  const place = { sheet: grid.name, row: row.number };
  const put = (field: string, value: string | null | undefined) => {
    if (value && !fields.has(field)) fields.set(field, { value, place });
  };
  for (const [field, value] of Object.entries(table.constants ?? {})) put(field, canonical(table.to, field, value));
  for (const [field, how] of Object.entries(table.from ?? {})) put(field, fromSheet(found, how));
  for (const [field, { field: other, column, match, else: rest }] of Object.entries(table.derive ?? {})) {
    const text = (other === undefined ? columns.text(row, column ?? "") : fields.get(other)?.value) ?? "";
    const hit = Object.entries(match).find(([pattern]) => fits(pattern, text) !== null)?.[1] ?? rest;
    put(field, canonical(table.to, field, hit));
  }
  for (const [field, other] of Object.entries(table.fallback ?? {})) {
    put(field, other === NEXT ? NEXT : fields.get(other)?.value);
  }
}

/** The cell that shows the row to be of an unsupported kind. */
function unsupportedIn(row: GridRow, { table, grid }: FoundTable, columns: Columns): SheetPlace | null {
  for (const [name, values] of Object.entries(table.unsupported ?? {})) {
    const [value, column] = [columns.text(row, name), columns.at(name)];
    if (value === null || column === null || !isOneOf(value, values)) continue;
    return { sheet: grid.name, row: row.number, column, header: name.replace(/^#/, ""), value };
  }
  return null;
}

/** The first column that the file has for each field. */
function columnsByField({ table }: FoundTable, columns: Columns): ReadonlyMap<string, CellColumn> {
  const byField = new Map<string, CellColumn>();
  for (const [name, field] of Object.entries(table.columns)) {
    const at = columns.at(name);
    if (at !== null && !byField.has(field)) byField.set(field, { at, shown: name.replace(/^#/, "") });
  }
  return byField;
}

/** What a cell is for: the column that it stands in, the field that it fills, and those of its row. */
interface CellsUse {
  readonly name: string;
  readonly field: string;
  readonly place: SheetPlace;
  readonly fields: Map<string, Field>;
}

/** Reads one cell into its field; reports its faults, and then returns false. */
function readField(
  cell: Cell,
  { name, field, place, fields }: CellsUse,
  { table }: FoundTable,
  { orders, ways, problems }: Reading,
): boolean {
  const column = columnOf(table.to, field);
  if (!column) return true;
  const text = textIn(cell);
  if (text === null && cell.kind !== "unsaved" && cell.kind !== "error") return true;
  if (field === "outstanding" && isDash(cell)) return true;
  const said = Object.entries(table.values?.[field] ?? {}).find(([from]) => folded(from) === folded(text ?? ""))?.[1];
  const shown = said === undefined ? cell : { ...cell, text: said };
  const order = column.kind === "date" ? orders(name) : null;
  const read = table.units?.[field] === "FRACTION" ? fractionIn(shown, ways) : readCell(shown, column, order, ways);
  if (read === null) return true;
  if ("fault" in read) {
    problems.problem(read.fault.code, place, read.fault.detail, read.fault.fix);
    return false;
  }
  if (read.warning) problems.warning(read.warning.code, place, read.warning.detail, read.warning.fix);
  const { sheet, row, column: at = 0, header = "", value: written = "" } = place;
  fields.set(field, new CellField(read.value, { sheet, row: row ?? 0 }, { at, shown: header }, written));
  return true;
}

/** A constant as the API writes it. */
function canonical(to: string, field: string, value: string): string {
  const column = columnOf(to, field);
  return column?.kind === "enum" ? value.toUpperCase().replace(/[^A-Z0-9]+/g, "_") : value;
}

function fromSheet(
  { grid, wildcards, header }: FoundTable,
  how: NonNullable<MappedTable["from"]>[string],
): string | null {
  if (how.sheetWildcard !== undefined) return wildcards[how.sheetWildcard - 1]?.trim() ?? null;
  if (how.sheetName === true) return grid.name.trim();
  const first = grid.rows.find(({ number, cells }) => number < header.number && !cells.isEmpty);
  const title = first?.cells.values()[0]?.text.trim() ?? null;
  if (title === null) return null;
  const after = how.after === undefined ? title : title.slice(title.indexOf(how.after) + how.after.length);
  return after.replace(/(?<!\s)\s+Ledger$/i, "").trim();
}
