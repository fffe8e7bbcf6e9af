// Spreadsheets read in a child process, for the command that imports one.
import { takeLines, UnreadableAnswer } from "../../src/exchange/reading/answer-lines.ts";
import { type Grid, UnreadableFile } from "../../src/exchange/spreadsheet/file/grid.ts";
import { type SheetLine, SheetLines } from "../../src/exchange/spreadsheet/file/sheet-lines.ts";
import { readByCommand } from "./read-file.ts";

/** Reads a file's sheets. Rejects with `UnreadableFile`, and with `file-too-complex` beyond its bounds. */
export async function readSheets(name: string, bytes: Uint8Array): Promise<readonly Grid[]> {
  const sheets = new SheetLines();
  const pieces = readByCommand({ form: "spreadsheet", gives: "rows", name }, [{ name, bytes }]);
  try {
    await takeLines(pieces, (line) => sheets.take(line as SheetLine));
  } catch (error) {
    throw error instanceof UnreadableAnswer ? new UnreadableFile(error.message) : error;
  }
  return sheets.grids;
}
