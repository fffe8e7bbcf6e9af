// The codec of a column: the member of a body that its cell becomes, and the recorded value that is read back. A kind of
// row has one list of columns for both directions, and the list is held against the template. Pure.

import { type Target, TEMPLATE } from "../file/template.ts";
import { isSaid, listed, numbered, said } from "../rows/read-field.ts";
import type { SheetRow } from "../rows/understand.ts";

/** Reads the value of a member from the field of a row; undefined: not given. */
export type Read = (row: SheetRow, field: string) => unknown;

/** One line of text, a decimal, a date or a word of the API. */
export const asText: Read = said;
/** A whole number. */
export const asWhole: Read = numbered;
/** Yes or no. */
export const asYesNo: Read = isSaid;
/** A list of words. */
export const asList: Read = listed;
/** Not by its cell alone: what makes the record puts it together. */
export const composed: Read = () => undefined;

/** How a column is written. */
export interface Written {
  /** The member of the body, `name.legalName` for one within another; null: it is of no body. */
  readonly member: string | null;
  readonly read: Read;
}

/** The columns of a kind of row, by field. */
export type Columns<C extends Written> = Readonly<Record<string, C>>;

/** The columns themselves. Throws unless they are those of the template's sheet, and `others`, which mappings alone have. */
export function columnsOf<C extends Written>(
  to: Target,
  columns: Columns<C>,
  others: readonly string[] = [],
): Columns<C> {
  const sheet = TEMPLATE.find((each) => each.to === to)?.columns.map(({ field }) => field) ?? [];
  const wanted = new Set([...sheet, ...others]);
  const missing = [...wanted].filter((field) => !Object.hasOwn(columns, field));
  const unknown = Object.keys(columns).filter((field) => !wanted.has(field));
  if (missing.length + unknown.length === 0) return columns;
  throw new Error(
    `the codec of ${to} lacks ${missing.join(", ") || "nothing"}, and has ${unknown.join(", ") || "no"} other`,
  );
}

/** The members that a row's columns become. */
export function bodyOf(columns: Columns<Written>, row: SheetRow): Record<string, unknown> {
  const body: Record<string, unknown> = {};
  for (const [field, { member, read }] of Object.entries(columns)) {
    const value = member === null ? undefined : read(row, field);
    if (member !== null && value !== undefined) put(body, member.split("."), value);
  }
  return body;
}

function put(into: Record<string, unknown>, [name = "", ...rest]: readonly string[], value: unknown): void {
  if (rest.length === 0) {
    into[name] = value;
    return;
  }
  const inner = (into[name] ?? {}) as Record<string, unknown>;
  into[name] = inner;
  put(inner, rest, value);
}

/** The body's own members by field: where a refusal of one belongs. */
export function membersOf(columns: Columns<Written>): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(columns).flatMap(([field, { member }]) =>
      member === null ? [] : [[field, member.split(".")[0] ?? ""]],
    ),
  );
}
