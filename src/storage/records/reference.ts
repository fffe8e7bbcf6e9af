// Members that name another record: the table stands with the field, where neither JSON nor the API's document shows it.
import { Kind, type TSchema } from "@sinclair/typebox";
import { type Doc, id } from "../../kernel/fields.ts";

const REFERS: unique symbol = Symbol("refers to");

/** The tables whose records others name in their bodies. */
export type Referred = "documents" | "share_classes" | "stock_legends";

/** The id of a record of this table: one that names nothing is a `404`. */
export function refersTo(table: Referred, doc?: Doc) {
  return { ...id(doc), [REFERS]: table };
}

/** The table that a member refers to, also where it may be null or is a list; null where it refers to nothing. */
export function referenceOf(schema: TSchema): Referred | null {
  const inner: TSchema = schema[Kind] === "Union" ? schema.anyOf[0] : schema[Kind] === "Array" ? schema.items : schema;
  return REFERS in inner ? (inner[REFERS] as Referred) : null;
}
