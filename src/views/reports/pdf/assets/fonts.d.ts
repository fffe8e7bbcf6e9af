// What importing a font gives: the path of the file, inside the program where it is an executable.
declare module "*.ttf" {
  const path: string;
  export default path;
}
declare module "*.otf" {
  const path: string;
  export default path;
}
// What of the font reader is used; it brings no types.
declare module "fontkit" {
  export interface Font {
    hasGlyphForCodePoint(codePoint: number): boolean;
  }
  export function create(bytes: Uint8Array): Font;
}
// What of the PDF writer is used; its own types do not know that features may be turned off.
declare module "pdfkit" {
  interface TextOptions {
    readonly lineBreak?: boolean;
    readonly baseline?: "alphabetic";
    readonly features?: Readonly<Record<string, boolean>>;
  }
  interface DocumentOptions {
    readonly size: "LETTER" | "A4";
    readonly margin: number;
    readonly pdfVersion: "1.7";
    readonly bufferPages: boolean;
    readonly font: Uint8Array;
    readonly info: Readonly<Record<string, string | Date>>;
  }
  interface FileOptions {
    readonly name: string;
    readonly type: string;
    readonly creationDate: Date;
    readonly modifiedDate: Date;
  }
  export default class PDFDocument {
    constructor(options: DocumentOptions);
    readonly page: { readonly width: number; readonly height: number };
    addPage(): this;
    registerFont(name: string, bytes: Uint8Array): this;
    font(name: string): this;
    fontSize(size: number): this;
    widthOfString(text: string, options: TextOptions): number;
    text(text: string, x: number, y: number, options: TextOptions): this;
    fillColor(color: string): this;
    strokeColor(color: string): this;
    lineWidth(width: number): this;
    moveTo(x: number, y: number): this;
    lineTo(x: number, y: number): this;
    rect(x: number, y: number, width: number, height: number): this;
    stroke(): this;
    fill(): this;
    save(): this;
    restore(): this;
    scale(factor: number): this;
    rotate(degrees: number, options: { readonly origin: readonly [number, number] }): this;
    opacity(opacity: number): this;
    bufferedPageRange(): { readonly start: number; readonly count: number };
    switchToPage(page: number): this;
    file(content: Uint8Array, options: FileOptions): this;
    on(event: "data", take: (piece: Buffer) => void): this;
    on(event: "end", end: () => void): this;
    on(event: "error", fail: (error: Error) => void): this;
    end(): void;
  }
}
