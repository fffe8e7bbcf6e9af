// What a kept checkpoint says, as the API shows it: its heads, and the time stamps and cosignatures in its notes. Pure.
import { toTimestamp } from "../../kernel/runtime.ts";
import type { KeptCheckpoint } from "../checkpoint/kept-store.ts";
import type { Note } from "../checkpoint/note.ts";
import { shownStamps } from "../timestamp/stamp-line.ts";
import { CHAINS, type Chain } from "../tree/tree-checkpoint.ts";
import { readCosignature } from "../witness/cosignature.ts";
import { onlyNote, treeNoteOf } from "./note-text.ts";

const SECOND_MS = 1000;

/** A cosignature, as the API shows it. */
export interface ShownCosignature {
  readonly witness: string;
  readonly chain: Chain;
  readonly time: string;
  /** False for a kind that is kept and not checked. */
  readonly isChecked: boolean;
}

/** A kept checkpoint, as the API shows it. */
export function showKept(kept: KeptCheckpoint) {
  const { id, time, ledgerSize, ledgerHead, logSize, logHead } = kept;
  return {
    ...{ id, time },
    ledger: { size: ledgerSize, head: ledgerHead },
    log: { size: logSize, head: logHead },
    timestamps: shownStamps(onlyNote(kept.note)),
    cosignatures: CHAINS.flatMap((chain) => cosignaturesOf(onlyNote(treeNoteOf(kept, chain)), chain)),
  };
}

function cosignaturesOf({ signatures }: Note, chain: Chain): ShownCosignature[] {
  return signatures.flatMap((signature) => {
    const read = readCosignature(signature);
    if (read === null) return [];
    const { witness, time, kind } = read;
    return [{ witness, chain, time: toTimestamp(time * SECOND_MS), isChecked: kind === "ED25519" }];
  });
}
