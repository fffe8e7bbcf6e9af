// Figures, days and instants in words, as the browser's language, or the chosen one, has them. Decimals stay the strings
// that the API sent: they are formatted as they are, and computed with kernel/numbers/decimal.ts.
import { formatDecimal, parseDecimal, scale } from "../kernel/numbers/decimal.ts";
import { chosenLocale } from "./chosen-locale.ts";

/** Undefined: the browser's. */
const LOCALE = chosenLocale();
const NUMBER = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 20 });
const CENTS = new Intl.NumberFormat(LOCALE, { minimumFractionDigits: 2, maximumFractionDigits: 20 });
const PERCENT_PLACES = 2;
const PERCENT = new Intl.NumberFormat(LOCALE, {
  minimumFractionDigits: PERCENT_PLACES,
  maximumFractionDigits: PERCENT_PLACES,
});
const DAY = new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium", timeZone: "UTC" });
const INSTANT = new Intl.DateTimeFormat(LOCALE, { dateStyle: "medium", timeStyle: "short" });
const INSTANT_WITH_ZONE = new Intl.DateTimeFormat(LOCALE, { dateStyle: "full", timeStyle: "long" });
/** Sorts words as people do, and numbers in them by their value. */
export const COLLATOR = new Intl.Collator(LOCALE, { numeric: true });
const PLURALS = new Intl.PluralRules("en");

/** Types know of numbers only, but a decimal text is formatted exactly, digit by digit. */
function asNumeric(decimal: string): Intl.StringNumericLiteral {
  return decimal as Intl.StringNumericLiteral;
}

/** A decimal with its digits grouped, all of them. */
export function quantityText(decimal: string): string {
  return NUMBER.format(asNumeric(decimal));
}

/** A whole number of things. */
export function countText(count: number): string {
  return NUMBER.format(count);
}

/** A percentage that the API gave, such as `"12.500000"`, to two places. */
export function percentText(percent: string): string {
  return `${PERCENT.format(asNumeric(percent))}%`;
}

/** `part` of `whole` as a percentage of 6 places; null where there is no whole. Both are decimals. */
export function percentOf(part: string, whole: string): string | null {
  const [a, b] = [parseDecimal(part), parseDecimal(whole)];
  return b === 0n ? null : formatDecimal(scale(parseDecimal("100"), a, b));
}

/** An amount with the code of its currency, where one is given. */
export function moneyText(decimal: string, currency?: string | null): string {
  return currency ? `${currency} ${quantityText(decimal)}` : quantityText(decimal);
}

/** An amount to the cent: with two places at least, so that a column lines up. */
export function centsText(decimal: string): string {
  return CENTS.format(asNumeric(decimal));
}

/** A calendar day. */
export function dayText(date: string): string {
  return DAY.format(Date.parse(date));
}

/** An instant, in the person's zone. */
export function instantText(instant: string): string {
  return INSTANT.format(Date.parse(instant));
}

/** The same with its zone, in full. */
export function fullInstantText(instant: string): string {
  return INSTANT_WITH_ZONE.format(Date.parse(instant));
}

/** `1 holder`, `2 holders`. */
export function plural(count: number, one: string, other: string): string {
  return `${countText(count)} ${PLURALS.select(count) === "one" ? one : other}`;
}

const ADDRESS_HEAD = 6;
const SHOWN_END = 4;
const HASH_PART = 8;

/** The first and last characters of a hash. */
export function shortHash(hash: string): string {
  return `${hash.slice(0, HASH_PART)}…${hash.slice(-HASH_PART)}`;
}

/** The first and last characters of an address on the chain. */
export function shortAddress(address: string): string {
  return `${address.slice(0, ADDRESS_HEAD)}…${address.slice(-SHOWN_END)}`;
}

const BYTES_STEP = 1000;
const BYTE_UNITS = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;

/** A size on a disk, in the largest unit that it fills. */
export function bytesText(bytes: number): string {
  let [size, unit] = [bytes, 0];
  while (size >= BYTES_STEP && unit < BYTE_UNITS.length - 1) [size, unit] = [size / BYTES_STEP, unit + 1];
  const unitDisplay = unit === 0 ? "long" : "short";
  const style = { style: "unit", unit: BYTE_UNITS[unit] ?? "byte", unitDisplay } as const;
  return new Intl.NumberFormat(LOCALE, { ...style, maximumFractionDigits: 1 }).format(size);
}
