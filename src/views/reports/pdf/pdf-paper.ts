// PDF pages for text: in several fonts, wrapped, continued on further pages.
import PDFDocument from "pdfkit";
import { PAGES_MAX, TooManyPages } from "../documents/document-model.ts";
import type { Fonts, Run } from "./fonts.ts";

/** Where what is drawn may stand, in points. */
const MARGIN = 54;
const FOOT = 40;
const FOOT_GAP = 10;
const SMALLEST = 7;
const UNIT_SIZE = 100;
/** With composition on, the library takes every `i` for an `ị` once one was drawn. */
const FEATURES = { ccmp: false };
const LINE_FACTOR = 1.35;
const ASCENT = 1.069;

/** How a text looks. */
export interface TextLook {
  readonly size: number;
  readonly isBold?: boolean;
  readonly align?: "left" | "right" | "center";
  readonly color?: string;
}

/** What a file says of itself. */
export interface PaperInfo {
  readonly title: string;
  readonly subject: string;
  readonly producer: string;
  readonly made: Date;
  readonly isLetter: boolean;
  /** How large everything is drawn: 1, or less where more is to stand on a page. */
  readonly zoom: number;
  readonly air: Air;
}

/** Air in points: above and below each line of facts, between the rows of tables, and in the head. */
export interface Air {
  readonly lines: number;
  readonly rows: number;
  readonly head: number;
}

/** A word, or a letter of a script that has no spaces: what a line may end behind. */
const PIECES =
  /\s+|[\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]|[^\s\u2e80-\u9fff\uac00-\ud7af\uf900-\ufaff\uff00-\uffef]+/gu;

/** A document that is being drawn. */
export class Paper {
  readonly pdf: PDFDocument;
  readonly zoom: number;
  readonly #fonts: Fonts;
  readonly #registered = new Set<string>();
  /** Of texts that were measured, at {@link UNIT_SIZE}: measuring takes most of the time. */
  readonly #widths = new Map<string, number>();
  /** How much air there is between lines: less for what is to stand on one page. */
  readonly air: Air;
  /** Where the next line begins. */
  y = MARGIN;
  pages = 1;

  constructor(fonts: Fonts, { title, subject, producer, made, isLetter, zoom, air }: PaperInfo) {
    this.#fonts = fonts;
    this.air = air;
    this.zoom = zoom;
    this.pdf = new PDFDocument({
      size: isLetter ? "LETTER" : "A4",
      margin: 0,
      pdfVersion: "1.7",
      bufferPages: true,
      font: Buffer.from(fonts.first.bytes()),
      info: {
        Title: title,
        Subject: subject,
        Producer: producer,
        Creator: "captable",
        CreationDate: made,
        ModDate: made,
      },
    });
    this.#zoomIn();
  }

