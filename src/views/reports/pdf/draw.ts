// Draws a document: its head, its blocks, and at the end the code by which paper is checked against the ledger.
import { encode } from "uqr";
import {
  type Block,
  PAGES_MAX,
  type PaperDocument,
  type TableColumn,
  TooManyPages,
} from "../documents/document-model.ts";
import { Fonts, fontsIn } from "./fonts.ts";
import { type Air, Paper } from "./pdf-paper.ts";

/** What stands behind the drawing. */
export interface Behind {
  /** Null for paper that no code checks. */
  readonly code: string | null;
  /** The instant that was asked to be known at, which each page tells; null where none was. */
  readonly knownAt: string | null;
  /** The facts, as they are embedded. */
  readonly facts: string;
  readonly producer: string;
  readonly made: Date;
  readonly isLetter: boolean;
  readonly isTest: boolean;
  /** A folder with more fonts; null for none. */
  readonly fontFolder: string | null;
}

/** A document as a file. */
export interface Drawn {
  readonly bytes: Uint8Array;
  readonly pages: number;
  /** Letters that no font has. */
  readonly missing: readonly string[];
}

const BODY = { size: 10 };
const LABEL = { size: 8.5, color: "#5b6675" };
const CELL = { size: 8.5 };
const SMALL = { size: 7.5, color: "#414b59" };
const GAP = 14;
const LABEL_PART = 0.3;
const CELL_PADDING = 4;
const FIGURE_GAP = 12;
/** 32 mm; a phone reads 25. */
const QR_SIDE = 91;
const SIGNATURE_LINES = ["Signature", "Name and title", "Date"];

const ROOMY: Air = { lines: 4, rows: 3, head: 10 };
const CLOSE: Air = { lines: 1.5, rows: 1.5, head: 0 };
const TIGHT: Air = { lines: 1, rows: 0, head: 0 };

/** More lines than a page has room for, however small they are, on as many pages as there may be. */
const LINES_MAX = 200 * PAGES_MAX;

/** The least lines that a block takes. */
function linesOf(block: Block): number {
  if (block.kind === "table") return block.rows.length;
  return block.kind === "signatures" ? block.count : block.lines.length;
}

/** How small a summary may become, before it takes a second page. */
const ZOOMS = [1, 0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65, 0.6, 0.55, 0.5] as const;

/**
 * Draws it: a summary as large as fits on one page, and the rest with less air where that keeps it on one. Rejects with
 * {@link TooManyPages}.
 */
export async function drawDocument(document: PaperDocument, behind: Behind): Promise<Drawn> {
  if (document.blocks.reduce((sum, block) => sum + linesOf(block), 0) > LINES_MAX) throw new TooManyPages();
  if (document.kind !== "S") return await drawClosely(document, behind);
  for (const zoom of ZOOMS) {
    const drawn = await drawAt({ zoom, air: TIGHT }, document, behind);
    if (drawn.pages === 1) return drawn;
  }
  return await drawAt({ zoom: 1, air: TIGHT }, document, behind);
}

/** Signatures and code belong on the page of what they are for. */
async function drawClosely(document: PaperDocument, behind: Behind): Promise<Drawn> {
  const roomy = await drawAt({ zoom: 1, air: ROOMY }, document, behind);
  if (roomy.pages !== 2) return roomy;
  const close = await drawAt({ zoom: 1, air: CLOSE }, document, behind);
  return close.pages === 1 ? close : roomy;
}

