// Currency signs and codes in cells and number formats. Pure.
import { isCurrency } from "../../../kernel/text/currency.ts";

const SIGNS: Readonly<Record<string, RegExp>> = {
  $: /^(USD|CAD|AUD|NZD|SGD|HKD|MXN)$/,
  "€": /^EUR$/,
  "£": /^GBP$/,
  "¥": /^(JPY|CNY)$/,
  "₹": /^INR$/,
};

/** Whether a sign or code stands for a currency. */
export function isSignOf(sign: string, currency: string): boolean {
  if (sign === currency || SIGNS[sign]?.test(currency) === true) return true;
  return !Object.hasOwn(SIGNS, sign) && signsOf(currency).includes(sign);
}

/** The signs of a currency in English. */
function signsOf(currency: string): readonly string[] {
  return (["symbol", "narrowSymbol"] as const).flatMap((currencyDisplay) => {
    const format = new Intl.NumberFormat("en-US", { style: "currency", currency, currencyDisplay });
    return format.formatToParts(0).flatMap(({ type, value }) => (type === "currency" ? [value] : []));
  });
}

/** Whether a text in quotes of a number's format is a currency, such as `USD` or `€`, and no other word. */
export function isCurrencyText(text: string): boolean {
  return isCurrency(text) || /^[A-Z]{0,3}\p{Sc}$/u.test(text) || SIGNS_OF_LETTERS.has(text);
}

const SIGNS_OF_LETTERS: ReadonlySet<string> = new Set(["kr", "kr.", "zł", "Kč", "Ft", "Fr.", "lei", "RM", "Rp"]);
