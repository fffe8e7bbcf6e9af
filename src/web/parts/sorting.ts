// Sorting rows: exact decimals by their value, words as people sort them, what has no value last.
import { parseDecimal } from "../../kernel/decimal.ts";
import { COLLATOR } from "../locale.ts";

/** Which column sorts, and whether from the end. */
export interface Sorting {
  readonly id: string;
  readonly isDescending: boolean;
}

interface Order<T> {
  readonly keyOf: (row: T) => string | null | undefined;
  /** Whether the keys are decimals. */
  readonly isFigure: boolean;
  readonly isDescending: boolean;
}

/** The rows in order; equal ones stay as they are. */
export function sortRows<T>(rows: readonly T[], { keyOf, isFigure, isDescending }: Order<T>): readonly T[] {
  const compare = isFigure ? compareDecimals : COLLATOR.compare;
  const keyed = rows.map((row) => ({ row, key: keyOf(row) ?? null }));
  keyed.sort((a, b) => {
    if (a.key === null || b.key === null) return a.key === b.key ? 0 : a.key === null ? 1 : -1;
    return isDescending ? compare(b.key, a.key) : compare(a.key, b.key);
  });
  return keyed.map(({ row }) => row);
}

function compareDecimals(a: string, b: string): number {
  const [one, other] = [parseDecimal(a), parseDecimal(b)];
  return one < other ? -1 : one > other ? 1 : 0;
}
