// The audit log becomes a chain of its own for each organization (TRUTH section 6): its rows are numbered and hashed,
// and after the old ones come `log-started` and one row `adopted` for each record, whole, with whatever columns it has.
// From there on the log alone says what the tables must hold.
import { CompiledQuery, type Kysely } from "kysely";
import { canonicalJson, canonicalText, digestText, FIRST_HASH, hashLogRow } from "../src/database/log-hash.ts";
import { systemRuntime, toTimestamp } from "../src/kernel/runtime.ts";

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

const COLUMNS = [
  "orgId",
  "id",
  "sequence",
  "at",
  "actor",
  "apiKeyId",
  "accountId",
  "actorName",
  "requestId",
  "method",
  "path",
  "resourceType",
  "resourceId",
  "before",
  "after",
  "previousHash",
  "hash",
] as const;
const PAGE = 500;
/** Rows in one statement: with their columns fewer values than SQLite takes. */
const ROWS_AT_ONCE = 50;

type OldRow = Omit<Parameters<typeof hashLogRow>[0], "sequence" | "previousHash" | "accountId" | "actorName">;
type StoredRow = Readonly<Record<string, unknown>> & { readonly seq: number };
type Db = Kysely<unknown>;

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

async function run<R>(db: Db, text: string, values: readonly unknown[] = []): Promise<R[]> {
  return (await db.executeQuery<R>(CompiledQuery.raw(text, [...values]))).rows;
}

async function rebuild(db: Db, orgId: string): Promise<void> {
  const chain = new Chain(db, orgId);
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

/** An organization's rows of a table, oldest first, a page at a time. */
async function* rowsOf(db: Db, table: string, orgId: string): AsyncGenerator<StoredRow> {
  const owner = table === "organizations" ? "id" : "orgId";
  for (let after = 0; ; ) {
    const text = `SELECT * FROM ${table} WHERE ${owner} = ? AND seq > ? ORDER BY seq LIMIT ${PAGE}`;
    const page = await run<StoredRow>(db, text, [orgId, after]);
    yield* page;
    const last = page.at(-1);
    if (last === undefined || page.length < PAGE) return;
    after = last.seq;
  }
}

/** Numbers, chains and writes an organization's rows. */
class Chain {
  size = 0;
  #hash = FIRST_HASH;
  #waiting: unknown[][] = [];
  readonly #db: Db;
  readonly #orgId: string;

  constructor(db: Db, orgId: string) {
    this.#db = db;
    this.#orgId = orgId;
  }

  /** Appends a row of before, its content as it was: only its hash is taken over the canonical form. */
  async append(old: OldRow): Promise<void> {
    const row = { ...old, accountId: null, actorName: null, sequence: this.size + 1, previousHash: this.#hash };
    const { before, after } = old;
    const canonical = { before: before && canonicalText(before), after: after && canonicalText(after) };
    this.#hash = hashLogRow({ ...row, ...canonical });
    this.size++;
    const chained: Readonly<Record<string, unknown>> = { ...row, hash: this.#hash };
    this.#waiting.push(COLUMNS.map((name) => chained[name]));
    if (this.#waiting.length === ROWS_AT_ONCE) await this.flush();
  }

  /** Appends a row of this migration's own. */
  async note(method: string, resourceType: string, resourceId: string | null, after: object): Promise<void> {
    await this.append({
      orgId: this.#orgId,
      id: systemRuntime.newId(),
      at: toTimestamp(systemRuntime.nowMs()),
      actor: "job",
      apiKeyId: null,
      requestId: null,
      method,
      path: null,
      resourceType,
      resourceId,
      before: null,
      after: canonicalJson(after),
    });
  }

  /** Writes what waits. */
  async flush(): Promise<void> {
    if (this.#waiting.length === 0) return;
    const row = `(${COLUMNS.map(() => "?").join(", ")})`;
    const text = `INSERT INTO audit_log (${COLUMNS.join(", ")}) VALUES ${this.#waiting.map(() => row).join(", ")}`;
    await run(this.#db, text, this.#waiting.flat());
    this.#waiting = [];
  }
}
