// The cap table as of a date, as tests look at it, and what must hold of every such view.
import { expect } from "bun:test";
import { formatDecimal, parseDecimal, ZERO } from "../../src/kernel/numbers/decimal.ts";

interface Holder {
  readonly id: string | null;
  readonly outstanding: string;
  readonly options: string;
  readonly warrants: string;
  readonly fullyDiluted: string;
  readonly percentOutstanding: string;
  readonly holdings: readonly { readonly stockClassId: string; readonly quantity: string }[];
}

/** What the tests look at of a cap table as of a date. */
export interface CapTable {
  readonly shareClasses: readonly {
    readonly id: string;
    readonly authorized: string;
    readonly issued: string;
    readonly available: string;
  }[];
  readonly equityPlans: readonly { readonly id: string; readonly reserved: string; readonly available: string }[];
  readonly stakeholders: readonly Holder[];
  readonly convertibles: readonly { readonly stakeholderId: string | null; readonly quantity: string }[];
  readonly byClass: readonly { readonly stockClassId: string | null; readonly outstandingAsConverted: string }[];
  readonly totals: Readonly<
    Record<
      "outstanding" | "options" | "warrants" | "poolAvailable" | "fullyDiluted" | "warrantsAsConverted" | "asConverted",
      string
    >
  >;
}

/** The exact sum of decimal strings. */
export const sum = (texts: readonly string[]) =>
  formatDecimal(texts.reduce((total, text) => total + parseDecimal(text), ZERO));

/** What must hold of every view: no holding is negative, and each column adds up to its total. */
export function expectSound(table: CapTable): void {
  const { stakeholders, shareClasses, equityPlans, totals } = table;
  const figures = (name: string, value: unknown) => (/id$|name$/i.test(name) ? undefined : value);
  expect(JSON.stringify([stakeholders, table.convertibles], figures)).not.toContain('"-');
  for (const column of ["outstanding", "options", "warrants"] as const) {
    expect(sum(stakeholders.map((holder) => holder[column]))).toBe(totals[column]);
  }
  expect(sum(shareClasses.map(({ issued }) => issued))).toBe(totals.outstanding);
  expect(sum([...stakeholders.map(({ fullyDiluted }) => fullyDiluted), totals.poolAvailable])).toBe(
    totals.fullyDiluted,
  );
  for (const holder of stakeholders) {
    expect(sum(holder.holdings.map(({ quantity }) => quantity))).toBe(holder.outstanding);
    expect(Number(holder.percentOutstanding)).toBeLessThanOrEqual(100);
  }
  const positive = equityPlans.map(({ available }) => available).filter((available) => !available.startsWith("-"));
  expect(sum(positive)).toBe(totals.poolAvailable);
}
