-- The yardstick of the benchmark: the schema as migrations 0001 to 0015 made it, and the rows of one issuance in it, as the
-- service wrote them then. Bare loops write into it, whatever the schema of the program becomes: a ratio must not improve
-- because the yardstick lost an index. Not to be edited.
CREATE TABLE organizations (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    legalName TEXT NOT NULL,
    dba TEXT, formationDate TEXT, countryOfFormation TEXT, countrySubdivisionOfFormation TEXT,
    taxIds TEXT, email TEXT, phone TEXT, address TEXT, initialSharesAuthorized TEXT, comments TEXT,
    isNamed INTEGER NOT NULL CHECK (isNamed IN (0, 1)),
    stakeholderCount INTEGER NOT NULL DEFAULT 0 CHECK (stakeholderCount >= 0),
    createdAt TEXT NOT NULL,
    updatedAt TEXT NOT NULL
  , currency TEXT, ocfIssuerId TEXT, requireSecondFactor INTEGER NOT NULL DEFAULT 0, portalShowsOwnership INTEGER NOT NULL DEFAULT 0, portalShowsValue INTEGER NOT NULL DEFAULT 0, portalContact TEXT) STRICT;
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE api_keys (
    seq INTEGER PRIMARY KEY,
    orgId TEXT NOT NULL REFERENCES organizations (id),
    id TEXT NOT NULL,
    name TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('VIEWER', 'EDITOR', 'ADMIN')),
    prefix TEXT NOT NULL,
    keyHash TEXT NOT NULL UNIQUE,
    createdAt TEXT NOT NULL,
    lastUsedAt TEXT,
    revokedAt TEXT, expiresAt TEXT,
    UNIQUE (orgId, id)
  ) STRICT;
CREATE TABLE documents (
  seq INTEGER PRIMARY KEY,
  orgId TEXT NOT NULL REFERENCES organizations (id),
  id TEXT NOT NULL,
  createdAt TEXT NOT NULL,
  updatedAt TEXT NOT NULL,
  deletedAt TEXT,
    title TEXT, path TEXT, uri TEXT, md5 TEXT, relatedObjects TEXT NOT NULL DEFAULT '[]', comments TEXT,
    sha256 TEXT, size INTEGER, contentType TEXT, isSharedWithHolders INTEGER NOT NULL DEFAULT 0,
    UNIQUE (orgId, id)
  ) STRICT;
CREATE TABLE document_contents (
    orgId TEXT NOT NULL, documentId TEXT NOT NULL, content BLOB NOT NULL,
    PRIMARY KEY (orgId, documentId), FOREIGN KEY (orgId, documentId) REFERENCES documents (orgId, id)
  ) STRICT;
CREATE TABLE stock_legends (
  seq INTEGER PRIMARY KEY,
  orgId TEXT NOT NULL REFERENCES organizations (id),
  id TEXT NOT NULL,
  createdAt TEXT NOT NULL,
  updatedAt TEXT NOT NULL,
  deletedAt TEXT,
    name TEXT NOT NULL, text TEXT NOT NULL, comments TEXT,
    UNIQUE (orgId, id)
  ) STRICT;
CREATE TABLE stakeholders (
  seq INTEGER PRIMARY KEY,
  orgId TEXT NOT NULL REFERENCES organizations (id),
  id TEXT NOT NULL,
  createdAt TEXT NOT NULL,
  updatedAt TEXT NOT NULL,
  deletedAt TEXT,
    displayName TEXT NOT NULL,
    name TEXT NOT NULL,
    type TEXT NOT NULL CHECK (type IN ('INDIVIDUAL', 'INSTITUTION')),
    status TEXT NOT NULL CHECK (status IN ('CURRENT', 'FORMER')),
    relationships TEXT NOT NULL,
    email TEXT, issuerAssignedId TEXT, comments TEXT, sourceDocumentId TEXT, walletAddress TEXT,
    custodialIndex INTEGER, custodialAddress TEXT,
    searchText TEXT NOT NULL,
    verificationStatus TEXT NOT NULL DEFAULT 'UNVERIFIED' CHECK (verificationStatus IN ('UNVERIFIED', 'VERIFIED')),
    UNIQUE (orgId, id), FOREIGN KEY (orgId, sourceDocumentId) REFERENCES documents (orgId, id)
  ) STRICT;
CREATE UNIQUE INDEX stakeholders_wallet ON stakeholders (orgId, walletAddress)
    WHERE walletAddress IS NOT NULL AND deletedAt IS NULL;
CREATE TABLE share_classes (
  seq INTEGER PRIMARY KEY,
  orgId TEXT NOT NULL REFERENCES organizations (id),
  id TEXT NOT NULL,
  createdAt TEXT NOT NULL,
  updatedAt TEXT NOT NULL,
  deletedAt TEXT,
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
    tokenAddress TEXT, tokenError TEXT, currency TEXT, conversionRights TEXT NOT NULL DEFAULT '[]', antiDilution TEXT NOT NULL DEFAULT 'NONE', participationCapBasis TEXT NOT NULL DEFAULT 'BEYOND_PREFERENCE', dividendType TEXT NOT NULL DEFAULT 'NONE', dividendRatePercent TEXT, dividendCompounding TEXT,
    UNIQUE (orgId, id), FOREIGN KEY (orgId, sourceDocumentId) REFERENCES documents (orgId, id)
  ) STRICT;
