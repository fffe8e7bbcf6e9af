// A list as its register declares it (`api/registers.ts`): columns and filters in order, with their words. A page says how
// it draws and answers what is more than a member of the record.

import type { ComponentChildren } from "preact";
import type { ListPage } from "../../api/list-pages.ts";
import { REGISTERS } from "../../api/registers.ts";
import { Day, None, Quantity } from "../../parts/figure.tsx";
import { FilterChoice, FilterText } from "../../parts/tables/filter-bar.tsx";
import type { Column } from "../../parts/tables/table.tsx";
import { CHOICE_WORDS } from "../../text/actions/field-words.ts";
import { labelIn } from "../../text/common.ts";
import { ClassLink } from "../names.tsx";
import { type Filters, useFilters } from "./filters.ts";
import { type ListProps, RegisterList } from "./register-list.tsx";
import { type Register, useRegister } from "./register-lists.ts";

/** A register, by the last part of its address in the API. */
export type RegisterName = keyof typeof REGISTERS;

type List<N extends RegisterName> = keyof (typeof REGISTERS)[N]["list"] & string;
type Member<N extends RegisterName> = keyof (typeof REGISTERS)[N]["listed"] & string;
type Filter<N extends RegisterName> = keyof (typeof REGISTERS)[N]["filters"] & string;

/** What a page says of a column: all but its name and heading. */
export type OwnColumn<T> = Omit<Column<T>, "id" | "label">;

/** The columns that a page draws: each that is no member, and members that it draws in its own way. */
export type OwnColumns<N extends RegisterName, T> = {
  readonly [C in Exclude<List<N>, Member<N>>]: OwnColumn<T>;
} & { readonly [C in Member<N> & List<N>]?: OwnColumn<T> };

/** The list's columns in order. */
export function declaredColumns<N extends RegisterName, T extends object>(
  register: N,
  own: OwnColumns<N, T>,
): readonly Column<T>[] {
  const { list, listed }: { readonly list: Words; readonly listed: Words } = REGISTERS[register];
  const drawn: Readonly<Record<string, OwnColumn<T>>> = own;
  return Object.entries(list).map(([id, label], at) => ({
    ...{ id, label },
    ...(drawn[id] ?? memberColumn<T>(id, listed[id] ?? "text")),
    // The first names the row, and has room everywhere.
    ...(at === 0 ? { isWide: false } : {}),
  }));
}

type Words = Readonly<Record<string, string>>;

const wordOf = (value: string) => labelIn(CHOICE_WORDS, value);

/** The column of a member, by how its record's schema has it. */
function memberColumn<T extends object>(name: string, kind: string): OwnColumn<T> {
  const memberOf = (row: T) => (row as Readonly<Record<string, unknown>>)[name] ?? null;
  const textOf = (row: T) => {
    const value = memberOf(row);
    return value === null ? null : String(value);
  };
  switch (kind) {
    case "day":
      return { isWide: true, width: "7rem", isDay: true, sortBy: textOf, cell: (row) => <Day value={textOf(row)} /> };
    case "decimal":
    case "whole": {
      const width = "minmax(6rem, 0.8fr)";
      return { isFigure: true, isWide: true, width, sortBy: textOf, cell: (row) => <Quantity value={textOf(row)} /> };
    }
    case "class":
      return { isWide: true, sortBy: textOf, cell: (row) => <ClassCell id={textOf(row)} /> };
    case "choice":
    case "many": {
      const wordsOf = (row: T) => [memberOf(row) ?? []].flat().map((each) => wordOf(String(each)));
      const shown = (row: T) => wordsOf(row).join(", ");
      return { isWide: true, sortBy: shown, cell: (row) => <span title={shown(row)}>{shown(row) || <None />}</span> };
    }
    case "long":
      return {
        isWide: true,
        sortBy: textOf,
        cell: (row) => <span title={textOf(row) ?? ""}>{textOf(row) ?? <None />}</span>,
      };
    default:
      return { isWide: true, sortBy: textOf, cell: (row) => textOf(row) ?? <None /> };
  }
}

function ClassCell({ id }: { readonly id: string | null }) {
  return id === null ? <None /> : <ClassLink id={id} />;
}

/** What a page says of a filter. */
export interface OwnFilter<T> {
  /** Whether it is a day. */
  readonly isDay?: boolean;
  /** What can be chosen; a text without it. */
  readonly choices?: readonly { readonly value: string; readonly label: string }[];
  /** The name by which the API filters, if another than the filter's; null: it does not. */
  readonly asked?: string | null;
  /** Whether a row matches; by default its member of that name equals the value, or has it in its list. */
  readonly matches?: (row: T, value: string) => boolean;
}

interface Declared<T> {
  readonly register: Register<T>;
  readonly filters: Filters<string>;
  /** The fields of the filters. */
  readonly fields: ComponentChildren;
}

/** Reads a register, filtered as its declaration says. `memo`: what the filters depend on besides their values. */
export function useDeclared<N extends RegisterName, T extends object>(
  name: N,
  {
    read,
    filters: own,
    memo = [],
  }: {
    readonly read: (
      asked: Readonly<Record<string, string>>,
      page: { cursor?: string; limit: number },
      signal: AbortSignal,
    ) => Promise<ListPage<T>>;
    readonly filters: { readonly [F in Filter<N>]: OwnFilter<T> };
    readonly memo?: readonly unknown[];
  },
): Declared<T> {
  const labels: Words = REGISTERS[name].filters;
  const names = Object.keys(labels);
  const answered: Readonly<Record<string, OwnFilter<T>>> = own;
  const filters = useFilters(names);
  const { values } = filters;
  const wanted = names.filter((each) => values[each] !== "");
  const asked = names.flatMap((each) => {
    const { asked: inApi = each } = answered[each] ?? {};
    return inApi === null ? [] : [[inApi, values[each] ?? ""] as const];
  });
  const register = useRegister<T>({
    name,
    asked: Object.fromEntries(asked),
    read,
    matches: (row) => wanted.every((each) => (answered[each]?.matches ?? hasMember(each))(row, values[each] ?? "")),
    memo: [JSON.stringify(values), ...memo],
  });
  const fields = names.map((each) => {
    const { choices, isDay = false } = answered[each] ?? {};
    const field = { label: labels[each] ?? each, ...filters.field(each) };
    if (choices) return <FilterChoice key={each} {...field} choices={choices} />;
    return <FilterText key={each} {...field} type={isDay ? "date" : "search"} />;
  });
  return { register, filters, fields };
}

function hasMember(name: string) {
  return (row: object, value: string) => {
    const member = (row as Readonly<Record<string, unknown>>)[name];
    return Array.isArray(member) ? member.includes(value) : member === value;
  };
}

/** The list, by the title and the words of its register. */
export function DeclaredList<T, S>({
  of,
  ...list
}: { readonly of: RegisterName } & Omit<ListProps<T, S>, "label" | "file" | "what" | "none"> &
  Partial<Pick<ListProps<T, S>, "file" | "what">>) {
  const { title, none } = REGISTERS[of];
  return <RegisterList label={title} file={of} what={of.replaceAll("-", " ")} none={none} {...list} />;
}
