// The rows of a large split: written a few at a time after the commit that recorded it. Until its turn a security
// reads as decided (storage/database/split-view.ts), and a write on it writes that first
// (storage/database/log/logged.ts).

import type { Call } from "../../kernel/call.ts";
import { writeSplit } from "../../storage/database/log/logged.ts";
import { PIECE } from "../../storage/database/long-writes.ts";
import { deleteSplitOfRows, findSplitOfRows, listBehind } from "../../storage/database/split-rows.ts";
import type { Tx } from "../../storage/database/sql.ts";
import { splitIn } from "../replay/replay.ts";
import { findEntry } from "../store.ts";

/** In securities; tests make it small. */
export const SPLIT_SIZES = {
  /** The most that a split multiplies in its own commit. */
  whole: PIECE,
  /** What one piece multiplies. */
  piece: PIECE,
  /** What one piece looks at, for those that the split concerns. */
  lookedAt: 10 * PIECE,
};

/** Splits the next securities after a row number, of the split in the entry `subject`; null at the end. */
export function splitPiece(tx: Tx, call: Call, subject: string, after: number): number | null {
  const { orgId } = call;
  if (!isDecided(tx, orgId, subject, after)) {
    deleteSplitOfRows(tx, orgId);
    return null;
  }
  const rows = listBehind(tx, { orgId, after, limit: SPLIT_SIZES.lookedAt });
  let [reached, written] = [after, 0];
  for (const { seq, id, isConcerned } of rows) {
    if (written === SPLIT_SIZES.piece) return reached;
    if (isConcerned === 1) {
      writeSplit(tx, call, id);
      written++;
    }
    reached = seq;
  }
  if (rows.length === SPLIT_SIZES.lookedAt) return reached;
  deleteSplitOfRows(tx, orgId);
  return null;
}

/**
 * Whether the ledger has the entry of the split that is under way; before the first piece, whether both say the same.
 */
function isDecided(tx: Tx, orgId: string, subject: string, after: number): boolean {
  const entry = findEntry(tx, orgId, subject);
  const noted = findSplitOfRows(tx, { orgId });
  if (entry?.type !== "STOCK_SPLIT" || entry.recordOnly === 1 || noted?.transactionId !== subject) return false;
  // The entry may name many securities.
  if (after > 0) return true;
  const split = splitIn(entry);
  return (
    split !== null &&
    noted.stockClassId === split.stockClassId &&
    noted.numerator === String(split.numerator) &&
    noted.denominator === String(split.denominator) &&
    noted.rounding === split.rounding &&
    noted.equityPlanIds === JSON.stringify(split.equityPlanIds)
  );
}