async function drawAt(
  how: { readonly zoom: number; readonly air: Air },
  document: PaperDocument,
  behind: Behind,
): Promise<Drawn> {
  const { code, facts, knownAt, producer, made, isLetter, isTest, fontFolder } = behind;
  const fonts = new Fonts(fontsIn(fontFolder));
  const title = `${document.legalName}: ${document.title}`;
  const paper = new Paper(fonts, { title, subject: code ?? document.title, producer, made, isLetter, ...how });
  drawHead(paper, document);
  for (const block of document.blocks) drawBlock(paper, block);
  if (code !== null) drawCode(paper, document, code);
  const stamps = [...(document.stamp === null ? [] : [document.stamp]), ...(isTest ? ["TEST"] : [])];
  paper.stamp(stamps);
  const known = knownAt === null ? "" : `Known at ${knownAt}. `;
  paper.footers((page, of) => `${known}${document.legalName}: ${document.title}. Page ${page} of ${of}.`, SMALL);
  paper.pdf.file(Buffer.from(facts), {
    name: "captable.json",
    type: "application/json",
    creationDate: made,
    modifiedDate: made,
  });
  const bytes = await paper.end();
  return { bytes, pages: paper.pages, missing: [...fonts.missing].sort() };
}

function drawHead(paper: Paper, { legalName, formedIn, title }: PaperDocument): void {
  const name = paper.fitted(legalName, paper.width, { size: 22, isBold: true, align: "center" });
  paper.y += paper.air.head;
  paper.y += paper.place(name.lines, paper.left, paper.y, paper.width, name.look);
  if (formedIn !== null) {
    const look = { size: 9.5, align: "center", color: "#5b6675" } as const;
    paper.y += paper.place([`formed in ${formedIn}`], paper.left, paper.y + 2, paper.width, look) + 2;
  }
  paper.y += 12;
  paper.rule();
  paper.y += 12;
  const look = { size: 15, isBold: true, align: "center" } as const;
  paper.y += paper.place([title], paper.left, paper.y, paper.width, look) + GAP;
}

function drawBlock(paper: Paper, block: Block): void {
  switch (block.kind) {
    case "pairs":
      drawPairs(paper, block);
      break;
    case "table":
      drawTable(paper, block);
      break;
    case "texts":
      drawTexts(paper, block);
      break;
    case "signatures":
      drawSignatures(paper, block.count);
      break;
  }
}

function drawPairs(paper: Paper, { lines, bold }: Extract<Block, { kind: "pairs" }>): void {
  const labelWidth = paper.width * LABEL_PART;
  const padding = paper.air.lines;
  const valueWidth = paper.width - labelWidth - CELL_PADDING;
  for (const [label, value] of lines) {
    const look = label === bold ? { size: 12, isBold: true } : BODY;
    const fit = paper.fitted(value, valueWidth, look);
    const name = paper.fitted(label, labelWidth, LABEL);
    const height = fit.look.size * 1.35;
    for (const [at, line] of fit.lines.entries()) {
      paper.ensure(height + padding);
      if (at === 0) paper.place(name.lines, paper.left, paper.y + (height - 11.5) / 2, labelWidth, name.look);
      paper.place([line], paper.left + labelWidth, paper.y, valueWidth, fit.look);
      paper.y += height;
    }
    paper.y += padding;
    paper.rule("#e3e7ec");
    paper.y += padding;
  }
  paper.y += GAP - padding;
}

function drawTable(paper: Paper, { title, columns, rows, totals }: Extract<Block, { kind: "table" }>): void {
  paper.ensure(60);
  paper.y += paper.place([title], paper.left, paper.y, paper.width, { size: 11, isBold: true }) + 3;
  const weights = columns.reduce((sum, { weight }) => sum + weight, 0);
  const widths = columns.map(({ weight }) => (paper.width * weight) / weights);
  const headers = columns.map(({ header }) => header);
  const grid = { columns, widths };
  drawRow(paper, grid, headers, { ...CELL, isBold: true });
  paper.rule();
  paper.y += 3;
  for (const row of rows) drawRow(paper, grid, row, CELL);
  if (totals !== null) {
    paper.rule();
    paper.y += 3;
    drawRow(paper, grid, totals, { ...CELL, isBold: true });
  }
  paper.y += GAP;
}