CREATE TABLE valuations (
  seq INTEGER PRIMARY KEY,
  orgId TEXT NOT NULL REFERENCES organizations (id),
  id TEXT NOT NULL,
  createdAt TEXT NOT NULL,
  updatedAt TEXT NOT NULL,
  deletedAt TEXT,
    type TEXT NOT NULL CHECK (type IN ('409A', 'BOARD', 'FINANCING')),
    status TEXT NOT NULL CHECK (status IN ('DRAFT', 'PENDING_APPROVAL', 'APPROVED', 'EXPIRED')),
    stockClassId TEXT, pricePerShare TEXT NOT NULL, effectiveDate TEXT NOT NULL, expirationDate TEXT,
    provider TEXT, reportId TEXT, fairMarketValue TEXT, enterpriseValue TEXT,
    boardApprovalDate TEXT, stockholderApprovalDate TEXT, comments TEXT, sourceDocumentId TEXT,
    verificationStatus TEXT NOT NULL DEFAULT 'UNVERIFIED' CHECK (verificationStatus IN ('UNVERIFIED', 'VERIFIED')),
    UNIQUE (orgId, id), FOREIGN KEY (orgId, stockClassId) REFERENCES share_classes (orgId, id), FOREIGN KEY (orgId, sourceDocumentId) REFERENCES documents (orgId, id)
  ) STRICT;
CREATE INDEX valuations_latest ON valuations (orgId, status, effectiveDate);
CREATE TABLE equity_plans (
  seq INTEGER PRIMARY KEY,
  orgId TEXT NOT NULL REFERENCES organizations (id),
  id TEXT NOT NULL,
  createdAt TEXT NOT NULL,
  updatedAt TEXT NOT NULL,
  deletedAt TEXT,
    planName TEXT NOT NULL, planType TEXT,
    initialSharesReserved TEXT NOT NULL,
    totalSharesReserved TEXT NOT NULL,
    currentSharesReserved TEXT NOT NULL,
    stockClassIds TEXT NOT NULL,
    defaultCancellationBehavior TEXT NOT NULL CHECK (defaultCancellationBehavior IN ('RETURN_TO_POOL', 'RETIRE')),
    adoptedDate TEXT, expirationDate TEXT, boardApprovalDate TEXT, stockholderApprovalDate TEXT,
    comments TEXT, sourceDocumentId TEXT,
    verificationStatus TEXT NOT NULL DEFAULT 'UNVERIFIED' CHECK (verificationStatus IN ('UNVERIFIED', 'VERIFIED')),
    UNIQUE (orgId, id), FOREIGN KEY (orgId, sourceDocumentId) REFERENCES documents (orgId, id)
  ) STRICT;
CREATE TABLE vesting_terms (
  seq INTEGER PRIMARY KEY,
  orgId TEXT NOT NULL REFERENCES organizations (id),
  id TEXT NOT NULL,
  createdAt TEXT NOT NULL,
  updatedAt TEXT NOT NULL,
  deletedAt TEXT,
    name TEXT NOT NULL, description TEXT NOT NULL, allocationMethod TEXT NOT NULL, triggerType TEXT NOT NULL,
    vestingConditions TEXT NOT NULL, schedule TEXT, totalVestingMonths REAL, cliffMonths REAL, comments TEXT,
    UNIQUE (orgId, id)
  ) STRICT;
CREATE TABLE approvals (
  seq INTEGER PRIMARY KEY,
  orgId TEXT NOT NULL REFERENCES organizations (id),
  id TEXT NOT NULL,
  createdAt TEXT NOT NULL,
  updatedAt TEXT NOT NULL,
  deletedAt TEXT,
    title TEXT NOT NULL, entityType TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('Draft', 'Submitted', 'Approved', 'Rejected', 'Locked')),
    dueDate TEXT, notes TEXT, lockedAt TEXT,
    UNIQUE (orgId, id)
  ) STRICT;
CREATE TABLE approval_steps (
    seq INTEGER PRIMARY KEY,
    orgId TEXT NOT NULL, id TEXT NOT NULL, approvalId TEXT NOT NULL,
    name TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('PENDING', 'APPROVED', 'REJECTED')),
    "order" INTEGER NOT NULL, decidedAt TEXT, comment TEXT,
    createdAt TEXT NOT NULL, deletedAt TEXT, decidedBy TEXT,
    UNIQUE (orgId, id), FOREIGN KEY (orgId, approvalId) REFERENCES approvals (orgId, id)
  ) STRICT;
