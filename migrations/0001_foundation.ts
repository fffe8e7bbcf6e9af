// The first schema. Tables are named as the API's resources, columns as its fields, so that a row needs no translation
// and a person with a SQLite browser finds what the API shows. Decimals are TEXT exactly as sent; `json` columns hold
// JSON text; booleans are 0 or 1. Every tenant's row is reached through (orgId, id), so foreign keys are composite:
// a reference across organizations cannot even be stored.
import { type Kysely, sql } from "kysely";

const RECORD = `
  seq INTEGER PRIMARY KEY,
  orgId TEXT NOT NULL REFERENCES organizations (id),
  id TEXT NOT NULL,
  createdAt TEXT NOT NULL,
  updatedAt TEXT NOT NULL,
  deletedAt TEXT`;
const VERIFICATION = `verificationStatus TEXT NOT NULL DEFAULT 'UNVERIFIED' CHECK (verificationStatus IN ('UNVERIFIED', 'VERIFIED'))`;

function reference(column: string, table: string): string {
  return `FOREIGN KEY (orgId, ${column}) REFERENCES ${table} (orgId, id)`;
}

const STATEMENTS: readonly string[] = [
  `CREATE TABLE organizations (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    legalName TEXT NOT NULL,
    dba TEXT, formationDate TEXT, countryOfFormation TEXT, countrySubdivisionOfFormation TEXT,
    taxIds TEXT, email TEXT, phone TEXT, address TEXT, initialSharesAuthorized TEXT, comments TEXT,
    isNamed INTEGER NOT NULL CHECK (isNamed IN (0, 1)),
    stakeholderCount INTEGER NOT NULL DEFAULT 0 CHECK (stakeholderCount >= 0),
    createdAt TEXT NOT NULL,
    updatedAt TEXT NOT NULL
  ) STRICT`,
  `CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID`,
  `CREATE TABLE api_keys (
    seq INTEGER PRIMARY KEY,
    orgId TEXT NOT NULL REFERENCES organizations (id),
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('VIEWER', 'EDITOR', 'ADMIN')),
    prefix TEXT NOT NULL,
    keyHash TEXT NOT NULL UNIQUE,
    createdAt TEXT NOT NULL,
    lastUsedAt TEXT,
    revokedAt TEXT,
    UNIQUE (orgId, id)
  ) STRICT`,
  `CREATE TABLE documents (${RECORD},
    title TEXT, path TEXT, uri TEXT, md5 TEXT, relatedObjects TEXT NOT NULL DEFAULT '[]', comments TEXT,
    sha256 TEXT, size INTEGER, contentType TEXT,
    UNIQUE (orgId, id)
  ) STRICT`,
  `CREATE TABLE document_contents (
    orgId TEXT NOT NULL, documentId TEXT NOT NULL, content BLOB NOT NULL,
    PRIMARY KEY (orgId, documentId), ${reference("documentId", "documents")}
  ) STRICT`,
  `CREATE TABLE stock_legends (${RECORD},
    name TEXT NOT NULL, text TEXT NOT NULL, comments TEXT,
    UNIQUE (orgId, id)
  ) STRICT`,
  `CREATE TABLE stakeholders (${RECORD},
    displayName TEXT NOT NULL,
    name TEXT NOT NULL,
    type TEXT NOT NULL CHECK (type IN ('INDIVIDUAL', 'INSTITUTION')),
    status TEXT NOT NULL CHECK (status IN ('CURRENT', 'FORMER')),
    relationships TEXT NOT NULL,
    email TEXT, issuerAssignedId TEXT, comments TEXT, sourceDocumentId TEXT, walletAddress TEXT,
    custodialIndex INTEGER, custodialAddress TEXT,
    searchText TEXT NOT NULL,
    ${VERIFICATION},
    UNIQUE (orgId, id), ${reference("sourceDocumentId", "documents")}
  ) STRICT`,
  `CREATE UNIQUE INDEX stakeholders_wallet ON stakeholders (orgId, walletAddress)
    WHERE walletAddress IS NOT NULL AND deletedAt IS NULL`,
  `CREATE TABLE share_classes (${RECORD},
    name TEXT NOT NULL,
    classType TEXT NOT NULL CHECK (classType IN ('COMMON', 'PREFERRED')),
    defaultIdPrefix TEXT NOT NULL,
    initialSharesAuthorized TEXT NOT NULL,
    currentSharesAuthorized TEXT NOT NULL,
    issued TEXT NOT NULL DEFAULT '0',
    nextCertificateNumber INTEGER NOT NULL DEFAULT 1,
    votesPerShare TEXT NOT NULL,
    parValue TEXT, pricePerShare TEXT,
    seniority INTEGER NOT NULL,
    liquidationPreferenceMultiple TEXT, participationCapMultiple TEXT,
    isParticipating INTEGER NOT NULL CHECK (isParticipating IN (0, 1)),
    boardApprovalDate TEXT, stockholderApprovalDate TEXT, comments TEXT, sourceDocumentId TEXT,
    stockLegendIds TEXT NOT NULL DEFAULT '[]',
    isImported INTEGER NOT NULL DEFAULT 0 CHECK (isImported IN (0, 1)),
    tokenizationStatus TEXT NOT NULL DEFAULT 'NOT_STARTED'
      CHECK (tokenizationStatus IN ('NOT_STARTED', 'PENDING', 'DEPLOYED', 'FAILED')),
    tokenAddress TEXT, tokenError TEXT,
    UNIQUE (orgId, id), ${reference("sourceDocumentId", "documents")}
  ) STRICT`,
  `CREATE TABLE valuations (${RECORD},
    type TEXT NOT NULL CHECK (type IN ('409A', 'BOARD', 'FINANCING')),
    status TEXT NOT NULL CHECK (status IN ('DRAFT', 'PENDING_APPROVAL', 'APPROVED', 'EXPIRED')),
    stockClassId TEXT, pricePerShare TEXT NOT NULL, effectiveDate TEXT NOT NULL, expirationDate TEXT,
    provider TEXT, reportId TEXT, fairMarketValue TEXT, enterpriseValue TEXT,
    boardApprovalDate TEXT, stockholderApprovalDate TEXT, comments TEXT, sourceDocumentId TEXT,
    ${VERIFICATION},
    UNIQUE (orgId, id), ${reference("stockClassId", "share_classes")}, ${reference("sourceDocumentId", "documents")}
  ) STRICT`,
  `CREATE INDEX valuations_latest ON valuations (orgId, status, effectiveDate)`,
  `CREATE TABLE equity_plans (${RECORD},
    planName TEXT NOT NULL, planType TEXT,
    initialSharesReserved TEXT NOT NULL,
    totalSharesReserved TEXT NOT NULL,
    currentSharesReserved TEXT NOT NULL,
    stockClassIds TEXT NOT NULL,
    defaultCancellationBehavior TEXT NOT NULL CHECK (defaultCancellationBehavior IN ('RETURN_TO_POOL', 'RETIRE')),
    adoptedDate TEXT, expirationDate TEXT, boardApprovalDate TEXT, stockholderApprovalDate TEXT,
    comments TEXT, sourceDocumentId TEXT,
    ${VERIFICATION},
    UNIQUE (orgId, id), ${reference("sourceDocumentId", "documents")}
  ) STRICT`,
  `CREATE TABLE vesting_terms (${RECORD},
    name TEXT NOT NULL, description TEXT NOT NULL, allocationMethod TEXT NOT NULL, triggerType TEXT NOT NULL,
    vestingConditions TEXT NOT NULL, schedule TEXT, totalVestingMonths REAL, cliffMonths REAL, comments TEXT,
    UNIQUE (orgId, id)
  ) STRICT`,
  `CREATE TABLE approvals (${RECORD},
    title TEXT NOT NULL, entityType TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('Draft', 'Submitted', 'Approved', 'Rejected', 'Locked')),
    dueDate TEXT, notes TEXT, lockedAt TEXT,
    UNIQUE (orgId, id)
  ) STRICT`,
  `CREATE TABLE approval_steps (
    seq INTEGER PRIMARY KEY,
    orgId TEXT NOT NULL, id TEXT NOT NULL, approvalId TEXT NOT NULL,
    name TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('PENDING', 'APPROVED', 'REJECTED')),
    "order" INTEGER NOT NULL, decidedAt TEXT, comment TEXT,
    createdAt TEXT NOT NULL, deletedAt TEXT,
    UNIQUE (orgId, id), ${reference("approvalId", "approvals")}
  ) STRICT`,
  `CREATE INDEX approval_steps_order ON approval_steps (orgId, approvalId, "order")`,
  `CREATE TABLE securities (${RECORD},
    type TEXT NOT NULL CHECK (type IN ('STOCK', 'STOCK_OPTION', 'WARRANT', 'CONVERTIBLE')),
    status TEXT NOT NULL
      CHECK (status IN ('ACTIVE', 'CANCELLED', 'EXERCISED', 'CONVERTED', 'REPURCHASED', 'TRANSFERRED')),
    stakeholderId TEXT, stockClassId TEXT, equityPlanId TEXT, vestingTermsId TEXT,
    certificateId TEXT,
    quantity TEXT NOT NULL,
    pricePerShare TEXT, purchasePrice TEXT, exercisePrice TEXT,
    optionType TEXT CHECK (optionType IN ('ISO', 'NSO')),
    grantDate TEXT NOT NULL, expirationDate TEXT, vestingStartDate TEXT,
    valuationId TEXT, boardApprovalDate TEXT, stockholderApprovalDate TEXT,
    comments TEXT, sourceDocumentId TEXT, approvalId TEXT, originSecurityId TEXT,
    stockLegendIds TEXT NOT NULL DEFAULT '[]',
    convertibleTerms TEXT,
    drawsOnPlan INTEGER NOT NULL DEFAULT 0 CHECK (drawsOnPlan IN (0, 1)),
    isGated INTEGER NOT NULL DEFAULT 0 CHECK (isGated IN (0, 1)),
    tokenStatus TEXT NOT NULL DEFAULT 'NOT_APPLICABLE'
      CHECK (tokenStatus IN ('NOT_APPLICABLE', 'PENDING_APPROVAL', 'PENDING', 'MINTED', 'FAILED')),
    tokenTransactionHash TEXT, tokenError TEXT,
    ${VERIFICATION},
    UNIQUE (orgId, id),
    ${reference("stakeholderId", "stakeholders")}, ${reference("stockClassId", "share_classes")},
    ${reference("equityPlanId", "equity_plans")}, ${reference("vestingTermsId", "vesting_terms")},
    ${reference("valuationId", "valuations")}, ${reference("approvalId", "approvals")},
    ${reference("sourceDocumentId", "documents")}
  ) STRICT`,
  `CREATE INDEX securities_type ON securities (orgId, type)`,
  `CREATE INDEX securities_stakeholder ON securities (orgId, stakeholderId)`,
  `CREATE INDEX securities_class ON securities (orgId, stockClassId)`,
  `CREATE INDEX securities_certificate ON securities (orgId, certificateId)`,
  `CREATE INDEX securities_plan ON securities (orgId, equityPlanId) WHERE equityPlanId IS NOT NULL`,
  `CREATE INDEX securities_terms ON securities (orgId, vestingTermsId) WHERE vestingTermsId IS NOT NULL`,
  `CREATE INDEX securities_valuation ON securities (orgId, valuationId) WHERE valuationId IS NOT NULL`,
  `CREATE INDEX securities_approval ON securities (orgId, approvalId) WHERE approvalId IS NOT NULL`,
  `CREATE INDEX securities_origin ON securities (orgId, originSecurityId) WHERE originSecurityId IS NOT NULL`,
  `CREATE TABLE vesting_milestones (${RECORD},
    name TEXT NOT NULL, description TEXT, targetDate TEXT, completedAt TEXT, evidenceNote TEXT,
    securityId TEXT, quantity TEXT,
    status TEXT NOT NULL CHECK (status IN ('PENDING', 'COMPLETED')),
    UNIQUE (orgId, id), ${reference("securityId", "securities")}
  ) STRICT`,
  `CREATE INDEX vesting_milestones_security ON vesting_milestones (orgId, securityId) WHERE securityId IS NOT NULL`,
  `CREATE TABLE corporate_actions (${RECORD},
    type TEXT NOT NULL, title TEXT NOT NULL, summary TEXT,
    status TEXT NOT NULL CHECK (status IN ('Draft', 'In Review', 'Approved', 'Finalized')),
    effectiveDate TEXT NOT NULL, metadata TEXT,
    UNIQUE (orgId, id)
  ) STRICT`,
  ...[
    "documents",
    "stock_legends",
    "stakeholders",
    "share_classes",
    "valuations",
    "equity_plans",
    "vesting_terms",
    "approvals",
    "securities",
    "vesting_milestones",
    "corporate_actions",
  ].map((table) => `CREATE INDEX ${table}_org ON ${table} (orgId)`),
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
  `CREATE INDEX transactions_type ON transactions (orgId, type, sequence)`,
  `CREATE INDEX transactions_security ON transactions (orgId, securityId) WHERE securityId IS NOT NULL`,
  `CREATE INDEX transactions_edits ON transactions (orgId, sequence)
    WHERE json_extract(metadata, '$.directEdit') = 1`,
  `CREATE TABLE audit_log (
    seq INTEGER PRIMARY KEY,
    orgId TEXT NOT NULL REFERENCES organizations (id),
    id TEXT NOT NULL,
    at TEXT NOT NULL,
    actor TEXT NOT NULL CHECK (actor IN ('api-key', 'cli', 'job')),
    apiKeyId TEXT, requestId TEXT, method TEXT, path TEXT,
    resourceType TEXT NOT NULL, resourceId TEXT, before TEXT, after TEXT
  ) STRICT`,
  `CREATE INDEX audit_log_org ON audit_log (orgId)`,
  ...["transactions", "audit_log"].flatMap((table) =>
    ["UPDATE", "DELETE"].map(
      (verb) => `CREATE TRIGGER ${table}_no_${verb.toLowerCase()} BEFORE ${verb} ON ${table}
        BEGIN SELECT RAISE(ABORT, '${table} is append-only'); END`,
    ),
  ),
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
  `CREATE INDEX outbox_open ON outbox (state, nextAttemptAtMs) WHERE state IN ('QUEUED', 'RUNNING')`,
  `CREATE INDEX outbox_failed ON outbox (createdAt) WHERE state = 'FAILED'`,
  `CREATE INDEX outbox_class ON outbox (orgId, stockClassId, state)`,
  `CREATE INDEX outbox_security ON outbox (orgId, securityId)`,
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
];

/** Creates every table, index and append-only trigger of the first schema. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
