// The audit log: author, values and instant of every change, in the commit that made it, as a hash chain of its own for
// each organization. Append-only by trigger. logged.ts says which tables it covers and writes them.

import { sql } from "kysely";
import type { Call } from "../../../kernel/call.ts";
import { refuseClosedIn } from "../closed.ts";
import { type ChainHead, exists, ofOrganization, type Params, type Reader, statement, type Tx } from "../sql.ts";
import { adding } from "../waiting-rows.ts";
import { canonicalJson, FIRST_HASH, hashLogRow } from "./log-hash.ts";
import type { LoggedKind } from "./logged-tables.ts";

const head = statement((param: Params<{ orgId: string }>) =>
  ofOrganization("audit_log", param).select(["sequence", "hash"]).orderBy("sequence", "desc").limit(1),
);

const NO_HEAD: ChainHead = { sequence: 0, hash: FIRST_HASH };

/** The place and hash of the log's last row; sequence 0 and 64 zeros for an empty log. */
export function findLogHead(db: Reader, orgId: string): ChainHead {
  return head.first(db, { orgId }) ?? NO_HEAD;
}

/** Whether the organization's log has this row, at this place. */
export const isLogRow = exists((param: Params<{ orgId: string; sequence: number; hash: string }>) =>
  ofOrganization("audit_log", param)
    .select("seq")
    .where("sequence", "=", param("sequence"))
    .where("hash", "=", param("hash")),
);

const addRow = adding("audit_log", [
  ...(["orgId", "id", "sequence", "at", "actor", "apiKeyId", "accountId", "actorName", "sessionId"] as const),
  ...(["requestId", "method", "path", "resourceType", "resourceId", "before", "after"] as const),
  ...(["previousHash", "hash"] as const),
]);

/** The content of a log row; `before` and `after` are canonical JSON text. */
export interface Told {
  readonly resourceType: LoggedKind;
  readonly resourceId: string | null;
  readonly before: string | null;
  readonly after: string | null;
}

/**
 * Appends rows to the log of the call's organization. Keys, secrets and documents' bytes never go in. Throws `409
 * organization-closed`: every logged write passes here, so that none gets into a closed one; what people do with their
 * accounts goes on.
 */
export function appendLog(tx: Tx, call: Call, rows: readonly Told[]): void {
  const isOfAccounts = rows.every(({ resourceType }) => resourceType === "account");
  if (call.evenClosed !== true && !isOfAccounts) refuseClosedIn(tx, call.orgId);
  const { orgId, at, actor, apiKeyId, accountId, actorName, sessionId, requestId, method, path } = call;
  const chain = `audit_log ${orgId}`;
  let { sequence, hash } = tx.waiting?.heads.get(chain) ?? head.firstStored(tx, { orgId }) ?? NO_HEAD;
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
    addRow(tx, row);
  }
  tx.waiting?.heads.set(chain, { sequence, hash });
}

/** Logs an event that is no table's row: a ledger entry that changed no record, or the log itself. */
export function tellOf(
  tx: Tx,
  call: Call,
  resourceType: LoggedKind,
  resourceId: string | null,
  after: Readonly<Record<string, unknown>>,
): void {
  appendLog(tx, call, [{ resourceType, resourceId, before: null, after: canonicalJson(after) }]);
}

/** An export: a file of many records that leaves the service. */
export interface Exported {
  /** The route's pattern (`/api/v1/reports/cap-table.xlsx`), or the command (`captable report workbook`). */
  readonly route: string;
  readonly format: ExportFormat;
  /** The length of the file; null if it is streamed while it is made. */
  readonly bytes: number | null;
  /** The day and the instant requested; null: those of the log row. */
  readonly asOf: string | null;
  readonly knownAt: string | null;
}

/**
 * How long one log row covers repeated exports of the same file by the same caller, unless they are more than twice as
 * large.
 */
export const EXPORT_COVERED_MS = 3_600_000;

/** The format of the file: an Open Cap Format package, a workbook, CSV, or the cap table on paper. */
export type ExportFormat = "OCF" | "XLSX" | "CSV" | "PDF";

/** Logs an export of many records. */
export function recordExport(tx: Tx, call: Call, exported: Exported): void {
  tellOf(tx, { ...call, method: "exported", evenClosed: true }, "log", null, { ...exported });
}

/**
 * Whether the command line has exported a route since an instant, with at least half as many bytes. A search from the
 * end finds the newest older row, and skips all rows before it.
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
