// Workbooks made by hand, part by part, as no program would make them.
import { strToU8, zipSync } from "fflate";
import { columnName } from "../../../src/exchange/spreadsheet/file/grid.ts";
import type { Rows, Value } from "./random-company.ts";

const MAIN = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"';
const OFFICE = 'xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"';

/** A workbook of one sheet with this XML in it, and other parts besides. */
export function workbook(
  rows: string,
  more: Readonly<Record<string, string | Uint8Array>> = {},
  name = "Stock",
): Uint8Array {
  const parts: Record<string, string | Uint8Array> = {
    "xl/workbook.xml": `<workbook ${MAIN} ${OFFICE}><sheets><sheet name="${name}" sheetId="1" r:id="r1"/></sheets></workbook>`,
    "xl/_rels/workbook.xml.rels":
      '<Relationships><Relationship Id="r1" Target="worksheets/sheet1.xml"/></Relationships>',
    "xl/worksheets/sheet1.xml": `<worksheet ${MAIN}><sheetData>${rows}</sheetData></worksheet>`,
    ...more,
  };
  return zipSync(
    Object.fromEntries(
      Object.entries(parts).map(([path, part]) => [path, typeof part === "string" ? strToU8(part) : part]),
    ),
  );
}

/** A cell of text. */
export const cell = (at: string, text: string) => `<c r="${at}" t="inlineStr"><is><t>${text}</t></is></c>`;

const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
const STYLES = `<styleSheet ${MAIN}><fonts count="1"><font/></fonts><fills count="1"><fill/></fills><borders count="1"><border/></borders>
  <cellStyleXfs count="1"><xf/></cellStyleXfs><cellXfs count="3"><xf numFmtId="0"/><xf numFmtId="14" applyNumberFormat="1"/>
  <xf numFmtId="10" applyNumberFormat="1"/></cellXfs></styleSheet>`;
const EPOCH = Date.UTC(1899, 11, 30);

function cellOf(at: string, value: Value): string {
  if (typeof value === "string") return cell(at, escaped(value));
  if ("figure" in value) return `<c r="${at}"><v>${value.figure}</v></c>`;
  if ("percent" in value) return `<c r="${at}" s="2"><v>${Number(value.percent) / 100}</v></c>`;
  return `<c r="${at}" s="1"><v>${(Date.parse(value.day) - EPOCH) / 86_400_000}</v></c>`;
}

/** A workbook of the template's sheets with these rows: figures, days and percentages as cells of their own kinds. */
export function templateWorkbook(rows: Rows): Uint8Array {
  const names = Object.keys(rows);
  const sheets = Object.values(rows).map((lines) => {
    const headers = [...new Set(lines.flatMap((line) => Object.keys(line)))];
    const head = headers.map((header, at) => cell(`${columnName(at)}1`, escaped(header))).join("");
    const body = lines.map((line, row) => {
      const cells = headers.flatMap((header, at) => {
        const value = line[header];
        return value === undefined ? [] : [cellOf(`${columnName(at)}${row + 2}`, value)];
      });
      return `<row r="${row + 2}">${cells.join("")}</row>`;
    });
    return `<worksheet ${MAIN}><sheetData><row r="1">${head}</row>${body.join("")}</sheetData></worksheet>`;
  });
  const type = "application/vnd.openxmlformats-officedocument.spreadsheetml";
  const relations = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const listed = names.map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="r${at + 1}"/>`);
  const related = names.map(
    (_, at) => `<Relationship Id="r${at + 1}" Type="${relations}/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`,
  );
  const typed = names.map(
    (_, at) => `<Override PartName="/xl/worksheets/sheet${at + 1}.xml" ContentType="${type}.worksheet+xml"/>`,
  );
  const packages = 'xmlns="http://schemas.openxmlformats.org/package/2006/relationships"';
  return workbook("", {
    "[Content_Types].xml": `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
      <Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
      <Override PartName="/xl/workbook.xml" ContentType="${type}.sheet.main+xml"/>
      <Override PartName="/xl/styles.xml" ContentType="${type}.styles+xml"/>${typed.join("")}</Types>`,
    "_rels/.rels": `<Relationships ${packages}><Relationship Id="r1" Type="${relations}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    "xl/workbook.xml": `<workbook ${MAIN} ${OFFICE}><sheets>${listed.join("")}</sheets></workbook>`,
    "xl/_rels/workbook.xml.rels": `<Relationships ${packages}>${related.join("")}<Relationship Id="s" Type="${relations}/styles" Target="styles.xml"/></Relationships>`,
    "xl/styles.xml": STYLES,
    ...Object.fromEntries(sheets.map((xml, at) => [`xl/worksheets/sheet${at + 1}.xml`, xml])),
  });
}