  #zoomIn(): void {
    if (this.zoom !== 1) this.pdf.scale(this.zoom);
  }

  get width(): number {
    return this.pdf.page.width / this.zoom - 2 * MARGIN;
  }

  get left(): number {
    return MARGIN;
  }

  /** How much of the page is left. */
  get room(): number {
    return this.pdf.page.height / this.zoom - FOOT - FOOT_GAP - this.y;
  }

  /** Goes on to another page where less than so much is left. */
  ensure(height: number): void {
    if (this.room >= height) return;
    if (this.pages >= PAGES_MAX) throw new TooManyPages();
    this.pdf.addPage();
    this.#zoomIn();
    this.pages++;
    this.y = MARGIN;
  }

  #use({ name, bytes }: Run["font"], size: number): void {
    if (!this.#registered.has(name)) {
      this.pdf.registerFont(name, Buffer.from(bytes()));
      this.#registered.add(name);
    }
    this.pdf.font(name).fontSize(size);
  }

  /** How wide a text is. */
  widthOf(text: string, { size, isBold = false }: TextLook): number {
    const key = isBold ? `b ${text}` : text;
    let width = this.#widths.get(key);
    if (width === undefined) {
      width = 0;
      for (const run of this.#fonts.runsOf(text, isBold)) {
        this.#use(run.font, UNIT_SIZE);
        width += this.pdf.widthOfString(run.text, { features: FEATURES });
      }
      this.#widths.set(key, width);
    }
    return (width * size) / UNIT_SIZE;
  }

  /** Puts a line that fits at a place. */
  lineAt(text: string, x: number, y: number, look: TextLook): void {
    const { size, isBold = false, color = "#111111" } = look;
    let at = x;
    this.pdf.fillColor(color);
    for (const run of this.#fonts.runsOf(text, isBold)) {
      this.#use(run.font, size);
      // Fonts stand differently high: all of them on one base line.
      this.pdf.text(run.text, at, y + size * ASCENT, { lineBreak: false, features: FEATURES, baseline: "alphabetic" });
      at += this.pdf.widthOfString(run.text, { features: FEATURES });
    }
  }

  /** Cuts a text into lines of at most a width; a word that is longer is cut, too. */
  linesOf(text: string, width: number, look: TextLook): string[] {
    return text.split(/\r\n|\r|\n/).flatMap((paragraph) => this.#wrapped(paragraph, width, look));
  }

  #wrapped(text: string, width: number, look: TextLook): string[] {
    const lines: string[] = [];
    let line = "";
    let filled = 0;
    const put = (piece: string) => {
      const more = this.widthOf(piece, look);
      if (filled + more <= width) {
        line += piece;
        filled += more;
        return;
      }
      if (line.trim() !== "") lines.push(line.trimEnd());
      line = piece.trimStart();
      for (filled = this.widthOf(line, look); filled > width; filled = this.widthOf(line, look)) {
        const fits = this.#fitting(line, width, look);
        lines.push(fits);
        line = line.slice(fits.length);
      }
    };
    for (const [piece] of text.matchAll(PIECES)) put(piece);
    return [...lines, line.trimEnd()];
  }

  /** As much of a word as fits, a letter at least. */
  #fitting(word: string, width: number, look: TextLook): string {
    let kept = "";
    let filled = 0;
    for (const letter of word) {
      filled += this.widthOf(letter, look);
      if (kept !== "" && filled > width) break;
      kept += letter;
    }
    return kept;
  }

  /**
   * The lines of a text in a place of a width: smaller where it does not fit in one, then wrapped, and smaller again
   * where a word would be cut.
   */
  fitted(text: string, width: number, look: TextLook): { readonly lines: readonly string[]; readonly look: TextLook } {
    for (let size = look.size; size >= SMALLEST; size -= 0.5) {
      if (!text.includes("\n") && this.widthOf(text, { ...look, size }) <= width) {
        return { lines: [text], look: { ...look, size } };
      }
    }
    const wrapped = { ...look, size: Math.min(look.size, SMALLEST + 1) };
    for (let { size } = wrapped; size >= SMALLEST; size -= 0.5) {
      const small = { ...look, size };
      if (this.#hasWhole(text, width, small)) return { lines: this.linesOf(text, width, small), look: small };
    }
    return { lines: this.linesOf(text, width, wrapped), look: wrapped };
  }

  /** Whether each word of a text fits into a width, so that none is cut. */
  #hasWhole(text: string, width: number, look: TextLook): boolean {
    return [...text.matchAll(PIECES)].every(([piece]) => piece.trim() === "" || this.widthOf(piece, look) <= width);
  }

  /** Puts lines into a place; returns how high they are. */
  place(lines: readonly string[], x: number, y: number, width: number, look: TextLook): number {
    const height = look.size * LINE_FACTOR;
    for (const [at, line] of lines.entries()) {
      const free = look.align === undefined || look.align === "left" ? 0 : width - this.widthOf(line, look);
      this.lineAt(line, x + (look.align === "center" ? free / 2 : free), y + at * height, look);
    }
    return lines.length * height;
  }

  /** Writes a paragraph over the whole width, line by line, and moves on. */
  paragraph(text: string, look: TextLook): void {
    const height = look.size * LINE_FACTOR;
    for (const line of this.linesOf(text, this.width, look)) {
      this.ensure(height);
      this.place([line], this.left, this.y, this.width, look);
      this.y += height;
    }
  }

  /** A thin line across. */
  rule(color = "#9aa4b2"): void {
    this.pdf
      .moveTo(this.left, this.y)
      .lineTo(this.left + this.width, this.y)
      .lineWidth(0.5)
      .strokeColor(color)
      .stroke();
  }

  /** Writes words across each page. */
  stamp(words: readonly string[]): void {
    const { start, count } = this.pdf.bufferedPageRange();
    for (let page = start; page < start + count; page++) {
      this.pdf.switchToPage(page);
      const [width, height] = [this.pdf.page.width / this.zoom, this.pdf.page.height / this.zoom];
      for (const [at, word] of words.entries()) {
        const look = { size: Math.min(90, 620 / Math.max(4, word.length)), isBold: true, color: "#c8102e" };
        this.pdf
          .save()
          .rotate(-35, { origin: [width / 2, height / 2] })
          .opacity(0.16);
        this.lineAt(word, width / 2 - this.widthOf(word, look) / 2, height / 2 - look.size / 2 + at * 100, look);
        this.pdf.restore().opacity(1);
      }
    }
  }

  /** Writes a line at the foot of each page. */
  footers(text: (page: number, of: number) => string, look: TextLook): void {
    const { start, count } = this.pdf.bufferedPageRange();
    for (let page = 0; page < count; page++) {
      this.pdf.switchToPage(start + page);
      const y = this.pdf.page.height / this.zoom - FOOT;
      const { lines, look: fit } = this.fitted(text(page + 1, count), this.width, look);
      this.place(lines.slice(0, 1), this.left, y, this.width, fit);
    }
  }

  /** Ends the document; resolves with its bytes. */
  end(): Promise<Uint8Array> {
    const { promise, resolve, reject } = Promise.withResolvers<Uint8Array>();
    const pieces: Buffer[] = [];
    this.pdf.on("data", (piece: Buffer) => pieces.push(piece));
    this.pdf.on("end", () => resolve(Buffer.concat(pieces)));
    this.pdf.on("error", reject);
    this.pdf.end();
    return promise;
  }
}
