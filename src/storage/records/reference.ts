// References between records: the field's schema names the table, hidden from JSON and the API's document.
import { Kind, type TSchema } from "@sinclair/typebox";
import { type Doc, id } from "../../kernel/fields.ts";

const REFERS: unique symbol = Symbol("refers to");

/** The tables that bodies refer to. */
export type Referred = "documents" | "share_classes" | "stock_legends";

/** The id of a record of this table: an unknown id is a `404`. */
export function refersTo(table: Referred, doc?: Doc) {
  return { ...id(doc), [REFERS]: table };
}

/** The table that a member refers to, also if it may be null or is a list; null if it is not a reference. */
export function referenceOf(schema: TSchema): Referred | null {
  const inner: TSchema = schema[Kind] === "Union" ? schema.anyOf[0] : schema[Kind] === "Array" ? schema.items : schema;
  return REFERS in inner ? (inner[REFERS] as Referred) : null;
}
