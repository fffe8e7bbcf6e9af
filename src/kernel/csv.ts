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
  const shown = isText ? (guard ? guarded(text) : text) : inDecimals(text, decimal);
  return NEEDS_QUOTES.test(shown) ? `"${shown.replaceAll('"', '""')}"` : shown;
}

function inDecimals(text: string, decimal: DecimalSign): string {
  return decimal === "COMMA" && FIGURE.test(text) ? text.replace(".", ",") : text;
}

/** A place at which a spreadsheet may begin a cell: the text's beginning, and behind what may part cells or lines. */
const PLACES = /^|(?<=\r\n|\r(?!\n)|[,;\t\n\v\f\u0085\u2028\u2029])/g;
/** Most texts: no place but their beginning, and nothing that could be a figure or begin a formula. */
const PLAIN = /^[A-Za-z_][A-Za-z_ ]*$/;

/** The text with an apostrophe at each place where it would be taken for a formula, a number or a day. */
export function guarded(text: string): string {
  if (text === "" || PLAIN.test(text)) return text;
  return text.replace(PLACES, (_, at: number) => (isTaken(text, at) ? "'" : ""));
}

/** The text that {@link guarded} made another of: one apostrophe is taken off at each of these places. */
export function unguarded(text: string): string {
  if (!text.includes("'")) return text;
  let [plain, from] = ["", 0];
  for (const { index: at } of text.matchAll(PLACES)) {
    if (text[at] !== "'" || !isTaken(text, at)) continue;
    plain += text.slice(from, at);
    from = at + 1;
  }
  return plain + text.slice(from);
}

/** What hides nothing: blanks, signs without a shape, quotes and apostrophes. */
const HIDING = /[\p{Z}\p{Cf}"'`´‘-‟‹›«»＂＇]*/uy;
/** What begins a formula, the wide signs of East Asian keyboards among it; or a control character. */
const BEGINS_FORMULA = /^[=+\-@＝＋－＠\p{Cc}]/u;
const PARTS = /[,;\t\r\n\v\f\u0085\u2028\u2029]/;
/** Nothing longer is read as a figure. */
const CELL_MAX = 400;

/**
 * Whether what stands at a place would be taken for a formula, a number or a day. An apostrophe before it changes
 * nothing, so that what was guarded is found again.
 */
function isTaken(text: string, at: number): boolean {
  HIDING.lastIndex = at;
  HIDING.test(text);
  const rest = text.slice(HIDING.lastIndex, HIDING.lastIndex + CELL_MAX);
  if (BEGINS_FORMULA.test(rest)) return true;
  const [cell = ""] = rest.split(PARTS, 1);
  return HAS_DIGIT.test(cell) && isFigureLike(cell.normalize("NFKC"));
}

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

/** Whether a cell reads as a number, a percentage, an amount, a day or a time in some locale. */
function isFigureLike(cell: string): boolean {
  if (!FIGURE_SIGNS.test(cell)) return false;
  const words = cell.replace(BETWEEN_DIGITS, " ").replace(BEHIND_DIGITS, " ").match(LETTERS) ?? [];
  return words.every((word) => WORDS.has(word.toLowerCase()));
}
