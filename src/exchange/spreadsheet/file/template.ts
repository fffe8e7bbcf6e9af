// The template: its sheets and columns, in one list that the file itself is written from, too.
import columns from "../assets/template-columns.json" with { type: "json" };
import { folded } from "../rows/cell-values.ts";

/** The type of a column. */
export type FieldKind = "text" | "quantity" | "money" | "percent" | "date" | "integer" | "yes-no" | "list" | "enum";

/** A column of the template. */
export interface TemplateColumn {
  readonly header: string;
  readonly field: string;
  /**
   * The member of the record that its cell becomes, `name.firstName` for one within another; left out where the codec
   * says more than that.
   */
  readonly member?: string;
  readonly kind: FieldKind;
  readonly required: boolean;
  readonly allowed?: readonly string[];
  readonly note?: string;
}

/** The kind of a sheet's rows. */
export const TARGETS = [
  "stakeholders",
  "share-classes",
  "equity-plans",
  "vesting-terms",
  "stock",
  "options",
  "warrants",
  "convertibles",
  "valuations",
  "events",
] as const;
export type Target = (typeof TARGETS)[number];

/** A sheet of the template. */
export interface TemplateSheet {
  readonly sheet: string;
  readonly to: Target;
  readonly columns: readonly TemplateColumn[];
}

/** The sheets, in order. */
export const TEMPLATE: readonly TemplateSheet[] = columns.template.sheets as readonly TemplateSheet[];

/** Fields of records that hold a list of words, and not of names of other records. */
export const WORD_LISTS: ReadonlySet<string> = new Set(
  TEMPLATE.flatMap((sheet) => sheet.columns.filter(({ kind, member }) => kind === "list" && member !== undefined)).map(
    ({ field }) => field,
  ),
);

/** The sheet of the template with this name, in any case and spacing. */
export function templateSheet(name: string): TemplateSheet | null {
  return TEMPLATE.find(({ sheet }) => folded(sheet) === folded(name)) ?? null;
}

const OF_SECURITIES = ["outstanding", "vested", "holderEmail", "holderType"];

/** Fields that only mappings have, by the kind of row. */
const ADDITIONAL: ReadonlyMap<string, readonly string[]> = new Map([
  ["stock", OF_SECURITIES],
  ["options", OF_SECURITIES],
  ["warrants", OF_SECURITIES],
  ["convertibles", OF_SECURITIES.filter((field) => field !== "vested")],
  ["equity-plans", ["available", "outstandingTotal"]],
  ["share-classes", ["outstandingTotal"]],
  ["stakeholders", ["holderEmail"]],
]);

/** Whether a field is one of those that only mappings have. */
export function isAdditional(to: string, field: string): boolean {
  return ADDITIONAL.get(to)?.includes(field) === true;
}
