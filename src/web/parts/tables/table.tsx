// Tables: a real `table` for what is shown whole; the columns of both kinds of table, and sorting.
// biome-ignore-all lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
// biome-ignore-all lint/a11y/useSemanticElements: what scrolls is a group, and no fieldset
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { COMMON } from "../../text/common.ts";
import { type Sorting, sortRows } from "./sorting.ts";

export type { Sorting } from "./sorting.ts";

/** A column. */
export interface Column<T> {
  readonly id: string;
  readonly label: ComponentChildren;
  /** The label in words, where it is more than a text, or empty because sighted readers understand the cells. */
  readonly name?: string;
  readonly isFigure?: boolean;
  /** Whether it sorts by a day or an instant: in a file it is one. */
  readonly isDay?: boolean;
  readonly cell: (row: T) => ComponentChildren;
  /** By what it sorts: exact decimals by value, words as people sort them; without it the column does not sort. */
  readonly sortBy?: (row: T) => string | null | undefined;
  /** Left out where there is little room. */
  readonly isWide?: boolean;
  /** Of a virtual table: its width as CSS grid tracks have it, by default `minmax(0, 1fr)`. */
  readonly width?: string;
  /** A class for its cells. */
  readonly class?: string;
}

/** Rows in the order of a column. */
export function sorted<T>(rows: readonly T[], columns: readonly Column<T>[], sorting: Sorting | null): readonly T[] {
  const column = columns.find(({ id }) => id === sorting?.id);
  if (!sorting || !column?.sortBy) return rows;
  return sortRows(rows, { keyOf: column.sortBy, isFigure: column.isFigure === true, ...sorting });
}

/** Sorting that a table's heads change: figures from the largest first. */
export function useSorting<T>(columns: readonly Column<T>[], initial: Sorting | null = null) {
  const [sorting, setSorting] = useState<Sorting | null>(initial);
  const toggle = (id: string) => {
    const isFigure = columns.find((column) => column.id === id)?.isFigure === true;
    const isSame = sorting?.id === id;
    setSorting({ id, isDescending: isSame ? !sorting.isDescending : isFigure });
  };
  return { sorting, toggle };
}

/** What a head says of sorting. */
export function ariaSort(id: string, sorting: Sorting | null): "ascending" | "descending" | undefined {
  if (sorting?.id !== id) return undefined;
  return sorting.isDescending ? "descending" : "ascending";
}

/** A head's words, as a button where the column sorts. */
export function HeadLabel<T>({
  column,
  sorting,
  onSort,
}: {
  readonly column: Column<T>;
  readonly sorting: Sorting | null;
  readonly onSort?: ((id: string) => void) | undefined;
}) {
  if (column.label === "") return <span class="visually-hidden">{column.name}</span>;
  if (!onSort || !column.sortBy) return <>{column.label}</>;
  const state = ariaSort(column.id, sorting);
  return (
    <button
      type="button"
      class="sort"
      title={COMMON.sort(column.name ?? String(column.label))}
      onClick={() => onSort(column.id)}
    >
      <span>{column.label}</span>
      <span class={`sort-mark ${state ?? ""}`} aria-hidden="true" />
    </button>
  );
}

/** A table of rows that are shown whole. `total` rows stand at the end, in bold. */
export function Table<T>({
  label,
  columns,
  rows,
  keyOf,
  sorting = null,
  onSort,
  children,
  class: more = "",
}: {
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
  readonly sorting?: Sorting | null;
  readonly onSort?: (id: string) => void;
  /** Further rows at the end: `<tr>`. */
  readonly children?: ComponentChildren;
  readonly class?: string;
}) {
  return (
    <div class={`table-scroll ${more}`} role="group" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map((column) => (
              <th key={column.id} scope="col" class={classOf(column)} aria-sort={ariaSort(column.id, sorting)}>
                <HeadLabel column={column} sorting={sorting} onSort={onSort} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {sorted(rows, columns, sorting).map((row) => (
            <tr key={keyOf(row)}>
              {columns.map((column, index) =>
                index === 0 ? (
                  <th key={column.id} scope="row" class={classOf(column)}>
                    {column.cell(row)}
                  </th>
                ) : (
                  <td key={column.id} class={classOf(column)}>
                    {column.cell(row)}
                  </td>
                ),
              )}
            </tr>
          ))}
          {children}
        </tbody>
      </table>
    </div>
  );
}

/** The classes of a column's cells. */
export function classOf<T>({ isFigure, isWide, class: own }: Column<T>): string {
  return [isFigure ? "num" : "", isWide ? "wide" : "", own ?? ""].filter(Boolean).join(" ");
}
