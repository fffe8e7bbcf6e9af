// Texts of the audit log: list, entry, kinds of records, exported files.
import type { AuditEntriesPage } from "../api/values.ts";
import type { Labels } from "./common.ts";

export const AUDIT = {
  title: "Audit log",
  loading: "the audit log",
  none: "No entries yet.",
  onlyAdmins: "The audit log is for administrators only.",
  when: "When",
  who: "Who",
  what: "What",
  object: "Object",
  number: "No.",
  filterWho: "Who",
  record: "Record",
  kind: "Object",
  from: "From",
  to: "To",
  more: "Show more",
  shown: (count: string) => `${count} shown, newest first`,
  made: (kind: string) => `Created: ${kind}`,
  changed: (kind: string) => `Changed: ${kind}`,
  deleted: (kind: string) => `Deleted: ${kind}`,
  events: {
    revokedAt: (kind: string) => `Revoked: ${kind}`,
    usedAt: (kind: string) => `Accepted: ${kind}`,
    sessionsEndedAt: (kind: string) => `All sessions ended: ${kind}`,
    resetLinkMadeAt: (kind: string) => `Reset link created: ${kind}`,
  },
  /** Entries about the log itself, by method. */
  ofLog: {
    "accept-rollback": "Data accepted against a checkpoint",
  },
  exported: (what: string) => `Exported: ${what}`,
  entry: (number: string) => `Entry ${number} of the audit log`,
  member: "Field",
  before: "Before",
  after: "After",
  request: "Request",
  route: "Route",
  hash: "Hash",
  previousHash: "Hash of the previous entry",
  nothing: "No field changed.",
  actors: { person: "Person", "api-key": "API key", cli: "Command line", job: "Background job" } satisfies Labels<
    (typeof AuditEntriesPage)["items.actor"]
  >,
} as const;

/** Names of kinds of records, by the codes of the log. */
export const OBJECT_KINDS = {
  stakeholder: "Stakeholder",
  security: "Security",
  transaction: "Ledger entry",
  "share class": "Share class",
  "equity plan": "Equity plan",
  "vesting terms": "Vesting terms",
  "vesting milestone": "Vesting milestone",
  valuation: "Valuation",
  "corporate action": "Corporate action",
  approval: "Approval",
  "approval step": "Approval step",
  document: "Document",
  "stock legend": "Legend",
  organization: "Organization",
  "api key": "API key",
  member: "Member",
  account: "Account",
  invitation: "Invitation",
  "reset link": "Reset link",
  scenario: "Scenario",
  "ocf object": "OCF object",
  log: "Exports, and the log itself",
} as const satisfies Labels<(typeof AuditEntriesPage)["items.resourceType"]>;

/** Names of exported files by route, and of formats; the files of the menu "Export" are in exports.ts. */
export const EXPORTED = {
  files: {
    "/api/v1/reports/cap-table.xlsx": "Cap table as a workbook",
    "/api/v1/reports/cap-table.pdf": "Cap table on one page",
    "/api/v1/reports/summary.csv": "Report of classes",
    "/api/v1/reports/stakeholders.csv": "Report of holders",
    "/api/v1/reports/valuations.csv": "Report of valuations",
    "/api/v1/reports/transactions.csv": "Report of the ledger",
    "/api/v1/cap-table/ocf-export": "Open Cap Format package",
    "/api/v1/stakeholders.csv": "Stakeholders",
    "/api/v1/share-classes.csv": "Share classes",
    "/api/v1/securities.csv": "Securities",
    "/api/v1/valuations.csv": "Valuations",
    "/api/v1/equity-plans.csv": "Equity plans",
    "/api/v1/vesting-terms.csv": "Vesting terms",
    "/api/v1/vesting-milestones.csv": "Vesting milestones",
    "/api/v1/corporate-actions.csv": "Corporate actions",
    "/api/v1/approvals.csv": "Approvals",
    "/api/v1/documents.csv": "List of documents",
    "/api/v1/stock-legends.csv": "Legends",
    "/api/v1/transactions.csv": "Ledger entries",
    "/api/v1/audit-log.csv": "Audit log",
    "/api/v1/imports/:id/problems.csv": "Problems of an import",
    "/api/v1/imports/:id/preview.csv": "Preview of an import",
    "/api/v1/imports/:id/terms.csv": "Vesting terms missing in an import",
  },
  formats: { OCF: "zip", XLSX: "XLSX", CSV: "CSV", PDF: "PDF" },
} as const;
