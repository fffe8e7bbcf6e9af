// Reads a workbook (XLSX) from any source: one part at a time, inflated and parsed as a stream, within every limit.
// Formulas count with their saved values; numbers keep the text that the file has.
import {
  type Cell,
  Cells,
  type ColumnRange,
  columnNumber,
  type Grid,
  type GridRow,
  LIMITS,
  type Meter,
  UnreadableFile,
} from "./grid.ts";
import { type Shown, shownBy, shownByCode, shownPadded } from "./number-formats.ts";
import { dayOfSerial } from "./serial-days.ts";
import { type Attributes, type Told, WorkbookParts } from "./workbook-parts.ts";

const ROW_MAX = 1_048_576;
const COLUMN_MAX = 16_384;

/** The workbook's list of sheets. */
interface Book {
  readonly sheets: readonly { readonly name: string; readonly part: string; readonly isHidden: boolean }[];
  readonly is1904: boolean;
}

function readBook(parts: WorkbookParts, meter: Meter): Book {
  const root = "xl/workbook.xml";
  if (!parts.has(root)) {
    throw new UnreadableFile(
      "The file is a zip archive, but not a workbook (XLSX). Save it as an Excel workbook (.xlsx).",
    );
  }
  const targets = new Map<string, string>();
  parts.parse("xl/_rels/workbook.xml.rels", {
    open(name, { Id = "", Target = "" }) {
      if (name !== "Relationship") return;
      meter.count("links");
      targets.set(Id, Target.replace(/^\/?(?:xl\/)?/, "xl/"));
    },
  });
  const sheets: { name: string; part: string; isHidden: boolean }[] = [];
  let is1904 = false;
  parts.parse(root, {
    open(name, attributes) {
      if (name === "workbookPr") is1904 = isTrue(attributes.date1904);
      if (name !== "sheet") return;
      const part = targets.get(attributes["r:id"] ?? "");
      if (part === undefined) throw new UnreadableFile("The workbook names a sheet that it does not have.");
      sheets.push({ name: attributes.name ?? "", part, isHidden: (attributes.state ?? "visible") !== "visible" });
      if (sheets.length > LIMITS.sheets) throw new UnreadableFile(`The file has more than ${LIMITS.sheets} sheets.`);
    },
  });
  return { sheets, is1904 };
}

function isTrue(text: string | undefined): boolean {
  return text === "1" || text === "true";
}

/** The shared texts; phonetic readings are left out. */
function readStrings(parts: WorkbookParts, meter: Meter): string[] {
  const strings: string[] = [];
  let text: string | null = null;
  let isIn = false;
  let silent = 0;
  parts.parse("xl/sharedStrings.xml", {
    open(name) {
      if (name === "si") {
        meter.count("strings");
        text = "";
      }
      if (name === "rPh") silent++;
      if (name === "t") isIn = silent === 0;
    },
    text(piece) {
      if (isIn && text !== null) text += piece;
    },
    close(name) {
      if (name === "t") isIn = false;
      if (name === "rPh") silent--;
      if (name === "si" && text !== null) {
        if (text.length > LIMITS.cellCharacters) {
          throw new UnreadableFile(`A cell has more than ${LIMITS.cellCharacters} characters.`);
        }
        strings.push(unescaped(text));
        text = null;
      }
    },
  });
  return strings;
}