CREATE INDEX approval_steps_order ON approval_steps (orgId, approvalId, "order");
CREATE TABLE securities (
  seq INTEGER PRIMARY KEY,
  orgId TEXT NOT NULL REFERENCES organizations (id),
  id TEXT NOT NULL,
  createdAt TEXT NOT NULL,
  updatedAt TEXT NOT NULL,
  deletedAt TEXT,
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
    isGated INTEGER NOT NULL DEFAULT 0 CHECK (isGated IN (0, 1)),
    tokenStatus TEXT NOT NULL DEFAULT 'NOT_APPLICABLE'
      CHECK (tokenStatus IN ('NOT_APPLICABLE', 'PENDING_APPROVAL', 'PENDING', 'MINTED', 'FAILED')),
    tokenTransactionHash TEXT, tokenError TEXT,
    verificationStatus TEXT NOT NULL DEFAULT 'UNVERIFIED' CHECK (verificationStatus IN ('UNVERIFIED', 'VERIFIED')), planCharge TEXT, chargeBasis TEXT, vestings TEXT, currency TEXT, correctedPrice TEXT,
    UNIQUE (orgId, id),
    FOREIGN KEY (orgId, stakeholderId) REFERENCES stakeholders (orgId, id), FOREIGN KEY (orgId, stockClassId) REFERENCES share_classes (orgId, id),
    FOREIGN KEY (orgId, equityPlanId) REFERENCES equity_plans (orgId, id), FOREIGN KEY (orgId, vestingTermsId) REFERENCES vesting_terms (orgId, id),
    FOREIGN KEY (orgId, valuationId) REFERENCES valuations (orgId, id), FOREIGN KEY (orgId, approvalId) REFERENCES approvals (orgId, id),
    FOREIGN KEY (orgId, sourceDocumentId) REFERENCES documents (orgId, id)
  ) STRICT;
CREATE INDEX securities_type ON securities (orgId, type);
CREATE INDEX securities_stakeholder ON securities (orgId, stakeholderId);
CREATE INDEX securities_class ON securities (orgId, stockClassId);
CREATE INDEX securities_certificate ON securities (orgId, certificateId);
CREATE INDEX securities_plan ON securities (orgId, equityPlanId) WHERE equityPlanId IS NOT NULL;
CREATE INDEX securities_terms ON securities (orgId, vestingTermsId) WHERE vestingTermsId IS NOT NULL;
CREATE INDEX securities_valuation ON securities (orgId, valuationId) WHERE valuationId IS NOT NULL;
CREATE INDEX securities_approval ON securities (orgId, approvalId) WHERE approvalId IS NOT NULL;
CREATE INDEX securities_origin ON securities (orgId, originSecurityId) WHERE originSecurityId IS NOT NULL;
CREATE TABLE vesting_milestones (
  seq INTEGER PRIMARY KEY,
  orgId TEXT NOT NULL REFERENCES organizations (id),
  id TEXT NOT NULL,
  createdAt TEXT NOT NULL,
  updatedAt TEXT NOT NULL,
  deletedAt TEXT,
    name TEXT NOT NULL, description TEXT, targetDate TEXT, completedAt TEXT, evidenceNote TEXT,
    securityId TEXT, quantity TEXT,
    status TEXT NOT NULL CHECK (status IN ('PENDING', 'COMPLETED')), heldFrom INTEGER,
    UNIQUE (orgId, id), FOREIGN KEY (orgId, securityId) REFERENCES securities (orgId, id)
  ) STRICT;
CREATE INDEX vesting_milestones_security ON vesting_milestones (orgId, securityId) WHERE securityId IS NOT NULL;
CREATE TABLE corporate_actions (
  seq INTEGER PRIMARY KEY,
  orgId TEXT NOT NULL REFERENCES organizations (id),
  id TEXT NOT NULL,
  createdAt TEXT NOT NULL,
  updatedAt TEXT NOT NULL,
  deletedAt TEXT,
    type TEXT NOT NULL, title TEXT NOT NULL, summary TEXT,
    status TEXT NOT NULL CHECK (status IN ('Draft', 'In Review', 'Approved', 'Finalized')),
    effectiveDate TEXT NOT NULL, metadata TEXT,
    UNIQUE (orgId, id)
  ) STRICT;
CREATE INDEX documents_org ON documents (orgId);
CREATE INDEX stock_legends_org ON stock_legends (orgId);
CREATE INDEX stakeholders_org ON stakeholders (orgId);
CREATE INDEX share_classes_org ON share_classes (orgId);
CREATE INDEX valuations_org ON valuations (orgId);
CREATE INDEX equity_plans_org ON equity_plans (orgId);
CREATE INDEX vesting_terms_org ON vesting_terms (orgId);
CREATE INDEX approvals_org ON approvals (orgId);
CREATE INDEX securities_org ON securities (orgId);
CREATE INDEX vesting_milestones_org ON vesting_milestones (orgId);
CREATE INDEX corporate_actions_org ON corporate_actions (orgId);
CREATE TABLE transactions (
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
    FOREIGN KEY (orgId, securityId) REFERENCES securities (orgId, id), FOREIGN KEY (orgId, stakeholderId) REFERENCES stakeholders (orgId, id)
  ) STRICT;
CREATE INDEX transactions_type ON transactions (orgId, type, sequence);
CREATE INDEX transactions_security ON transactions (orgId, securityId) WHERE securityId IS NOT NULL;
CREATE INDEX transactions_edits ON transactions (orgId, sequence)
    WHERE json_extract(metadata, '$.directEdit') = 1;
