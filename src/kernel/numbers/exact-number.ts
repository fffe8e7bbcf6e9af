// JSON numbers that a double cannot represent. Parsing would change them or make them null, so they are refused: no
// figure is changed silently.

/** A fast test for texts that may hold such a number: sixteen digits or an exponent of three, outside quotes. */
const SUSPECT = /[:,[\s]-?(?:[\d.]{16}|[\d.]+e[+-]?\d{3})/i;

/** Stands for such a number; it is parsed as infinite, which no schema accepts and no other text gives. */
const INEXACT = "1e999";
/** A number of so many characters or more may have more digits than a double. */
const LONG = 16;
const [QUOTE, BACKSLASH, PLUS, MINUS, POINT, ZERO, NINE] = [0x22, 0x5c, 0x2b, 0x2d, 0x2e, 0x30, 0x39];
/** `E` and `e`. */
const [EXPONENT, SMALL_EXPONENT] = [0x45, 0x65];

/**
 * Parses JSON, with an infinite number in place of each one that a double cannot represent. Throws as `JSON.parse`
 * does.
 */
export function parseExactly(text: string): unknown {
  return JSON.parse(SUSPECT.test(text) ? marked(text) : text);
}

/** Whether `value` is or contains a number that a double cannot represent, as {@link parseExactly} marks it. */
export function holdsInexact(value: unknown): boolean {
  if (typeof value === "number") return !Number.isFinite(value);
  return typeof value === "object" && value !== null && Object.values(value).some(holdsInexact);
}

/**
 * The same JSON with its inexact numbers marked; what is not JSON stays so. A reviver would be asked about every value,
 * and a pattern take as long for a text full of escapes: each is a second for a mebibyte.
 */
function marked(text: string): string {
  const parts: string[] = [];
  let from = 0;
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) i = endOfText(text, i);
    else if (code === MINUS || (code >= ZERO && code <= NINE)) {
      const start = i;
      let hasExponent = false;
      while (isOfNumber(text.charCodeAt(i + 1))) {
        i++;
        if (text.charCodeAt(i) >= EXPONENT) hasExponent = true;
      }
      if (!hasExponent && i + 1 - start < LONG) continue;
      if (isExact(text.slice(start, i + 1))) continue;
      parts.push(text.slice(from, start), INEXACT);
      from = i + 1;
    }
  }
  return parts.join("") + text.slice(from);
}

/** The index of the quote that ends the text that begins at `start`. */
function endOfText(text: string, start: number): number {
  for (let i = start + 1; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === QUOTE) return i;
    if (code === BACKSLASH) i++;
  }
  return text.length;
}

function isOfNumber(code: number): boolean {
  const isDigit = code >= ZERO && code <= NINE;
  return isDigit || code === POINT || code === EXPONENT || code === SMALL_EXPONENT || code === MINUS || code === PLUS;
}

const NUMBER = /^(-?)(0|[1-9]\d*)(?:\.(\d+))?(?:e([+-]?\d+))?$/i;

/** Whether a double holds a number; what is no number is for the parser to refuse. */
function isExact(source: string): boolean {
  const value = canonical(source);
  return value === null || value === canonical(String(Number(source)));
}

/** A number's digits and exponent, equal for every notation of one number; null if it is no number of JSON. */
function canonical(source: string): string | null {
  const match = NUMBER.exec(source);
  if (match === null) return null;
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = match;
  const digits = `${whole}${fraction}`.replace(/^0+/, "");
  let length = digits.length;
  while (digits.charCodeAt(length - 1) === ZERO) length--;
  if (length === 0) return "0";
  return `${sign}${digits.slice(0, length)}e${Number(exponent) - fraction.length + digits.length - length}`;
}
