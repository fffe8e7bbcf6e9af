// CSV (RFC 4180): the only writer. Figures stand as the API writes them, nothing is truncated, and no spreadsheet
// program can read a text as a formula, a number or a day.

/** The separator of fields. */
export const SEPARATORS = { COMMA: ",", SEMICOLON: ";", TAB: "\t" } as const;
export type Separator = keyof typeof SEPARATORS;
/** The decimal mark of figures. */
export const DECIMAL_SIGNS = { POINT: ".", COMMA: "," } as const;
export type DecimalSign = keyof typeof DECIMAL_SIGNS;

/** The format of a CSV file. */
export interface CsvOptions {
  /** With the byte order mark by which Excel recognizes UTF-8. */
  readonly bom: boolean;
  /** With an apostrophe before any text that a spreadsheet would evaluate. */
  readonly guard: boolean;
  readonly separator: Separator;
  readonly decimal: DecimalSign;
}

/** The default format of CSV files. */
export const CSV_DEFAULTS: CsvOptions = { bom: true, guard: true, separator: "COMMA", decimal: "POINT" };

/** The media type of CSV. */
export const CSV_TYPE = "text/csv; charset=utf-8; header=present";

/**
 * A field. Text may need the guard; a figure or a day never gets it, since a guarded figure would be left out of sums.
 */
export interface Field {
  readonly text: string;
  readonly isText: boolean;
}