CREATE TRIGGER transactions_no_update BEFORE UPDATE ON transactions
        BEGIN SELECT RAISE(ABORT, 'transactions is append-only'); END;
CREATE TRIGGER transactions_no_delete BEFORE DELETE ON transactions
        BEGIN SELECT RAISE(ABORT, 'transactions is append-only'); END;
CREATE TABLE idempotency_keys (
    seq INTEGER PRIMARY KEY,
    orgId TEXT NOT NULL REFERENCES organizations (id),
    key TEXT NOT NULL, method TEXT NOT NULL, path TEXT NOT NULL,
    bodyHash TEXT NOT NULL,
    status INTEGER NOT NULL, body TEXT NOT NULL, location TEXT,
    createdAt TEXT NOT NULL,
    UNIQUE (orgId, key, method, path)
  ) STRICT;
CREATE TABLE outbox (
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
    FOREIGN KEY (orgId, stockClassId) REFERENCES share_classes (orgId, id)
  ) STRICT;
CREATE INDEX outbox_failed ON outbox (createdAt) WHERE state = 'FAILED';
CREATE INDEX outbox_class ON outbox (orgId, stockClassId, state);
CREATE TABLE ocf_objects (
    seq INTEGER PRIMARY KEY,
    orgId TEXT NOT NULL REFERENCES organizations (id),
    objectType TEXT NOT NULL, id TEXT NOT NULL,
    recordId TEXT,
    fileKey TEXT NOT NULL, raw TEXT NOT NULL, mapped TEXT,
    UNIQUE (orgId, objectType, id)
  ) STRICT;
CREATE INDEX ocf_objects_file ON ocf_objects (orgId, fileKey);
CREATE INDEX ocf_objects_record ON ocf_objects (orgId, recordId) WHERE recordId IS NOT NULL;
CREATE TABLE tokens (
    orgId TEXT NOT NULL, stockClassId TEXT NOT NULL,
    deadlineMs INTEGER,
    authorized TEXT,
    totalSupply TEXT,
    lastReconciledAt TEXT,
    FOREIGN KEY (orgId, stockClassId) REFERENCES share_classes (orgId, id),
    PRIMARY KEY (orgId, stockClassId)
  ) STRICT, WITHOUT ROWID;
CREATE INDEX tokens_deadline ON tokens (deadlineMs);
CREATE TABLE token_positions (
    orgId TEXT NOT NULL, stockClassId TEXT NOT NULL,
    securityId TEXT NOT NULL,
    address TEXT NOT NULL,
    quantity TEXT NOT NULL,
    FOREIGN KEY (orgId, stockClassId) REFERENCES share_classes (orgId, id),
    PRIMARY KEY (orgId, stockClassId, securityId)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE token_differences (
    orgId TEXT NOT NULL, stockClassId TEXT NOT NULL,
    address TEXT NOT NULL,
    expected TEXT NOT NULL, found TEXT NOT NULL,
    since TEXT NOT NULL,
    FOREIGN KEY (orgId, stockClassId) REFERENCES share_classes (orgId, id),
    PRIMARY KEY (orgId, stockClassId, address)
  ) STRICT, WITHOUT ROWID;
CREATE TABLE chain_submissions (
    seq INTEGER PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('factory', 'deploy', 'operations')),
    toAddress TEXT, data TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'OPEN' CHECK (state IN ('OPEN', 'DONE', 'FAILED', 'ABANDONED')),
    createdAtMs INTEGER NOT NULL
  ) STRICT;
CREATE INDEX chain_submissions_state ON chain_submissions (state, seq);
CREATE TABLE chain_transactions (
    seq INTEGER PRIMARY KEY,
    submission INTEGER NOT NULL REFERENCES chain_submissions (seq),
    nonce INTEGER NOT NULL,
    gas TEXT NOT NULL, fees TEXT NOT NULL,
    raw TEXT NOT NULL, hash TEXT NOT NULL,
    createdAtMs INTEGER NOT NULL,
    blockNumber TEXT, blockHash TEXT,
    UNIQUE (submission, hash)
  ) STRICT;
CREATE TABLE chain_operations (
    orgId TEXT NOT NULL, stockClassId TEXT NOT NULL,
    seq INTEGER PRIMARY KEY,
    jobId TEXT NOT NULL REFERENCES outbox (id),
    kind TEXT NOT NULL CHECK (kind IN ('deploy', 'setAuthorized', 'cancel', 'transfer', 'issue')),
    key TEXT NOT NULL,
    fromSecurityId TEXT, fromAddress TEXT,
    toSecurityId TEXT, toAddress TEXT,
    amount TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'QUEUED' CHECK (state IN ('QUEUED', 'SENT', 'DONE', 'FAILED', 'DROPPED')),
    submission INTEGER REFERENCES chain_submissions (seq),
    tries INTEGER NOT NULL DEFAULT 0,
    hash TEXT, error TEXT,
    FOREIGN KEY (orgId, stockClassId) REFERENCES share_classes (orgId, id)
  ) STRICT;
