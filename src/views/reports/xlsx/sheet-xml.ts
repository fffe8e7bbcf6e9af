// A sheet as XML, in pieces: the second pass over its rows. Every formula has its saved value, so that a viewer shows the
// ledger's own figures and a recalculation gives the same.

import { Relief } from "../../../kernel/gc-hints.ts";
import { formatDecimal } from "../../../kernel/numbers/decimal.ts";
import type { Measured, MeasuredColumn } from "../measure.ts";
import type { Company } from "../report-company.ts";
import { isFigureKind } from "../sheet.ts";
import { cellAt, digitsOf, figureCell, numberCell, textCell } from "./cells.ts";
import { HEAD_ROWS, letters, Places, shareOf } from "./formulas.ts";
import { isBesideFigures, LINE_HEIGHT, RowWriter } from "./rows.ts";
import { figureStyle, lookOf } from "./styles.ts";
import { footerText, xmlText } from "./text.ts";

const WIDTH_MIN = 8;
const WIDTH_MAX = 45;
const NOTES_WIDTH = 110;
const HEADER_LINES_MAX = 4;
const COLLECTED_ROWS = 50_000;
const FOOTER_NAME_MAX = 100;

/** What a sheet's XML is made of. */
export interface SheetPart {
  readonly company: Company;
  readonly measured: Measured;
  readonly isLetter: boolean;
}

/** Writes the sheet. */
export function* sheetXml({ company, measured, isLetter }: SheetPart): Generator<string> {
  const { sheet } = measured;
  const places = new Places(measured);
  const widths = measured.columns.map(widthOf);
  yield head(measured, places, widths);
  yield titleRows(company, measured, places, widths);
  let row = places.firstRow;
  const writer = new RowWriter(measured, places, widths);
  const relief = new Relief({ allEvery: COLLECTED_ROWS });
  for (const each of sheet.rows()) {
    relief.row();
    yield writer.xml(row++, each);
  }
  if (sheet.hasTotals && sheet.isSnapshot) yield totalsRow(measured, places);
  yield tail(company, measured, places, isLetter);
}

function widthOf({ column, width }: MeasuredColumn): number {
  if (column.key === "note") return NOTES_WIDTH;
  const longestWord = Math.max(...column.header.split(/[\s/]/).map((word) => Bun.stringWidth(word)));
  return Math.min(WIDTH_MAX, Math.max(WIDTH_MIN, width + 2, Math.min(longestWord + 2, 18)));
}

