// People: accounts, what they are members of, sessions, and what one signs in with. What stands here of secrets is their
// SHA-256, a password's argon2id, or sealed. Columns added to existing records hold their defaults, which is what the
// log assumes of columns that it was told nothing of.
import { type Kysely, sql } from "kysely";

const OWN = "seq INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, createdAt TEXT NOT NULL";
const OF_ACCOUNT = "accountId TEXT NOT NULL REFERENCES accounts (id)";

const STATEMENTS: readonly string[] = [
  `CREATE TABLE accounts (${OWN},
    email TEXT NOT NULL, emailFolded TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
    passwordHash TEXT, totpSecret TEXT, totpLastStep INTEGER,
    isOperator INTEGER NOT NULL DEFAULT 0 CHECK (isOperator IN (0, 1)),
    suspendedAt TEXT, lastSignInAt TEXT
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
    FOREIGN KEY (orgId, stakeholderId) REFERENCES stakeholders (orgId, id),
    FOREIGN KEY (orgId, membershipId) REFERENCES memberships (orgId, id)
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
  "CREATE INDEX sessions_open ON sessions (accountId) WHERE endedAt IS NULL",
  `CREATE TABLE links (${OWN},
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
  `CREATE TABLE account_log (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL,
    ${OF_ACCOUNT},
    event TEXT NOT NULL,
    sessionId TEXT, address TEXT, userAgent TEXT
  ) STRICT`,
  "CREATE INDEX account_log_of_account ON account_log (accountId, seq)",
  ...["UPDATE", "DELETE"].map(
    (verb) => `CREATE TRIGGER account_log_no_${verb.toLowerCase()} BEFORE ${verb} ON account_log
      BEGIN SELECT RAISE(ABORT, 'account_log is append-only'); END`,
  ),
  "ALTER TABLE organizations ADD COLUMN requireSecondFactor INTEGER NOT NULL DEFAULT 0",
  "ALTER TABLE organizations ADD COLUMN portalShowsOwnership INTEGER NOT NULL DEFAULT 0",
  "ALTER TABLE organizations ADD COLUMN portalShowsValue INTEGER NOT NULL DEFAULT 0",
  "ALTER TABLE organizations ADD COLUMN portalContact TEXT",
  "ALTER TABLE documents ADD COLUMN isSharedWithHolders INTEGER NOT NULL DEFAULT 0",
  "ALTER TABLE approval_steps ADD COLUMN decidedBy TEXT",
];

/** Makes the tables and adds the columns. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
}
