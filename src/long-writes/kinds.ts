// What each kind of long write does to its next rows.
import type { LongWriteKind, TakePiece } from "../database/long-writes.ts";
import { retryPiece } from "../jobs/retokenize.ts";
import { markPiece } from "../jobs/stock-store.ts";
import { releasePiece } from "../resources/approvals/release.ts";
import { forgetPiece } from "../resources/valuations/store.ts";

/** The piece of each kind. */
export const PIECES: Readonly<Record<LongWriteKind, TakePiece>> = {
  release: releasePiece,
  "forget-valuation": forgetPiece,
  "expect-tokens": markPiece,
  "retry-tokens": retryPiece,
};
