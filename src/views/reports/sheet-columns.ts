// Shorthands in which sheets declare their columns. Pure.
import { type Decimal, formatDecimal } from "../../kernel/numbers/decimal.ts";
import type { Column, Formula, Kind, Value } from "./sheet.ts";

/** What a column may be besides its kind. */
interface More {
  readonly formula?: Formula;
  readonly isSummed?: boolean;
}

type Reads<R> = (row: R) => Value | undefined;

function column<R>(kind: Kind, key: string, header: string, read: Reads<R>, more: More = {}): Column<R> {
  return { key, header, kind, value: (row) => read(row) ?? null, ...more };
}

/** Text; absent if it is null. */
export function text<R>(key: string, header: string, read: Reads<R>): Column<R> {
  return column("text", key, header, (row) => read(row) || null);
}

export function date<R>(key: string, header: string, read: Reads<R>): Column<R> {
  return column("date", key, header, read);
}

export function timestamp<R>(key: string, header: string, read: Reads<R>): Column<R> {
  return column("timestamp", key, header, read);
}

export function integer<R>(key: string, header: string, read: (row: R) => number | null | undefined): Column<R> {
  return column("integer", key, header, (row) => {
    const number = read(row);
    return typeof number === "number" ? String(number) : null;
  });
}

/** A count of shares that is in no total. */
export function quantity<R>(key: string, header: string, read: Reads<R>, formula?: Formula): Column<R> {
  return column("quantity", key, header, read, formula ? { formula } : {});
}

/** One that is. */
export function summed<R>(key: string, header: string, read: Reads<R>, formula?: Formula): Column<R> {
  return column("quantity", key, header, read, { isSummed: true, ...(formula ? { formula } : {}) });
}

/** Columns of money, whose headers name the currency. */
export function moneyIn(currency: string) {
  const named = (header: string) => `${header} (${currency})`;
  return {
    money: <R>(key: string, header: string, read: Reads<R>): Column<R> => column("money", key, named(header), read),
    summedMoney: <R>(key: string, header: string, read: Reads<R>, formula?: Formula): Column<R> =>
      column("money", key, named(header), read, { isSummed: true, ...(formula ? { formula } : {}) }),
  };
}

/** A percentage. */
export function percent<R>(key: string, header: string, read: Reads<R>, more: More): Column<R> {
  return column("percent", key, header, read, more);
}

/** An exact figure as a cell. */
export const figure = (value: Decimal): string => formatDecimal(value);

/** A sum of cells of the row. */
export function plus(...keys: readonly string[]) {
  return { kind: "sum", plus: keys } as const;
}

/** One of them less others. */
export function less(from: readonly string[], ...minus: readonly string[]) {
  return { kind: "sum", plus: from, minus } as const;
}
