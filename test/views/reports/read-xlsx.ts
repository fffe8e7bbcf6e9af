// A reader of workbooks for tests, which knows nothing of how ours are written: cells with their formulas and values.
import { unzipSync } from "fflate";
import { SaxesParser } from "saxes";

/** A cell: its formula, and its value as it is written. */
export interface ReadCell {
  readonly formula: string | null;
  readonly value: string | null;
  /** Whether the value is text. */
  readonly isText: boolean;
  readonly style: number;
}

/** A sheet: cells by reference, and its XML. */
export interface ReadSheet {
  readonly name: string;
  readonly cells: ReadonlyMap<string, ReadCell>;
  readonly xml: string;
}

const decoder = new TextDecoder();

/** Reads every sheet, in order. */
export function readXlsx(bytes: Uint8Array): { readonly sheets: readonly ReadSheet[]; part(name: string): string } {
  const parts = unzipSync(bytes);
  const part = (name: string) => decoder.decode(parts[name] ?? new Uint8Array());
  const shared = sharedStrings(part("xl/sharedStrings.xml"));
  const targets = new Map(
    [...part("xl/_rels/workbook.xml.rels").matchAll(/<Relationship [^>]*>/g)].map(([tag]) => [
      attribute(tag, "Id"),
      attribute(tag, "Target"),
    ]),
  );
  const sheets = [...part("xl/workbook.xml").matchAll(/<sheet [^>]*>/g)].map(([tag]) => {
    const xml = part(`xl/${targets.get(attribute(tag, "r:id"))?.replace(/^\/?xl\//, "")}`);
    return { name: attribute(tag, "name"), xml, cells: readCells(xml, shared) };
  });
  return { sheets, part };
}

function attribute(tag: string, name: string): string {
  return new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1] ?? "";
}

function sharedStrings(xml: string): string[] {
  const found: string[] = [];
  if (xml === "") return found;
  const parser = new SaxesParser();
  let text = "";
  let isIn = false;
  parser.on("opentag", ({ name }) => {
    if (name === "si") text = "";
    isIn = name === "t";
  });
  parser.on("text", (piece) => {
    if (isIn) text += piece;
  });
  parser.on("closetag", ({ name }) => {
    if (name === "t") isIn = false;
    if (name === "si") found.push(text);
  });
  parser.write(xml).close();
  return found;
}

function readCells(xml: string, shared: readonly string[]): Map<string, ReadCell> {
  const cells = new Map<string, ReadCell>();
  const parser = new SaxesParser();
  let at = "";
  let type = "";
  let style = 0;
  let formula: string | null = null;
  let value: string | null = null;
  let inside = "";
  parser.on("opentag", ({ name, attributes }) => {
    if (name === "c") {
      at = String(attributes.r);
      type = String(attributes.t ?? "n");
      style = Number(attributes.s ?? 0);
      formula = null;
      value = null;
    }
    if (name === "f" || name === "v" || name === "t") inside = name;
    if (name === "t") value ??= "";
  });
  parser.on("text", (piece) => {
    if (inside === "f") formula = (formula ?? "") + piece;
    if (inside === "v" || inside === "t") value = (value ?? "") + piece;
  });
  parser.on("closetag", ({ name }) => {
    if (name === inside) inside = "";
    if (name !== "c") return;
    const shown = type === "s" ? (shared[Number(value)] ?? null) : value;
    if (shown !== null || formula !== null) {
      cells.set(at, { formula, value: shown, isText: type === "s" || type === "inlineStr" || type === "str", style });
    }
  });
  parser.write(xml).close();
  return cells;
}

/** Texts come back with what XML cannot say written as `_xHHHH_`. */
export function unescaped(text: string): string {
  return text.replace(/_x([0-9A-F]{4})_/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16)));
}
