// Makes checkpoints to keep: of both heads, and of the trees of ledger and log, from one snapshot.
import { toTimestamp } from "../../kernel/runtime.ts";
import { FIRST_HASH } from "../../storage/database/log/log-hash.ts";
import type { Reader } from "../../storage/database/sql.ts";
import { writeCheckpoint } from "../checkpoint/checkpoint.ts";
import { findNewestKept, type KeptCheckpoint } from "../checkpoint/kept-store.ts";
import type { Signer } from "../checkpoint/note.ts";
import { findHeads } from "../checkpoint/store.ts";
import { ChainTree } from "../tree/trees.ts";
import type { ToKeep } from "./tasks.ts";

/** What a new checkpoint is made with. */
export interface Making {
  readonly signer: Signer;
  readonly nowMs: number;
  readonly id: string;
}

/** Where both chains stand. */
function headsOf(db: Reader, orgId: string) {
  const { ledger, log } = findHeads(db, orgId);
  return { ledger: ledger ?? { size: 0, head: FIRST_HASH }, log };
}

/** Whether ledger or log has moved on since a kept checkpoint. */
export function hasNews(db: Reader, orgId: string, newest: KeptCheckpoint | null): boolean {
  const { ledger, log } = headsOf(db, orgId);
  return newest === null ? log.size > 0 : newest.ledgerHead !== ledger.head || newest.logHead !== log.head;
}

/** A checkpoint of now. The caller holds a snapshot. Where a tree has not grown, its note is the one before's. */
export function makeKept(db: Reader, orgId: string, { signer, nowMs, id }: Making): ToKeep {
  const newest = findNewestKept(db, { orgId });
  const { ledger, log } = headsOf(db, orgId);
  const time = toTimestamp(nowMs);
  const [ledgerNote, logNote] = (["ledger", "log"] as const).map((chain) =>
    new ChainTree(db, orgId, chain).checkpoint(signer),
  );
  const ofLedger = carried(ledgerNote ?? "", newest?.ledgerNote, newest?.ledgerCosigned);
  const ofLog = carried(logNote ?? "", newest?.logNote, newest?.logCosigned);
  return {
    ...{ orgId, id, time },
    ...{ ledgerSize: ledger.size, ledgerHead: ledger.head, logSize: log.size, logHead: log.head },
    note: writeCheckpoint({ orgId, ledger, log, time }, signer),
    ...{ ledgerNote: ofLedger.note, ledgerCosigned: ofLedger.cosigned },
    ...{ logNote: ofLog.note, logCosigned: ofLog.cosigned },
  };
}

/** A tree's note, with the cosignatures of the kept one where that has the same text and signature. */
function carried(note: string, kept = "", cosigned = 0) {
  return kept.startsWith(note) ? { note: kept, cosigned } : { note, cosigned: 0 };
}