const BOM = "\uFEFF";
const NEEDS_QUOTES = /[",;\t\r\n]/;
const RECORDS_IN_PIECE = 200;
const FIGURE = /^-?\d+(?:\.\d+)?$/;

/** A field of text. */
export function textField(text: string): Field {
  return { text, isText: true };
}

/** A field of a figure or a day, never guarded; a word in its place, such as `UNLIMITED`, is text. */
export function figureField(text: string): Field {
  return { text, isText: text !== "" && !/^-?\d/.test(text) };
}

/** Writes records, each ended by CRLF, in pieces. */
export function* csvPieces(records: Iterable<readonly Field[]>, options: CsvOptions): Generator<string> {
  const separator = SEPARATORS[options.separator];
  let piece = options.bom ? BOM : "";
  let count = 0;
  for (const record of records) {
    piece += `${record.map((field) => written(field, options)).join(separator)}\r\n`;
    if (++count % RECORDS_IN_PIECE === 0) {
      yield piece;
      piece = "";
    }
  }
  yield piece;
}

/** The whole file as one text. */
export function csvText(records: Iterable<readonly Field[]>, options: CsvOptions = CSV_DEFAULTS): string {
  return [...csvPieces(records, options)].join("");
}

function written({ text, isText }: Field, { guard, decimal }: CsvOptions): string {
  if (isText && (PLAIN.test(text) || ID.test(text))) return text;
  const shown = isText ? (guard ? guarded(text) : text) : inDecimals(text, decimal);
  return NEEDS_QUOTES.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}

function inDecimals(text: string, decimal: DecimalSign): string {
  return decimal === "COMMA" && FIGURE.test(text) ? text.replace(".", ",") : text;
}

/** Separators of cells or lines: behind each of them, a spreadsheet may start a new cell. */
const PARTS = /\r\n?|[,;\t\n\v\f\u0085\u2028\u2029]/g;
const PART = /[,;\t\r\n\v\f\u0085\u2028\u2029]/;
/** Fast path for most texts: only their start can begin a cell, and nothing in them resembles a figure or formula. */
const PLAIN = /^[A-Za-z_][A-Za-z_ ]*$/;
/** Fast path for ids and hashes, which every entry has: their first word begins no exponent and no month. */
const ID = /^(?=[0-9e-]*(?:[abc]|[df](?!e)))[0-9a-f][0-9a-f-]{31,255}$/;

/** The text with an apostrophe at each place where a spreadsheet would read a formula, a number or a day. */
export function guarded(text: string): string {
  let [safe, from] = ["", 0];
  for (let at = 0; at >= 0; at = placeBehind(text, at)) {
    if (!isTaken(text, at)) continue;
    safe += `${text.slice(from, at)}'`;
    from = at;
  }
  return from === 0 && safe === "" ? text : safe + text.slice(from);
}

/** Reverses {@link guarded}: removes one apostrophe at each of these places. */
export function unguarded(text: string): string {
  if (!text.includes("'")) return text;
  let [plain, from] = ["", 0];
  for (let at = 0; at >= 0; at = placeBehind(text, at)) {
    if (text[at] !== "'" || !isTaken(text, at)) continue;
    plain += text.slice(from, at);
    from = at + 1;
  }
  return plain + text.slice(from);
}

/** The next place after this one where a cell may begin; -1 if there is no other. */
function placeBehind(text: string, at: number): number {
  PARTS.lastIndex = at;
  return PARTS.test(text) ? PARTS.lastIndex : -1;
}

/**
 * Characters besides ASCII blanks, quotes and apostrophes that a spreadsheet skips: other blanks, and invisible signs.
 */
const HIDES = /^[\p{Z}\p{Cf}´‘-‟‹›«»＂＇]$/u;
const HIDES_IN_ASCII: ReadonlySet<string> = new Set(" \"'`");
/** Characters that begin a formula, including the full-width signs of East Asian keyboards; or a control character. */
const BEGINS_FORMULA = /^[=+\-@＝＋－＠\p{Cc}]/u;
/** Non-letters in ASCII with which a figure, a day or a time begins. */
const BEGINS_FIGURE = /^[0-9.:/\-+%()_$]/;
/** The longest text that is read as a figure. */
const CELL_MAX = 400;
/** The first word of a cell in ASCII, and the rest behind it. */
const FIRST_WORD = /^[\0-@[-`{-\x7f]*([A-Za-z]+)(.?)/;

/**
 * Whether a spreadsheet would read the text at this place as a formula, a number or a day. An apostrophe before it
 * changes nothing, so that guarded places are found again.
 */
function isTaken(text: string, at: number): boolean {
  HARMLESS.lastIndex = at;
  if (HARMLESS.test(text)) return false;
  const from = behindHiding(text, at);
  const first = String.fromCodePoint(text.codePointAt(from) ?? 0x20);
  if (BEGINS_FORMULA.test(first)) return true;
  if (first < "\x7f" && !BEGINS_FIGURE.test(first) && !/[A-Za-z]/.test(first)) return false;
  const [cell = ""] = text.slice(from, from + CELL_MAX).split(PART, 1);
  const [, word, next = ""] = FIRST_WORD.exec(cell) ?? [];
  // Most cells begin with a word that no day and no amount has, or are the id of a record.
  if (word !== undefined && next < "\x7f" && !isWordOfFigures(word)) return false;
  return HAS_DIGIT.test(cell) && isFigureLike(cell.normalize("NFKC"));
}

/** The end of the skipped characters. */
function behindHiding(text: string, at: number): number {
  for (let from = at; ; ) {
    const sign = text[from] ?? "";
    if (HIDES_IN_ASCII.has(sign)) from++;
    else if (sign > "\x7f") {
      const whole = String.fromCodePoint(text.codePointAt(from) ?? 0);
      if (!HIDES.test(whole)) return from;
      from += whole.length;
    } else return from;
  }
}

function isWordOfFigures(word: string): boolean {
  const folded = word.toLowerCase();
  return WORDS.has(folded) || SUFFIXES.has(folded);
}

/** Words behind digits: exponents, instants, half days and ordinals. */
const SUFFIXES: ReadonlySet<string> = new Set(["e", "t", "z", "am", "pm", "a", "p", "st", "nd", "rd", "th"]);

const HAS_DIGIT = /[\p{Nd}\p{No}]/u;
/** Digits with the characters that stand between and around them in figures, days and times. */
const FIGURE_SIGNS = /^[\p{L}\p{M}\p{Nd}\p{Sc}\p{Z}.:/⁄\-+−–%()'’_"]*$/u;
/** Letters of an exponent or an instant. */
const BETWEEN_DIGITS = /(?<=\d\.?)e(?=[+-]?\d)|(?<=\d)t(?=\d)|(?<=\d)z(?=\s*$)/gi;
/** A half day or the end of an ordinal, only behind digits. */
const BEHIND_DIGITS = /(?<=\p{Nd}\s*)(?:am|pm|[ap]\.m\.|st|nd|rd|th)(?!\p{L})|(?<=\p{Nd}\s)[ap](?=\s*$)/giu;
const LETTERS = /[\p{L}\p{M}]+/gu;

/** Words in days and amounts, in the languages in which spreadsheets read them. */
const WORDS = new Set(
  (
    "usd eur gbp chf jpy de " +
    "january february march april may june july august september october november december " +
    "jan feb mar apr jun jul aug sep sept oct nov dec " +
    "monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun " +
    "januar februar märz mai juni juli oktober dezember jän jänner feber mär mrz okt dez " +
    "janvier février mars avril juin juillet août septembre octobre novembre décembre janv févr fév avr juil aoû déc " +
    "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre ene abr ago dic " +
    "gennaio febbraio aprile maggio giugno luglio settembre ottobre dicembre gen mag giu lug set ott " +
    "janeiro fevereiro março maio junho julho setembro outubro dezembro fev out " +
    "januari februari maart mei augustus mrt"
  ).split(" "),
);

/**
 * Cells that are plain text, decided without a further look: after the skipped characters they begin with a sign that
 * begins no figure, or with an ASCII word that no day and no amount has. A figure may precede that word, but not one so
 * long that the inspected part of the cell ends within the word.
 */
const HARMLESS = new RegExp(
  "[ \"'`]*(?![=+\\-@ \"'`])" +
    "(?:[!#&*,;<>?[\\\\\\]^{|}~]|" +
    `[!-+\\--:<-@[-\`{-~ ]{0,100}(?!(?:${[...WORDS, ...SUFFIXES].join("|")})(?![a-z]))` +
    "[a-z]+(?=[\\0-@[-`{-~]|$))",
  "iy",
);

/** Whether a cell reads as a number, a percentage, an amount, a day or a time in some locale. */
function isFigureLike(cell: string): boolean {
  if (!FIGURE_SIGNS.test(cell)) return false;
  const words = cell.replace(BETWEEN_DIGITS, " ").replace(BEHIND_DIGITS, " ").match(LETTERS) ?? [];
  return words.every((word) => WORDS.has(word.toLowerCase()));
}
