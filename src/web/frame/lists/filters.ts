// Filters and sorting of a list, kept in the address, so that a link and the back button restore them.
import { useSearchParams } from "wouter-preact";
import type { Sorting } from "../../parts/tables/sorting.ts";
import type { Column } from "../../parts/tables/table.tsx";

/** The filters of a list. */
export interface Filters<N extends string> {
  /** What is asked for; empty where nothing is. */
  readonly values: Readonly<Record<N, string>>;
  readonly isAny: boolean;
  /** What a field of the filter takes. */
  field(name: N): { readonly name: N; readonly value: string; onInput(value: string): void };
  clear(): void;
}

/** Changes what the address says; empty values are left out. */
export function useAddress(): (changes: Readonly<Record<string, string>>) => void {
  const [, setParams] = useSearchParams();
  return (changes) =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before);
        for (const [name, value] of Object.entries(changes)) {
          if (value === "") after.delete(name);
          else after.set(name, value);
        }
        return after;
      },
      { replace: true },
    );
}

/** Filters by these names. */
export function useFilters<const N extends string>(names: readonly N[]): Filters<N> {
  const [params] = useSearchParams();
  const change = useAddress();
  const values = Object.fromEntries(names.map((name) => [name, params.get(name) ?? ""])) as Record<N, string>;
  return {
    values,
    isAny: names.some((name) => values[name] !== ""),
    field: (name) => ({ name, value: values[name], onInput: (value) => change({ [name]: value }) }),
    clear: () => change(Object.fromEntries(names.map((name) => [name, ""]))),
  };
}

/** Sorting that stands in the address: `?sort=name`, or `?sort=-name` from the end; figures from the largest first. */
export function useAddressedSorting<T>(columns: readonly Column<T>[], initial: Sorting | null = null) {
  const [params] = useSearchParams();
  const change = useAddress();
  const asked = /^(-?)(\w+)$/.exec(params.get("sort") ?? "");
  const isKnown = columns.some(({ id, sortBy }) => id === asked?.[2] && sortBy !== undefined);
  const sorting = asked && isKnown ? { id: asked[2] ?? "", isDescending: asked[1] === "-" } : initial;
  const toggle = (id: string) => {
    const isFigure = columns.find((column) => column.id === id)?.isFigure === true;
    const isDescending = sorting?.id === id ? !sorting.isDescending : isFigure;
    change({ sort: `${isDescending ? "-" : ""}${id}` });
  };
  return { sorting, toggle };
}
