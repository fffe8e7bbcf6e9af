// The template as a workbook, empty or with a small company that imports without a problem.
import { zipStream } from "../../../kernel/files/zip-write.ts";
import { cellAt, dateCell, numberCell, textCell } from "../../../views/reports/xlsx/cells.ts";
import { fixedParts } from "../../../views/reports/xlsx/workbook.ts";
import example from "../assets/example.json" with { type: "json" };
import { columnName } from "./grid.ts";
import { TEMPLATE, type TemplateColumn, type TemplateSheet } from "./template.ts";

type ExampleRows = Readonly<Record<string, readonly Readonly<Record<string, string>>[]>>;

const KINDS: Readonly<Record<TemplateColumn["kind"], string>> = {
  text: "text",
  quantity: "a number of shares, up to 15 digits and 10 places",
  money: "an amount; the organization's currency may stand with it",
  percent: "12 or 12% for twelve per cent",
  date: "a day, best as a date cell or as 2026-01-31",
  integer: "a whole number",
  "yes-no": "Yes or No",
  list: "several, separated by ;",
  enum: "one of the words",
};

/** Writes the template; with `isExample` filled in. */
export function templateBytes(isExample: boolean): AsyncGenerator<Uint8Array> {
  const sheets = [
    { name: "Read me", xml: readMe() },
    ...TEMPLATE.map((sheet) => ({ name: sheet.sheet, xml: sheetXml(sheet, isExample ? rowsOf(sheet.sheet) : []) })),
  ];
  return zipStream([
    ...fixedParts(
      sheets.map(({ name }) => name),
      "captable import template",
    ),
    ...sheets.map(({ xml }, at) => ({ name: `xl/worksheets/sheet${at + 1}.xml`, chunks: () => [xml] })),
  ]);
}

/** The example's rows of a sheet. */
export function rowsOf(sheet: string): readonly Readonly<Record<string, string>>[] {
  return (example as ExampleRows)[sheet] ?? [];
}

function xmlOf(rows: readonly string[], widths: readonly number[]): string {
  const cols = widths.map((width, at) => `<col min="${at + 1}" max="${at + 1}" width="${width}" customWidth="1"/>`);
  return (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n' +
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main">' +
    '<sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" ' +
    `state="frozen"/></sheetView></sheetViews><cols>${cols.join("")}</cols>` +
    `<sheetData>${rows.map((cells, at) => `<row r="${at + 1}">${cells}</row>`).join("")}</sheetData></worksheet>`
  );
}

function sheetXml({ columns }: TemplateSheet, rows: ReturnType<typeof rowsOf>): string {
  const headers = columns.map(({ header, required }, at) =>
    cellAt(`${columnName(at)}1`, textCell(`${header}${required ? "*" : ""}`, "header")),
  );
  const filled = rows.map((row, number) =>
    columns.map((column, at) => cellXml(column, `${columnName(at)}${number + 2}`, row[column.header])).join(""),
  );
  return xmlOf(
    [headers.join(""), ...filled],
    columns.map(({ header }) => Math.max(12, header.length + 3)),
  );
}

function cellXml({ kind }: TemplateColumn, at: string, value: string | undefined): string {
  if (value === undefined) return "";
  if (kind === "date") return cellAt(at, dateCell(value, false));
  const isFigure = kind === "quantity" || kind === "money" || kind === "integer" || kind === "percent";
  return cellAt(at, isFigure ? numberCell(value, "plain") : textCell(value, "text"));
}

function readMe(): string {
  const said = [
    "Fill in the sheets you need; sheets and columns without * may be left out. Headers stand in row 1, data from row 2.",
    "Stock, Options, Warrants and Convertibles have each security as it was first issued, or, with How issued, as what " +
      "that operation made of the one under From. Events has the rest.",
    "Nothing is imported while anything is wrong: every problem is told with its sheet and cell.",
    ...TEMPLATE.flatMap(({ sheet, columns }) => [
      "",
      sheet,
      ...columns.map(({ header, kind, required, allowed, note }) => {
        const words = allowed ? `: ${allowed.join(", ")}` : "";
        return `${header}${required ? "*" : ""}: ${KINDS[kind]}${words}${note ? ` (${note})` : ""}`;
      }),
    ]),
  ];
  return xmlOf(
    said.map((text, at) => cellAt(`A${at + 1}`, textCell(text, "text"))),
    [120],
  );
}