function drawRow(
  paper: Paper,
  { columns, widths }: { readonly columns: readonly TableColumn[]; readonly widths: readonly number[] },
  row: readonly string[],
  look: { readonly size: number; readonly isBold?: boolean },
): void {
  const indents = columns.map((_, at) => indentOf(columns, at));
  const widthOf = (at: number) => (widths[at] ?? 0) - CELL_PADDING - (indents[at] ?? 0);
  const cells = row.map((text, at) => paper.fitted(text, widthOf(at), look));
  const height = Math.max(...cells.map((cell) => cell.lines.length * cell.look.size * 1.35));
  const gap = paper.air.rows;
  paper.ensure(height + gap);
  let x = paper.left;
  for (const [at, cell] of cells.entries()) {
    const align = columns[at]?.isFigure === true ? "right" : "left";
    paper.place(cell.lines, x + (indents[at] ?? 0), paper.y, widthOf(at), { ...cell.look, align });
    x += widths[at] ?? 0;
  }
  paper.y += height + gap;
}

/** Text stands apart from the figures of the column before it, which go up to it. */
function indentOf(columns: readonly TableColumn[], at: number): number {
  return columns[at - 1]?.isFigure === true && columns[at]?.isFigure !== true ? FIGURE_GAP : 0;
}

function drawTexts(paper: Paper, { title, lines }: Extract<Block, { kind: "texts" }>): void {
  paper.ensure(40);
  paper.y += paper.place([title], paper.left, paper.y, paper.width, { size: 11, isBold: true }) + 4;
  for (const [name, text] of lines) {
    paper.paragraph(name, { size: 8.5, isBold: true });
    paper.paragraph(text, { size: 8.5 });
    paper.y += 6;
  }
  paper.y += GAP - 6;
}

function drawSignatures(paper: Paper, count: number): void {
  const height = SIGNATURE_LINES.length * 30 + 8;
  paper.ensure(height);
  const width = (paper.width - GAP * (count - 1)) / count;
  for (let block = 0; block < count; block++) {
    const x = paper.left + block * (width + GAP);
    for (const [at, word] of SIGNATURE_LINES.entries()) {
      const y = paper.y + (at + 1) * 30 - 8;
      paper.pdf
        .moveTo(x, y)
        .lineTo(x + width, y)
        .lineWidth(0.6)
        .strokeColor("#414b59")
        .stroke();
      paper.place([word], x, y + 1.5, width, { size: 7, color: "#5b6675" });
    }
  }
  paper.y += height + GAP;
}

function drawCode(paper: Paper, { entry }: PaperDocument, code: string): void {
  const side = QR_SIDE / paper.zoom;
  paper.ensure(side + 10);
  paper.rule();
  paper.y += 8;
  drawQr(paper, code, paper.left, paper.y);
  const x = paper.left + side + GAP;
  const width = paper.width - side - GAP;
  const told = [
    `Ledger entry ${entry}.`,
    "To check this paper, the keeper of the ledger runs captable verify --code with the code below, or " +
      "captable verify --document with this file.",
  ];
  let y = paper.y;
  for (const text of told) y += paper.place(paper.linesOf(text, width, SMALL), x, y, width, SMALL) + 3;
  paper.place(paper.linesOf(code, width, CELL), x, y + 2, width, CELL);
  paper.y += side + 8;
}

function drawQr(paper: Paper, text: string, x: number, y: number): void {
  const { data, size } = encode(text, { ecc: "M", border: 0, boostEcc: false });
  const module = QR_SIDE / paper.zoom / size;
  paper.pdf.fillColor("#000000");
  for (const [row, cells] of data.entries()) {
    for (let from = 0; from < cells.length; from++) {
      if (!cells[from]) continue;
      let to = from;
      while (cells[to + 1]) to++;
      paper.pdf.rect(x + from * module, y + row * module, (to - from + 1) * module, module);
      from = to;
    }
  }
  paper.pdf.fill();
}
