// The notes of a kept checkpoint: as one text, and what time stamps and cosignatures in them say. Pure.
import { toTimestamp } from "../../kernel/runtime.ts";
import type { KeptCheckpoint } from "../checkpoint/kept-store.ts";
import { type Note, readNotes } from "../checkpoint/note.ts";
import { shownStamps } from "../timestamp/stamp-line.ts";
import { CHAINS, type Chain } from "../tree/tree-checkpoint.ts";
import { readCosignature } from "../witness/cosignature.ts";

const SECOND_MS = 1000;

/** The notes of a checkpoint, each as it was signed. */
export type Notes = Pick<KeptCheckpoint, "note" | "ledgerNote" | "logNote">;

/** All of them as one text, as `captable verify --against` takes it. */
export function joinNotes({ note, ledgerNote, logNote }: Notes): string {
  return [note, ledgerNote, logNote].join("\n");
}

/** The note of a chain's tree. */
export function treeNoteOf({ ledgerNote, logNote }: Notes, chain: Chain): string {
  return chain === "ledger" ? ledgerNote : logNote;
}

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

/** The one note of a stored text. Throws where it is not one, which only another program could have stored. */
export function onlyNote(text: string): Note {
  const [note, more] = readNotes(text) ?? [];
  if (note === undefined || more !== undefined) throw new Error("a kept checkpoint is not a signed note");
  return note;
}

/** A note with more signature lines, each once. */
export function appendedNote(text: string, lines: readonly string[]): string {
  const news = lines.filter((line) => !text.split("\n").includes(line));
  return `${text}${news.map((line) => `${line}\n`).join("")}`;
}
