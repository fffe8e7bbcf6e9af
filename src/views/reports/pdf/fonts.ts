// Fonts of documents: which of them has a letter. They are read when a document first needs them; those of Chinese,
// Japanese and Korean are large, and most documents do not use them.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { create, type Font } from "fontkit";
import jp from "../../../../node_modules/@embedpdf/fonts-jp/fonts/NotoSansJP-Regular.otf" with { type: "file" };
import kr from "../../../../node_modules/@embedpdf/fonts-kr/fonts/NotoSansKR-Regular.otf" with { type: "file" };
import sc from "../../../../node_modules/@embedpdf/fonts-sc/fonts/NotoSansHans-Regular.otf" with { type: "file" };
import regular from "../../../../node_modules/@expo-google-fonts/noto-sans/400Regular/NotoSans_400Regular.ttf" with {
  type: "file",
};
import bold from "../../../../node_modules/@expo-google-fonts/noto-sans/700Bold/NotoSans_700Bold.ttf" with {
  type: "file",
};

/** A font by its name in documents. */
export interface FontFile {
  readonly name: string;
  bytes(): Uint8Array;
  has(codePoint: number): boolean;
}

/** Reads a file once, and parses it on first use. */
function fontFile(name: string, path: string): FontFile {
  let bytes: Uint8Array | null = null;
  let font: Font | null = null;
  const read = () => {
    bytes ??= readFileSync(path);
    return bytes;
  };
  const known = new Map<number, boolean>();
  return {
    name,
    bytes: read,
    has(codePoint) {
      let has = known.get(codePoint);
      if (has === undefined) {
        font ??= create(read());
        has = font.hasGlyphForCodePoint(codePoint);
        known.set(codePoint, has);
      }
      return has;
    },
  };
}

const REGULAR = fontFile("regular", regular);
const BOLD = fontFile("bold", bold);
const CHINESE = fontFile("sc", sc);
const JAPANESE = fontFile("jp", jp);
const KOREAN = fontFile("kr", kr);

/** More fonts from a folder, by name. */
export function fontsIn(folder: string | null): readonly FontFile[] {
  if (folder === null) return [];
  const names = readdirSync(folder).filter((name) => /\.(ttf|otf)$/i.test(name));
  return names.sort().map((name) => fontFile(`own ${name}`, join(folder, name)));
}

/** A piece of a text that one font has. */
export interface Run {
  readonly font: FontFile;
  readonly text: string;
}

const KANA = /[\u3040-\u30ff\u31f0-\u31ff\uff66-\uff9f]/;
const HEXADECIMAL = 16;

/** The fonts of a program, and what they do not have. */
export class Fonts {
  /** Letters that no font has, as `U+0645`. */
  readonly missing = new Set<string>();
  readonly #more: readonly FontFile[];

  constructor(more: readonly FontFile[] = []) {
    this.#more = more;
  }

  /** The font with which a document begins. */
  get first(): FontFile {
    return REGULAR;
  }

  /** Cuts a text into runs, a letter by the first font that has it; what none has stands as its number. */
  runsOf(text: string, isBold: boolean): Run[] {
    const drawn = text.normalize("NFC").replace(/\s/g, " ");
    const eastAsian = KANA.test(drawn) ? [JAPANESE, CHINESE, KOREAN] : [CHINESE, JAPANESE, KOREAN];
    const order = [isBold ? BOLD : REGULAR, ...eastAsian, ...this.#more];
    const runs: { font: FontFile; text: string }[] = [];
    const add = (font: FontFile, piece: string) => {
      const last = runs.at(-1);
      if (last?.font === font) last.text += piece;
      else runs.push({ font, text: piece });
    };
    for (const letter of drawn) {
      const codePoint = letter.codePointAt(0) ?? 0;
      const font = order.find((each) => each.has(codePoint));
      if (font) add(font, letter);
      else {
        const number = `U+${codePoint.toString(HEXADECIMAL).toUpperCase().padStart(4, "0")}`;
        this.missing.add(number);
        add(order[0] ?? REGULAR, `[${number}]`);
      }
    }
    return runs;
  }
}
