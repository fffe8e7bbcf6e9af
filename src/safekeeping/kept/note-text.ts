// The notes of a kept checkpoint as texts: joined, read, and with more signature lines. Pure.
import type { KeptCheckpoint } from "../checkpoint/kept-store.ts";
import { type Note, readNotes } from "../checkpoint/note.ts";
import type { Chain } from "../tree/tree-checkpoint.ts";

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
