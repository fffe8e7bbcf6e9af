// Tables of records, and the logged ones: the name of a row in the log, and the columns that the log leaves out.
import type { Schema } from "../schema.ts";

type Named = { [T in keyof Schema]: Schema[T] extends { orgId: string; id: string; deletedAt: unknown } ? T : never };
/** A table whose rows belong to an organization, have an id, and are marked when deleted. */
export type RecordTable = Named[keyof Schema];

/** The noun for a record of each table in problem documents. */
export const NOUNS = {
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
} as const satisfies Readonly<Record<RecordTable, string>>;

/** The logged tables, with the name of a row of each. */
export const LOGGED = {
  organizations: "organization",
  api_keys: "api key",
  memberships: "member",
  webhook_endpoints: "webhook endpoint",
  ...NOUNS,
  acceptances: "acceptance",
  ocf_objects: "ocf object",
} as const satisfies Partial<Record<keyof Schema, string>>;

/** The kinds of records that the log names: rows of its tables, and what is no table's row. */
export const LOGGED_KINDS = [
  ...Object.values(LOGGED),
  ...(["transaction", "account", "invitation", "reset link", "log"] as const),
];

/** A kind of record, as the log names it. */
export type LoggedKind = (typeof LOGGED_KINDS)[number];

/** A logged table. */
export type LoggedTable = keyof typeof LOGGED;

/** Sums of securities by class, plan and organization: in no row of the log, since `verify` recomputes them. */
export const OPEN_SUMS = {
  share_classes: ["openOptions", "openWarrants"],
  equity_plans: ["openOptions"],
  organizations: ["openOptions"],
} as const satisfies { readonly [T in LoggedTable]?: readonly (keyof Schema[T])[] };

/** Columns whose changes are not logged: those that `verify` recomputes, and those that it lists as unverified. */
export const UNTOLD = {
  organizations: ["stakeholderCount", "storedBytes", ...OPEN_SUMS.organizations],
  api_keys: ["lastUsedAt", "lastUsedAddress"],
  webhook_endpoints: [
    ...(["cursor", "revision", "failures", "lastSuccessAt", "failingSince", "nextAttemptAt", "lastError"] as const),
  ],
  stakeholders: ["searchText", "nameKey"],
  share_classes: ["issued", "nextCertificateNumber", ...OPEN_SUMS.share_classes],
  equity_plans: OPEN_SUMS.equity_plans,
} as const satisfies { readonly [T in LoggedTable]?: readonly (keyof Schema[T])[] };

/** A table with unlogged columns. */
export type UntoldTable = keyof typeof UNTOLD;

/** Whether changes of a column are unlogged. */
export function isUntold(table: LoggedTable, column: string): boolean {
  const untold: Readonly<Record<string, readonly string[]>> = UNTOLD;
  return untold[table]?.includes(column) ?? false;
}

/** Whether even the row of the log of a new record leaves a column out. */
export function isUnlogged(table: LoggedTable, column: string): boolean {
  const sums: Readonly<Record<string, readonly string[]>> = OPEN_SUMS;
  return sums[table]?.includes(column) ?? false;
}

/**
 * The table as SQL names it to read rows as they are stored, even those that a split under way has decided otherwise.
 */
export function storedTable(table: string): string {
  return `main.${table}`;
}

/** Whether a row is named by its type besides its id: originals of two types may have the same. */
export function isNamedByType(table: LoggedTable): boolean {
  return table === "ocf_objects";
}

/** The long texts of kept originals, and what was shown to holders. */
const DIGESTED: { readonly [T in LoggedTable]?: readonly string[] } = {
  ocf_objects: ["raw", "mapped"],
  acceptances: ["shown"],
};

/** The columns of which the log holds the SHA-256 instead. */
export function digestedColumns(table: LoggedTable): readonly string[] {
  return DIGESTED[table] ?? [];
}

/** Whether the log holds a column's SHA-256 instead. */
export function isDigested(table: LoggedTable, column: string): boolean {
  return digestedColumns(table).includes(column);
}
