// Whole lists, read in pages of 100 and shown as they come, so that they can be sorted and filtered where they are shown.
import type { Query } from "./query.ts";
import { useQuery } from "./query.ts";

/** How many rows of a list are shown at most; above that it has to be filtered. */
export const ROWS_MAX = 10_000;
/** Rows of a page. */
export const PAGE_SIZE = 100;

/** One page of a list. */
export interface ListPage<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
}

/** A list, whole or as far as it goes. */
export interface WholeList<T> {
  readonly items: readonly T[];
  /** Whether there is more than is shown. */
  readonly isCut: boolean;
}

/**
 * Reads a list to its end, or to {@link ROWS_MAX} rows. Calls `onRows` with the first page, and then each time
 * the rows have grown by half, since each call filters and sorts all rows again.
 */
export async function readWhole<T>(
  readPage: (cursor: string | undefined, limit: number) => Promise<ListPage<T>>,
  onRows: (items: readonly T[]) => void = () => undefined,
): Promise<WholeList<T>> {
  const items: T[] = [];
  let cursor: string | undefined;
  let told = 0;
  do {
    const page = await readPage(cursor, PAGE_SIZE);
    items.push(...page.items);
    cursor = page.nextCursor ?? undefined;
    if (cursor === undefined || items.length * 2 < told * 3) continue;
    told = items.length;
    onRows([...items]);
  } while (cursor !== undefined && items.length < ROWS_MAX);
  return { items, isCut: cursor !== undefined };
}

/** A whole list in a component, under a key as `useQuery` takes it. */
export function useWholeList<T>(
  key: string | null,
  readPage: (page: { cursor?: string; limit: number }, signal: AbortSignal) => Promise<ListPage<T>>,
): Query<WholeList<T>> {
  return useQuery(
    key,
    (signal, publish) =>
      readWhole(
        (cursor, limit) => readPage(cursor === undefined ? { limit } : { cursor, limit }, signal),
        (items) => publish({ items, isCut: false }),
      ),
    { keep: true },
  );
}
