// Conversion of rows to answers and back. The record's schema decides each column's form, so that an answer cannot
// differ from its documentation: objects and arrays are JSON text, booleans 0 or 1, other values unchanged.
import { Kind, OptionalKind, type TObject, type TSchema, Type } from "@sinclair/typebox";
import { type Doc, EXTENSION, id, oneOf } from "../kernel/fields.ts";
import { organizationCurrency } from "../ledger/store.ts";
import type { RecordShape } from "../storage/database/record-json.ts";
import type { Reader, SqlValue } from "../storage/database/sql.ts";

type Decode = (value: unknown) => unknown;

/** The schema itself, or the non-null part of a nullable one. */
function innerOf(schema: TSchema): TSchema {
  return schema[Kind] === "Union" ? schema.anyOf[0] : schema;
}

function decoderOf(schema: TSchema): Decode {
  const inner = innerOf(schema);
  if (inner.type === "boolean") return (value) => value === 1;
  if (inner.type === "array" || inner.type === "object") {
    return (value) => (typeof value === "string" ? (value === "[]" ? [] : JSON.parse(value)) : (value ?? null));
  }
  return (value) => value ?? null;
}

/** Makes the function that shows a row as its record: the schema's members, in the schema's order. */
export function presenter(record: TObject): (row: Readonly<Record<string, unknown>>) => Record<string, unknown> {
  const decoders = () => Object.entries(record.properties).map(([name, schema]) => [name, decoderOf(schema)] as const);
  let members: ReturnType<typeof decoders> | null = null;
  return (row) => {
    members ??= decoders();
    const shown: Record<string, unknown> = {};
    for (const [name, decode] of members) shown[name] = decode(row[name]);
    return shown;
  };
}

/** A record's currency in answers; an import may have brought one that ISO 4217 does not know. */
export function shownCurrency(description: string) {
  return Type.String({ pattern: "^[A-Z]{3}$", description, examples: ["USD"], ...EXTENSION });
}

/** The row as shown: a record without a currency of its own has its organization's. */
export function withCurrency<R extends object>(db: Reader, row: R): R {
  if (!("currency" in row && "orgId" in row) || row.currency !== null) return row;
  return { ...row, currency: organizationCurrency(db, String(row.orgId)) };
}

/** The shape in which SQLite itself can write the record, from the same schema as {@link presenter}. */
export function shapeOf(record: TObject): RecordShape {
  const kinds = Object.entries(record.properties).map(([name, schema]) => {
    if (name === "currency") return [name, "currency"] as const;
    const { type } = innerOf(schema);
    return [name, type === "boolean" ? "boolean" : type === "array" || type === "object" ? "json" : "plain"] as const;
  });
  return Object.fromEntries(kinds);
}

/** A body's members as column values: objects and arrays become JSON text, booleans 0 or 1; absent ones stay absent. */
export function toColumns(members: Readonly<Record<string, unknown>>): Record<string, SqlValue> {
  const columns: Record<string, SqlValue> = {};
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined) continue;
    if (typeof value === "boolean") columns[name] = value ? 1 : 0;
    else if (typeof value === "object" && value !== null) columns[name] = JSON.stringify(value);
    else columns[name] = value as SqlValue;
  }
  return columns;
}

/** An instant, as answers show it. */
export function timestamp(doc?: Doc) {
  return Type.String({ format: "date-time", examples: ["2026-01-15T14:30:00.000Z"], ...doc });
}

/** Whether a person checked a record; only `PATCH` sets it. */
export const VERIFICATION_STATUS = oneOf(["UNVERIFIED", "VERIFIED"]);

/** The members that every record has around its own. */
export const RECORD_HEAD = {
  id: id({ description: "Identifies the record." }),
  orgId: id({ description: "The organization that it belongs to." }),
};
export const RECORD_TAIL = {
  createdAt: timestamp({ description: "When it was made." }),
  updatedAt: timestamp({ description: "When it last changed." }),
};

/**
 * The answer's form of create-body members: every one present, null if it may be unset. `additive` names those whose
 * return in answers is an extension; without it, they are the body's own extensions.
 */
export function shown(
  properties: Readonly<Record<string, TSchema>>,
  additive?: readonly string[],
): Record<string, TSchema> {
  const always: Record<string, TSchema> = {};
  for (const [name, { default: _default, [OptionalKind]: _optional, ...schema }] of Object.entries(properties)) {
    always[name] = additive ? markExtension(schema as TSchema, additive.includes(name)) : (schema as TSchema);
  }
  return always;
}

function markExtension({ "x-extension": _mark, ...schema }: TSchema, isExtension: boolean): TSchema {
  if (schema[Kind] !== "Union") return { ...schema, ...(isExtension ? EXTENSION : {}) } as TSchema;
  const [inner, ...others] = schema.anyOf as [TSchema, ...TSchema[]];
  return { ...schema, anyOf: [markExtension(inner, isExtension), ...others] } as TSchema;
}
