// References of a batch: what stands for a text that an earlier operation will answer.
import { Kind, type TObject, type TSchema } from "@sinclair/typebox";
import { isWrapped } from "../../kernel/wrapped.ts";
import { NAME } from "./batch-schema.ts";

/** The operation that is referred to, and the member of its answer. */
export interface Reference {
  readonly name: string;
  readonly member: string;
}

const REFERENCE = new RegExp(`^(${NAME})\\.([A-Za-z][A-Za-z0-9]*)$`);
const SEGMENT = /^\{(.*)\}$/;

/** Reads `name.member`; null if it has another form. */
export function readReference(text: string): Reference | null {
  const [, name, member] = REFERENCE.exec(text) ?? [];
  return name === undefined || member === undefined ? null : { name, member };
}

/** The text between the braces of a path's segment; null for any other segment. */
export function segmentReference(segment: string): string | null {
  return SEGMENT.exec(segment)?.[1] ?? null;
}

/** What a reference becomes; `path` is its JSON Pointer. */
export type Resolve = (text: string, path: string) => unknown;

/**
 * The body with its references resolved: in each object of the one member `$ref` that is a text. Inside a free object,
 * which is kept as sent, nothing is a reference.
 */
export function withReferences(value: unknown, schema: TSchema, resolve: Resolve): unknown {
  return replace(value, [schema], "", resolve);
}

function replace(value: unknown, schemas: readonly TSchema[], path: string, resolve: Resolve): unknown {
  if (typeof value !== "object" || value === null) return value;
  const known = schemas.flatMap(variantsOf);
  if (known.some((schema) => schema[Kind] === "captable:free-object")) return value;
  if (Array.isArray(value)) {
    const items = known.flatMap(({ items: each }) => (each ? [each as TSchema] : []));
    return value.map((item, at) => replace(item, items, `${path}/${at}`, resolve));
  }
  const entries = Object.entries(value);
  const [only] = entries;
  if (entries.length === 1 && only?.[0] === "$ref" && typeof only[1] === "string") return resolve(only[1], path);
  return Object.fromEntries(
    entries.map(([name, member]) => {
      const members = known.flatMap((schema) => propertiesOf(schema, name));
      return [name, replace(member, members, `${path}/${escaped(name)}`, resolve)];
    }),
  );
}

function variantsOf(schema: TSchema): readonly TSchema[] {
  const { anyOf } = schema as { readonly anyOf?: readonly TSchema[] };
  return anyOf ? anyOf.flatMap(variantsOf) : [schema];
}

function propertiesOf(schema: TSchema, name: string): readonly TSchema[] {
  const { properties } = schema as Partial<TObject>;
  return properties && Object.hasOwn(properties, name) ? [properties[name] as TSchema] : [];
}

function escaped(name: string): string {
  return name.replaceAll("~", "~0").replaceAll("/", "~1");
}

/** The members of an answer: of `data` where that is all of it. */
export function answeredMembers(json: unknown): Readonly<Record<string, unknown>> {
  const members = (json ?? {}) as Readonly<Record<string, unknown>>;
  const { data } = members;
  const isInside = isWrapped(members) && typeof data === "object" && data !== null;
  return (isInside ? data : members) as Readonly<Record<string, unknown>>;
}

/** Whether a route's answer has a text as this member. */
export function answersText(response: TSchema | undefined, member: string): boolean {
  const { properties } = (response ?? {}) as Partial<TObject>;
  if (!properties) return false;
  const inner = isWrapped(properties) ? properties.data : response;
  const [schema] = inner ? propertiesOf(inner, member) : [];
  return schema !== undefined && variantsOf(schema).some(({ type }) => type === "string");
}
