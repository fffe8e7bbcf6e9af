// Release of securities that wait for an approval before their tokens are minted.

import type { Call } from "../../kernel/call.ts";
import { changeLogged } from "../../storage/database/log/logged.ts";
import { beginLongWrite, endOfPiece, isUnderWay, PIECE, type TakePiece } from "../../storage/database/long-writes.ts";
import { findAny } from "../../storage/database/records.ts";
import type { Row, Tx } from "../../storage/database/sql.ts";
import { isTokenized, tellOfSecurities } from "../../storage/outbox/tokens.ts";
import { type GatedRow, listGatedBy } from "./store.ts";

/** Releases the securities that wait for an approval, in the commit that locks it or that names a locked one. */
export function releaseGated(tx: Tx, call: Call, approvalId: string): void {
  beginLongWrite(tx, call, { kind: "release", subject: approvalId }, releasePiece);
}

/** Releases the next securities that wait for an approval. */
export const releasePiece: TakePiece = (tx, call, approvalId, after) => {
  // Checked again for every caller: only a locked approval allows minting.
  if (findAny(tx, "approvals", call.orgId, approvalId)?.state !== "Locked") return null;
  const rows = listGatedBy(tx, { orgId: call.orgId, approvalId, after, limit: PIECE });
  release(tx, call, rows);
  return endOfPiece(rows);
};

/**
 * Releases a security whose approval was locked and whose turn has not come yet, before a write that may name another
 * approval; returns whether it did.
 */
export function releaseFirst(tx: Tx, call: Call, row: Row<"securities">): boolean {
  const { isGated, approvalId } = row;
  if (isGated === 0 || approvalId === null || !isUnderWay(tx, call.orgId, "release", approvalId)) return false;
  if (findAny(tx, "approvals", call.orgId, approvalId)?.state !== "Locked") return false;
  // The stored token status: the row shows the decided one already.
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
