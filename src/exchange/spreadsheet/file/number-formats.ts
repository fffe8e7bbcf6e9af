// Number formats of cells: a day, a percentage, an amount in a currency. Pure.
import { isCurrencyText } from "./currency-signs.ts";

/** Number formats of Excel's own that show a day. */
const DATE_FORMATS: ReadonlySet<number> = new Set([
  14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58,
]);

/** How a style shows a number. */
export interface Shown {
  readonly as: "day" | "percent" | "number";
  readonly currency?: string;
  /** What stands around a whole number, and how many digits it has at least: `"CS-"000`. */
  readonly padded?: Padded;
}

/** See {@link Shown}. */
export interface Padded {
  readonly before: string;
  readonly digits: number;
  readonly after: string;
}

const PERCENT_FORMATS: ReadonlySet<number> = new Set([9, 10]);

/** By the number of a format of Excel's own. */
export function shownBy(format: number): Shown {
  if (DATE_FORMATS.has(format)) return { as: "day" };
  return { as: PERCENT_FORMATS.has(format) ? "percent" : "number" };
}

/** By a format's code: a day or a year outside quotes and colours is a day, a percent sign there a percentage. */
export function shownByCode(code: string): Shown {
  const plain = code.replace(/"[^"]*"|\\.|\[[^\]]*\]|_.|\*./g, "").split(";")[0] ?? "";
  if (/[dy]/i.test(plain) || (/m/i.test(plain) && !/[hs0#?]/i.test(plain))) return { as: "day" };
  if (plain.includes("%")) return { as: "percent" };
  const [currency, padded] = [currencyIn(code), paddedIn(code)];
  return { as: "number", ...(currency === null ? {} : { currency }), ...(padded === null ? {} : { padded }) };
}

const LITERAL = '(?:"[^"]*"|\\\\.|[ /-])*';
const PADDED = new RegExp(`^(${LITERAL})(0+)(${LITERAL})(?:;|$)`);

/** The text that a format writes around whole numbers, if it has nothing else; null for any other. */
function paddedIn(code: string): Padded | null {
  const [, before = "", zeros = "", after = ""] = PADDED.exec(code) ?? [];
  if (zeros === "" || (zeros === "0" && before === "" && after === "")) return null;
  return { before: plainOf(before), digits: zeros.length, after: plainOf(after) };
}

function plainOf(literal: string): string {
  return literal.replace(/"([^"]*)"|\\(.)/g, (_, quoted?: string, single?: string) => quoted ?? single ?? "");
}

/** A whole number as such a format shows it; undefined for another number. */
export function shownPadded(value: string, padded: Padded | undefined): string | undefined {
  if (padded === undefined || !/^\d+$/.test(value)) return undefined;
  return `${padded.before}${value.padStart(padded.digits, "0")}${padded.after}`;
}

/** The currency that a format writes for figures above nothing: `[$€-407]`, or one in quotes; `[$-409]` says none. */
function currencyIn(code: string): string | null {
  for (const [token, bracket, quoted] of code.matchAll(/\[\$([^\]-]*)[^\]]*\]|"([^"]*)"|\\.|\[[^\]]*\]|_.|\*.|;/g)) {
    if (token === ";") return null;
    const sign = bracket?.trim();
    if (sign) return sign;
    const text = quoted?.trim() ?? "";
    if (isCurrencyText(text)) return text;
  }
  return null;
}
