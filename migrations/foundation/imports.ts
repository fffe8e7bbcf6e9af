// Tables of spreadsheet imports: their state, and their previews. The records that an import wrote are in the log and
// the ledger.
import { reference } from "./columns.ts";

/** The statements, in order. */
export const IMPORTS: readonly string[] = [
  `CREATE TABLE imports (
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
    closed INTEGER NOT NULL DEFAULT 0,
    schedules TEXT NOT NULL DEFAULT '[]',
    attempts INTEGER NOT NULL DEFAULT 0,
    failureCode TEXT CHECK (failureCode IN ('file-too-complex', 'reader-ended')),
    UNIQUE (orgId, id),
    ${reference("documentId", "documents")}
  ) STRICT`,
  "CREATE INDEX imports_org ON imports (orgId)",
  "CREATE INDEX imports_document ON imports (orgId, documentId)",
  "CREATE INDEX imports_waiting ON imports (state) WHERE state IN ('READING', 'COMMITTING')",
  `CREATE TABLE import_pieces (
    orgId TEXT NOT NULL,
    importId TEXT NOT NULL,
    file TEXT NOT NULL CHECK (file IN ('problems', 'preview')),
    number INTEGER NOT NULL,
    content BLOB NOT NULL,
    PRIMARY KEY (orgId, importId, file, number),
    ${reference("importId", "imports")}
  ) STRICT`,
];
