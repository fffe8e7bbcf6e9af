// The pieces of long writes: what each kind does to its next rows.

import { splitPiece } from "../../ledger/splits/split-pieces.ts";
import { releasePiece } from "../../resources/approvals/release.ts";
import { forgetPiece } from "../../resources/valuations/store.ts";
import type { LongWriteKind, TakePiece } from "../../storage/database/long-writes.ts";
import { retryPiece } from "../../tokens/jobs/retokenize.ts";
import { markPiece } from "../../tokens/jobs/stock-store.ts";

/** The piece of each kind. */
export const PIECES: Readonly<Record<LongWriteKind, TakePiece>> = {
  release: releasePiece,
  "forget-valuation": forgetPiece,
  "expect-tokens": markPiece,
  "retry-tokens": retryPiece,
  split: splitPiece,
};
