// Sorting of rows: decimals by exact value, texts by the locale's collation, empty values last.
import { parseDecimal } from "../../../kernel/numbers/decimal.ts";
import { COLLATOR } from "../../locale.ts";

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
  if (isFigure) return inOrder(rows, { sortedBy: decimalOf(keyOf), compare: compareDecimals, isDescending });
  return inOrder(rows, { sortedBy: (row) => keyOf(row) ?? null, compare: COLLATOR.compare, isDescending });
}

interface By<T, K> {
  readonly sortedBy: (row: T) => K | null;
  readonly compare: (a: K, b: K) => number;
  readonly isDescending: boolean;
}

function inOrder<T, K>(rows: readonly T[], { sortedBy, compare, isDescending }: By<T, K>): readonly T[] {
  const keyed = rows.map((row) => ({ row, key: sortedBy(row) }));
  keyed.sort((a, b) => {
    if (a.key === null || b.key === null) return a.key === b.key ? 0 : a.key === null ? 1 : -1;
    return isDescending ? compare(b.key, a.key) : compare(a.key, b.key);
  });
  return keyed.map(({ row }) => row);
}

/** Decimals are read once a row, and not each time that two are compared. */
function decimalOf<T>(keyOf: Order<T>["keyOf"]): (row: T) => bigint | null {
  return (row) => {
    const key = keyOf(row);
    return key === null || key === undefined ? null : parseDecimal(key);
  };
}

function compareDecimals(a: bigint, b: bigint): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
