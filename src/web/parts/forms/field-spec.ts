// What a form is made of, as data: its fields in the order in which they are asked, and what each may hold.

/** One thing to choose. */
export interface Option {
  readonly value: string;
  readonly label: string;
  readonly hint?: string;
}

/** What a form holds: a text for each field, by the name of the member that it becomes. Boxes are `"true"` or empty. */
export type Values = Readonly<Record<string, string>>;

/** Fields that every page can ask for. A `code` may be typed with spaces; passwords are sent as they are typed. */
export type PlainKind = "text" | "code" | "password";
/** Figures, days and choices; and records of the organization, by their id. */
type RichKind = "long" | "decimal" | "whole" | "day" | "check" | "choice" | "many" | "several";
type RecordKind = "holder" | "class" | "plan" | "terms" | "valuation" | "security" | "condition";

/** How a field is asked for, and what its text has to be. */
export type FieldKind = PlainKind | RichKind | RecordKind;

/** One field. `F` is what the form knows besides what was typed. */
export interface Spec<F = unknown, K extends FieldKind = FieldKind> {
  /** The member of the request, `name.legalName` for one within another. */
  readonly name: string;
  readonly kind: K;
  readonly isOptional?: boolean;
  /** What is said where nothing was typed, if that is not the usual sentence. */
  readonly missing?: string;
  /** Of a number: whether the API takes none of 0. Nothing is asked for with one, not even a preview. */
  readonly isPositive?: boolean;
  /** Of a choice, of many boxes, or of several in a list: the API's values. */
  readonly choices?: readonly string[];
  /** Which of the choices are offered, where not all always are. */
  readonly offered?: (values: Values) => readonly string[];
  /** Of several: records that can be chosen, with their names. */
  readonly options?: readonly Option[];
  /** What is wrong with a text that is there, besides what its kind says. */
  readonly fault?: (text: string) => string | undefined;
  /** Of a text: how long it may be, which keys it is typed with, and what browsers fill in. */
  readonly maxLength?: number;
  readonly inputMode?: "numeric";
  readonly autoComplete?: string;
  readonly isEmail?: boolean;
  readonly isShown?: (values: Values, facts: F) => boolean;
  /** The value until the user changes it. */
  readonly given?: (values: Values, facts: F) => string | null | undefined;
  /** The values of other fields that this value brings with it when it is chosen. */
  readonly brings?: (value: string) => Values;
  /** Whether it is as it is, and only shown. */
  readonly isFixed?: (values: Values, facts: F) => boolean;
  /** What is said below it, where it is not always the same: a text, or elements. */
  readonly note?: (values: Values, facts: F) => string | object | undefined;
  /** Stands beside the field before, where there is room. */
  readonly isBeside?: boolean;
  /** Stands below what the form says of its values. */
  readonly isBelow?: boolean;
}

/** One field of any form. */
export type AnySpec = Spec<never>;

/** The fields that are to be seen. */
export function shownOf<F, S extends Spec<F>>(fields: readonly S[], values: Values, facts: F): readonly S[] {
  return fields.filter(({ isShown }) => isShown?.(values, facts) ?? true);
}

type Chosen<S extends AnySpec> = S extends { readonly choices: readonly (infer C)[] } ? C : string;
type Typed<S extends AnySpec> = S["kind"] extends "whole" ? number : S["kind"] extends "choice" ? Chosen<S> : string;
type Meaning<S extends AnySpec> = S["kind"] extends "check"
  ? boolean
  : S["kind"] extends "many" | "several"
    ? Chosen<S>[]
    : Typed<S> | (S extends { readonly isOptional: true } ? null : never);
type IsInner<N extends string> = N extends `${string}.${string}` ? true : false;

type Hidden = { readonly isShown: (...args: never[]) => boolean };
type NameOf<S extends AnySpec> = IsInner<S["name"]> extends true ? never : S["name"];
type MeaningIn<S extends AnySpec> = FieldKind extends S["kind"] ? unknown : Meaning<S>;

/**
 * The request that fields make: of each its meaning, null for what was left empty. Members within others are sent, and
 * not typed; a field that is not shown is not sent.
 */
export type BodyOf<L extends readonly AnySpec[]> = {
  [S in Exclude<L[number], Hidden> as NameOf<S>]: MeaningIn<S>;
} & {
  [S in Extract<L[number], Hidden> as NameOf<S>]?: MeaningIn<S>;
};
