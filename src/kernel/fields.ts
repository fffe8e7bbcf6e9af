// The building blocks of every body and answer. Each is plain JSON Schema to a reader (and so to the OpenAPI document)
// and carries a check that JSON Schema cannot say: code points, real calendar days, exact decimals, no lone surrogates.
import {
  type ArrayOptions,
  Kind,
  type Static,
  type TObject,
  type TProperties,
  type TSchema,
  Type,
  TypeRegistry,
} from "@sinclair/typebox";
import { isCalendarDate } from "./date.ts";
import { readInstant } from "./instant.ts";
import { DECIMAL_PATTERN } from "./numbers/decimal.ts";
import { holdsInexact } from "./numbers/exact-number.ts";
import { isCountry } from "./text/country.ts";
import { isCurrency } from "./text/currency.ts";
import { codePointLength, faultOfName, hasControlCharacter, isBlank } from "./text/text.ts";

const DECIMAL = new RegExp(DECIMAL_PATTERN);
const EMAIL =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+@[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)+$/;
const FREE_OBJECT_BYTES_MAX = 16 * 1024;

/** Extra words for the API reference. */
export interface Doc {
  readonly description?: string;
  readonly examples?: readonly unknown[];
  readonly [extension: `x-${string}`]: unknown;
}

/** A rule that says what is wrong with a value, or null when nothing is. */
type Rule = (value: unknown, schema: Readonly<Record<string, unknown>>) => string | null;

const rules: Readonly<Record<string, Rule>> = {
  "captable:text": textFault,
  "captable:decimal": (value, schema) => {
    if (typeof value !== "string") return 'must be a decimal string such as "1500" or "0.25"';
    if (!DECIMAL.test(value))
      return "must be a decimal string: up to 15 digits, then up to 10 places, no sign or exponent";
    return schema["x-positive"] && !/[1-9]/.test(value) ? "must be more than zero" : null;
  },
  "captable:date": (value) =>
    typeof value === "string" && isCalendarDate(value) ? null : "must be a calendar date, YYYY-MM-DD",
  "captable:instant": (value) =>
    typeof value === "string" && readInstant(value) !== null
      ? null
      : "must be a timestamp with its offset, such as 2026-01-15T14:30:00Z",
  "captable:email": (value, schema) =>
    textFault(value, schema) ?? (isEmail(String(value)) ? null : "must be a valid email address"),
  "captable:country": (value) =>
    typeof value === "string" && isCountry(value) ? null : "must be a country's two letters of ISO 3166-1, such as US",
  "captable:currency": (value) =>
    typeof value === "string" && isCurrency(value)
      ? null
      : "must be a currency's three letters of ISO 4217, such as USD",
  "captable:enum": (value, schema) =>
    (schema.enum as unknown[]).includes(value) ? null : `must be one of ${(schema.enum as unknown[]).join(", ")}`,
  "captable:pattern": (value, schema) =>
    textFault(value, schema) ?? (RegExp(String(schema.pattern)).test(String(value)) ? null : `must be ${schema.title}`),
  "captable:free-object": freeObjectFault,
};

for (const [kind, rule] of Object.entries(rules)) {
  TypeRegistry.Set<Readonly<Record<string, unknown>>>(kind, (schema, value) => rule(value, schema) === null);
}

/** Explains what is wrong with `value` under one of this module's schemas; null if the schema is not one of them. */
export function explainFault(schema: TSchema, value: unknown): string | null {
  return rules[schema[Kind]]?.(value, schema) ?? null;
}

function isEmail(text: string): boolean {
  const local = text.slice(0, text.lastIndexOf("@"));
  return EMAIL.test(text) && local.length <= 64 && !/^\.|\.\.|\.$/.test(local);
}

function textFault(value: unknown, schema: Readonly<Record<string, unknown>>): string | null {
  if (typeof value !== "string") return "must be a string";
  if (!value.isWellFormed()) return "must be well-formed Unicode (it has a lone surrogate)";
  if (hasControlCharacter(value, schema["x-line-breaks"] === true)) return "must not contain control characters";
  if (schema.minLength === 1 && isBlank(value)) return "must not be blank";
  const longest = Number(schema.maxLength);
  if (codePointLength(value) > longest) return `must have at most ${longest} characters`;
  return schema["x-name"] === true ? faultOfName(value) : null;
}

function freeObjectFault(value: unknown, schema: Readonly<Record<string, unknown>>): string | null {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return "must be an object";
  if (holdsInexact(value)) return "must not hold a number of more digits than a program keeps; send it as a string";
  const text = JSON.stringify(value);
  const bytesMax = Number(schema["x-bytes-max"] ?? FREE_OBJECT_BYTES_MAX);
  if (Buffer.byteLength(text) > bytesMax) return `must be at most ${bytesMax / 1024} KiB of JSON`;
  // JSON.stringify escapes a lone surrogate, and escapes no other one.
  return /(?<!\\)(?:\\\\)*\\ud[89a-f]/i.test(text) ? "must be well-formed Unicode (it has a lone surrogate)" : null;
}

function own<T>(kind: string, schema: Record<string, unknown>, doc: Doc = {}) {
  return Type.Unsafe<T>({ ...schema, ...doc, [Kind]: kind });
}

/** One line of text with at least one visible character, up to `max` code points. */
export function text(max: number, doc?: Doc) {
  return own<string>("captable:text", { type: "string", minLength: 1, maxLength: max }, doc);
}

/** A name that people compare by eye: it must have a visible character and no hidden ones. */
export function name(max: number, doc?: Doc) {
  return text(max, { ...doc, "x-name": true });
}

