// The table of kept checkpoints: signed notes of where ledger and log stood, with time stamps and cosignatures.

/** The statements, in order. */
export const CHECKPOINTS: readonly string[] = [
  // `note` says both heads and has the time stamps; `ledgerNote` and `logNote` are checkpoints of the chains' Merkle trees and
  // have the cosignatures, of which `ledgerCosigned` and `logCosigned` count those that were checked.
  `CREATE TABLE checkpoints (
    seq INTEGER PRIMARY KEY,
    orgId TEXT NOT NULL REFERENCES organizations (id),
    id TEXT NOT NULL,
    time TEXT NOT NULL,
    ledgerSize INTEGER NOT NULL, ledgerHead TEXT NOT NULL,
    logSize INTEGER NOT NULL, logHead TEXT NOT NULL,
    note TEXT NOT NULL, ledgerNote TEXT NOT NULL, logNote TEXT NOT NULL,
    stampedAt TEXT,
    ledgerCosigned INTEGER NOT NULL DEFAULT 0,
    logCosigned INTEGER NOT NULL DEFAULT 0,
    UNIQUE (orgId, id)
  ) STRICT`,
  "CREATE INDEX checkpoints_of_organization ON checkpoints (orgId, seq)",
  "CREATE INDEX checkpoints_stamped ON checkpoints (orgId, stampedAt) WHERE stampedAt IS NOT NULL",
];