CREATE UNIQUE INDEX chain_operations_key ON chain_operations (orgId, stockClassId, key) WHERE state <> 'DROPPED';
CREATE INDEX chain_operations_state ON chain_operations (state, seq);
CREATE INDEX chain_operations_class ON chain_operations (orgId, stockClassId, state, seq);
CREATE INDEX chain_operations_job ON chain_operations (jobId, state);
CREATE INDEX chain_operations_submission ON chain_operations (submission) WHERE submission IS NOT NULL;
CREATE INDEX chain_operations_to ON chain_operations (orgId, toSecurityId, state);
CREATE INDEX chain_operations_from ON chain_operations (orgId, fromSecurityId, state);
CREATE INDEX stakeholders_custody ON stakeholders (orgId, custodialAddress) WHERE custodialAddress IS NOT NULL;
CREATE INDEX outbox_state ON outbox (state, seq);
CREATE INDEX outbox_tried ON outbox (nextAttemptAtMs) WHERE state IN ('QUEUED', 'RUNNING') AND attempts > 0;
CREATE INDEX transactions_ahead ON transactions (orgId, effectiveDate)
    WHERE recordOnly = 0 AND effectiveDate > substr(createdAt, 1, 10);
CREATE INDEX transactions_split_pieces
      ON transactions (orgId, json_extract(metadata, '$.stockClassId'), sequence)
      WHERE type = 'STOCK_SPLIT' AND json_extract(metadata, '$.ocfUpTo') IS NOT NULL;
CREATE TABLE audit_log (
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
    UNIQUE (orgId, sequence)
  ) STRICT;
CREATE TRIGGER audit_log_no_update BEFORE UPDATE ON audit_log
        BEGIN SELECT RAISE(ABORT, 'audit_log is append-only'); END;
CREATE TRIGGER audit_log_no_delete BEFORE DELETE ON audit_log
        BEGIN SELECT RAISE(ABORT, 'audit_log is append-only'); END;
CREATE TABLE long_writes (
      seq INTEGER PRIMARY KEY,
      orgId TEXT NOT NULL REFERENCES organizations (id),
      kind TEXT NOT NULL CHECK (kind IN ('release', 'forget-valuation', 'expect-tokens', 'retry-tokens')),
      subject TEXT NOT NULL,
      after INTEGER NOT NULL,
      origin TEXT NOT NULL,
      UNIQUE (orgId, kind, subject)
    ) STRICT;
CREATE TABLE accounts (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, createdAt TEXT NOT NULL,
    email TEXT NOT NULL, emailFolded TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
    passwordHash TEXT, totpSecret TEXT, totpLastStep INTEGER,
    isOperator INTEGER NOT NULL DEFAULT 0 CHECK (isOperator IN (0, 1)),
    suspendedAt TEXT, lastSignInAt TEXT
  ) STRICT;
CREATE TABLE memberships (
    seq INTEGER PRIMARY KEY,
    orgId TEXT NOT NULL REFERENCES organizations (id),
    id TEXT NOT NULL,
    accountId TEXT NOT NULL REFERENCES accounts (id),
    role TEXT NOT NULL CHECK (role IN ('STAKEHOLDER', 'VIEWER', 'EDITOR', 'ADMIN')),
    stakeholderIds TEXT NOT NULL DEFAULT '[]',
    createdAt TEXT NOT NULL,
    removedAt TEXT,
    UNIQUE (orgId, id)
  ) STRICT;
CREATE UNIQUE INDEX memberships_open ON memberships (accountId, orgId) WHERE removedAt IS NULL;
CREATE TABLE membership_stakeholders (
    orgId TEXT NOT NULL, stakeholderId TEXT NOT NULL, membershipId TEXT NOT NULL,
    PRIMARY KEY (orgId, stakeholderId),
    FOREIGN KEY (orgId, stakeholderId) REFERENCES stakeholders (orgId, id),
    FOREIGN KEY (orgId, membershipId) REFERENCES memberships (orgId, id)
  ) STRICT;
CREATE INDEX membership_stakeholders_of ON membership_stakeholders (orgId, membershipId);
CREATE TABLE sessions (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, createdAt TEXT NOT NULL,
    accountId TEXT NOT NULL REFERENCES accounts (id),
    tokenHash TEXT NOT NULL UNIQUE,
    method TEXT NOT NULL CHECK (method IN ('SETUP', 'PASSWORD', 'PASSKEY', 'OIDC', 'LINK')),
    hasSecondFactor INTEGER NOT NULL CHECK (hasSecondFactor IN (0, 1)),
    confirmedAt TEXT NOT NULL, lastSeenAt TEXT NOT NULL, expiresAt TEXT NOT NULL,
    endedAt TEXT, endedBy TEXT,
    address TEXT, userAgent TEXT
  ) STRICT;
