// The columns of rows that are records: holders, classes, plans, vesting terms and valuations. A column of the template
// with a `member` is read and compared by its kind; an entry here says of another what it becomes.

import type { Row } from "../../../storage/database/sql.ts";
import { type Names, plain, type Said } from "../compare/made.ts";
import { type FieldKind, type Target, TEMPLATE, type TemplateColumn } from "../file/template.ts";
import { said } from "../rows/read-field.ts";
import { soughtIn } from "../rows/row.ts";
import { asList, asText, asWhole, asYesNo, columnsOf, composed, type Read, type Written } from "./column.ts";

/** A recorded value; several if each is as good. Null: the record has none. Undefined: not to be compared. */
type Value = string | null | undefined | readonly (string | null)[];

/** A column of a record, in both directions. */
export interface RecordColumn<R> extends Written {
  /** The recorded value; of a list its parts sorted, of a reference its id. */
  readonly recorded: (record: R) => Value;
  /** How the preview shows it, if not as it is compared: by names. */
  readonly shown?: (record: R, names: Names) => Said | null;
  /** By this the record of a row is found: an existing one has the same. */
  readonly isKey?: boolean;
  /** Its cell has names of other records, and the body their ids. */
  readonly isReference?: boolean;
}

type RecordColumns<R> = Readonly<Record<string, RecordColumn<R>>>;

const DISPLAY_NAME_MAX = 100;

const parsed = (list: string) => JSON.parse(list) as string[];

function nameOf({ name }: Row<"stakeholders">, member: string): string | null {
  return (JSON.parse(name) as Readonly<Record<string, string | null>>)[member] ?? null;
}

/** Parts of a list in an order that two lists can be compared in. */
export function listText(parts: readonly string[]): string {
  return [...parts].sort().join(";");
}

/** A stored list of ids. */
export function idsText(list: string): string {
  return listText(parsed(list));
}

/** Text that is required: a row without it was reported when it was read. */
const asName: Read = (row, field) => said(row, field) ?? "";
const displayed: Read = (row, field) =>
  said(row, field) ?? [...(said(row, "holder") ?? "")].slice(0, DISPLAY_NAME_MAX).join("");

const stakeholders: RecordColumns<Row<"stakeholders">> = {
  holder: { member: "name.legalName", read: asName, recorded: (row) => nameOf(row, "legalName") },
  holderEmail: { member: null, read: composed, recorded: ({ email }) => email },
  displayName: { member: "displayName", read: displayed, recorded: ({ displayName }) => displayName },
  email: { member: "email", read: (row) => soughtIn(row).email, recorded: ({ email }) => email },
};

const shareClasses: RecordColumns<Row<"share_classes">> = {
  class: { member: "name", read: asName, isKey: true, recorded: ({ name }) => name },
  prefix: {
    member: "defaultIdPrefix",
    read: asName,
    recorded: ({ defaultIdPrefix }) => defaultIdPrefix,
  },
  authorized: {
    member: "initialSharesAuthorized",
    read: asText,
    recorded: (row) => [row.initialSharesAuthorized, row.currentSharesAuthorized],
  },
  legends: {
    member: "stockLegendIds",
    read: composed,
    isReference: true,
    recorded: ({ stockLegendIds }) => idsText(stockLegendIds),
    shown: ({ stockLegendIds }, names) => names.legends(parsed(stockLegendIds)),
  },
};

const equityPlans: RecordColumns<Row<"equity_plans">> = {
  plan: { member: "planName", read: asName, isKey: true, recorded: ({ planName }) => planName },
  reserved: {
    member: "initialSharesReserved",
    read: asText,
    recorded: (row) => [row.initialSharesReserved, row.totalSharesReserved],
  },
  classes: {
    member: "stockClassIds",
    read: composed,
    isReference: true,
    recorded: ({ stockClassIds }) => idsText(stockClassIds),
    shown: ({ stockClassIds }, names) => names.classes(parsed(stockClassIds)),
  },
};

