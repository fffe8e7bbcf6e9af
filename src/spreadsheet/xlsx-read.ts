// Reads a workbook that anybody may have made: one part at a time, inflated and parsed as it comes, with every limit held
// while that goes on. Formulas count with their saved values; numbers keep the text that the file has.
import { SaxesParser } from "saxes";
import { addDays } from "../kernel/date.ts";
import { Findings } from "../ocf/finding.ts";
import { type PackageEntry, zipEntries } from "../ocf/zip-read.ts";
import { type Cell, Cells, columnNumber, type Grid, type GridRow, LIMITS, type Meter, UnreadableFile } from "./grid.ts";
import { type Shown, shownBy, shownByCode, shownPadded } from "./number-formats.ts";

const ZIP_LIMITS = { bytesMax: 512 * 1024 ** 2, ratioMax: 100, entriesMax: 1000, mayOverlap: false };
const RUN_MAX = 256 * 1024;
const ROW_MAX = 1_048_576;
const COLUMN_MAX = 16_384;

type Attributes = Readonly<Record<string, string>>;

/** What a part's elements are told to. */
interface Told {
  open?(name: string, attributes: Attributes): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** The parts of a workbook by name. */
class Parts {
  readonly #entries: ReadonlyMap<string, PackageEntry>;
  readonly #meter: Meter;

