// Numbers as people type them, in the way of their language: read to the very number that is meant, or refused with what
// to type instead. Pure.
import { chosenLocale } from "../../chosen-locale.ts";
import { FIGURE_FAULTS } from "../../text/figure-faults.ts";

/** What sets the parts of a number apart in a language, and its whole part in groups. */
interface Writing {
  readonly decimal: string;
  grouped(digits: string): string;
}

const WRITINGS = new Map<string, Writing>();

/** The way of a language; left out, the chosen one or the browser's. Digits are 0 to 9 in all of them. */
function writingOf(locale: string | undefined): Writing {
  const known = WRITINGS.get(locale ?? "");
  if (known) return known;
  const format = new Intl.NumberFormat(locale, { numberingSystem: "latn", useGrouping: "always" });
  const decimal = format.formatToParts(1.5).find(({ type }) => type === "decimal")?.value ?? ".";
  const writing = { decimal, grouped: (digits: string) => format.format(BigInt(digits)) };
  WRITINGS.set(locale ?? "", writing);
  return writing;
}

const WHOLE_MAX = 15;
const PLACES_MAX = 10;
const DIGITS = /^\d+$/;
const BLANKS = /[ \u00a0\u2009\u202f]/g;
const APOSTROPHES = /['’]/g;
const THREES = /^[1-9]\d{0,2}(?:( |')\d{3})(?:\1\d{3})*$/;

/** The digits of a whole part: without groups, in those of the language, or in threes by blanks or apostrophes. */
function digitsOf(whole: string, { grouped }: Writing): string | null {
  if (DIGITS.test(whole)) return whole;
  const same = (text: string) => text.replace(BLANKS, " ").replace(APOSTROPHES, "'");
  const digits = whole.replace(/\D/g, "");
  if (!/^[1-9]/.test(whole)) return null;
  const isGrouped = THREES.test(same(whole)) || (digits.length <= WHOLE_MAX && same(grouped(digits)) === same(whole));
  return isGrouped ? digits : null;
}

/** A typed number of any length as digits and one point; null if it is not a number. */
function digitsAndPoint(typed: string, writing: Writing): string | null {
  const [whole = "", places, ...others] = typed.trim().split(writing.decimal);
  if (others.length > 0 || (places !== undefined && !DIGITS.test(places))) return null;
  const digits = whole === "" && places !== undefined ? "0" : digitsOf(whole, writing);
  if (digits === null) return null;
  const plain = digits.replace(/^0+(?=\d)/, "");
  return places === undefined ? plain : `${plain}.${places}`;
}

function isShort(decimal: string): boolean {
  const [whole = "", places = ""] = decimal.split(".");
  return whole.length <= WHOLE_MAX && places.length <= PLACES_MAX;
}

/** A typed number as the API writes it: digits and one point. Null if it is not a number, or too long. */
export function readTyped(typed: string, locale = chosenLocale()): string | null {
  const read = digitsAndPoint(typed, writingOf(locale));
  return read !== null && isShort(read) ? read : null;
}

/** A number of the API's as one types it. */
export function asTyped(decimal: string, locale = chosenLocale()): string {
  return decimal.replace(".", writingOf(locale).decimal);
}

const THREES_BY = (sign: string) => (digits: string) => digits.replace(/\B(?=(?:\d{3})+$)/g, sign);
const POINT: Writing = { decimal: ".", grouped: THREES_BY(",") };
const COMMA: Writing = { decimal: ",", grouped: THREES_BY(".") };

/** What is wrong with a typed number that cannot be read, with what to type where one can tell. */
export function typedFault(typed: string, locale = chosenLocale()): string {
  const own = writingOf(locale);
  if (digitsAndPoint(typed, own) !== null) return FIGURE_FAULTS.digits;
  const meant = [POINT, COMMA].flatMap((writing) => digitsAndPoint(typed, writing) ?? []).filter(isShort);
  const [only, other] = new Set(meant);
  if (only !== undefined && other === undefined) return FIGURE_FAULTS.type(asTyped(only, locale));
  return FIGURE_FAULTS.decimal(asTyped("1500.25", locale));
}