/** Excel writes characters that XML cannot hold as `_xHHHH_`. */
function unescaped(text: string): string {
  return text.replace(/_x([0-9a-f]{4})_/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** How each style shows a number. */
function readStyles(parts: WorkbookParts, meter: Meter): Shown[] {
  const custom = new Map<string, Shown>();
  const styles: Shown[] = [];
  let isInCells = false;
  parts.parse("xl/styles.xml", {
    open(name, attributes) {
      if (name === "numFmt") {
        meter.count("formats");
        custom.set(attributes.numFmtId ?? "", shownByCode(attributes.formatCode ?? ""));
      }
      if (name === "cellXfs") isInCells = true;
      if (name !== "xf") return;
      meter.count("styles");
      if (!isInCells) return;
      const id = attributes.numFmtId ?? "0";
      styles.push(custom.get(id) ?? shownBy(Number(id)));
    },
    close(name) {
      if (name === "cellXfs") isInCells = false;
    },
  });
  return styles;
}

/** What reading cells needs of the workbook. */
interface Known {
  readonly strings: readonly string[];
  readonly styles: readonly Shown[];
  readonly is1904: boolean;
}

/** Reads a workbook. Throws {@link UnreadableFile} for a file that is not one, and beyond the limits. */
export function readXlsx(bytes: Uint8Array, meter: Meter): Grid[] {
  const parts = new WorkbookParts(bytes);
  const { sheets, is1904 } = readBook(parts, meter);
  const known = { strings: readStrings(parts, meter), styles: readStyles(parts, meter), is1904 };
  return sheets.map(({ name, part, isHidden }) => {
    if (!parts.has(part)) throw new UnreadableFile(`The workbook's sheet ${name} is missing.`);
    meter.sheet();
    const reading = new SheetReading(known, meter, isHidden);
    parts.parse(part, reading);
    return { name, ...reading.result() };
  });
}

/** One sheet while it is parsed. */
class SheetReading implements Told {
  readonly #known: Known;
  readonly #meter: Meter;
  readonly #rows: GridRow[] = [];
  readonly #merged: string[] = [];
  readonly #isHidden: boolean;
  readonly #hiddenRows: number[] = [];
  readonly #hiddenColumns: ColumnRange[] = [];
  #isRowHidden = false;
  #row = 0;
  #cells = new Cells();
  #column = 0;
  #type = "n";
  #style = 0;
  #value: string | null = null;
  #hasFormula = false;
  #inside = "";
  #silent = 0;

  constructor(known: Known, meter: Meter, isHidden: boolean) {
    this.#known = known;
    this.#meter = meter;
    this.#isHidden = isHidden;
  }

  open(name: string, attributes: Attributes): void {
    switch (name) {
      case "row":
        this.#row = attributes.r === undefined ? this.#row + 1 : Number(attributes.r);
        if (!(this.#row >= 1 && this.#row <= ROW_MAX)) throw outside(attributes.r);
        this.#meter.anyRow();
        this.#cells = new Cells();
        this.#column = -1;
        this.#isRowHidden = isTrue(attributes.hidden);
        break;
      case "col":
        this.#meter.count("columns");
        if (isTrue(attributes.hidden)) this.#hideColumns(attributes);
        break;
      case "c":
        this.#begin(attributes);
        break;
      case "f":
        this.#hasFormula = true;
        break;
      case "rPh":
        this.#silent++;
        break;
      case "v":
      case "t":
        this.#inside = this.#silent === 0 ? name : "";
        break;
      case "hyperlink":
        this.#meter.count("links");
        break;
      case "mergeCell":
        this.#meter.count("merges");
        this.#merged.push(attributes.ref ?? "");
        break;
    }
  }

  #hideColumns({ min, max }: Attributes): void {
    const [first, last] = [Number(min) - 1, Math.min(Number(max), LIMITS.columns) - 1];
    if (first >= 0 && first <= last) this.#hiddenColumns.push({ first, last });
  }

  #begin({ r, t = "n", s = "0" }: Attributes): void {
    this.#type = t;
    this.#style = Number(s);
    this.#value = null;
    this.#hasFormula = false;
    this.#meter.anyCell();
    this.#column++;
    if (r === undefined) return;
    const match = /^([A-Z]{1,3})(\d{1,7})$/.exec(r);
    this.#column = match ? columnNumber(match[1] ?? "") : COLUMN_MAX;
    if (this.#column >= COLUMN_MAX || Number(match?.[2]) > ROW_MAX) throw outside(r);
  }

  text(piece: string): void {
    if (this.#inside !== "") this.#value = (this.#value ?? "") + piece;
  }

  close(name: string): void {
    if (name === this.#inside) this.#inside = "";
    if (name === "rPh") this.#silent--;
    if (name === "c") this.#end();
    if (name !== "row" || this.#cells.isEmpty) return;
    this.#meter.row();
    this.#rows.push({ number: this.#row, cells: this.#cells });
    if (this.#isRowHidden) this.#hiddenRows.push(this.#row);
  }

  #end(): void {
    const cell = this.#cell();
    if (cell === null) return;
    this.#cells.put(this.#column, this.#meter.cell(this.#column, cell));
  }

  #cell(): Cell | null {
    const { strings, styles, is1904 } = this.#known;
    if (this.#style >= Math.max(1, styles.length))
      throw new UnreadableFile("A cell has a style that the workbook does not have.");
    const value = this.#value;
    if (value === null || value === "") return this.#hasFormula ? { kind: "unsaved", text: "" } : null;
    switch (this.#type) {
      case "s": {
        const text = strings[Number(value)];
        if (text === undefined) throw new UnreadableFile("A cell has a text that the workbook does not have.");
        return text === "" ? null : { kind: "text", text };
      }
      case "inlineStr":
      case "str":
        return { kind: "text", text: unescaped(value) };
      case "b":
        return { kind: "boolean", text: value === "1" ? "TRUE" : "FALSE" };
      case "e":
        return { kind: "error", text: value };
      case "d":
        return { kind: "date", text: value.slice(0, 10) };
      default:
        return numberCell(value, styles[this.#style] ?? { as: "number" }, is1904);
    }
  }

  result(): Omit<Grid, "name"> {
    const hidden = { hiddenRows: this.#hiddenRows, hiddenColumns: this.#hiddenColumns };
    return { rows: this.#rows, merged: this.#merged, isHidden: this.#isHidden, ...hidden };
  }
}

function outside(reference: string | undefined): UnreadableFile {
  return new UnreadableFile(`A cell lies outside of every sheet: ${String(reference).slice(0, 40)}.`);
}

function numberCell(value: string, { as, currency, padded }: Shown, is1904: boolean): Cell {
  const day = as === "day" ? dayOfSerial(value, is1904) : null;
  if (day !== null) return { kind: "date", text: day };
  const shown = shownPadded(value, padded);
  return {
    ...{ kind: "number", text: value },
    ...(shown === undefined ? {} : { shown }),
    ...(as === "percent" ? { isPercent: true } : {}),
    ...(currency === undefined ? {} : { currency }),
    ...(is1904 ? { is1904 } : {}),
  };
}
