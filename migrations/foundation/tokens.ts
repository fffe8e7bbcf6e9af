// Tables of tokens: a token for each class, what each security has there, the operations that make it so, and every
// transaction that was ever signed for them. A signed transaction is kept before it is sent and never deleted: a restart
// sends the same bytes again. No key is in any of it.
import { reference } from "./columns.ts";

const CLASS = "orgId TEXT NOT NULL, stockClassId TEXT NOT NULL,";
const CLASS_REFERENCE = reference("stockClassId", "share_classes");

/** The statements, in order. */
export const TOKENS: readonly string[] = [
  `CREATE TABLE tokens (
    ${CLASS}
    deadlineMs INTEGER,
    authorized TEXT,
    totalSupply TEXT,
    lastReconciledAt TEXT,
    ${CLASS_REFERENCE},
    PRIMARY KEY (orgId, stockClassId)
  ) STRICT, WITHOUT ROWID`,
  `CREATE INDEX tokens_deadline ON tokens (deadlineMs)`,
  `CREATE TABLE token_positions (
    ${CLASS}
    securityId TEXT NOT NULL,
    address TEXT NOT NULL,
    quantity TEXT NOT NULL,
    ${CLASS_REFERENCE},
    PRIMARY KEY (orgId, stockClassId, securityId)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE token_differences (
    ${CLASS}
    address TEXT NOT NULL,
    expected TEXT NOT NULL, found TEXT NOT NULL,
    since TEXT NOT NULL,
    ${CLASS_REFERENCE},
    PRIMARY KEY (orgId, stockClassId, address)
  ) STRICT, WITHOUT ROWID`,
  `CREATE TABLE chain_submissions (
    seq INTEGER PRIMARY KEY,
    kind TEXT NOT NULL CHECK (kind IN ('factory', 'deploy', 'operations')),
    toAddress TEXT, data TEXT NOT NULL,
    state TEXT NOT NULL DEFAULT 'OPEN' CHECK (state IN ('OPEN', 'DONE', 'FAILED', 'ABANDONED')),
    createdAtMs INTEGER NOT NULL
  ) STRICT`,
  `CREATE INDEX chain_submissions_state ON chain_submissions (state, seq)`,
  `CREATE TABLE chain_transactions (
    seq INTEGER PRIMARY KEY,
    submission INTEGER NOT NULL REFERENCES chain_submissions (seq),
    nonce INTEGER NOT NULL,
    gas TEXT NOT NULL, fees TEXT NOT NULL,
    raw TEXT NOT NULL, hash TEXT NOT NULL,
    createdAtMs INTEGER NOT NULL,
    blockNumber TEXT, blockHash TEXT,
    UNIQUE (submission, hash)
  ) STRICT`,
  `CREATE TABLE chain_operations (
    ${CLASS}
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
    ${CLASS_REFERENCE}
  ) STRICT`,
  `CREATE UNIQUE INDEX chain_operations_key ON chain_operations (orgId, stockClassId, key) WHERE state <> 'DROPPED'`,
  `CREATE INDEX chain_operations_state ON chain_operations (state, seq)`,
  `CREATE INDEX chain_operations_class ON chain_operations (orgId, stockClassId, state, seq)`,
  `CREATE INDEX chain_operations_job ON chain_operations (jobId, state)`,
  `CREATE INDEX chain_operations_submission ON chain_operations (submission) WHERE submission IS NOT NULL`,
  `CREATE INDEX chain_operations_to ON chain_operations (orgId, toSecurityId, state)`,
  `CREATE INDEX chain_operations_from ON chain_operations (orgId, fromSecurityId, state)`,
];