/** What the schedule of terms says; undefined if it does not. */
function scheduled({ schedule }: Row<"vesting_terms">, member: string): string | undefined {
  const value = schedule === null ? null : (JSON.parse(schedule) as Readonly<Record<string, unknown>>)[member];
  return value == null ? undefined : String(value);
}

const vestingTerms: RecordColumns<Row<"vesting_terms">> = {
  terms: { member: "name", read: asName, isKey: true, recorded: ({ name }) => name },
  months: { member: "schedule", read: composed, recorded: (row) => scheduled(row, "totalMonths") },
  cliffMonths: { member: "schedule", read: composed, recorded: (row) => scheduled(row, "cliffMonths") },
  frequency: { member: "schedule", read: composed, recorded: (row) => scheduled(row, "vestingFrequency") },
};

const valuations: RecordColumns<Row<"valuations">> = {
  type: { member: "type", read: asName, isKey: true, recorded: ({ type }) => type },
  class: {
    member: "stockClassId",
    read: composed,
    isKey: true,
    isReference: true,
    recorded: ({ stockClassId }) => stockClassId,
    shown: ({ stockClassId }, names) => names.stockClass(stockClassId),
  },
  price: { member: "pricePerShare", read: asName, isKey: true, recorded: ({ pricePerShare }) => pricePerShare },
  effective: { member: "effectiveDate", read: asName, isKey: true, recorded: ({ effectiveDate }) => effectiveDate },
  status: {
    member: "status",
    read: (row, field) => said(row, field) ?? "APPROVED",
    recorded: ({ status }) => status,
  },
};

/** How a cell of each kind is read. */
const READS: Readonly<Partial<Record<FieldKind, Read>>> = { integer: asWhole, "yes-no": asYesNo, list: asList };

/** The column of a member that its cell becomes as it stands. */
function memberColumn<R extends object>({ kind, member }: TemplateColumn): RecordColumn<R> | undefined {
  if (member === undefined) return undefined;
  const [name = "", ...inner] = member.split(".");
  const stored = (row: R) => {
    const value = (row as Readonly<Record<string, string | number | null>>)[name] ?? null;
    if (value === null || inner.length === 0) return value;
    return (JSON.parse(String(value)) as Readonly<Record<string, string | null>>)[inner.join(".")] ?? null;
  };
  const column = { member, read: READS[kind] ?? asText };
  if (kind === "list") {
    const list = (row: R) => String(stored(row) ?? "[]");
    return { ...column, recorded: (row) => idsText(list(row)), shown: (row) => plain(parsed(list(row)).join(";")) };
  }
  if (kind === "yes-no") return { ...column, recorded: (row) => (stored(row) === 1 ? "true" : "false") };
  return { ...column, recorded: (row) => (stored(row) === null ? null : String(stored(row))) };
}

/** The columns of a sheet, those that are not given by their members; in the template's order. */
function ofSheet<R extends object>(to: Target, own: RecordColumns<R>, others: readonly string[] = []) {
  const sheet = TEMPLATE.find((each) => each.to === to)?.columns ?? [];
  const all = sheet.flatMap((column) => {
    const found = own[column.field] ?? memberColumn<R>(column);
    return found ? [[column.field, found] as const] : [];
  });
  return columnsOf(to, { ...Object.fromEntries(all), ...own }, others);
}

/** The columns of each kind of record, by the table that it is stored in. */
const OF_TABLE = {
  stakeholders: ofSheet("stakeholders", stakeholders, ["holderEmail"]),
  share_classes: ofSheet("share-classes", shareClasses),
  equity_plans: ofSheet("equity-plans", equityPlans),
  vesting_terms: ofSheet("vesting-terms", vestingTerms),
  valuations: ofSheet("valuations", valuations),
} as const;

/** A table whose records rows make, and are compared with. */
export type RecordTable = keyof typeof OF_TABLE;

/** The columns of a table's rows. */
export function recordColumns(table: RecordTable): Readonly<Record<string, RecordColumn<Row<RecordTable>>>> {
  return OF_TABLE[table] as Readonly<Record<string, RecordColumn<Row<RecordTable>>>>;
}
