// The audit log: who changed what, in the commit that changed it, as a hash chain of its own for each organization.
// Append-only by trigger. Which tables it covers, and how they are written, is logged.ts.
import { sql } from "kysely";
import type { Call } from "../../../kernel/call.ts";
import { build, exists, ofOrganization, type Params, type Reader, statement, type Tx } from "../sql.ts";
import { canonicalJson, FIRST_HASH, type HashedRow, hashLogRow } from "./log-hash.ts";

/** The last row's place and hash; sequence 0 and 64 zeros for an empty log. */
export interface LogHead {
  readonly sequence: number;
  readonly hash: string;
}

const head = statement((param: Params<{ orgId: string }>) =>
  ofOrganization("audit_log", param).select(["sequence", "hash"]).orderBy("sequence", "desc").limit(1),
);

/** The head of the organization's log. */
export function findLogHead(db: Reader, orgId: string): LogHead {
  return head.first(db, { orgId }) ?? { sequence: 0, hash: FIRST_HASH };
}

/** Whether the organization's log has this row, at this place. */
export const isLogRow = exists((param: Params<{ orgId: string; sequence: number; hash: string }>) =>
  ofOrganization("audit_log", param)
    .select("seq")
    .where("sequence", "=", param("sequence"))
    .where("hash", "=", param("hash")),
);

const insertion = statement((param: Params<HashedRow & { hash: string }>) =>
  build.insertInto("audit_log").values({
    orgId: param("orgId"),
    id: param("id"),
    sequence: param("sequence"),
    at: param("at"),
    actor: param("actor"),
    apiKeyId: param("apiKeyId"),
    accountId: param("accountId"),
    actorName: param("actorName"),
    sessionId: param("sessionId"),
    requestId: param("requestId"),
    method: param("method"),
    path: param("path"),
    resourceType: param("resourceType"),
    resourceId: param("resourceId"),
    before: param("before"),
    after: param("after"),
    previousHash: param("previousHash"),
    hash: param("hash"),
  }),
);

/** What a row of the log tells; `before` and `after` are canonical JSON text. */
export interface Told {
  readonly resourceType: string;
  readonly resourceId: string | null;
  readonly before: string | null;
  readonly after: string | null;
}

/** Appends rows to the log of the call's organization. Never a key, a secret or a document's bytes in them. */
export function appendLog(tx: Tx, call: Call, rows: readonly Told[]): void {
  const { orgId, at, actor, apiKeyId, accountId, actorName, sessionId, requestId, method, path } = call;
  let { sequence, hash } = findLogHead(tx, orgId);
  for (const { resourceType, resourceId, before, after } of rows) {
    const row = {
      orgId,
      id: call.newId(),
      sequence: ++sequence,
      at,
      actor,
      apiKeyId,
      accountId,
      actorName,
      sessionId,
      requestId,
      method,
      path,
      resourceType,
      resourceId,
      before,
      after,
      previousHash: hash,
      hash: "",
    };
    hash = hashLogRow(row);
    row.hash = hash;
    insertion.run(tx, row);
  }
}

/** Tells of something that is no row of a table: a ledger entry that changed no record, or the log itself. */
export function tellOf(
  tx: Tx,
  call: Call,
  resourceType: string,
  resourceId: string | null,
  after: Readonly<Record<string, unknown>>,
): void {
  appendLog(tx, call, [{ resourceType, resourceId, before: null, after: canonicalJson(after) }]);
}

/** A file of many records that leaves the service. */
export interface Exported {
  /** The route's pattern (`/api/v1/reports/cap-table.xlsx`), or the command (`captable report workbook`). */
  readonly route: string;
  readonly format: ExportFormat;
  /** The length of the file; null where it is sent while it is made. */
  readonly bytes: number | null;
  /** The day and the instant that were asked for; null: those of the row. */
  readonly asOf: string | null;
  readonly knownAt: string | null;
}

/** How long a row stands for further exports of the same by the same caller, unless they are more than twice as large. */
export const EXPORT_COVERED_MS = 3_600_000;

/** What such a file is: an Open Cap Format package, a workbook, CSV, or the cap table on paper. */
export type ExportFormat = "OCF" | "XLSX" | "CSV" | "PDF";

/** Records in the log that a file of many records leaves. */
export function recordExport(tx: Tx, call: Call, exported: Exported): void {
  tellOf(tx, { ...call, method: "exported" }, "log", null, { ...exported });
}

/**
 * Whether the command line has exported a route since an instant, and no less than half as many bytes. Rows older than
 * that are not looked through: the newest of them is found from the end.
 */
export const isExportedByCommand = exists(
  (param: Params<{ orgId: string; route: string; bytes: number; since: string }>) =>
    ofOrganization("audit_log", param)
      .select("seq")
      .where(
        "sequence",
        ">",
        sql<number>`coalesce((select sequence from audit_log where "orgId" = ${param("orgId")}
          and at < ${param("since")} order by sequence desc limit 1), 0)`,
      )
      .where("actor", "=", "cli")
      .where("method", "=", "exported")
      .where(sql`json_extract("after", '$.route')`, "=", param("route"))
      .where(sql`2 * coalesce(json_extract("after", '$.bytes'), 0)`, ">=", param("bytes")),
);
