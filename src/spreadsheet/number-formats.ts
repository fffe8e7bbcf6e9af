// What formats of numbers show a cell as: a day, a percentage, an amount in a currency. Pure.
import { isCurrencyText } from "./currency-signs.ts";

/** Number formats of Excel's own that show a day. */
const DATE_FORMATS: ReadonlySet<number> = new Set([
  14, 15, 16, 17, 22, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58,
]);

/** What a style shows a number as. */
export interface Shown {
  readonly as: "day" | "percent" | "number";
  readonly currency?: string;
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
  const currency = currencyIn(code);
  return currency === null ? { as: "number" } : { as: "number", currency };
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
