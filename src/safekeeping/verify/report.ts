// The report of a verification. Codes are for programs, the rest is for the person who has to act on it. Pure.

/** The kinds of difference. */
export type DifferenceCode =
  | "entry-altered"
  | "entry-unreadable"
  | "entry-inapplicable"
  | "chain-broken"
  | "sequence-gap"
  | "shares-not-conserved"
  | "reference-missing"
  | "security-differs"
  | "security-unexplained"
  | "security-missing"
  | "class-differs"
  | "class-total"
  | "open-total"
  | "plan-differs"
  | "pool-exceeded"
  | "stakeholder-count"
  | "stored-bytes"
  | "document-altered"
  | "acceptance-altered"
  | "acceptance-differs"
  | "foreign-key"
  | "log-altered"
  | "log-broken"
  | "log-gap"
  | "log-contradicts"
  | "row-differs"
  | "row-missing"
  | "row-unexplained"
  | "writer-unexplained"
  | "schema-differs"
  | "damaged";

/** One difference from what the ledger, the log, or SQLite says must be. */
export interface Difference {
  readonly code: DifferenceCode;
  /** The organization concerned; null for the database as a whole. */
  readonly orgId: string | null;
  /** The subject, for instance `entry 17` or `security 0190…`. */
  readonly subject: string;
  /** What was found and what was expected. */
  readonly detail: string;
  /** What a person can do about it, if there is general advice. */
  readonly fix?: string;
}

/** The checked parts of the instance itself. */
export interface VerifiedInstance {
  /** The last event of the log of accounts; sequence 0 and 64 zeros if it is empty. */
  readonly log: { readonly sequence: number; readonly hash: string };
}

/** The checked parts of one organization. */
export interface VerifiedOrganization {
  readonly orgId: string;
  readonly legalName: string;
  /** How many ledger entries were read. */
  readonly entries: number;
  /** The last entry's sequence and hash; sequence 0 and the genesis hash for an empty ledger. Note it elsewhere. */
  readonly head: { readonly sequence: number; readonly hash: string };
  /** The same of the log of every write. */
  readonly log: { readonly sequence: number; readonly hash: string };
}

/** The outcome of a verification; the data is sound when `differences` is empty. */
export interface VerifyReport {
  readonly organizations: readonly VerifiedOrganization[];
  /** Null if the log of accounts could not be read. */
  readonly instance: VerifiedInstance | null;
  readonly differences: readonly Difference[];
  /** Remarks on allowed oddities: an import may leave figures outside an invariant. */
  readonly notes: readonly Difference[];
  /** Tables, and columns as `table.column`, that no verification checks. */
  readonly unverified: readonly string[];
}

/** Reports a difference; the function's maker knows the organization. */
export type Tell = (difference: Omit<Difference, "orgId">) => void;

/**
 * The data that neither ledger nor logs determine: when and from where a key was last used, where the search for a
 * certificate number begins, the data directory's notes of itself, stored answers, the use of accounts, passkeys and
 * sessions, the rest of long writes, previews of spreadsheet imports, kept checkpoints, which bear signatures of their
 * own, how deliveries of webhooks fare, the instance's own endpoints and events, and the background work with its
 * record of the chain.
 */
export const UNVERIFIED: readonly string[] = [
  "api_keys.lastUsedAt",
  "api_keys.lastUsedAddress",
  "webhook_endpoints.cursor",
  "webhook_endpoints.revision",
  "webhook_endpoints.failures",
  "webhook_endpoints.lastSuccessAt",
  "webhook_endpoints.failingSince",
  "webhook_endpoints.nextAttemptAt",
  "webhook_endpoints.lastError",
  "share_classes.nextCertificateNumber",
  "settings",
  "idempotency_keys",
  "accounts.lastSignInAt",
  "accounts.totpLastStep",
  "passkeys.counter",
  "passkeys.lastUsedAt",
  "passkeys.name",
  "passkeys.transports",
  "sessions.lastSeenAt",
  "sessions.address",
  "sessions.userAgent",
  "long_writes",
  "splits_under_way",
  "splits_apart",
  "imports",
  "import_pieces",
  "checkpoints",
  "mails",
  "mail_choices",
  "webhook_deliveries",
  "instance_endpoints",
  "instance_events",
  "outbox",
  "tokens",
  "token_positions",
  "token_differences",
  "chain_submissions",
  "chain_transactions",
  "chain_operations",
  "kysely_migration.timestamp",
  "kysely_migration_lock",
  "sqlite_sequence",
];

export const RESTORE = "Restore a backup made before the change.";
