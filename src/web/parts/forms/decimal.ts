// What a field for a number holds: the number as the API writes it, whatever language it was typed in; so what is kept of a
// form, or put into it, means one number in all of them. What cannot be read is held as it was typed, with a mark.
import { asTyped, readTyped, typedFault } from "./typed.ts";

const PLAIN = /^\d{1,15}(\.\d{1,10})?$/;
/** Stands before what cannot be read. */
const UNREAD = "~";
/** What may stand between numbers: `2.5%`, or `5% up to 30000000; 10%`. */
const BETWEEN = /(%\s*up to\s+|%|;)/i;

/** A text with each number in it replaced by `by`; null if one cannot be read. */
function numbersBy(text: string, by: (number: string) => string | null): string | null {
  const pieces = text
    .split(BETWEEN)
    .map((piece, at) => (at % 2 === 1 || piece.trim() === "" ? piece : by(piece.trim())));
  return pieces.includes(null) ? null : pieces.join("").trim();
}

/** What a field holds where this was typed. */
export function heldOf(typed: string, locale?: string): string {
  const text = typed.trim();
  // Words, such as UNLIMITED, are no numbers in any language.
  if (/^[A-Z ]*$/.test(text)) return text;
  return numbersBy(text, (number) => readTyped(number, locale)) ?? UNREAD + typed;
}

/** What stands in a field that holds this. */
export function shownOf(held: string, locale?: string): string {
  if (held.startsWith(UNREAD)) return held.slice(UNREAD.length);
  return numbersBy(held, (number) => (PLAIN.test(number) ? asTyped(number, locale) : number)) ?? held;
}

/** The number that a field holds, digits and one point; null where it holds none. */
export function readDecimal(held: string): string | null {
  const text = held.trim();
  return PLAIN.test(text) ? text.replace(/^0+(?=\d)/, "") : null;
}

/** What is wrong with what a field holds; undefined where nothing is, or nothing was typed. */
export function decimalFault(held: string): string | undefined {
  const shown = shownOf(held).trim();
  return shown === "" || readDecimal(held) !== null ? undefined : typedFault(shown);
}
