// The log of one organization as migrations write it: rows numbered and chained by hash, many in one statement.
import { CompiledQuery, type Kysely } from "kysely";
import { canonicalJson, canonicalText, FIRST_HASH, hashLogRow } from "../src/database/log-hash.ts";
import { systemRuntime, toTimestamp } from "../src/kernel/runtime.ts";

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
/** Rows in one statement: with their columns fewer values than SQLite takes. */
const ROWS_AT_ONCE = 50;
const PAGE = 500;

/** A row of the log as it was before the log was a chain. */
export type OldRow = Omit<
  Parameters<typeof hashLogRow>[0],
  "sequence" | "previousHash" | "accountId" | "actorName" | "sessionId"
>;
/** A row of a table, whatever columns it has. */
export type StoredRow = Readonly<Record<string, unknown>> & { readonly seq: number };
/** A database of any schema. */
export type Db = Kysely<unknown>;

/** Runs a statement. */
export async function run<R>(db: Db, text: string, values: readonly unknown[] = []): Promise<R[]> {
  return (await db.executeQuery<R>(CompiledQuery.raw(text, [...values]))).rows;
}

/** An organization's rows of a table, oldest first, a page at a time. */
export async function* rowsOf(db: Db, table: string, orgId: string): AsyncGenerator<StoredRow> {
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
export class LogChain {
  size: number;
  #hash: string;
  #waiting: unknown[][] = [];
  readonly #db: Db;
  readonly #orgId: string;

  /** Goes on after `head`, or begins a log. */
  constructor(db: Db, orgId: string, head: { readonly sequence: number; readonly hash: string } | undefined) {
    this.#db = db;
    this.#orgId = orgId;
    this.size = head?.sequence ?? 0;
    this.#hash = head?.hash ?? FIRST_HASH;
  }

  /** Goes on after an organization's last row. */
  static async open(db: Db, orgId: string): Promise<LogChain> {
    const text = "SELECT sequence, hash FROM audit_log WHERE orgId = ? ORDER BY sequence DESC LIMIT 1";
    const [head] = await run<{ sequence: number; hash: string }>(db, text, [orgId]);
    return new LogChain(db, orgId, head);
  }

  /** Appends a row of before, its content as it was: only its hash is taken over the canonical form. */
  async append(old: OldRow): Promise<void> {
    const nobody = { accountId: null, actorName: null, sessionId: null };
    const row = { ...old, ...nobody, sequence: this.size + 1, previousHash: this.#hash };
    const { before, after } = old;
    const canonical = { before: before && canonicalText(before), after: after && canonicalText(after) };
    this.#hash = hashLogRow({ ...row, ...canonical });
    this.size++;
    const chained: Readonly<Record<string, unknown>> = { ...row, hash: this.#hash };
    this.#waiting.push(COLUMNS.map((name) => chained[name]));
    if (this.#waiting.length === ROWS_AT_ONCE) await this.flush();
  }

  /** Appends a row of a migration's own. */
  async note(
    method: string,
    resourceType: string,
    resourceId: string | null,
    after: object,
    before: object | null = null,
  ): Promise<void> {
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
      before: before && canonicalJson(before),
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
