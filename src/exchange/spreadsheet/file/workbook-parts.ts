// The parts of a workbook: each is inflated and parsed as it comes, as far as XML of a workbook may go. Pure.
import { SaxesParser } from "saxes";
import { tooMany } from "../../../kernel/too-complex.ts";
import { Findings } from "../../ocf/finding.ts";
import { type PackageEntry, zipEntries } from "../../ocf/zip-read.ts";
import { UnreadableFile, ZIP_LIMITS } from "./grid.ts";

const RUN_MAX = 256 * 1024;
const NESTING_MAX = 32;
const ELEMENTS_MAX = 8_000_000;
const ATTRIBUTES_MAX = 64;

/** An element's attributes by name. */
export type Attributes = Readonly<Record<string, string>>;

/** The callbacks for a part's elements. */
export interface Told {
  open?(name: string, attributes: Attributes): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** The parts of a workbook by name. */
export class WorkbookParts {
  readonly #entries: ReadonlyMap<string, PackageEntry>;

  constructor(bytes: Uint8Array) {
    const findings = new Findings();
    const entries = zipEntries(bytes, findings, ZIP_LIMITS);
    refuseFindings(findings);
    this.#entries = new Map(entries.map((entry) => [entry.name, entry]));
  }

  has(name: string): boolean {
    return this.#entries.has(name);
  }

  /** Parses a part; a missing part calls nothing. */
  parse(name: string, told: Told): void {
    const entry = this.#entries.get(name);
    if (!entry) return;
    const findings = new Findings();
    const feed = feeding(name, told);
    const isWhole = entry.stream?.(findings, (piece) => feed.take(piece)) ?? false;
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
    throw broken("it has a document type, which is not allowed in a workbook.");
  });
  let [depth, elements, attributesOf] = [0, 0, 0];
  parser.on("opentagstart", () => {
    attributesOf = 0;
    if (++elements > ELEMENTS_MAX) throw tooMany("elements in a part of the workbook", elements, ELEMENTS_MAX);
    if (++depth > NESTING_MAX) throw tooMany("nested levels of XML", depth, NESTING_MAX);
  });
  parser.on("attribute", () => {
    if (++attributesOf > ATTRIBUTES_MAX) throw tooMany("attributes of one element", attributesOf, ATTRIBUTES_MAX);
  });
  parser.on("opentag", ({ name: tag, attributes }) => told.open?.(bare(tag), attributes as Attributes));
  parser.on("closetag", ({ name: tag }) => {
    depth--;
    told.close?.(bare(tag));
  });
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
