// Small files that ask for much: seven that are imported as spreadsheets, and three that are sent as packages. Each is a few
// kilobytes as it is sent, or a body that is soon made, and just below what its archive alone would be refused for.
import { strToU8, zipSync } from "fflate";
import { cell, workbook } from "../spreadsheet/workbook.ts";

/** A file, and what its refusal names. */
export interface HostileFile {
  readonly what: string;
  readonly make: () => Uint8Array;
  /** The figure that is too much, and what is allowed. */
  readonly named: RegExp;
}

/** A body of a request about a package. */
export interface HostileBody extends HostileFile {
  readonly contentType: "application/json" | "application/zip";
}

/** A part below this unfolds as far as it likes. */
const FREE_BYTES = 31 * 1024 ** 2;

const HEADER = `<row r="1">${cell("A1", "Certificate")}</row>`;
const SHEET = "xl/worksheets/sheet1.xml";

/** So many of a piece that they fill what a part may have. */
function filled(piece: string): string {
  return piece.repeat(Math.floor(FREE_BYTES / piece.length));
}

function sheet(before: string, rows: string, after = ""): Uint8Array {
  return workbook("", { [SHEET]: `<worksheet>${before}<sheetData>${rows}</sheetData>${after}</worksheet>` });
}

/** The spreadsheets. */
export const HOSTILE_FILES: readonly HostileFile[] = [
  {
    what: "a workbook whose columns are described without end",
    make: () => sheet(`<cols>${filled('<col min="1" max="200" hidden="1"/>')}</cols>`, HEADER),
    named: /16,385 columns.*16,384 are allowed/,
  },
  {
    what: "a zipped table of empty cells",
    make: () => zipSync({ "Stock.csv": strToU8(filled(",\r\n")) }, { level: 6 }),
    named: /1,000,001 rows.*1,000,000 are allowed/,
  },
  {
    what: "a workbook with a merged range in each place",
    make: () => sheet("", HEADER, `<mergeCells>${filled('<mergeCell ref="A1:B2"/>')}</mergeCells>`),
    named: /100,001 merged ranges.*100,000 are allowed/,
  },
  {
    what: "a workbook of styles alone",
    make: () => workbook(HEADER, { "xl/styles.xml": `<styleSheet><cellXfs>${filled("<xf/>")}</cellXfs></styleSheet>` }),
    named: /65,537 styles.*65,536 are allowed/,
  },
  {
    what: "a workbook of shared texts alone",
    make: () => workbook(HEADER, { "xl/sharedStrings.xml": `<sst>${filled("<si/>")}</sst>` }),
    named: /2,000,001 shared strings.*2,000,000 are allowed/,
  },
  {
    what: "a workbook nested as deep as it is long",
    make: () => workbook(HEADER, { "xl/styles.xml": filled("<a>") }),
    named: /33 nested levels of XML.*32 are allowed/,
  },
  {
    what: "a workbook with a link in each place",
    make: () => sheet("", HEADER, `<hyperlinks>${filled('<hyperlink ref="A1"/>')}</hyperlinks>`),
    named: /65,537 links.*65,536 are allowed/,
  },
];

/** The bodies. */
export const HOSTILE_BODIES: readonly HostileBody[] = [
  {
    what: "a zip of empty lists",
    contentType: "application/zip",
    make: () => zipSync({ "transactions.json": strToU8(`{"items":[${filled("[],")}[]]}`) }, { level: 6 }),
    named: /4,000,001 values of JSON.*4,000,000 are allowed/,
  },
  {
    what: "JSON nested as deep as it is long",
    contentType: "application/json",
    make: () => strToU8("[".repeat(FREE_BYTES)),
    named: /33 nested levels of JSON.*32 are allowed/,
  },
  {
    what: "JSON of objects with a name of its own each",
    contentType: "application/json",
    make: () => strToU8(`{"manifest":{},"entityFiles":{"transactions.json":{"items":[${ownNames(1_990_000)}]}}}`),
    named: /more memory or time to read than the server gives/,
  },
];

function ownNames(count: number): string {
  return Array.from({ length: count }, (_, at) => `{"m${at}":0}`).join(",");
}
