// The columns of rows that are records: holders, classes, plans, vesting terms and valuations. A new column of the
// template is an entry here, and nowhere else.

import type { Row } from "../../../storage/database/sql.ts";
import { type Names, plain, type Said } from "../compare/made.ts";
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

const yesNo = (bit: 0 | 1) => (bit === 1 ? "true" : "false");
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
  firstName: { member: "name.firstName", read: asText, recorded: (row) => nameOf(row, "firstName") },
  lastName: { member: "name.lastName", read: asText, recorded: (row) => nameOf(row, "lastName") },
  type: { member: "type", read: asText, recorded: ({ type }) => type },
  relationships: {
    member: "relationships",
    read: asList,
    recorded: ({ relationships }) => idsText(relationships),
    shown: (row) => plain(parsed(row.relationships).join(";")),
  },
  email: { member: "email", read: (row) => soughtIn(row).email, recorded: ({ email }) => email },
  holderNumber: { member: "issuerAssignedId", read: asText, recorded: ({ issuerAssignedId }) => issuerAssignedId },
  status: { member: "status", read: asText, recorded: ({ status }) => status },
  comments: { member: "comments", read: asText, recorded: ({ comments }) => comments },
};

const shareClasses: RecordColumns<Row<"share_classes">> = {
  class: { member: "name", read: asName, isKey: true, recorded: ({ name }) => name },
  classType: { member: "classType", read: asText, recorded: ({ classType }) => classType },
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
  votes: { member: "votesPerShare", read: asText, recorded: ({ votesPerShare }) => votesPerShare },
  seniority: { member: "seniority", read: asWhole, recorded: ({ seniority }) => String(seniority) },
  parValue: { member: "parValue", read: asText, recorded: ({ parValue }) => parValue },
  issuePrice: { member: "pricePerShare", read: asText, recorded: ({ pricePerShare }) => pricePerShare },
  liquidationMultiple: {
    member: "liquidationPreferenceMultiple",
    read: asText,
    recorded: ({ liquidationPreferenceMultiple }) => liquidationPreferenceMultiple,
  },
  participating: {
    member: "isParticipating",
    read: asYesNo,
    recorded: ({ isParticipating }) => yesNo(isParticipating),
  },
  participationCap: {
    member: "participationCapMultiple",
    read: asText,
    recorded: ({ participationCapMultiple }) => participationCapMultiple,
  },
  boardApproval: { member: "boardApprovalDate", read: asText, recorded: ({ boardApprovalDate }) => boardApprovalDate },
  stockholderApproval: {
    member: "stockholderApprovalDate",
    read: asText,
    recorded: ({ stockholderApprovalDate }) => stockholderApprovalDate,
  },
  comments: { member: "comments", read: asText, recorded: ({ comments }) => comments },
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
  planType: { member: "planType", read: asText, recorded: ({ planType }) => planType },
  adopted: { member: "adoptedDate", read: asText, recorded: ({ adoptedDate }) => adoptedDate },
  expires: { member: "expirationDate", read: asText, recorded: ({ expirationDate }) => expirationDate },
  cancellation: {
    member: "defaultCancellationBehavior",
    read: asText,
    recorded: ({ defaultCancellationBehavior }) => defaultCancellationBehavior,
  },
  boardApproval: { member: "boardApprovalDate", read: asText, recorded: ({ boardApprovalDate }) => boardApprovalDate },
  stockholderApproval: {
    member: "stockholderApprovalDate",
    read: asText,
    recorded: ({ stockholderApprovalDate }) => stockholderApprovalDate,
  },
  comments: { member: "comments", read: asText, recorded: ({ comments }) => comments },
};

/** What the schedule of terms says; undefined if it does not. */
function scheduled({ schedule }: Row<"vesting_terms">, member: string): string | undefined {
  const value = schedule === null ? null : (JSON.parse(schedule) as Readonly<Record<string, unknown>>)[member];
  return value == null ? undefined : String(value);
}

const vestingTerms: RecordColumns<Row<"vesting_terms">> = {
  terms: { member: "name", read: asName, isKey: true, recorded: ({ name }) => name },
  allocation: { member: "allocationMethod", read: asText, recorded: ({ allocationMethod }) => allocationMethod },
  description: { member: "description", read: asText, recorded: ({ description }) => description },
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
  expires: { member: "expirationDate", read: asText, recorded: ({ expirationDate }) => expirationDate },
  status: {
    member: "status",
    read: (row, field) => said(row, field) ?? "APPROVED",
    recorded: ({ status }) => status,
  },
  provider: { member: "provider", read: asText, recorded: ({ provider }) => provider },
  report: { member: "reportId", read: asText, recorded: ({ reportId }) => reportId },
  fairMarketValue: { member: "fairMarketValue", read: asText, recorded: ({ fairMarketValue }) => fairMarketValue },
  enterpriseValue: { member: "enterpriseValue", read: asText, recorded: ({ enterpriseValue }) => enterpriseValue },
  boardApproval: { member: "boardApprovalDate", read: asText, recorded: ({ boardApprovalDate }) => boardApprovalDate },
  comments: { member: "comments", read: asText, recorded: ({ comments }) => comments },
};

/** The columns of each kind of record, by the table that it is stored in. */
const OF_TABLE = {
  stakeholders: columnsOf("stakeholders", stakeholders, ["holderEmail"]),
  share_classes: columnsOf("share-classes", shareClasses),
  equity_plans: columnsOf("equity-plans", equityPlans),
  vesting_terms: columnsOf("vesting-terms", vestingTerms),
  valuations: columnsOf("valuations", valuations),
} as const;

/** A table whose records rows make, and are compared with. */
export type RecordTable = keyof typeof OF_TABLE;

/** The columns of a table's rows. */
export function recordColumns(table: RecordTable): Readonly<Record<string, RecordColumn<Row<RecordTable>>>> {
  return OF_TABLE[table] as Readonly<Record<string, RecordColumn<Row<RecordTable>>>>;
}
