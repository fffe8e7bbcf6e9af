// Securities that wait for an approval before tokens are minted for them.

import type { Call } from "../../kernel/call.ts";
import { changeLogged } from "../../storage/database/log/logged.ts";
import { beginLongWrite, endOfPiece, isUnderWay, PIECE, type TakePiece } from "../../storage/database/long-writes.ts";
import { findAny } from "../../storage/database/records.ts";
import type { Row, Tx } from "../../storage/database/sql.ts";
import { isTokenized, tellOfSecurities } from "../../storage/outbox/tokens.ts";
import { type GatedRow, listGatedBy } from "./store.ts";

/** Lets the securities that wait for an approval mint: in the commit that locks it, or that names a locked one. */
export function releaseGated(tx: Tx, call: Call, approvalId: string): void {
  beginLongWrite(tx, call, { kind: "release", subject: approvalId }, releasePiece);
}

/** Releases the next securities that wait for an approval. */
export const releasePiece: TakePiece = (tx, call, approvalId, after) => {
  // Whatever asks for it: only a locked approval lets tokens be minted.
  if (findAny(tx, "approvals", call.orgId, approvalId)?.state !== "Locked") return null;
  const rows = listGatedBy(tx, { orgId: call.orgId, approvalId, after, limit: PIECE });
  release(tx, call, rows);
  return endOfPiece(rows);
};

/**
 * Releases a security whose approval was locked and whose turn has not come yet, before a write that may name another
 * approval; whether it was one.
 */
export function releaseFirst(tx: Tx, call: Call, row: Row<"securities">): boolean {
  const { isGated, approvalId } = row;
  if (isGated === 0 || approvalId === null || !isUnderWay(tx, call.orgId, "release", approvalId)) return false;
  if (findAny(tx, "approvals", call.orgId, approvalId)?.state !== "Locked") return false;
  // The token status as it is stored: the row says already what was decided.
  release(tx, call, listGatedBy(tx, { orgId: call.orgId, approvalId, after: row.seq - 1, limit: 1 }));
  return true;
}

function release(tx: Tx, call: Call, rows: readonly GatedRow[]): void {
  for (const { id, stockClassId, tokenStatus } of rows) {
    const stockClass = stockClassId === null ? null : findAny(tx, "share_classes", call.orgId, stockClassId);
    const isToMint = tokenStatus === "PENDING_APPROVAL" && isTokenized(stockClass);
    changeLogged(tx, call, "securities", id, { isGated: 0, ...(isToMint ? { tokenStatus: "PENDING" } : {}) });
  }
  tellOfSecurities(tx, call, rows);
}
