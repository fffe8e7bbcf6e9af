// Cells as XML: a text, or a figure digit by digit, with its formula. The address comes first, so that equal cells of a
// column differ only by it.
import { type CalendarDate, dayNumber, isCalendarDate } from "../../../kernel/date.ts";
import { type Decimal, formatDecimal, ZERO } from "../../../kernel/numbers/decimal.ts";
import { isLong, type Share } from "../sheet.ts";
import { type FigureLook, figureStyle, type TextLook, textStyle } from "./styles.ts";
import { beginsFormula, textElement } from "./text.ts";

/** The day before Excel's first, as it counts from March 1900 on; it takes 1900 for a leap year. */
const EPOCH = dayNumber("1899-12-30");
const FIRST_TRUE_DAY = "1900-03-01";
const SECONDS_OF_DAY = 86_400;

/** A cell at a place: `B7`; nothing where nothing is said. */
export function cellAt(place: string, said: string): string {
  return said === "" ? "" : `<c r="${place}${said}`;
}

/** Text; an empty cell for null. */
export function textCell(text: string, look: TextLook): string {
  if (text === "") return "";
  const style = textStyle(look, beginsFormula(text));
  return `" s="${style}" t="inlineStr"><is>${textElement(text)}</is></c>`;
}

/** A number and, where there is one, the formula that gives it: nothing in formulas has to be escaped. */
export function numberCell(digits: string, look: FigureLook, formula: string | null = null): string {
  const said = formula === null ? "" : `<f>${formula}</f>`;
  return `" s="${figureStyle(look)}">${said}<v>${digits}</v></c>`;
}

/** A figure as a number's text: what a sign or zeros at the front say is left out. */
export function digitsOf(figure: string): string {
  if (/^[1-9]/.test(figure)) return figure;
  return figure.replace(/^\+/, "").replace(/^(-?)0+(?=\d)/, "$1");
}

/** The serial number of a day; null before the days that every program counts alike. */
export function serialOf(date: CalendarDate): number | null {
  return date < FIRST_TRUE_DAY ? null : dayNumber(date) - EPOCH;
}

/** A day: a real date, or its text. */
export function dateCell(date: string, isIndented: boolean): string {
  const serial = isCalendarDate(date) ? serialOf(date) : null;
  if (serial === null) return textCell(date, isIndented ? "textIndented" : "text");
  return numberCell(String(serial), isIndented ? "dateIndented" : "date");
}

/** An instant, in UTC. */
export function timestampCell(instant: string, isIndented: boolean): string {
  const match = /^(\d{4}-\d\d-\d\d)T(\d\d):(\d\d):(\d\d(?:\.\d+)?)Z$/.exec(instant);
  const serial = match?.[1] === undefined ? null : serialOf(match[1]);
  if (!match || serial === null) return textCell(instant, isIndented ? "textIndented" : "text");
  const [hours, minutes, seconds] = [Number(match[2]), Number(match[3]), Number(match[4])];
  const part = (hours * 3600 + minutes * 60 + seconds) / SECONDS_OF_DAY;
  return numberCell(String(serial + part), isIndented ? "timestampIndented" : "timestamp");
}

/** The quotient that a spreadsheet computes from both figures; 0 of nothing. */
export function quotientOf({ part, whole }: Share): string {
  return whole === ZERO ? "0" : String(asNumber(part) / asNumber(whole));
}

function asNumber(figure: Decimal): number {
  return Number(formatDecimal(figure));
}

const SHARE_DIGITS = 15;
const SHARE_SCALE = 10n ** 30n;

/** The quotient rounded to 15 digits, where the figures have too many to be computed with. */
export function exactQuotientOf({ part, whole }: Share): string {
  if (whole === ZERO) return "0";
  const quotient = Number((part * SHARE_SCALE) / whole) / Number(SHARE_SCALE);
  return String(Number(quotient.toPrecision(SHARE_DIGITS)));
}

/** A figure: a number with exactly its digits, or text where it has too many. */
export function figureCell(figure: string, looks: { number: FigureLook; word: TextLook }): string {
  return isLong(figure) ? textCell(figure, looks.word) : numberCell(digitsOf(figure), looks.number);
}