CREATE INDEX sessions_open ON sessions (accountId) WHERE endedAt IS NULL;
CREATE TABLE links (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, createdAt TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('INVITATION', 'RESET')),
    tokenHash TEXT NOT NULL UNIQUE,
    orgId TEXT REFERENCES organizations (id),
    accountId TEXT REFERENCES accounts (id),
    email TEXT NOT NULL, emailFolded TEXT NOT NULL,
    role TEXT CHECK (role IN ('STAKEHOLDER', 'VIEWER', 'EDITOR', 'ADMIN')),
    isOperator INTEGER NOT NULL DEFAULT 0 CHECK (isOperator IN (0, 1)),
    stakeholderIds TEXT NOT NULL DEFAULT '[]',
    madeBy TEXT NOT NULL,
    expiresAt TEXT NOT NULL, usedAt TEXT, revokedAt TEXT
  ) STRICT;
CREATE INDEX links_of_organization ON links (orgId, emailFolded);
CREATE INDEX links_of_account ON links (accountId);
CREATE TABLE passkeys (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, createdAt TEXT NOT NULL,
    accountId TEXT NOT NULL REFERENCES accounts (id),
    credentialId TEXT NOT NULL UNIQUE, publicKey TEXT NOT NULL, counter INTEGER NOT NULL,
    transports TEXT NOT NULL DEFAULT '[]', name TEXT NOT NULL, lastUsedAt TEXT
  ) STRICT;
CREATE INDEX passkeys_of_account ON passkeys (accountId);
CREATE TABLE recovery_codes (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, createdAt TEXT NOT NULL, accountId TEXT NOT NULL REFERENCES accounts (id), codeHash TEXT NOT NULL, usedAt TEXT,
    UNIQUE (accountId, codeHash)
  ) STRICT;
CREATE TABLE identities (seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, createdAt TEXT NOT NULL, accountId TEXT NOT NULL REFERENCES accounts (id), issuer TEXT NOT NULL, subject TEXT NOT NULL,
    UNIQUE (issuer, subject)
  ) STRICT;
CREATE INDEX identities_of_account ON identities (accountId);
CREATE TABLE account_log (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL,
    accountId TEXT NOT NULL REFERENCES accounts (id),
    event TEXT NOT NULL,
    sessionId TEXT, address TEXT, userAgent TEXT
  ) STRICT;
CREATE INDEX account_log_of_account ON account_log (accountId, seq);
CREATE TRIGGER account_log_no_update BEFORE UPDATE ON account_log
      BEGIN SELECT RAISE(ABORT, 'account_log is append-only'); END;
CREATE TRIGGER account_log_no_delete BEFORE DELETE ON account_log
      BEGIN SELECT RAISE(ABORT, 'account_log is append-only'); END;
CREATE TABLE scenarios (
    seq INTEGER PRIMARY KEY,
    orgId TEXT NOT NULL REFERENCES organizations (id),
    id TEXT NOT NULL,
    createdAt TEXT NOT NULL,
    updatedAt TEXT NOT NULL,
    deletedAt TEXT,
    name TEXT NOT NULL,
    description TEXT,
    model TEXT NOT NULL CHECK (model IN ('CAP_TABLE', 'ROUND', 'WATERFALL')),
    input TEXT NOT NULL,
    UNIQUE (orgId, id)
  ) STRICT;
CREATE INDEX scenarios_org ON scenarios (orgId);
CREATE TABLE imports (
    seq INTEGER PRIMARY KEY,
    orgId TEXT NOT NULL REFERENCES organizations (id),
    id TEXT NOT NULL,
    createdAt TEXT NOT NULL,
    updatedAt TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('READING', 'PREVIEWED', 'COMMITTING', 'COMMITTED', 'FAILED')),
    documentId TEXT NOT NULL,
    sha256 TEXT NOT NULL,
    format TEXT NOT NULL,
    mode TEXT CHECK (mode IN ('FULL', 'OUTSTANDING')),
    mapping TEXT,
    options TEXT NOT NULL,
    asOf TEXT,
    counts TEXT NOT NULL DEFAULT '{}',
    rows INTEGER NOT NULL DEFAULT 0,
    problemCount INTEGER NOT NULL DEFAULT 0,
    warningCount INTEGER NOT NULL DEFAULT 0,
    problems TEXT NOT NULL DEFAULT '[]',
    warnings TEXT NOT NULL DEFAULT '[]',
    totals TEXT NOT NULL DEFAULT '[]',
    failure TEXT,
    firstSequence INTEGER,
    lastSequence INTEGER,
    committedAt TEXT,
    planHash TEXT,
    committer TEXT,
    UNIQUE (orgId, id),
    FOREIGN KEY (orgId, documentId) REFERENCES documents (orgId, id)
  ) STRICT;
CREATE INDEX imports_org ON imports (orgId);
CREATE INDEX imports_document ON imports (orgId, documentId);
CREATE INDEX imports_waiting ON imports (state) WHERE state IN ('READING', 'COMMITTING');
CREATE TABLE import_pieces (
    orgId TEXT NOT NULL,
    importId TEXT NOT NULL,
    file TEXT NOT NULL CHECK (file IN ('problems', 'preview')),
    number INTEGER NOT NULL,
    content BLOB NOT NULL,
    PRIMARY KEY (orgId, importId, file, number),
    FOREIGN KEY (orgId, importId) REFERENCES imports (orgId, id)
  ) STRICT;
