// The codec of models' inputs: a field's text as a member of a body, and back, and what is wrong with it. What stands in
// a form has one list of members for both directions. Pure.
import { isCalendarDate } from "../../../kernel/date.ts";
import { decimalFault, readDecimal } from "../../parts/forms/decimal.ts";
import { COMMON } from "../../text/common.ts";
import { FIGURE_FAULTS } from "../../text/figure-faults.ts";
import { holderOf, type ModelValues, rowsOf, whoOf } from "./values.ts";

/** What is wrong, by field. */
export type ModelFaults = Record<string, string | undefined>;

/** A member: its text, and its value. */
export interface Member<T> {
  /** The value of a text that is not empty and has no fault; undefined: it is left out. */
  readonly read: (text: string) => T | undefined;
  readonly write: (value: T) => string;
  readonly fault?: (text: string) => string | undefined;
  /** An empty text is a fault, too. */
  readonly isNeeded?: boolean;
  /** The value of an empty text. */
  readonly ifEmpty?: T;
}

const WHOLE = /^\d{1,4}$/;

/** A word of the API, an id, or a name. */
export const word: Member<string> = { read: (text) => text, write: (value) => value };
/** A word of an enumeration; the API checks it. */
export function oneOf<T extends string>(): Member<T> {
  return { read: (text) => text as T, write: (value) => value };
}
export const decimal: Member<string> = {
  read: (text) => readDecimal(text) ?? undefined,
  write: (value) => value,
  fault: (text) => decimalFault(text) || undefined,
};
export const whole: Member<number> = {
  read: (text) => Number.parseInt(text, 10),
  write: String,
  fault: (text) => (WHOLE.test(text) ? undefined : FIGURE_FAULTS.whole),
};
/** A box: `"true"`, or empty for false. */
export const box: Member<boolean> = {
  read: (text) => text === "true",
  write: (value) => (value ? "true" : ""),
  ifEmpty: false,
};
export const day: Member<string> = {
  ...word,
  fault: (text) => (isCalendarDate(text) ? undefined : FIGURE_FAULTS.date),
};

/** A member that must not be empty. */
export function needed<T>(member: Member<T>): Member<T> {
  return { ...member, isNeeded: true };
}

/** A part of a form: a part of the body, and back. */
export interface Codec<B> {
  readonly read: (values: ModelValues) => B;
  readonly write: (body: B) => Record<string, string>;
  readonly faults: (values: ModelValues) => ModelFaults;
}

/** What is wrong with a field's text. */
export function faultIn<T>({ fault, isNeeded = false }: Member<T>, typed: string | undefined): string | undefined {
  const text = typed?.trim() ?? "";
  if (text === "") return isNeeded ? COMMON.required : undefined;
  return fault?.(text);
}

function valueIn<T>({ read, ifEmpty }: Member<T>, typed: string | undefined): T | undefined {
  const text = typed?.trim() ?? "";
  return text === "" ? ifEmpty : read(text);
}

type Members<B> = { readonly [N in keyof B]-?: Member<NonNullable<B[N]>> };
type Some<B> = { [N in keyof B]?: B[N] | undefined };

/** The members of an object, whose fields begin with `prefix`. Empty ones are left out. */
export function membersAt<B extends object>(prefix: string, members: Members<B>): Codec<Some<B>> {
  const all = Object.entries(members) as [name: keyof B & string, member: Member<unknown>][];
  return {
    read(values) {
      const read = all.map(([name, member]) => [name, valueIn(member, values[prefix + name])] as const);
      return Object.fromEntries(read.filter(([, value]) => value !== undefined)) as Some<B>;
    },
    write(body) {
      const given = all.filter(([name]) => body[name] !== undefined);
      return Object.fromEntries(
        given.map(([name, { write }]) => [prefix + name, body[name] === null ? "" : write(body[name])]),
      );
    },
    faults: (values) =>
      Object.fromEntries(all.map(([name, member]) => [prefix + name, faultIn(member, values[prefix + name])])),
  };
}

/** A holder: its one field `who` is the id of a record, or a typed name. */
export function holderAt(prefix: string): Codec<object> {
  const member = needed(word);
  return {
    read: (values) => holderOf(values[`${prefix}who`] ?? ""),
    write: (body) => ({ [`${prefix}who`]: whoOf(body) }),
    faults: (values) => ({ [`${prefix}who`]: faultIn(member, values[`${prefix}who`]) }),
  };
}

/** Several parts as one. */
export function together<A extends object, B extends object>(one: Codec<A>, other: Codec<B>): Codec<A & B> {
  return {
    read: (values) => ({ ...one.read(values), ...other.read(values) }),
    write: (body) => ({ ...one.write(body), ...other.write(body) }),
    faults: (values) => ({ ...one.faults(values), ...other.faults(values) }),
  };
}

/** The rows of a list; the list's own field has their number. */
export function rowsAt<B>(list: string, row: (prefix: string) => Codec<B>): Codec<readonly B[]> {
  const each = (values: ModelValues) => rowsOf(list, values[list]).map((name) => row(`${name}.`));
  return {
    read: (values) => each(values).map(({ read }) => read(values)),
    write: (rows) =>
      Object.assign({ [list]: String(rows.length) }, ...rows.map((body, at) => row(`${list}.${at}.`).write(body))),
    faults: (values) => Object.assign({}, ...each(values).map(({ faults }) => faults(values))),
  };
}

/** Members of several records: each field is the member's prefix and the record's id. */
export function recordsAt<B extends object>(
  members: {
    readonly [N in keyof B]-?: readonly [prefix: string, member: Member<NonNullable<B[N]>>];
  },
): Codec<ReadonlyMap<string, Some<B>>> {
  const all = Object.entries(members) as [name: keyof B & string, at: readonly [string, Member<unknown>]][];
  const own = (values: ModelValues) =>
    Object.entries(values).flatMap(([field, text]) =>
      all.flatMap(([name, [prefix, member]]) =>
        field.startsWith(prefix) ? [{ field, text, name, member, id: field.slice(prefix.length) }] : [],
      ),
    );
  return {
    read(values) {
      const read = new Map<string, Some<B>>();
      for (const { text, name, member, id } of own(values)) {
        const value = valueIn(member, text);
        if (value !== undefined) read.set(id, { ...read.get(id), [name]: value } as Some<B>);
      }
      return read;
    },
    write: (body) =>
      Object.fromEntries(
        [...body].flatMap(([id, record]) =>
          all.map(([name, [prefix, { write }]]) => [prefix + id, record[name] == null ? "" : write(record[name])]),
        ),
      ),
    faults: (values) =>
      Object.fromEntries(own(values).map(({ field, text, member }) => [field, faultIn(member, text)])),
  };
}
