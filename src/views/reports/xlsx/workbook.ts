// A workbook of sheets that were measured: its parts, packed as they are written. The same data gives the same bytes.
import { SPREADSHEET_TYPE as TYPE } from "../../../kernel/files/media-types.ts";
import { zipStream } from "../../../kernel/files/zip-write.ts";
import type { Measured } from "../measure.ts";
import type { Company } from "../report-company.ts";
import { HEAD_ROWS, letters, Places } from "./formulas.ts";
import { filterOf, sheetXml, titleOf } from "./sheet-xml.ts";
import { stylesXml } from "./styles.ts";
import { xmlText } from "./text.ts";

const DECLARATION = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n';
const MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
const OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
const PACKAGE = "http://schemas.openxmlformats.org/package/2006";

const LETTER_COUNTRIES: ReadonlySet<string | null> = new Set(["US", "CA"]);

/** Whether the company's paper is Letter, rather than A4. */
export function isOnLetter({ organization }: Pick<Company, "organization">): boolean {
  return LETTER_COUNTRIES.has(organization.countryOfFormation);
}

/** Writes the workbook. */
export function workbookBytes(company: Company, sheets: readonly Measured[]): AsyncGenerator<Uint8Array> {
  const isLetter = isOnLetter(company);
  const files = [
    fixed("[Content_Types].xml", contentTypes(sheets.length)),
    fixed("_rels/.rels", relations([["officeDocument", "xl/workbook.xml"]], true)),
    fixed("docProps/core.xml", coreProperties(titleOf(company, "cap table"), company.head.createdAt)),
    fixed(
      "xl/workbook.xml",
      workbookXml(
        sheets.map(({ sheet }) => sheet.name),
        definedNames(sheets),
      ),
    ),
    fixed("xl/_rels/workbook.xml.rels", workbookRelations(sheets.length)),
    fixed("xl/styles.xml", stylesXml()),
    ...sheets.map((measured, at) => ({
      name: `xl/worksheets/sheet${at + 1}.xml`,
      chunks: () => sheetXml({ company, measured, isLetter }),
    })),
  ];
  return zipStream(files, { level: 1, hasMd5s: false });
}

const fixed = (name: string, text: string) => ({ name, chunks: () => [text] });

const TEMPLATE_DAY = "2026-01-01T00:00:00.000Z";

/** The parts of a workbook besides its sheets, which lie in `xl/worksheets/sheet1.xml` and so on. */
export function fixedParts(sheetNames: readonly string[], title: string) {
  return [
    fixed("[Content_Types].xml", contentTypes(sheetNames.length)),
    fixed("_rels/.rels", relations([["officeDocument", "xl/workbook.xml"]], true)),
    fixed("docProps/core.xml", coreProperties(title, TEMPLATE_DAY)),
    fixed("xl/workbook.xml", workbookXml(sheetNames, [])),
    fixed("xl/_rels/workbook.xml.rels", workbookRelations(sheetNames.length)),
    fixed("xl/styles.xml", stylesXml()),
  ];
}

function contentTypes(sheetCount: number): string {
  const sheets = Array.from({ length: sheetCount }, (_, at) =>
    override(`xl/worksheets/sheet${at + 1}.xml`, "worksheet"),
  );
  return (
    `${DECLARATION}<Types xmlns="${PACKAGE}/content-types">` +
    '<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>' +
    '<Default Extension="xml" ContentType="application/xml"/>' +
    override("xl/workbook.xml", "sheet.main") +
    override("xl/styles.xml", "styles") +
    '<Override PartName="/docProps/core.xml" ' +
    'ContentType="application/vnd.openxmlformats-package.core-properties+xml"/>' +
    `${sheets.join("")}</Types>`
  );
}

function override(part: string, kind: string): string {
  return `<Override PartName="/${part}" ContentType="${TYPE}.${kind}+xml"/>`;
}

function relations(targets: readonly (readonly [type: string, target: string])[], hasCore: boolean): string {
  const lines = targets.map(
    ([type, target], at) => `<Relationship Id="rId${at + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`,
  );
  const core = hasCore
    ? `<Relationship Id="rIdCore" Type="${PACKAGE}/relationships/metadata/core-properties" Target="docProps/core.xml"/>`
    : "";
  return `${DECLARATION}<Relationships xmlns="${PACKAGE}/relationships">${lines.join("")}${core}</Relationships>`;
}

function workbookRelations(sheetCount: number): string {
  const sheets = Array.from({ length: sheetCount }, (_, at) => ["worksheet", `worksheets/sheet${at + 1}.xml`] as const);
  return relations([...sheets, ["styles", "styles.xml"]], false);
}

function coreProperties(title: string, createdAt: string): string {
  return (
    `${DECLARATION}<cp:coreProperties xmlns:cp="${PACKAGE}/metadata/core-properties" ` +
    'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" ' +
    'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">' +
    `<dc:title>${xmlText(title)}</dc:title><dc:creator>captable</dc:creator>` +
    `<dcterms:created xsi:type="dcterms:W3CDTF">${createdAt.slice(0, 19)}Z</dcterms:created></cp:coreProperties>`
  );
}

function workbookXml(sheetNames: readonly string[], names: readonly string[]): string {
  const list = sheetNames.map((name, at) => `<sheet name="${xmlText(name)}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`);
  const defined = names.length === 0 ? "" : `<definedNames>${names.join("")}</definedNames>`;
  return (
    `${DECLARATION}<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}">` +
    '<bookViews><workbookView xWindow="0" yWindow="0" windowWidth="24000" windowHeight="14000" tabRatio="800"/></bookViews>' +
    `<sheets>${list.join("")}</sheets>${defined}<calcPr calcId="191029"/></workbook>`
  );
}

/** Filters, print areas and repeated rows, in the order of names and then of sheets that Excel writes. */
function definedNames(sheets: readonly Measured[]): string[] {
  const named = (name: string, at: number, range: string, hidden = "") =>
    `<definedName name="_xlnm.${name}" localSheetId="${at}"${hidden}>${range}</definedName>`;
  const quoted = (name: string) => `'${xmlText(name)}'!`;
  const absolute = (range: string) => range.replace(/([A-Z]+)(\d+)/g, "$$$1$$$2");
  return [
    ...sheets.flatMap((measured, at) => {
      const { sheet } = measured;
      if (sheet.isSnapshot || sheet.key === "notes") return [];
      const range = absolute(filterOf(sheet.columns.length, new Places(measured)));
      return [named("_FilterDatabase", at, quoted(sheet.name) + range, ' hidden="1"')];
    }),
    ...sheets.map((measured, at) => {
      const { sheet } = measured;
      const places = new Places(measured);
      const hasTotalsBelow = sheet.hasTotals && sheet.isSnapshot;
      const bottom = hasTotalsBelow ? places.totalsRow : Math.max(places.lastRow, HEAD_ROWS);
      return named("Print_Area", at, `${quoted(sheet.name)}$A$1:$${letters(sheet.printed - 1)}$${bottom}`);
    }),
    ...sheets.map(({ sheet }, at) => named("Print_Titles", at, `${quoted(sheet.name)}$1:$${HEAD_ROWS}`)),
  ];
}
