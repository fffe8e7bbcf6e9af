// Currencies of OCF's amounts: the currency of a record's amounts, and how many amounts of a package are in each. Pure.
import { isObject, type JsonObject, textOf } from "../json.ts";

const CODE = /^[A-Z]{3}$/;

/** The currency of a Monetary; null for another value, or a currency that is not three capital letters. */
function currencyOf(value: unknown): string | null {
  if (!isObject(value) || value.amount === undefined) return null;
  const code = textOf(value, "currency");
  return code !== null && CODE.test(code) ? code : null;
}

/** The currency of the first of the named members that is an amount with one; null without such a member. */
export function currencyAmong(object: JsonObject, names: readonly string[]): string | null {
  for (const name of names) {
    const currency = currencyOf(object[name]);
    if (currency !== null) return currency;
  }
  return null;
}

/** How many amounts there are in each currency. */
export type CurrencyCounts = ReadonlyMap<string, number>;

/** Counts the amounts in a value, wherever in it they stand. */
export function countCurrencies(value: unknown, counts: Map<string, number>): void {
  if (typeof value !== "object" || value === null) return;
  const currency = currencyOf(value);
  if (currency !== null) counts.set(currency, (counts.get(currency) ?? 0) + 1);
  for (const member of Object.values(value)) countCurrencies(member, counts);
}

/** The currency of most amounts, of equals the one that came first; null without amounts. */
export function mainCurrency(counts: CurrencyCounts): string | null {
  const [most] = [...counts].sort(([, a], [, b]) => b - a);
  return most?.[0] ?? null;
}
