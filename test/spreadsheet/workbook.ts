// Workbooks made by hand, part by part, as no program would make them.
import { strToU8, zipSync } from "fflate";

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
