// The tables of records, and those that the audit log covers: what their rows are called, and which columns the log
// leaves out.
import type { Schema } from "../schema.ts";

type Named = { [T in keyof Schema]: Schema[T] extends { orgId: string; id: string; deletedAt: unknown } ? T : never };
/** A table whose rows belong to an organization, have an id, and are marked when deleted. */
export type RecordTable = Named[keyof Schema];

/** How a problem document names a record of each table. */
export const NOUNS: Readonly<Record<RecordTable, string>> = {
  documents: "document",
  stock_legends: "stock legend",
  stakeholders: "stakeholder",
  share_classes: "share class",
  valuations: "valuation",
  equity_plans: "equity plan",
  vesting_terms: "vesting terms",
  approvals: "approval",
  approval_steps: "approval step",
  securities: "security",
  vesting_milestones: "vesting milestone",
  corporate_actions: "corporate action",
  scenarios: "scenario",
};

/** The tables that the log covers, and what it calls a row of each. */
export const LOGGED = {
  organizations: "organization",
  api_keys: "api key",
  memberships: "member",
  ...NOUNS,
  ocf_objects: "ocf object",
} as const satisfies Partial<Record<keyof Schema, string>>;

/** A table that the log covers. */
export type LoggedTable = keyof typeof LOGGED;

/** Columns whose changes the log does not tell: what `verify` recomputes, and what it lists as unverified. */
export const UNTOLD = {
  organizations: ["stakeholderCount", "storedBytes"],
  api_keys: ["lastUsedAt", "lastUsedAddress"],
  stakeholders: ["searchText", "nameKey"],
  share_classes: ["issued", "nextCertificateNumber"],
} as const satisfies { readonly [T in LoggedTable]?: readonly (keyof Schema[T])[] };

/** A table with columns that the log leaves out. */
export type UntoldTable = keyof typeof UNTOLD;

/** Whether the log leaves changes of a column untold. */
export function isUntold(table: LoggedTable, column: string): boolean {
  const untold: Readonly<Record<string, readonly string[]>> = UNTOLD;
  return untold[table]?.includes(column) ?? false;
}

/** Whether a row is named by its type besides its id: originals of two types may have the same. */
export function isNamedByType(table: LoggedTable): boolean {
  return table === "ocf_objects";
}

/** Whether the log holds a column's SHA-256 in its place: the long texts of kept originals. */
export function isDigested(table: LoggedTable, column: string): boolean {
  return table === "ocf_objects" && (column === "raw" || column === "mapped");
}
