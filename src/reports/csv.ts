// CSV (RFC 4180): of a sheet of the workbook, and of any list. Figures stand as the API writes them, and nothing is cut.
import { formatPercent } from "../cap-table/table.ts";
import type { Kind, Sheet, Value } from "./sheet.ts";
import { beginsFormula } from "./xlsx/text.ts";

/** How CSV is written. */
export interface CsvOptions {
  /** With the mark by which Excel knows UTF-8. */
  readonly bom: boolean;
  /** With an apostrophe before text that a spreadsheet would compute. */
  readonly guard: boolean;
}

/** The media type of CSV. */
export const CSV_TYPE = "text/csv; charset=utf-8; header=present";

const BOM = "\uFEFF";
const NEEDS_QUOTES = /[",\r\n]/;
const RECORDS_IN_PIECE = 200;

/** A field: text that may need its guard, or a figure, which never does. */
export interface Field {
  readonly text: string;
  readonly isText: boolean;
}

/** Writes records, each ended by CRLF, in pieces. */
export function* csvPieces(records: Iterable<readonly Field[]>, { bom, guard }: CsvOptions): Generator<string> {
  let piece = bom ? BOM : "";
  let count = 0;
  for (const record of records) {
    piece += `${record.map((field) => written(field, guard)).join(",")}\r\n`;
    if (++count % RECORDS_IN_PIECE === 0) {
      yield piece;
      piece = "";
    }
  }
  yield piece;
}

function written({ text, isText }: Field, guard: boolean): string {
  const safe = guard && isText && beginsFormula(text) ? `'${text}` : text;
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** A sheet's headers and rows. */
export function* sheetRecords({ columns, rows }: Sheet): Generator<readonly Field[]> {
  yield columns.map(({ header }) => ({ text: header, isText: true }));
  for (const row of rows()) yield columns.map((column) => fieldOf(column.kind, column.value(row)));
}

function fieldOf(kind: Kind, value: Value): Field {
  if (value === null) return { text: "", isText: false };
  if (typeof value === "object")
    return { text: value.percent ?? formatPercent(value.part, value.whole), isText: false };
  return { text: value, isText: kind === "text" || !/^[-+]?\d/.test(value) };
}