/** Free text up to `max` code points; may be empty, and may have line breaks and tabs. */
export function freeText(max = 2000, doc?: Doc) {
  return own<string>("captable:text", { type: "string", maxLength: max, "x-line-breaks": true }, doc);
}

/** A required free text: at least one visible character. */
export function requiredFreeText(max = 2000, doc?: Doc) {
  return own<string>("captable:text", { type: "string", minLength: 1, maxLength: max, "x-line-breaks": true }, doc);
}

/** A text of up to `max` characters that matches `pattern`; `what` says so in words: "must be {what}". */
export function matching(pattern: string, what: string, max: number, doc?: Doc) {
  return own<string>("captable:pattern", { type: "string", minLength: 1, maxLength: max, pattern, title: what }, doc);
}

/** An exact decimal string, zero or more. */
export function decimal(doc?: Doc) {
  return own<string>("captable:decimal", { type: "string", pattern: DECIMAL_PATTERN, examples: ["1500"] }, doc);
}

/** An exact decimal string above zero. */
export function positiveDecimal(doc?: Doc) {
  const schema = {
    type: "string",
    pattern: DECIMAL_PATTERN,
    examples: ["1500"],
    "x-positive": true,
  };
  return own<string>("captable:decimal", schema, doc);
}

/** A computed decimal, in answers: any number of digits, negative if an import removed more than existed. */
export function total(doc?: Doc) {
  return Type.String({ pattern: "^-?[0-9]+(\\.[0-9]{1,10})?$", examples: ["1500"], ...doc });
}

/** A calendar date, `YYYY-MM-DD`. */
export function date(doc?: Doc) {
  return own<string>("captable:date", { type: "string", format: "date", examples: ["2026-01-15"] }, doc);
}

/** A timestamp with its offset, RFC 3339. */
export function instant(doc?: Doc) {
  const examples = ["2026-01-15T14:30:00Z"];
  return own<string>("captable:instant", { type: "string", format: "date-time", examples }, doc);
}

/** The id of a record: a UUID when made here, any string of 1 to 255 characters when it came by OCF import. */
export function id(doc?: Doc) {
  const examples = ["0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d6e"];
  return own<string>("captable:text", { type: "string", minLength: 1, maxLength: 255, examples }, doc);
}

/** An email address, up to 254 characters. */
export function email(doc?: Doc) {
  return own<string>("captable:email", { type: "string", format: "email", minLength: 1, maxLength: 254 }, doc);
}

/** A country's two capital letters (ISO 3166-1 alpha-2). */
export function country(doc?: Doc) {
  return own<string>("captable:country", { type: "string", pattern: "^[A-Z]{2}$", examples: ["US"] }, doc);
}

/** A currency's three capital letters (ISO 4217). */
export function currency(doc?: Doc) {
  return own<string>("captable:currency", { type: "string", pattern: "^[A-Z]{3}$", examples: ["USD"] }, doc);
}

/** One of the given words. */
export function oneOf<const T extends readonly string[]>(words: T, doc?: Doc) {
  return own<T[number]>("captable:enum", { type: "string", enum: words }, doc);
}

/** A whole number within bounds. */
export function integer(minimum: number, doc?: Doc) {
  return Type.Integer({ minimum, maximum: Number.MAX_SAFE_INTEGER, ...doc });
}

/** Any JSON object up to 16 KiB, or as many bytes as `x-bytes-max` of `doc` says, kept as sent. */
export function freeObject(doc?: Doc) {
  return own<Record<string, unknown>>("captable:free-object", { type: "object", additionalProperties: true }, doc);
}

/** A list without repetitions. */
export function listOf<T extends TSchema>(item: T, doc?: Doc & Pick<ArrayOptions, "minItems" | "maxItems">) {
  return Type.Array(item, { uniqueItems: true, ...doc });
}

/** `schema` or null. */
export function nullable<T extends TSchema>(schema: T) {
  return Type.Union([schema, Type.Null()]);
}

/** An optional member of a create body: null means not given, and `PATCH` with null clears it. */
export function optional<T extends TSchema>(schema: T) {
  return Type.Optional(nullable(schema));
}

/** An optional member with a default: null is refused. */
export function defaulted<T extends TSchema>(schema: T, value: Static<T>) {
  return Type.Optional({ ...schema, default: value } as T);
}

/** Marks an extension of the interface, for the API reference. */
export const EXTENSION = { "x-extension": true } as const;

/** A strict object: a member that it does not name is refused. */
export function body<T extends TProperties>(properties: T, doc?: Doc): TObject<T> {
  return Type.Object(properties, { additionalProperties: false, ...doc });
}

/** The `PATCH` body that belongs to a create body: the same members, all optional, defaults not applied. */
export function patchOf<T extends TProperties>(create: TObject<T>, doc?: Doc) {
  const members = Object.entries(create.properties).map(([name, { default: _default, ...schema }]) => [name, schema]);
  const withoutDefaults = { ...create, properties: Object.fromEntries(members) } as TObject<T>;
  return Type.Partial(withoutDefaults, { additionalProperties: false, ...doc });
}

/** Every member present: defaults applied, and null for what was not given. */
export type Complete<T> = { [K in keyof T]-?: Exclude<T[K], undefined> };

/** Completes a validated create body with its schema's defaults, and null for each member not given. */
export function complete<S extends TObject>(schema: S, given: Static<S>): Complete<Static<S>> {
  const completed: Record<string, unknown> = {};
  const values = given as Readonly<Record<string, unknown>>;
  for (const [name, member] of Object.entries(schema.properties)) {
    completed[name] = values[name] ?? member.default ?? null;
  }
  return completed as Complete<Static<S>>;
}
