// CSV (RFC 4180), the one writer of it: figures stand as the API writes them, nothing is cut, and no text becomes a formula,
// a number or a day in whatever spreadsheet opens it.

/** What stands between fields. */
export const SEPARATORS = { COMMA: ",", SEMICOLON: ";", TAB: "\t" } as const;
export type Separator = keyof typeof SEPARATORS;
/** What stands between the whole part of a figure and its places. */
export const DECIMAL_SIGNS = { POINT: ".", COMMA: "," } as const;
export type DecimalSign = keyof typeof DECIMAL_SIGNS;

/** How CSV is written. */
export interface CsvOptions {
  /** With the mark by which Excel knows UTF-8. */
  readonly bom: boolean;
  /** With an apostrophe before what a spreadsheet would take for more than text. */
  readonly guard: boolean;
  readonly separator: Separator;
  readonly decimal: DecimalSign;
}

/** How CSV is written unless something else is asked for. */
export const CSV_DEFAULTS: CsvOptions = { bom: true, guard: true, separator: "COMMA", decimal: "POINT" };

/** The media type of CSV. */
export const CSV_TYPE = "text/csv; charset=utf-8; header=present";

/** A field: text, which may need its guard; or a figure or a day, which never does, for a sum would leave it out. */
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

/** A field of a figure or a day, which never is guarded; a word in its place, such as `UNLIMITED`, is text. */
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

/** The whole of it. */
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

/** What may part cells or lines: behind each, a spreadsheet may begin a cell, as at a text's beginning. */
const PARTS = /\r\n?|[,;\t\n\v\f\u0085\u2028\u2029]/g;
const PART = /[,;\t\r\n\v\f\u0085\u2028\u2029]/;
/** Most texts: no place but their beginning, and nothing that could be a figure or begin a formula. */
const PLAIN = /^[A-Za-z_][A-Za-z_ ]*$/;
/** Ids and hashes, of which every entry has some: with a word that begins as no exponent and no month does. */
const ID = /^(?=[0-9e-]*(?:[abc]|[df](?!e)))[0-9a-f][0-9a-f-]{31,255}$/;

/** The text with an apostrophe at each place where it would be taken for a formula, a number or a day. */
export function guarded(text: string): string {
  let [safe, from] = ["", 0];
  for (let at = 0; at >= 0; at = placeBehind(text, at)) {
    if (!isTaken(text, at)) continue;
    safe += `${text.slice(from, at)}'`;
    from = at;
  }
  return from === 0 && safe === "" ? text : safe + text.slice(from);
}

/** The text that {@link guarded} made another of: one apostrophe is taken off at each of these places. */
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

/** The next place behind one where a cell may begin; -1 where there is no other. */
function placeBehind(text: string, at: number): number {
  PARTS.lastIndex = at;
  return PARTS.test(text) ? PARTS.lastIndex : -1;
}

/** What hides nothing besides blanks, quotes and apostrophes of ASCII: others, and signs without a shape. */
const HIDES = /^[\p{Z}\p{Cf}´‘-‟‹›«»＂＇]$/u;
const HIDES_IN_ASCII: ReadonlySet<string> = new Set(" \"'`");
/** What begins a formula, the wide signs of East Asian keyboards among it; or a control character. */
const BEGINS_FORMULA = /^[=+\-@＝＋－＠\p{Cc}]/u;
/** What a figure, a day or a time in ASCII begins with, beside letters. */
const BEGINS_FIGURE = /^[0-9.:/\-+%()_$]/;
/** Nothing longer is read as a figure. */
const CELL_MAX = 400;
/** The first word of a cell in ASCII, with what comes behind it. */
const FIRST_WORD = /^[\0-@[-`{-\x7f]*([A-Za-z]+)(.?)/;

/**
 * Whether what stands at a place would be taken for a formula, a number or a day. An apostrophe before it changes
 * nothing, so that what was guarded is found again.
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
  // Most begin with a word that stands in no day and no amount, or are the id of a record.
  if (word !== undefined && next < "\x7f" && !isWordOfFigures(word)) return false;
  return HAS_DIGIT.test(cell) && isFigureLike(cell.normalize("NFKC"));
}

/** Where what hides nothing ends. */
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

/** Words behind digits: of exponents, instants, half days and ordinals. */
const SUFFIXES: ReadonlySet<string> = new Set(["e", "t", "z", "am", "pm", "a", "p", "st", "nd", "rd", "th"]);

const HAS_DIGIT = /[\p{Nd}\p{No}]/u;
/** Digits with what stands between and around them in figures, days and times. */
const FIGURE_SIGNS = /^[\p{L}\p{M}\p{Nd}\p{Sc}\p{Z}.:/⁄\-+−–%()'’_"]*$/u;
/** Letters of an exponent or an instant. */
const BETWEEN_DIGITS = /(?<=\d\.?)e(?=[+-]?\d)|(?<=\d)t(?=\d)|(?<=\d)z(?=\s*$)/gi;
/** Half a day, or the end of an ordinal: behind digits alone. */
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
 * Cells that are taken for nothing, found without looking further: behind what hides nothing, one begins with a sign
 * that begins no figure, or with a word in ASCII that stands in no day and no amount. A figure may stand before that
 * word, but none so long that what is looked at of the cell could end within the word.
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
