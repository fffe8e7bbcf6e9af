// Tables of the ledger and the log, which are append-only, and of what follows from them: stored answers, the outbox,
// long writes, and the originals that imports keep.
import { appendOnly, reference } from "./columns.ts";

/** The statements, in order. */
export const LEDGER: readonly string[] = [
  `CREATE TABLE transactions (
    seq INTEGER PRIMARY KEY,
    orgId TEXT NOT NULL REFERENCES organizations (id),
    id TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    type TEXT NOT NULL,
    securityId TEXT, stakeholderId TEXT, quantity TEXT,
    effectiveDate TEXT NOT NULL,
    metadata TEXT,
    recordOnly INTEGER NOT NULL CHECK (recordOnly IN (0, 1)),
    createdAt TEXT NOT NULL,
    previousHash TEXT NOT NULL,
    hash TEXT NOT NULL,
    UNIQUE (orgId, id), UNIQUE (orgId, sequence),
    ${reference("securityId", "securities")}, ${reference("stakeholderId", "stakeholders")}
  ) STRICT`,
  // Without issuances of stock, as the index of securities by type.
  `CREATE INDEX transactions_type ON transactions (orgId, type, sequence) WHERE type <> 'STOCK_ISSUANCE'`,
  `CREATE INDEX transactions_security ON transactions (orgId, securityId) WHERE securityId IS NOT NULL`,
  `CREATE INDEX transactions_edits ON transactions (orgId, sequence)
    WHERE json_extract(metadata, '$.directEdit') = 1`,
  // Entries of a later day than the one on which they were recorded.
  `CREATE INDEX transactions_ahead ON transactions (orgId, effectiveDate)
    WHERE recordOnly = 0 AND effectiveDate > substr(createdAt, 1, 10)`,
  // The pieces of splits that an import applies a few securities at a time, by class: every write on stock asks for them.
  `CREATE INDEX transactions_split_pieces
    ON transactions (orgId, json_extract(metadata, '$.stockClassId'), sequence)
    WHERE type = 'STOCK_SPLIT' AND json_extract(metadata, '$.ocfUpTo') IS NOT NULL`,
  // Adjustments that set a figure, with their days: one may not be dated before the last one of its class or plan. A plan
  // to which thousands of securities came back has as many adjustments that set none.
  `CREATE INDEX transactions_adjustments
    ON transactions (
      orgId,
      coalesce(json_extract(metadata, '$.equityPlanId'), json_extract(metadata, '$.stockClassId')),
      effectiveDate
    )
    WHERE recordOnly = 0
      AND type IN ('STOCK_CLASS_ADJUSTMENT', 'STOCK_PLAN_ADJUSTMENT')
      AND coalesce(json_extract(metadata, '$.newSharesAuthorized'), json_extract(metadata, '$.newSharesReserved'))
        IS NOT NULL`,
  `CREATE TABLE audit_log (
    seq INTEGER PRIMARY KEY,
    orgId TEXT NOT NULL REFERENCES organizations (id),
    id TEXT NOT NULL,
    sequence INTEGER NOT NULL,
    at TEXT NOT NULL,
    actor TEXT NOT NULL CHECK (actor IN ('api-key', 'person', 'cli', 'job')),
    apiKeyId TEXT, accountId TEXT, actorName TEXT,
    requestId TEXT, method TEXT, path TEXT,
    resourceType TEXT NOT NULL, resourceId TEXT, before TEXT, after TEXT,
    previousHash TEXT NOT NULL,
    hash TEXT NOT NULL,
    sessionId TEXT,
    UNIQUE (orgId, sequence)
  ) STRICT`,
  // Changes of what vests and can be exercised besides by the ledger: a view of what was known finds them in a long log.
  `CREATE INDEX audit_log_vesting ON audit_log (orgId, at) WHERE "before" IS NOT NULL AND (resourceType = 'vesting terms'
    OR resourceType = 'vesting milestone' OR instr("before", '"vesting') > 0 OR instr("before", '"grantDate"') > 0
    OR instr("before", '"expirationDate"') > 0)`,
  // What restores found: a reader of events whose cursor is of later data goes back to there.
  `CREATE INDEX audit_log_restores ON audit_log (orgId, sequence) WHERE resourceType = 'log' AND method = 'restored'`,
  // The row of each acceptance, which its receipt names.
  `CREATE INDEX audit_log_acceptances ON audit_log (orgId, resourceId) WHERE resourceType = 'acceptance'`,
  ...["transactions", "audit_log"].flatMap(appendOnly),
  `CREATE TABLE idempotency_keys (
    seq INTEGER PRIMARY KEY,
    orgId TEXT NOT NULL REFERENCES organizations (id),
    key TEXT NOT NULL, method TEXT NOT NULL, path TEXT NOT NULL,
    bodyHash TEXT NOT NULL,
    status INTEGER NOT NULL, body TEXT NOT NULL, location TEXT,
    createdAt TEXT NOT NULL,
    UNIQUE (orgId, key, method, path)
  ) STRICT`,
  `CREATE TABLE outbox (
    seq INTEGER PRIMARY KEY,
    orgId TEXT NOT NULL REFERENCES organizations (id),
    id TEXT NOT NULL UNIQUE,
    kind TEXT NOT NULL,
    stockClassId TEXT NOT NULL, securityId TEXT, transactionId TEXT,
    payload TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'QUEUED' CHECK (state IN ('QUEUED', 'RUNNING', 'DONE', 'FAILED', 'DROPPED')),
    attempts INTEGER NOT NULL DEFAULT 0,
    nextAttemptAtMs INTEGER NOT NULL DEFAULT 0,
    error TEXT,
    createdAt TEXT NOT NULL,
    ${reference("stockClassId", "share_classes")}
  ) STRICT`,
  `CREATE INDEX outbox_class ON outbox (orgId, stockClassId, state)`,
  `CREATE INDEX outbox_state ON outbox (state, seq)`,
  `CREATE INDEX outbox_tried ON outbox (nextAttemptAtMs) WHERE state IN ('QUEUED', 'RUNNING') AND attempts > 0`,
  `CREATE TABLE ocf_objects (
    seq INTEGER PRIMARY KEY,
    orgId TEXT NOT NULL REFERENCES organizations (id),
    objectType TEXT NOT NULL, id TEXT NOT NULL,
    recordId TEXT,
    fileKey TEXT NOT NULL, raw TEXT NOT NULL, mapped TEXT,
    UNIQUE (orgId, objectType, id)
  ) STRICT`,
  `CREATE INDEX ocf_objects_file ON ocf_objects (orgId, fileKey)`,
  `CREATE INDEX ocf_objects_record ON ocf_objects (orgId, recordId) WHERE recordId IS NOT NULL`,
  // What a commit has decided for more rows than it could change at once: rows are changed a few at a time afterwards,
  // and readers see meanwhile what was decided. `after` is the row number of the last row that was reached.
  `CREATE TABLE long_writes (
    seq INTEGER PRIMARY KEY,
    orgId TEXT NOT NULL REFERENCES organizations (id),
    kind TEXT NOT NULL CHECK (kind IN ('release', 'forget-valuation', 'expect-tokens', 'retry-tokens', 'split')),
    subject TEXT NOT NULL,
    after INTEGER NOT NULL,
    origin TEXT NOT NULL,
    UNIQUE (orgId, kind, subject)
  ) STRICT`,
  // The split of the organization's long write `split`: it concerns the securities up to row number `upTo`. Those that were
  // multiplied before their turn stand in `splits_apart`.
  `CREATE TABLE splits_under_way (
    orgId TEXT PRIMARY KEY REFERENCES organizations (id),
    transactionId TEXT NOT NULL,
    stockClassId TEXT NOT NULL,
    numerator TEXT NOT NULL, denominator TEXT NOT NULL, rounding TEXT NOT NULL,
    equityPlanIds TEXT NOT NULL,
    upTo INTEGER NOT NULL,
    at TEXT NOT NULL
  ) STRICT`,
  `CREATE TABLE splits_apart (
    orgId TEXT NOT NULL REFERENCES organizations (id),
    securitySeq INTEGER NOT NULL,
    PRIMARY KEY (orgId, securitySeq)
  ) STRICT, WITHOUT ROWID`,
];