function head({ sheet, columns }: Measured, places: Places, widths: readonly number[]): string {
  const { frozen } = sheet;
  const last = letters(columns.length - 1);
  const bottom = sheet.hasTotals && sheet.isSnapshot ? places.totalsRow : Math.max(places.lastRow, HEAD_ROWS);
  const corner = `${letters(frozen)}${HEAD_ROWS + 1}`;
  const pane =
    frozen > 0
      ? `<pane xSplit="${frozen}" ySplit="${HEAD_ROWS}" topLeftCell="${corner}" activePane="bottomRight" state="frozen"/>`
      : `<pane ySplit="${HEAD_ROWS}" topLeftCell="${corner}" activePane="bottomLeft" state="frozen"/>`;
  const cols = widths.map((width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`);
  return (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' +
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
    '<sheetPr><pageSetUpPr fitToPage="1"/></sheetPr>' +
    `<dimension ref="A1:${last}${bottom}"/>` +
    `<sheetViews><sheetView showGridLines="0" workbookViewId="0">${pane}</sheetView></sheetViews>` +
    `<sheetFormatPr defaultRowHeight="13.5"/><cols>${cols.join("")}</cols><sheetData>`
  );
}

/** The company and the sheet, in a test environment with the word that says so. */
export function titleOf({ organization, isTest }: Company, name: string): string {
  return `${isTest ? "TEST " : ""}${organization.legalName}: ${name}`;
}

/** The moment that a report shows, and the ledger entry that it goes up to. */
export function momentOf({ asked, head: last }: Company): string {
  const { sequence, createdAt, hash } = last;
  const known = asked.knownAt === null ? "" : ` Known at ${asked.knownAt}.`;
  return `As of ${asked.asOf}. Ledger entry ${sequence}, recorded ${createdAt}, hash ${hash}.${known}`;
}

function titleRows(company: Company, measured: Measured, places: Places, widths: readonly number[]): string {
  const { sheet, columns } = measured;
  const headers = columns.map(({ column }, at) =>
    cellAt(`${letters(at)}${HEAD_ROWS}`, textCell(column.header, headerLook(columns, at))),
  );
  const lines = columns.map(({ column }, at) => Math.ceil((Bun.stringWidth(column.header) * 1.15) / (widths[at] ?? 8)));
  const height = LINE_HEIGHT * Math.min(HEADER_LINES_MAX, Math.max(1, ...lines)) + 3;
  const totals = sheet.hasTotals && !sheet.isSnapshot ? totalsRow(measured, places) : "";
  return (
    `<row r="1" ht="21" customHeight="1">${cellAt("A1", textCell(titleOf(company, sheet.name), "title"))}</row>` +
    `<row r="2">${cellAt("A2", textCell(momentOf(company), "text"))}</row>${totals}` +
    `<row r="${HEAD_ROWS}" ht="${height}" customHeight="1">${headers.join("")}</row>`
  );
}

function headerLook(columns: readonly MeasuredColumn[], at: number) {
  const { column } = columns[at] as MeasuredColumn;
  if (isFigureKind(column.kind)) return "headerRight";
  return isBesideFigures(columns, at) ? "headerIndented" : "header";
}

function totalsRow({ columns }: Measured, places: Places): string {
  const row = places.totalsRow;
  const cells = columns.map((each, at) =>
    at === 0 ? textTotal(row) : cellAt(`${letters(at)}${row}`, totalCell(each, places)),
  );
  return `<row r="${row}">${cells.join("")}</row>`;
}

function textTotal(row: number): string {
  return `<c r="A${row}" s="${figureStyle("total")}" t="inlineStr"><is><t>Total</t></is></c>`;
}

function totalCell(measured: MeasuredColumn, places: Places): string {
  const { column, tally, isLong, wholes } = measured;
  if (!column.isSummed) return "";
  if (column.kind === "percent") {
    const { formula } = column;
    const { whole = 0n } = wholes ?? {};
    const shown = whole === 0n ? "0" : "1";
    const said =
      formula?.kind === "share" && places.lastRow >= places.firstRow ? shareOf(formula, rowOf(places), places) : null;
    return numberCell(shown, lookOf("percent", false, true), said);
  }
  const total = formatDecimal(tally.total);
  const look = lookOf(column.kind, tally.hasFractions, true);
  if (isLong) return figureCell(total, { number: look, word: "totalWord" });
  const sum = places.sum(column.key);
  const formula = sum === null || tally.places === 0 ? sum : `ROUND(${sum},${tally.places})`;
  return numberCell(digitsOf(total), look, formula);
}

function rowOf(places: Places): string {
  return String(places.totalsRow);
}

const LETTER = 1;
const A4 = 9;

function tail(company: Company, { sheet, columns }: Measured, places: Places, isLetter: boolean): string {
  const filter =
    sheet.isSnapshot || sheet.key === "notes" ? "" : `<autoFilter ref="${filterOf(columns.length, places)}"/>`;
  const name = footerText([...company.organization.legalName].slice(0, FOOTER_NAME_MAX).join(""));
  const footer = `&L&8 ${name}&C&8 ${footerText(sheet.name)}&R&8 Page &P of &N`;
  return (
    `</sheetData>${filter}` +
    '<pageMargins left="0.5" right="0.5" top="0.6" bottom="0.7" header="0.3" footer="0.3"/>' +
    `<pageSetup paperSize="${isLetter ? LETTER : A4}" orientation="landscape" fitToWidth="1" fitToHeight="0"/>` +
    `<headerFooter><oddFooter>${xmlText(footer)}</oddFooter></headerFooter></worksheet>`
  );
}

/** The cells that the filter is about: the headers and the data. */
export function filterOf(columnCount: number, places: Places): string {
  return `A${HEAD_ROWS}:${letters(columnCount - 1)}${Math.max(places.lastRow, HEAD_ROWS)}`;
}
