// Tables of webhooks: endpoints, what was sent to them, and the same of the instance. They hold no secret: secrets follow
// from webhook.key, the row's id and its version.
import { reference } from "./columns.ts";

const STATUS = "status TEXT NOT NULL DEFAULT 'ENABLED' CHECK (status IN ('ENABLED', 'DISABLED'))";
const SECRET = "secretVersion INTEGER NOT NULL, keyFingerprint TEXT NOT NULL";
const PROGRESS = `failures INTEGER NOT NULL DEFAULT 0, lastSuccessAt TEXT, failingSince TEXT, nextAttemptAt TEXT,
    lastError TEXT`;

/** The statements, in order. */
export const WEBHOOKS: readonly string[] = [
  `CREATE TABLE webhook_endpoints (
    seq INTEGER PRIMARY KEY,
    orgId TEXT NOT NULL REFERENCES organizations (id),
    id TEXT NOT NULL,
    url TEXT NOT NULL,
    description TEXT,
    types TEXT NOT NULL DEFAULT '["*"]',
    include TEXT NOT NULL DEFAULT 'ids' CHECK (include IN ('ids', 'record')),
    checkpoints INTEGER NOT NULL DEFAULT 0 CHECK (checkpoints IN (0, 1)),
    ${STATUS},
    disabledReason TEXT CHECK (disabledReason IN ('REQUESTED', 'MAKER_REMOVED', 'GONE', 'FAILING')),
    ${SECRET},
    previousSecretUntil TEXT,
    madeBy TEXT NOT NULL,
    createdAt TEXT NOT NULL,
    updatedAt TEXT NOT NULL,
    removedAt TEXT,
    cursor TEXT NOT NULL DEFAULT '',
    revision INTEGER NOT NULL DEFAULT 0,
    ${PROGRESS},
    UNIQUE (orgId, id)
  ) STRICT`,
  `CREATE INDEX webhook_endpoints_enabled ON webhook_endpoints (status) WHERE status = 'ENABLED' AND removedAt IS NULL`,
  `CREATE TABLE webhook_deliveries (
    seq INTEGER PRIMARY KEY,
    orgId TEXT NOT NULL,
    endpointId TEXT NOT NULL,
    id TEXT NOT NULL,
    createdAt TEXT NOT NULL,
    eventId TEXT NOT NULL,
    eventType TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('ORDERED', 'TEST', 'REDELIVERY', 'CHECKPOINT')),
    attempt INTEGER NOT NULL DEFAULT 1,
    state TEXT NOT NULL CHECK (state IN ('PENDING', 'SUCCEEDED', 'FAILED')),
    startedAt TEXT,
    durationMs INTEGER,
    responseStatus INTEGER,
    error TEXT,
    cursor TEXT,
    UNIQUE (orgId, id),
    ${reference("endpointId", "webhook_endpoints")}
  ) STRICT`,
  "CREATE INDEX webhook_deliveries_of ON webhook_deliveries (orgId, endpointId, seq)",
  "CREATE INDEX webhook_deliveries_pending ON webhook_deliveries (state) WHERE state = 'PENDING'",
  `CREATE TABLE instance_endpoints (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    createdAt TEXT NOT NULL,
    url TEXT NOT NULL,
    ${STATUS},
    disabledReason TEXT CHECK (disabledReason IN ('GONE', 'FAILING')),
    ${SECRET},
    place INTEGER NOT NULL,
    ${PROGRESS}
  ) STRICT`,
  `CREATE TABLE instance_events (
    seq INTEGER PRIMARY KEY AUTOINCREMENT,
    id TEXT NOT NULL UNIQUE,
    at TEXT NOT NULL,
    type TEXT NOT NULL,
    data TEXT NOT NULL
  ) STRICT`,
];
