// Reads CSV from any source: UTF-8 or UTF-16, separated by commas, semicolons or tabs; a broken file is refused, never
// guessed at.
import { CsvError, parse } from "csv-parse/sync";
import { unguarded } from "../../../kernel/files/csv.ts";
import { Cells, type Grid, type GridRow, type Meter, UnreadableFile } from "./grid.ts";

const RECORD_MAX = 1024 * 1024;
const SEPARATORS = [",", ";", "\t"];

/** The text of a file: by its mark, else UTF-8. */
function decoded(bytes: Uint8Array): string {
  const [first, second] = bytes;
  const encoding =
    first === 0xff && second === 0xfe ? "utf-16le" : first === 0xfe && second === 0xff ? "utf-16be" : "utf-8";
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    throw new UnreadableFile("The file is neither UTF-8 nor UTF-16 text. Save it as CSV in UTF-8.");
  }
}

/** The separator that the header line has most of outside quotes. */
function separatorOf(text: string): string {
  const header = (text.split(/\r\n|\r|\n/, 1)[0] ?? "").replace(/"[^"]*"/g, "");
  const counts = SEPARATORS.map((sign) => header.split(sign).length - 1);
  return SEPARATORS[counts.indexOf(Math.max(...counts))] ?? ",";
}

/** Excel's own first line, which names the separator and is not a row: it shows none. */
const SAYS_SEPARATOR = /^sep=(.)(?:\r\n|\r|\n)/i;

/** Reads one table. Throws {@link UnreadableFile} if a quote is never closed, and beyond the limits. */
export function readCsv(bytes: Uint8Array, name: string, meter: Meter): Grid {
  const given = decoded(bytes);
  const [line = "", said] = SAYS_SEPARATOR.exec(given) ?? [];
  const text = given.slice(line.length);
  const options = { delimiter: said ?? separatorOf(text), relax_column_count: true, skip_empty_lines: false };
  const rows: GridRow[] = [];
  let number = 0;
  meter.sheet();
  // Counted and taken as they come: a list of records, most of them empty, could take all the memory.
  const take = (record: readonly string[]) => {
    meter.anyRow();
    meter.anyCell(record.length);
    const cells = cellsOf(record, meter);
    number++;
    if (!cells.isEmpty) {
      meter.row();
      rows.push({ number, cells });
    }
    return null;
  };
  try {
    parse(text, { ...options, max_record_size: RECORD_MAX, bom: true, on_record: take });
  } catch (error) {
    if (error instanceof CsvError) throw new UnreadableFile(`The file is not valid CSV: ${error.message}`);
    throw error;
  }
  return { name, rows, merged: [], isHidden: false };
}

function cellsOf(record: readonly string[], meter: Meter): Cells {
  const cells = new Cells();
  for (const [column, field] of record.entries()) {
    // The prefix that protects exported cells from being computed is removed.
    const plain = unguarded(field);
    if (plain === "") continue;
    cells.put(column, meter.cell(column, { kind: "text", text: plain }));
  }
  return cells;
}
