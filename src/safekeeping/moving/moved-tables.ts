// Which tables' rows go along with an organization that moves to another instance, and which stay. Each table of the
// schema is in one of the lists, which a test compares with it.

/** Tables whose rows of the organization go along, in the order in which they are copied. */
export const MOVED_TABLES = [
  "document_contents",
  "import_pieces",
  "ocf_objects",
  "organizations",
  "api_keys",
  "documents",
  "stock_legends",
  "stakeholders",
  "share_classes",
  "valuations",
  "equity_plans",
  "vesting_terms",
  "approvals",
  "approval_steps",
  "securities",
  "acceptances",
  "vesting_milestones",
  "corporate_actions",
  "scenarios",
  "transactions",
  "audit_log",
  "idempotency_keys",
  "long_writes",
  "splits_under_way",
  "splits_apart",
  "memberships",
  "membership_stakeholders",
  "imports",
  "webhook_endpoints",
  "checkpoints",
] as const;

/** A table whose rows go along. */
export type MovedTable = (typeof MOVED_TABLES)[number];

/** Tables whose rows of the organization stay: what concerns tokens and jobs, people's own, and what was sent. */
export const LEFT_TABLES = [
  "outbox",
  "tokens",
  "token_positions",
  "token_differences",
  "chain_operations",
  "links",
  "calendars",
  "mails",
  "mail_choices",
  "webhook_deliveries",
] as const;

/** Tables of the instance and of its people, of which nothing but stubs of accounts goes along. */
export const INSTANCE_TABLES = [
  "settings",
  "accounts",
  "account_log",
  "sessions",
  "passkeys",
  "recovery_codes",
  "identities",
  "chain_submissions",
  "chain_transactions",
  "instance_endpoints",
  "instance_events",
] as const;

/** The column that names the organization of a moved table's row. */
export function organizationColumn(table: MovedTable): "id" | "orgId" {
  return table === "organizations" ? "id" : "orgId";
}

/**
 * Tables whose rows name accounts, in `accountId`. Makers in other columns stand in the log as well, for each of their
 * writes is logged.
 */
export const NAMING_TABLES = ["memberships", "acceptances", "audit_log"] as const satisfies readonly MovedTable[];

/** The domain of the addresses of accounts that came with an organization: none is delivered to (RFC 2606). */
export const MOVED_DOMAIN = "moved.invalid";

/** The address of an account that came with an organization. */
export function movedAddress(accountId: string): string {
  return `${accountId}@${MOVED_DOMAIN}`;
}
