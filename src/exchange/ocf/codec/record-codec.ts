// The interface of a record codec: a kind's table, its name in messages, the columns that OCF carries, its references,
// and both directions. A kind is one file and one line in registry.ts.
import type { Columns, Row } from "../../../storage/database/sql.ts";
import type { JsonObject } from "../json.ts";
import type { Counted } from "./counted.ts";
import type { Note } from "./values-to-ocf.ts";

/** The tables whose rows are OCF objects. */
export type CodecTable =
  | "stakeholders"
  | "share_classes"
  | "equity_plans"
  | "stock_legends"
  | "vesting_terms"
  | "valuations"
  | "documents";

/** The subjects of a document, as OCF names them. */
export interface RelatedObject {
  readonly objectType: string;
  readonly objectId: string;
}

/** The context of a record besides its object. */
export interface RecordContext {
  /** Of a class: its rank among the package's, 1 is most senior. */
  readonly seniority: number;
  /** The organization's, for a class whose amounts name none. */
  readonly currency: string;
}

/** The context of an object besides its record. */
export interface ObjectContext {
  /** Called with every default that OCF forces and with whatever has no OCF form. */
  readonly note: Note;
  /** Stands in for the class of a plan that names none; null where there is no class. */
  readonly defaultClassId: string | null;
  /** OCF's figure for the rank of a class, and its authorized shares at creation: later figures are adjustments. */
  seniorityOf(row: Row<"share_classes">): string;
  initialAuthorized(row: Row<"share_classes">): string;
  /** The reserve of a plan at creation. */
  initialReserve(row: Row<"equity_plans">): string;
  /** The currencies of amounts. */
  currencyOfClass(row: Row<"share_classes">): string;
  currencyOfValuation(row: Row<"valuations">): string;
  /** The document's subjects, of those that the package holds. */
  relatedTo(row: Row<"documents">): readonly RelatedObject[];
}

/** A column that names a record, or as a list several. */
export interface Reference {
  readonly column: string;
  readonly table: CodecTable;
  /** OCF's member. */
  readonly member: string;
}

/** A kind of record in OCF. */
export interface RecordCodec<T extends CodecTable> {
  readonly objectType: string;
  readonly table: T;
  /** Messages' name of the kind. */
  readonly noun: string;
  /** As what an import counts it. */
  readonly counted: Counted;
  /** The columns that OCF carries: a change of one of them changes the exported object. */
  readonly columns: readonly (keyof Row<T> & string)[];
  readonly references: readonly Reference[];
  /** The columns of an object's record. Throws `Refusal` if a required value is missing. */
  fromOcf(value: JsonObject, context: RecordContext): Columns;
  /** Why a record has no OCF form; null where it has one. */
  whyNot?(row: Row<T>, context: ObjectContext): string | null;
  /** The object of a record. */
  toOcf(row: Row<T>, context: ObjectContext): JsonObject;
}
