// The audit log becomes a chain of its own for each organization (TRUTH section 6): its rows are numbered and hashed,
// and after the old ones come `log-started` and one row `adopted` for each record, whole, with whatever columns it has.
// From there on the log alone says what the tables must hold.
import { digestText, FIRST_HASH } from "../src/database/log-hash.ts";
import { type Db, LogChain, type OldRow, rowsOf, run } from "./log-chain.ts";

const AUDIT_LOG = `CREATE TABLE audit_log (
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
  ) STRICT`;

/** The tables whose records are adopted, in the order of their references, and what the log calls a record of each. */
const ADOPTED: readonly (readonly [table: string, noun: string])[] = [
  ["organizations", "organization"],
  ["api_keys", "api key"],
  ["documents", "document"],
  ["stock_legends", "stock legend"],
  ["stakeholders", "stakeholder"],
  ["share_classes", "share class"],
  ["valuations", "valuation"],
  ["equity_plans", "equity plan"],
  ["vesting_terms", "vesting terms"],
  ["approvals", "approval"],
  ["approval_steps", "approval step"],
  ["securities", "security"],
  ["vesting_milestones", "vesting milestone"],
  ["corporate_actions", "corporate action"],
  ["ocf_objects", "ocf object"],
];

/** Rebuilds the log of every organization. */
export async function up(db: Db): Promise<void> {
  for (const name of ["audit_log_no_update", "audit_log_no_delete"]) await run(db, `DROP TRIGGER ${name}`);
  await run(db, "ALTER TABLE audit_log RENAME TO audit_log_before");
  await run(db, AUDIT_LOG);
  for (const { id } of await run<{ id: string }>(db, "SELECT id FROM organizations ORDER BY seq"))
    await rebuild(db, id);
  await run(db, "DROP TABLE audit_log_before");
  for (const verb of ["UPDATE", "DELETE"]) {
    await run(
      db,
      `CREATE TRIGGER audit_log_no_${verb.toLowerCase()} BEFORE ${verb} ON audit_log
        BEGIN SELECT RAISE(ABORT, 'audit_log is append-only'); END`,
    );
  }
}

async function rebuild(db: Db, orgId: string): Promise<void> {
  const chain = new LogChain(db, orgId, undefined);
  for await (const { seq: _seq, ...old } of rowsOf(db, "audit_log_before", orgId)) await chain.append(old as OldRow);
  await chain.note("log-started", "log", null, { ...(await ledgerHead(db, orgId)), rows: chain.size });
  for (const [table, noun] of ADOPTED) {
    for await (const { seq: _seq, ...record } of rowsOf(db, table, orgId)) {
      const id = String(record.id);
      await chain.note("adopted", noun, id, table === "ocf_objects" ? digested(record) : record);
    }
  }
  await chain.flush();
}

/** An original's long texts are in the log as their SHA-256. */
function digested({ raw, mapped, ...record }: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return { ...record, raw: digestText(String(raw)), mapped: digestText(mapped === null ? null : String(mapped)) };
}

async function ledgerHead(db: Db, orgId: string): Promise<{ ledgerSize: number; ledgerHead: string }> {
  const text = "SELECT sequence, hash FROM transactions WHERE orgId = ? ORDER BY sequence DESC LIMIT 1";
  const [head] = await run<{ sequence: number; hash: string }>(db, text, [orgId]);
  return { ledgerSize: head?.sequence ?? 0, ledgerHead: head?.hash ?? FIRST_HASH };
}
