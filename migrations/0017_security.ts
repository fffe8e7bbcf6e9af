// The columns by which the instance proves who did what, and what an organization stores.
import { type Kysely, sql } from "kysely";
import { beginAccountLog } from "./account-chain.ts";
import { tellMakersAndScopes } from "./key-makers.ts";
import { run } from "./log-chain.ts";

/** Who made a link, in place of the bare id: with the name that an account or key has now. */
const MAKER = `json_object(
  'actor', CASE WHEN links.madeBy IN ('cli', 'job') THEN links.madeBy
    WHEN EXISTS (SELECT 1 FROM accounts WHERE id = links.madeBy) THEN 'person' ELSE 'api-key' END,
  'accountId', (SELECT id FROM accounts WHERE id = links.madeBy),
  'apiKeyId', (SELECT id FROM api_keys WHERE id = links.madeBy LIMIT 1),
  'name', coalesce((SELECT name FROM accounts WHERE id = links.madeBy),
    (SELECT name FROM api_keys WHERE id = links.madeBy LIMIT 1)))`;

const STATEMENTS: readonly string[] = [
  // What the log of accounts keeps of secrets is committed to with a salt of the account's.
  "ALTER TABLE accounts ADD COLUMN salt TEXT NOT NULL DEFAULT ''",
  "UPDATE accounts SET salt = lower(hex(randomblob(16)))",
  // An e-mail address that a person wishes to have, and since when: it counts once it is proven or accepted.
  "ALTER TABLE accounts ADD COLUMN pendingEmail TEXT",
  "ALTER TABLE accounts ADD COLUMN pendingEmailAt TEXT",
  // Who made a link; from when on it counts, where it waits, and when an administrator agreed that it counts at once.
  `UPDATE links SET madeBy = ${MAKER}`,
  "ALTER TABLE links ADD COLUMN validFrom TEXT",
  "ALTER TABLE links ADD COLUMN agreedAt TEXT",
  // Who made a key; null where the log does not say.
  "ALTER TABLE api_keys ADD COLUMN madeBy TEXT",
  // What a key is limited to, nothing unless the log says so; and from where it was last used.
  "ALTER TABLE api_keys ADD COLUMN scopes TEXT NOT NULL DEFAULT '[]'",
  "ALTER TABLE api_keys ADD COLUMN lastUsedAddress TEXT",
  // In which session a person wrote; rows from before have none, and their hashes do not cover it.
  "ALTER TABLE audit_log ADD COLUMN sessionId TEXT",
  // No event explains the sessions of before: they end. Recovery codes that were used do nothing any more.
  "DELETE FROM sessions",
  "DELETE FROM recovery_codes WHERE usedAt IS NOT NULL",
  // What is finished later was asked for in a session that no event explains: a job finishes it.
  ...[
    ["long_writes", "origin"],
    ["imports", "committer"],
  ].map(
    ([table, column]) => `UPDATE ${table} SET ${column} =
      json_set(${column}, '$.actor', 'job', '$.accountId', null, '$.actorName', null, '$.sessionId', null)
      WHERE json_extract(${column}, '$.actor') = 'person'`,
  ),
  "DROP TABLE account_log",
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
  ...["UPDATE", "DELETE"].map(
    (verb) => `CREATE TRIGGER account_log_no_${verb.toLowerCase()} BEFORE ${verb} ON account_log
      BEGIN SELECT RAISE(ABORT, 'account_log is append-only'); END`,
  ),
  // Changes of what vests and can be exercised besides by the ledger: a view of what was known finds them in a long log.
  `CREATE INDEX audit_log_vesting ON audit_log (orgId, at) WHERE "before" IS NOT NULL AND (resourceType = 'vesting terms'
    OR resourceType = 'vesting milestone' OR instr("before", '"vesting') > 0 OR instr("before", '"grantDate"') > 0
    OR instr("before", '"expirationDate"') > 0)`,
  "ALTER TABLE imports ADD COLUMN attempts INTEGER NOT NULL DEFAULT 0",
  "ALTER TABLE imports ADD COLUMN failureCode TEXT CHECK (failureCode IN ('file-too-complex', 'reader-ended'))",
];

/** The bytes of what an organization stores, by table: what a row of each has. */
const STORED = {
  document_contents: (row: string) => `octet_length(${row}content)`,
  import_pieces: (row: string) => `octet_length(${row}content)`,
  ocf_objects: (row: string) => `octet_length(${row}raw)`,
} as const;

const TABLES = Object.entries(STORED);

/** Triggers keep the sum, so that no way of writing leaves it out. */
const STORAGE: readonly string[] = [
  "ALTER TABLE organizations ADD COLUMN storedBytes INTEGER NOT NULL DEFAULT 0",
  `UPDATE organizations SET storedBytes = ${TABLES.map(
    ([table, bytes]) => `coalesce((SELECT sum(${bytes("")}) FROM ${table} WHERE orgId = organizations.id), 0)`,
  ).join(" + ")}`,
  ...TABLES.flatMap(([table, bytes]) => {
    const trigger = (verb: string, event: string, row: "NEW" | "OLD", change: string) =>
      `CREATE TRIGGER ${table}_bytes_${verb} AFTER ${event} ON ${table} BEGIN
        UPDATE organizations SET storedBytes = storedBytes + ${change} WHERE id = ${row}.orgId; END`;
    const columns = table === "ocf_objects" ? "raw" : "content";
    const [added, removed] = [`(${bytes("NEW.")})`, `-(${bytes("OLD.")})`];
    return [
      trigger("added", "INSERT", "NEW", added),
      trigger("removed", "DELETE", "OLD", removed),
      trigger("changed", `UPDATE OF ${columns}`, "NEW", `(${bytes("NEW.")}) - (${bytes("OLD.")})`),
    ];
  }),
];

/** Adds the columns, and begins the log of accounts with what explains the accounts that are here. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...STATEMENTS, ...STORAGE]) await sql.raw(statement).execute(db);
  for (const { id } of await run<{ id: string }>(db, "SELECT id FROM organizations ORDER BY seq")) {
    await tellMakersAndScopes(db, id);
  }
  await beginAccountLog(db);
}
