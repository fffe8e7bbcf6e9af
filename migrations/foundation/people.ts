// Tables of people: accounts, memberships, sessions, links, what one signs in with, and the log of accounts. Of secrets
// they hold the SHA-256, a password's argon2id, or a sealed text; the log commits to secrets with the account's salt.
import { appendOnly, reference } from "./columns.ts";

const OWN = "seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, createdAt TEXT NOT NULL";
const OF_ACCOUNT = "accountId TEXT NOT NULL REFERENCES accounts (id)";

/** The statements, in order. */
export const PEOPLE: readonly string[] = [
  `CREATE TABLE accounts (${OWN},
    email TEXT NOT NULL, emailFolded TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
    passwordHash TEXT, totpSecret TEXT, totpLastStep INTEGER,
    isOperator INTEGER NOT NULL DEFAULT 0 CHECK (isOperator IN (0, 1)),
    suspendedAt TEXT, lastSignInAt TEXT,
    salt TEXT NOT NULL DEFAULT '',
    pendingEmail TEXT, pendingEmailAt TEXT
  ) STRICT`,
  `CREATE TABLE memberships (
    seq INTEGER PRIMARY KEY,
    orgId TEXT NOT NULL REFERENCES organizations (id),
    id TEXT NOT NULL,
    ${OF_ACCOUNT},
    role TEXT NOT NULL CHECK (role IN ('STAKEHOLDER', 'VIEWER', 'EDITOR', 'ADMIN')),
    stakeholderIds TEXT NOT NULL DEFAULT '[]',
    createdAt TEXT NOT NULL,
    removedAt TEXT,
    UNIQUE (orgId, id)
  ) STRICT`,
  "CREATE UNIQUE INDEX memberships_open ON memberships (accountId, orgId) WHERE removedAt IS NULL",
  `CREATE TABLE membership_stakeholders (
    orgId TEXT NOT NULL, stakeholderId TEXT NOT NULL, membershipId TEXT NOT NULL,
    PRIMARY KEY (orgId, stakeholderId),
    ${reference("stakeholderId", "stakeholders")},
    ${reference("membershipId", "memberships")}
  ) STRICT`,
  "CREATE INDEX membership_stakeholders_of ON membership_stakeholders (orgId, membershipId)",
  `CREATE TABLE sessions (${OWN},
    ${OF_ACCOUNT},
    tokenHash TEXT NOT NULL UNIQUE,
    method TEXT NOT NULL CHECK (method IN ('SETUP', 'PASSWORD', 'PASSKEY', 'OIDC', 'LINK')),
    hasSecondFactor INTEGER NOT NULL CHECK (hasSecondFactor IN (0, 1)),
    confirmedAt TEXT NOT NULL, lastSeenAt TEXT NOT NULL, expiresAt TEXT NOT NULL,
    endedAt TEXT, endedBy TEXT,
    address TEXT, userAgent TEXT
  ) STRICT`,
  "CREATE INDEX sessions_of_account ON sessions (accountId)",
  `CREATE TABLE links (${OWN},
    kind TEXT NOT NULL CHECK (kind IN ('INVITATION', 'RESET', 'EMAIL')),
    tokenHash TEXT NOT NULL UNIQUE,
    orgId TEXT REFERENCES organizations (id),
    accountId TEXT REFERENCES accounts (id),
    email TEXT NOT NULL, emailFolded TEXT NOT NULL,
    role TEXT CHECK (role IN ('STAKEHOLDER', 'VIEWER', 'EDITOR', 'ADMIN')),
    isOperator INTEGER NOT NULL DEFAULT 0 CHECK (isOperator IN (0, 1)),
    stakeholderIds TEXT NOT NULL DEFAULT '[]',
    madeBy TEXT NOT NULL,
    expiresAt TEXT NOT NULL, usedAt TEXT, revokedAt TEXT,
    validFrom TEXT, agreedAt TEXT
  ) STRICT`,
  "CREATE INDEX links_of_organization ON links (orgId, emailFolded)",
  "CREATE INDEX links_of_account ON links (accountId)",
  `CREATE TABLE passkeys (${OWN},
    ${OF_ACCOUNT},
    credentialId TEXT NOT NULL UNIQUE, publicKey TEXT NOT NULL, counter INTEGER NOT NULL,
    transports TEXT NOT NULL DEFAULT '[]', name TEXT NOT NULL, lastUsedAt TEXT
  ) STRICT`,
  "CREATE INDEX passkeys_of_account ON passkeys (accountId)",
  `CREATE TABLE recovery_codes (${OWN}, ${OF_ACCOUNT}, codeHash TEXT NOT NULL, usedAt TEXT,
    UNIQUE (accountId, codeHash)
  ) STRICT`,
  `CREATE TABLE identities (${OWN}, ${OF_ACCOUNT}, issuer TEXT NOT NULL, subject TEXT NOT NULL,
    UNIQUE (issuer, subject)
  ) STRICT`,
  "CREATE INDEX identities_of_account ON identities (accountId)",
  `CREATE TABLE calendars (${OWN}, ${OF_ACCOUNT},
    orgId TEXT NOT NULL REFERENCES organizations (id),
    tokenHash TEXT NOT NULL UNIQUE,
    showsNames INTEGER NOT NULL CHECK (showsNames IN (0, 1))
  ) STRICT`,
  "CREATE INDEX calendars_of_account ON calendars (accountId)",
  `CREATE TABLE mails (${OWN},
    kind TEXT NOT NULL,
    orgId TEXT REFERENCES organizations (id),
    accountId TEXT REFERENCES accounts (id),
    "to" TEXT NOT NULL,
    about TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('QUEUED', 'SENT', 'FAILED', 'DROPPED')),
    attempts INTEGER NOT NULL DEFAULT 0,
    nextAttemptAt TEXT, expiresAt TEXT, error TEXT, sealed TEXT, sentAt TEXT
  ) STRICT`,
  "CREATE INDEX mails_queued ON mails (nextAttemptAt) WHERE state = 'QUEUED'",
  "CREATE INDEX mails_of_organization ON mails (orgId, seq)",
  "CREATE UNIQUE INDEX mails_once ON mails (kind, accountId, about) WHERE accountId IS NOT NULL",
  `CREATE TABLE mail_choices (
    accountId TEXT NOT NULL REFERENCES accounts (id),
    orgId TEXT NOT NULL,
    topic TEXT NOT NULL CHECK (topic IN ('approvals', 'acceptances', 'dates', 'instance')),
    PRIMARY KEY (accountId, orgId, topic)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE account_log (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    sequence INTEGER NOT NULL UNIQUE,
    at TEXT NOT NULL,
    accountId TEXT REFERENCES accounts (id),
    event TEXT NOT NULL,
    sessionId TEXT, address TEXT, userAgent TEXT,
    by TEXT NOT NULL, data TEXT NOT NULL,
    previousHash TEXT NOT NULL, hash TEXT NOT NULL
  ) STRICT`,
  "CREATE INDEX account_log_of_account ON account_log (accountId, seq)",
  ...appendOnly("account_log"),
];
