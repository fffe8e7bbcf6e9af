// TypeBox schemas for the OpenAPI document: plain JSON Schema 2020-12, with references to the records, bodies and
// results that have a name of their own.
import type { TObject, TSchema } from "@sinclair/typebox";
import { DECIMAL_PATTERN } from "../../../kernel/numbers/decimal.ts";
import { isWrapped } from "../../../kernel/wrapped.ts";

/** A JSON Schema, or any other part of the document, as plain JSON. */
export type Json = Readonly<Record<string, unknown>>;

const POSITIVE_DECIMAL_PATTERN = DECIMAL_PATTERN.replace("^", "^(?=.*[1-9])");

/** The named schemas of a document. A schema is named once, by identity, and then shown as a `$ref` wherever it stands. */
export class SchemaBook {
  readonly #names = new Map<TSchema, string>();

  /** Names a schema. A name or a schema that is taken stays as it is. */
  name(name: string, schema: TSchema): void {
    if (this.#names.has(schema) || [...this.#names.values()].includes(name)) return;
    this.#names.set(schema, name);
  }

  /** The schema as it stands in an operation: a reference where it has a name. */
  show(schema: TSchema): Json {
    const name = this.#names.get(schema);
    return name === undefined ? this.#spell(schema) : { $ref: `#/components/schemas/${name}` };
  }

  /** Every named schema, spelled out, for `components.schemas`. Only answers are named. */
  components(): Record<string, Json> {
    const shown = ([schema, name]: [TSchema, string]) =>
      [name, withNullExplained(withoutLengths(this.#spell(schema)), "Null if there is no value.")] as const;
    return Object.fromEntries([...this.#names].map(shown));
  }

  #spell(schema: TSchema): Json {
    if (Array.isArray(schema.anyOf)) return this.#spellUnion(schema);
    const { "x-line-breaks": _breaks, "x-name": _name, "x-positive": isPositive, properties, items, ...rest } = schema;
    const shown: Record<string, unknown> = { ...rest };
    if (isPositive === true) shown.pattern = POSITIVE_DECIMAL_PATTERN;
    if (items) shown.items = this.show(items as TSchema);
    if (properties) {
      const members = Object.entries((schema as TObject).properties);
      shown.properties = Object.fromEntries(members.map(([name, member]) => [name, this.show(member)]));
    }
    return shown;
  }

  /** `X or null` becomes `type: [X, "null"]` for a scalar, `anyOf` otherwise; the words about X stay on the outside. */
  #spellUnion(schema: TSchema): Json {
    const { anyOf, ...words } = schema;
    const members = (anyOf as TSchema[]).map((member) => this.show(member));
    const [first = {}, second] = members;
    if (members.length !== 2 || second?.type !== "null") return { ...words, anyOf: members };
    if (typeof first.type === "string" && first.type !== "object" && first.type !== "array") {
      const nullableEnum = Array.isArray(first.enum) ? { enum: [...first.enum, null] } : {};
      return { ...first, ...words, type: [first.type, "null"], ...nullableEnum };
    }
    const { description, "x-extension": isExtension, ...inner } = first;
    const outer = { ...(description ? { description } : {}), ...(isExtension ? { "x-extension": isExtension } : {}) };
    return { ...outer, ...words, anyOf: [inner, second] };
  }
}

/** Says of each member that may be null what null means there, where nothing says so yet. */
export function withNullExplained(schema: Json, words: string): Json {
  const explained: Record<string, unknown> = { ...schema };
  if (isObject(schema.properties)) {
    const members = Object.entries(schema.properties).map(([name, member]) => [name, explainedMember(member, words)]);
    explained.properties = Object.fromEntries(members);
  }
  if (isObject(schema.items)) explained.items = withNullExplained(schema.items, words);
  if (Array.isArray(schema.anyOf)) explained.anyOf = schema.anyOf.map((each: Json) => withNullExplained(each, words));
  return explained;
}

function explainedMember(member: unknown, words: string): unknown {
  if (!isObject(member)) return member;
  const explained = withNullExplained(member, words);
  const { type, anyOf, description } = member;
  const isNullable =
    (Array.isArray(type) && type.includes("null")) ||
    (Array.isArray(anyOf) && anyOf.some((each: Json) => each.type === "null"));
  if (!isNullable || /\bnull\b/i.test(String(description ?? ""))) return explained;
  return { ...explained, description: [description, words].filter(Boolean).join(" ") };
}

function isObject(value: unknown): value is Json {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Limits of bodies that answers may exceed: an imported record's texts are as long as they came. */
function withoutLengths(schema: Json): Json {
  const isLength = (key: string) => key === "minLength" || key === "maxLength" || key === "minItems";
  return JSON.parse(JSON.stringify(schema), (key, value) => (isLength(key) ? undefined : value));
}

/** A route's operation id with a capital. */
export function pascal({ operationId }: { readonly operationId: string }): string {
  return operationId.charAt(0).toUpperCase() + operationId.slice(1);
}

/** The schema inside `{ "data": … }` when that is all there is and it is an object; else the schema itself. */
export function unwrap(schema: TSchema): TSchema {
  const members = membersOf(schema);
  return isWrapped(members) && members.data.type === "object" ? members.data : schema;
}

/** The record of a list answer, whether its array is `items` or `data`; null when `schema` is no list. */
export function listedIn(schema: TSchema): TSchema | null {
  const members = membersOf(schema);
  const array = members.items ?? members.data;
  return members.nextCursor && array?.type === "array" ? (array.items as TSchema) : null;
}

/** An object schema's members; none for any other schema. */
export function membersOf(schema: TSchema | undefined): Readonly<Record<string, TSchema>> {
  return (schema?.properties ?? {}) as Readonly<Record<string, TSchema>>;
}