CREATE INDEX transactions_adjustments
    ON transactions (
      orgId,
      coalesce(json_extract(metadata, '$.equityPlanId'), json_extract(metadata, '$.stockClassId')),
      effectiveDate
    )
    WHERE recordOnly = 0
      AND type IN ('STOCK_CLASS_ADJUSTMENT', 'STOCK_PLAN_ADJUSTMENT')
      AND coalesce(json_extract(metadata, '$.newSharesAuthorized'), json_extract(metadata, '$.newSharesReserved'))
        IS NOT NULL;
CREATE INDEX securities_corrected ON securities (orgId) WHERE correctedPrice IS NOT NULL;
INSERT INTO organizations ("seq", "id", "legalName", "dba", "formationDate", "countryOfFormation", "countrySubdivisionOfFormation", "taxIds", "email", "phone", "address", "initialSharesAuthorized", "comments", "isNamed", "stakeholderCount", "createdAt", "updatedAt", "currency", "ocfIssuerId", "requireSecondFactor", "portalShowsOwnership", "portalShowsValue", "portalContact") VALUES (
  1, '01a2249f-c2db-7125-954c-8cd141a7f705', 'Unnamed organization', NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 0, 1, '2026-11-29T00:06:19.611Z', '2026-11-29T00:06:19.611Z', NULL, NULL, 0, 0, 0, NULL);