  constructor(bytes: Uint8Array, meter: Meter) {
    this.#meter = meter;
    const findings = new Findings();
    const entries = zipEntries(bytes, findings, ZIP_LIMITS);
    refuseFindings(findings);
    this.#entries = new Map(entries.map((entry) => [entry.name, entry]));
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** Parses a part; nothing is told of one that there is not. */
  parse(name: string, told: Told): void {
    const entry = this.#entries.get(name);
    if (!entry) return;
    const findings = new Findings();
    const feed = feeding(name, told);
    const take = (piece: Uint8Array) => {
      this.#meter.piece();
      feed.take(piece);
    };
    const isWhole = entry.stream?.(findings, take) ?? false;
    refuseFindings(findings);
    if (!isWhole) throw new UnreadableFile(`The workbook's part ${name} cannot be unpacked.`);
    feed.end();
  }
}

function refuseFindings({ list: [first] }: Findings): void {
  if (first) throw new UnreadableFile(`${first.detail}${first.file === null ? "" : ` (${first.file})`}`);
}

/** Parses XML as it comes: names without their prefixes, no document type, no endless text. */
function feeding(name: string, told: Told) {
  const parser = new SaxesParser({ position: false });
  const broken = (why: string) => new UnreadableFile(`The workbook's part ${name} is broken: ${why}`);
  parser.on("error", ({ message }) => {
    throw broken(message);
  });
  parser.on("doctype", () => {
    throw broken("it has a document type, which no workbook has.");
  });
  parser.on("opentag", ({ name: tag, attributes }) => told.open?.(bare(tag), attributes as Attributes));
  parser.on("closetag", ({ name: tag }) => told.close?.(bare(tag)));
  parser.on("text", (text) => told.text?.(text));
  parser.on("cdata", (text) => told.text?.(text));
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let run = 0;
  const write = (text: string) => {
    const last = text.lastIndexOf("<");
    run = last === -1 ? run + text.length : text.length - last;
    if (run > RUN_MAX) throw broken("a text in it is far too long.");
    parser.write(text);
  };
  return {
    take(piece: Uint8Array) {
      try {
        write(decoder.decode(piece, { stream: true }));
      } catch (error) {
        throw error instanceof TypeError ? broken("it is not UTF-8.") : error;
      }
    },
    end() {
      write(decoder.decode());
      parser.close();
    },
  };
}

function bare(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

/** What the workbook says of its sheets. */
interface Book {
  readonly sheets: readonly { readonly name: string; readonly part: string; readonly isHidden: boolean }[];
  readonly is1904: boolean;
}

function readBook(parts: Parts): Book {
  const root = "xl/workbook.xml";
  if (!parts.has(root)) {
    throw new UnreadableFile("The file is a zip archive and no workbook (XLSX). Save it as an Excel workbook (.xlsx).");
  }
  const targets = new Map<string, string>();
  parts.parse("xl/_rels/workbook.xml.rels", {
    open(name, { Id = "", Target = "" }) {
      if (name === "Relationship") targets.set(Id, Target.replace(/^\/?(?:xl\/)?/, "xl/"));
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

/** The shared texts; what is said of how they sound is left out. */
function readStrings(parts: Parts): string[] {
  const strings: string[] = [];
  let text: string | null = null;
  let isIn = false;
  let silent = 0;
  parts.parse("xl/sharedStrings.xml", {
    open(name) {
      if (name === "si") text = "";
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

/** Excel writes what XML cannot say as `_xHHHH_`. */
function unescaped(text: string): string {
  return text.replace(/_x([0-9a-f]{4})_/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

/** What each style shows a number as. */
function readStyles(parts: Parts): Shown[] {
  const custom = new Map<string, Shown>();
  const styles: Shown[] = [];
  let isInCells = false;
  parts.parse("xl/styles.xml", {
    open(name, attributes) {
      if (name === "numFmt") custom.set(attributes.numFmtId ?? "", shownByCode(attributes.formatCode ?? ""));
      if (name === "cellXfs") isInCells = true;
      if (name !== "xf" || !isInCells) return;
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

/** Reads a workbook. Throws {@link UnreadableFile} for what is none, and beyond the limits. */
export function readXlsx(bytes: Uint8Array, meter: Meter): Grid[] {
  const parts = new Parts(bytes, meter);
  const { sheets, is1904 } = readBook(parts);
  const known = { strings: readStrings(parts), styles: readStyles(parts), is1904 };
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
  readonly #hiddenColumns: number[] = [];
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
        this.#meterRows();
        this.#cells = new Cells();
        this.#column = -1;
        this.#isRowHidden = isTrue(attributes.hidden);
        break;
      case "col":
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
      case "mergeCell":
        this.#merged.push(attributes.ref ?? "");
        break;
    }
  }

  #hideColumns({ min, max }: Attributes): void {
    const last = Math.min(Number(max), LIMITS.columns);
    for (let at = Number(min); at <= last; at++) this.#hiddenColumns.push(at - 1);
  }

  /** Rows without any cell count as well: there may be millions of them. */
  #meterRows(): void {
    if (++this.#seen > ROW_MAX / 4) throw new UnreadableFile("The sheet has far too many rows.");
  }
  #seen = 0;

  #begin({ r, t = "n", s = "0" }: Attributes): void {
    this.#type = t;
    this.#style = Number(s);
    this.#value = null;
    this.#hasFormula = false;
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
    if (this.#style >= Math.max(1, styles.length)) throw new UnreadableFile("A cell has a style that there is not.");
    const value = this.#value;
    if (value === null || value === "") return this.#hasFormula ? { kind: "unsaved", text: "" } : null;
    switch (this.#type) {
      case "s": {
        const text = strings[Number(value)];
        if (text === undefined) throw new UnreadableFile("A cell has a text that there is not.");
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

const EPOCH = "1899-12-30";
const EPOCH_1904 = "1904-01-01";
const LEAP_DAY_THAT_WAS_NOT = 60;

/** The day of a serial; null for one that no day has. */
export function dayOfSerial(text: string, is1904 = false): string | null {
  const serial = Math.floor(Number(text));
  if (!Number.isFinite(serial) || serial < 0 || serial > 2_958_465) return null;
  if (is1904) return addDays(EPOCH_1904, serial);
  if (serial === LEAP_DAY_THAT_WAS_NOT || serial === 0) return null;
  return addDays(EPOCH, serial < LEAP_DAY_THAT_WAS_NOT ? serial + 1 : serial);
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
