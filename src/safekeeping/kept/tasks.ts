// Tasks of kept checkpoints, carried out by the writer: keeping one, and adding to its notes what came from outside.

import { queueCheckpoint } from "../../resources/webhook-endpoints/checkpoint-store.ts";
import type { Tx } from "../../storage/database/sql.ts";
import { type FollowCall, followTask } from "../../storage/follow/follow-task.ts";
import {
  findKept,
  insertCheckpoint,
  type NewCheckpoint,
  pruneCheckpoints,
  setCosigned,
  setStamped,
} from "../checkpoint/kept-store.ts";
import type { Chain } from "../tree/tree-checkpoint.ts";
import { appendedNote } from "./note-text.ts";

/** How many without a time stamp are kept of an organization. */
const KEPT = 1000;

/** A checkpoint to keep; the counts are of cosignatures that its notes have from the checkpoint before. */
export type ToKeep = NewCheckpoint & { readonly ledgerCosigned: number; readonly logCosigned: number };

/** Keeps a checkpoint, and forgets old ones. */
export const keepCheckpoint = followTask("keep-checkpoint", (tx, { at, newId }, row: ToKeep) => {
  keep(tx, row, { at, newId });
});

/** Keeps a checkpoint that has a time stamp already. */
export function keepStamped(tx: Tx, row: ToKeep, { at, newId }: Pick<FollowCall, "at" | "newId">): void {
  keep(tx, row, { at, newId });
  setStamped(tx, { orgId: row.orgId, id: row.id, note: row.note, stampedAt: at });
}

function keep(tx: Tx, row: ToKeep, call: Pick<FollowCall, "at" | "newId">): void {
  if (findKept(tx, row)) return;
  insertCheckpoint(tx, row);
  setCosigned(tx, row);
  queueCheckpoint(tx, { ...call, orgId: row.orgId, id: row.id });
  pruneCheckpoints(tx, { orgId: row.orgId, kept: KEPT });
}

interface Added {
  readonly orgId: string;
  readonly id: string;
  /** Signature lines, without their line breaks. */
  readonly lines: readonly string[];
}

/** Adds a time stamp to a kept checkpoint's note. */
export const addStamp = followTask("add-time-stamp", (tx, { at }, { orgId, id, lines }: Added) => {
  const kept = findKept(tx, { orgId, id });
  if (kept) setStamped(tx, { orgId, id, note: appendedNote(kept.note, lines), stampedAt: at });
});

/** Adds a witness's cosignatures, of which the first was checked, to the note of a kept checkpoint's tree. */
export const addCosignatures = followTask(
  "add-cosignatures",
  (tx, _call, { orgId, id, lines, chain }: Added & { readonly chain: Chain }) => {
    const kept = findKept(tx, { orgId, id });
    if (!kept) return;
    const name = chain === "ledger" ? "ledgerNote" : "logNote";
    const count = chain === "ledger" ? "ledgerCosigned" : "logCosigned";
    const note = appendedNote(kept[name], lines);
    if (note !== kept[name]) setCosigned(tx, { ...kept, [name]: note, [count]: kept[count] + 1 });
  },
);
