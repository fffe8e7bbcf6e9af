// Reads a spreadsheet by its content, not its name: a workbook, a CSV, or a zip of CSVs.
import { Findings } from "../../ocf/finding.ts";
import { zipEntries } from "../../ocf/zip-read.ts";
import { readCsv } from "./csv-read.ts";
import { type Grid, LIMITS, Meter, UnreadableFile, ZIP_LIMITS } from "./grid.ts";
import { readXlsx } from "./xlsx-read.ts";

function begins(bytes: Uint8Array, ...signature: readonly number[]): boolean {
  return signature.every((byte, at) => bytes[at] === byte);
}

/**
 * Reads a file's sheets. Rejects with {@link UnreadableFile}, and with `file-too-complex` beyond its limits. `name`
 * stands for the table of a CSV.
 */
export async function readSpreadsheet(bytes: Uint8Array, name: string): Promise<Grid[]> {
  const meter = new Meter();
  if (bytes.length > LIMITS.fileBytes) throw new UnreadableFile("The file is larger than 25 MiB.");
  if (bytes.length === 0) throw new UnreadableFile("The file is empty.");
  if (begins(bytes, 0xd0, 0xcf, 0x11, 0xe0)) {
    throw new UnreadableFile(
      "The file is an old workbook (.xls) or one with a password. Save it as an Excel workbook (.xlsx) without one.",
    );
  }
  if (!begins(bytes, 0x50, 0x4b, 0x03, 0x04)) return [readCsv(bytes, name.replace(/\.[^.]*$/, ""), meter)];
  const findings = new Findings();
  const entries = zipEntries(bytes, findings, ZIP_LIMITS);
  const [first] = findings.list;
  if (first) throw new UnreadableFile(first.detail);
  const names = entries.map((entry) => entry.name);
  if (names.includes("xl/workbook.bin")) throw saveAs("a binary workbook (.xlsb)");
  if (names.includes("content.xml")) throw saveAs("an OpenDocument spreadsheet (.ods)");
  const tables = entries.filter((entry) => /\.csv$/i.test(entry.name) && !/(^|\/)(\.|__MACOSX)/.test(entry.name));
  if (names.includes("xl/workbook.xml") || tables.length === 0) return readXlsx(bytes, meter);
  const grids: Grid[] = [];
  for (const entry of tables) {
    const content = await entry.read(findings);
    if (content === null) throw new UnreadableFile(findings.list[0]?.detail ?? "The archive is broken.");
    grids.push(readCsv(content, entry.name.replace(/^.*\//, "").replace(/\.csv$/i, ""), meter));
  }
  return grids;
}

function saveAs(what: string): UnreadableFile {
  return new UnreadableFile(`The file is ${what}. Save it as an Excel workbook (.xlsx).`);
}
