// Warns of parts of a workbook that a mapping does not read: sheets, columns, and columns by which a table of stock is
// probably one of another kind. Pure.
import { isCurrency } from "../../../kernel/text/currency.ts";
import { counted } from "../../../kernel/text/text.ts";
import type { SheetProblems } from "../file/cell-problem.ts";
import { isCurrencyText, isSignOf } from "../file/currency-signs.ts";
import type { Grid, GridRow } from "../file/grid.ts";
import { textIn } from "../rows/cell-values.ts";
import { fits, type MappedTable, type Mapping } from "./mapping.ts";
import { type Columns, type FoundTable, words } from "./table-columns.ts";

/** Warns of each sheet that no table takes, hidden ones too; `ignoreSheets` and empty ones apart. */
export function tellSheets(
  grids: readonly Grid[],
  { ignoreSheets = [] }: Mapping,
  tables: readonly FoundTable[],
  problems: SheetProblems,
): void {
  const taken = new Set(tables.map(({ grid }) => grid));
  for (const grid of grids) {
    if (taken.has(grid) || ignoreSheets.some((pattern) => fits(pattern, grid.name) !== null)) continue;
    tellUnknownSheet(grid, "does not belong to a table of the format, and was not read", problems);
  }
}

/** Warns of a sheet that was not read, with how much is on it; nothing is lost of an empty one. */
export function tellUnknownSheet(grid: Grid, why: string, problems: SheetProblems): void {
  if (grid.rows.length === 0) return;
  const hidden = grid.isHidden ? ", is hidden" : "";
  const detail = `has ${counted(grid.rows.length, "row")}${hidden}, ${why}`;
  problems.warning(
    "unknown-sheet",
    { sheet: grid.name },
    detail,
    "Check it yourself; rename it as the format expects.",
  );
}

/** The columns that a mapping reads besides those of its fields. */
function used({
  minus = [],
  closedWhen = [],
  section,
  unsupported = {},
  skipWhere = {},
  derive = {},
  band,
}: MappedTable) {
  return [
    ...(Array.isArray(minus) ? minus : Object.values(minus).flat()),
    ...closedWhen,
    ...(section ? [section.column] : []),
    ...(band ? [band.column] : []),
    ...Object.keys(unsupported),
    ...Object.keys(skipWhere),
    ...Object.values(derive).flatMap(({ column }) => column ?? []),
  ];
}

/** Warns of headers that are there twice, and of columns that nothing reads. */
export function tellColumns(found: FoundTable, columns: Columns, currency: string, problems: SheetProblems): void {
  const { table, grid, header } = found;
  const names = [...Object.keys(table.columns), ...used(table)];
  const read = new Set(names.map(words));
  for (const [at, { text }] of header.cells) {
    if (!read.has(words(text)) || columns.at(text) === at) continue;
    const place = { sheet: grid.name, row: header.number, column: at, header: text };
    problems.warning("repeated-header", place, "is repeated; the first one was read", "Take out the wrong one.");
  }
  tellUnclear(found, columns, problems);
  if (table.ignore === "*") return;
  const known = [...names, ...(table.ignore ?? [])].map((name) => columns.at(name));
  for (const [at, cell] of header.cells) {
    if (known.includes(at) || textIn(cell) === null) continue;
    const place = { sheet: grid.name, row: header.number, column: at, header: cell.text };
    const detail = "is not a column of the format, and was not read";
    problems.warning("unknown-column", place, detail, "Check it yourself.");
    tellCurrencyColumn(grid, header, { at, currency }, problems);
  }
}

/** A currency that a header names: its sign, or its code in brackets or behind `in`. */
const CURRENCY = /[([]\s*([A-Z]{3})\s*[)\]]|\bin ([A-Z]{3})\b|(\p{Sc})/u;

/** Amounts of another currency would be recorded as so much of the company's. */
export function tellForeign(
  { table, grid, header }: FoundTable,
  columns: Columns,
  { currency, isMoney }: { readonly currency: string; readonly isMoney: (field: string) => boolean },
  problems: SheetProblems,
): void {
  for (const [name, field] of Object.entries(table.columns)) {
    const at = isMoney(field) ? columns.at(name) : null;
    const text = at === null ? undefined : header.cells.get(at)?.text;
    const [, bracketed, after, sign] = CURRENCY.exec(text ?? "") ?? [];
    const named = bracketed ?? after ?? sign;
    if (at === null || text === undefined || named === undefined) continue;
    if (isSignOf(named, currency) || !(named === sign || isCurrency(named))) continue;
    const place = { sheet: grid.name, row: header.number, column: at, header: text, value: text };
    const detail = `is in ${named}, and the company's currency is ${currency}`;
    problems.problem("foreign-currency", place, detail, `Write the amounts in ${currency}, and name the column so.`);
  }
}

const CURRENCIES = ["Currency", "Currency code", "Ccy", "Währung", "Devise", "Moneda", "Valuta"].map(words);

/** A column that nothing reads and that gives amounts another currency: each such cell is a problem. */
export function tellCurrencyColumn(
  grid: Grid,
  header: GridRow,
  { at, currency }: { readonly at: number; readonly currency: string },
  problems: SheetProblems,
): void {
  const title = header.cells.get(at)?.text ?? "";
  if (!CURRENCIES.includes(words(title))) return;
  for (const { number, cells } of grid.rows) {
    const cell = number > header.number ? cells.get(at) : undefined;
    const named = (cell && textIn(cell)) ?? currency;
    if (isSignOf(named, currency) || !isCurrencyText(named.toUpperCase())) continue;
    const place = { sheet: grid.name, row: number, column: at, header: title, value: named };
    const detail = `is ${named}, and the company's currency is ${currency}`;
    problems.problem("foreign-currency", place, detail, `Write the amounts in ${currency}.`);
  }
}

/** Headers that stock has none of. */
const OF_OPTIONS = ["Exercise Price", "Strike", "Strike Price", "Expiration Date", "Expires"].map(words);

/** A ledger of options or warrants that was taken for stock would become shares that no holder has. */
function tellUnclear({ table, grid, header }: FoundTable, columns: Columns, problems: SheetProblems): void {
  if (table.to !== "stock") return;
  const ignored = table.ignore === "*" ? [] : (table.ignore ?? []);
  const named = new Set([...Object.keys(table.columns), ...used(table), ...ignored].map((name) => columns.at(name)));
  for (const [at, { text }] of header.cells) {
    if (!OF_OPTIONS.includes(words(text)) || named.has(at) || !hasValues(grid.rows, header, at)) continue;
    const place = { sheet: grid.name, row: header.number, column: at, header: text, value: text };
    const detail = "has values, which stock has none of: these may be options or warrants";
    problems.problem(
      "unclear-ledger",
      place,
      detail,
      "Use a mapping that says what the sheet is, or which columns to ignore.",
    );
  }
}

function hasValues(rows: readonly GridRow[], header: GridRow, at: number): boolean {
  return rows.some(({ number, cells }) => {
    const cell = number > header.number ? cells.get(at) : undefined;
    return cell !== undefined && textIn(cell) !== null && words(cell.text) !== words(header.cells.get(at)?.text ?? "");
  });
}