INSERT INTO stakeholders ("seq", "orgId", "id", "createdAt", "updatedAt", "deletedAt", "displayName", "name", "type", "status", "relationships", "email", "issuerAssignedId", "comments", "sourceDocumentId", "walletAddress", "custodialIndex", "custodialAddress", "searchText", "verificationStatus") VALUES (
  1, '01a2249f-c2db-7125-954c-8cd141a7f705', '01a2249f-ce3f-752f-9b4f-45e70f89b32f', '2026-11-29T00:06:22.527Z', '2026-11-29T00:06:22.527Z', NULL, 'Ada Lovelace', '{"legalName":"Ada Lovelace"}', 'INDIVIDUAL', 'CURRENT', '[]', NULL, NULL, NULL, NULL, NULL, 0, '0x496b12fb00439864E39da1a6C2D1FEA6a3C365aA', 'ADA LOVELACE
', 'UNVERIFIED');
INSERT INTO share_classes ("seq", "orgId", "id", "createdAt", "updatedAt", "deletedAt", "name", "classType", "defaultIdPrefix", "initialSharesAuthorized", "currentSharesAuthorized", "issued", "nextCertificateNumber", "votesPerShare", "parValue", "pricePerShare", "seniority", "liquidationPreferenceMultiple", "participationCapMultiple", "isParticipating", "boardApprovalDate", "stockholderApprovalDate", "comments", "sourceDocumentId", "stockLegendIds", "isImported", "tokenizationStatus", "tokenAddress", "tokenError", "currency", "conversionRights", "antiDilution", "participationCapBasis", "dividendType", "dividendRatePercent", "dividendCompounding") VALUES (
  1, '01a2249f-c2db-7125-954c-8cd141a7f705', '01a2249f-cfed-7444-9781-301651dc38aa', '2026-11-29T00:06:22.957Z', '2026-11-29T00:06:22.957Z', NULL, 'Common', 'COMMON', 'CS-', '999999999999999', '999999999999999', '100', 1, '1', NULL, NULL, 1, NULL, NULL, 0, NULL, NULL, NULL, NULL, '[]', 0, 'DEPLOYED', '0x7eAB8f3cACAD8642a7C91De71472faBdedD886Eb', NULL, 'USD', '[]', 'NONE', 'BEYOND_PREFERENCE', 'NONE', NULL, NULL);
INSERT INTO securities ("seq", "orgId", "id", "createdAt", "updatedAt", "deletedAt", "type", "status", "stakeholderId", "stockClassId", "equityPlanId", "vestingTermsId", "certificateId", "quantity", "pricePerShare", "purchasePrice", "exercisePrice", "optionType", "grantDate", "expirationDate", "vestingStartDate", "valuationId", "boardApprovalDate", "stockholderApprovalDate", "comments", "sourceDocumentId", "approvalId", "originSecurityId", "stockLegendIds", "convertibleTerms", "isGated", "tokenStatus", "tokenTransactionHash", "tokenError", "verificationStatus", "planCharge", "chargeBasis", "vestings", "currency", "correctedPrice") VALUES (
  1, '01a2249f-c2db-7125-954c-8cd141a7f705', '01a2249f-f829-72c9-aa53-be8793f3a008', '2026-11-29T00:06:33.252Z', '2026-11-29T00:06:33.252Z', NULL, 'STOCK', 'ACTIVE', '01a2249f-ce3f-752f-9b4f-45e70f89b32f', '01a2249f-cfed-7444-9781-301651dc38aa', NULL, NULL, 'B-1000000', '100', NULL, NULL, NULL, NULL, '2026-01-15', NULL, '2026-01-15', NULL, NULL, NULL, NULL, NULL, NULL, NULL, '[]', NULL, 0, 'PENDING', NULL, NULL, 'UNVERIFIED', NULL, NULL, NULL, 'USD', NULL);
INSERT INTO transactions ("seq", "orgId", "id", "sequence", "type", "securityId", "stakeholderId", "quantity", "effectiveDate", "metadata", "recordOnly", "createdAt", "previousHash", "hash") VALUES (
  1, '01a2249f-c2db-7125-954c-8cd141a7f705', '01a2249f-f830-77de-b927-e6844cb04300', 1, 'STOCK_ISSUANCE', '01a2249f-f829-72c9-aa53-be8793f3a008', '01a2249f-ce3f-752f-9b4f-45e70f89b32f', '100', '2026-01-15', '{"stockClassId":"01a2249f-cfed-7444-9781-301651dc38aa","certificateId":"B-1000000","rules":2}', 0, '2026-11-29T00:06:33.252Z', '0000000000000000000000000000000000000000000000000000000000000000', 'be1e4563251121ce470d51a1d1c828eebdcbd2083a2305c76e7794c935eac68a');
INSERT INTO audit_log ("seq", "orgId", "id", "sequence", "at", "actor", "apiKeyId", "accountId", "actorName", "requestId", "method", "path", "resourceType", "resourceId", "before", "after", "previousHash", "hash") VALUES (
  7, '01a2249f-c2db-7125-954c-8cd141a7f705', '01a2249f-f82d-77ed-97d3-e118c3d02e86', 7, '2026-11-29T00:06:33.252Z', 'api-key', '01a2249f-c2df-775e-b23d-db925c0a78e7', NULL, NULL, '01a2249f-f820-777f-bd45-903cf6fda075', 'POST', '/api/v1/transactions/issue-shares', 'security', '01a2249f-f829-72c9-aa53-be8793f3a008', NULL, '{"approvalId":null,"boardApprovalDate":null,"certificateId":"B-1000000","chargeBasis":null,"comments":null,"convertibleTerms":null,"correctedPrice":null,"createdAt":"2026-11-29T00:06:33.252Z","currency":"USD","deletedAt":null,"equityPlanId":null,"exercisePrice":null,"expirationDate":null,"grantDate":"2026-01-15","id":"01a2249f-f829-72c9-aa53-be8793f3a008","isGated":0,"optionType":null,"orgId":"01a2249f-c2db-7125-954c-8cd141a7f705","originSecurityId":null,"planCharge":null,"pricePerShare":null,"purchasePrice":null,"quantity":"100","sourceDocumentId":null,"stakeholderId":"01a2249f-ce3f-752f-9b4f-45e70f89b32f","status":"ACTIVE","stockClassId":"01a2249f-cfed-7444-9781-301651dc38aa","stockLegendIds":"[]","stockholderApprovalDate":null,"tokenError":null,"tokenStatus":"PENDING","tokenTransactionHash":null,"type":"STOCK","updatedAt":"2026-11-29T00:06:33.252Z","valuationId":null,"verificationStatus":"UNVERIFIED","vestingStartDate":"2026-01-15","vestingTermsId":null,"vestings":null}', '45c7fe5dbb3e8155a56f4a1e9d641d32c7b74bb08a59ac062b39700e5b2b6bf8', '5b464666e1707073768df0f04151f50c39fb38c9371054d4a91929d34d58e357');
INSERT INTO outbox ("seq", "orgId", "id", "kind", "stockClassId", "securityId", "transactionId", "payload", "state", "attempts", "nextAttemptAtMs", "error", "createdAt") VALUES (
  3, '01a2249f-c2db-7125-954c-8cd141a7f705', '01a2249f-f833-7664-835e-f6550fbc2718', 'mirror-entry', '01a2249f-cfed-7444-9781-301651dc38aa', '01a2249f-f829-72c9-aa53-be8793f3a008', '01a2249f-f830-77de-b927-e6844cb04300', '{"movements":[{"securityId":"01a2249f-f829-72c9-aa53-be8793f3a008","stockClassId":"01a2249f-cfed-7444-9781-301651dc38aa","from":{"stakeholderId":null,"quantity":"0"},"to":{"stakeholderId":"01a2249f-ce3f-752f-9b4f-45e70f89b32f","quantity":"100"}}]}', 'QUEUED', 0, 0, NULL, '2026-11-29T00:06:33.252Z');
INSERT INTO idempotency_keys ("seq", "orgId", "key", "method", "path", "bodyHash", "status", "body", "location", "createdAt") VALUES (
  1, '01a2249f-c2db-7125-954c-8cd141a7f705', 'bench-1000000', 'POST', '/api/v1/transactions/issue-shares', 'd2d427315948c0849da5e94ad3314121d4ecbf3f97cf66b4477213b4a73bda40', 201, '{"data":{"transactionId":"01a2249f-f830-77de-b927-e6844cb04300","securityId":"01a2249f-f829-72c9-aa53-be8793f3a008","warnings":[]}}', '/api/v1/securities/01a2249f-f829-72c9-aa53-be8793f3a008', '2026-11-29T00:06:33.252Z');
