// Registers: how the records of a kind are listed, filtered, asked for and filed, declared once beside their fields.
// Reports take the columns of a sheet from here; pages take list, filters, form and words, which `.ci/api-registers.ts`
// writes to `web/api/registers.ts`.
import { Kind, OptionalKind, type TProperties, type TSchema } from "@sinclair/typebox";
import { referenceOf } from "./reference.ts";

/** How a member is asked for and shown, as its schema says. */
export type MemberKind = "text" | "long" | "choice" | "many" | "day" | "decimal" | "whole" | "check" | "class";

/** A field of a form, by the member that it fills. What its schema does not say stands here. */
export interface FormField {
  /** Its label and further texts; without a label the usual one of its member. */
  readonly label?: string;
  readonly hint?: string;
  readonly unit?: string;
  readonly suffix?: string;
  readonly empty?: string;
  /** Whether it may stay empty, if the form wants another answer than the schema. */
  readonly isOptional?: boolean;
  /** Whether it stands beside the field before. */
  readonly isBeside?: boolean;
  /** Asked for a new record alone, or where a record is changed alone. */
  readonly isForNew?: boolean;
  readonly isForChanges?: boolean;
}

/** A column of the workbook's sheet and its CSV, by its key. */
export interface SheetColumn {
  readonly header: string;
  /** The member that it shows, `name.legalName` for one within another; by default the key. */
  readonly member?: string;
  /** Whether the decimal is an amount of money. */
  readonly isMoney?: boolean;
}

/** A register. Each part names its entries in the order in which people see them. */
export interface Register {
  /** The title of its page, and what an empty list says. */
  readonly title: string;
  readonly none: string;
  /** Whether it has a page by itself, at `registers/{name}`, which shows what is declared here and no more. */
  readonly hasOwnPage?: boolean;
  /** The headings of the list's columns, by member or by a name that the page draws itself. */
  readonly list: Readonly<Record<string, string>>;
  /** The labels of the list's filters, by member or by a name that the page answers itself. */
  readonly filters?: Readonly<Record<string, string>>;
  /** The form's fields under its headings. */
  readonly form?: Readonly<Record<string, Readonly<Record<string, FormField>>>>;
  readonly sheet?: Readonly<Record<string, SheetColumn>>;
}

/** The schema of a member, without null; undefined if the record has no such member. */
export function schemaAt(fields: TProperties, path: string): TSchema | undefined {
  let properties = fields;
  let found: TSchema | undefined;
  for (const part of path.split(".")) {
    found = part === "0" ? found?.items : properties[part];
    properties = innerOf(found)?.properties ?? {};
  }
  return found;
}

/** A schema without null. */
export function innerOf(schema: TSchema | undefined): TSchema | undefined {
  return schema?.[Kind] === "Union" ? schema.anyOf[0] : schema;
}

/** How a member is asked for and shown. */
export function kindOf(schema: TSchema): MemberKind {
  const inner = innerOf(schema) ?? schema;
  if (inner.enum) return "choice";
  if (inner.type === "array") return "many";
  if (inner.type === "boolean") return "check";
  if (inner.type === "integer") return "whole";
  if (inner.format === "date") return "day";
  if (inner[Kind] === "captable:decimal") return "decimal";
  if (referenceOf(schema) === "share_classes") return "class";
  return inner["x-line-breaks"] === true ? "long" : "text";
}

/** The values of a choice, or of each of a list; undefined without an enumeration. */
export function choicesOf(schema: TSchema): readonly string[] | undefined {
  const inner = innerOf(schema) ?? schema;
  return inner.enum ?? inner.items?.enum;
}

/** Whether a member may be left out, and has then no value or an empty list. */
export function mayStayEmpty(schema: TSchema): boolean {
  return OptionalKind in schema && (schema.default === undefined || Array.isArray(schema.default));
}
