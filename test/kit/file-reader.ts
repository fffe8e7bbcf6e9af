// Files read in this process, which is quick where they are small, and replayed the same in a simulation.
import { takeLines } from "../../src/exchange/reading/answer-lines.ts";
import { loadReader } from "../../src/exchange/reading/read-file.ts";
import type { FilePart, FileReader, FileRequest, Parts } from "../../src/exchange/reading/reading-protocol.ts";
import type { Grid } from "../../src/exchange/spreadsheet/file/grid.ts";
import { type SheetLine, SheetLines } from "../../src/exchange/spreadsheet/file/sheet-lines.ts";

/** Reads files here. */
export const readHere: FileReader = { read: piecesOf };

/** The lines of a file, a piece each. */
export async function* piecesOf(request: FileRequest, parts: Parts): AsyncGenerator<Uint8Array> {
  const all: FilePart[] = [];
  for await (const part of parts) all.push(part);
  const linesOf = await loadReader(request);
  for await (const lines of linesOf(request, all)) yield Buffer.from(lines);
}

/** The sheets of a spreadsheet, by way of their lines. */
export async function sheetsOf(content: Uint8Array, name: string, pulse?: () => void): Promise<readonly Grid[]> {
  const sheets = new SheetLines(pulse);
  const request: FileRequest = { form: "spreadsheet", gives: "rows", bounds: "served", name };
  await takeLines(piecesOf(request, [{ name, bytes: content }]), (line) => sheets.take(line as SheetLine));
  return sheets.grids;
}
