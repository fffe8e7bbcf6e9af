// A checkpoint of now with a time stamp, asked for by the command line.
import { type Runtime, toTimestamp } from "../../kernel/runtime.ts";
import { inSnapshot } from "../../storage/database/snapshot.ts";
import type { Reader } from "../../storage/database/sql.ts";
import type { Writer } from "../../storage/database/writer.ts";
import { type Signer, signatureLine } from "../checkpoint/note.ts";
import { askForStamp } from "./ask-authority.ts";
import { makeKept } from "./keep.ts";
import { appendedNote, joinNotes, onlyNote } from "./note-text.ts";
import type { Authority } from "./sources.ts";
import { keepStamped } from "./tasks.ts";

/** What it is made with. */
export interface StampingNow {
  readonly db: Reader;
  readonly writer: Writer;
  readonly runtime: Runtime;
  readonly signer: Signer;
  readonly authority: Authority;
}

/** The notes of a stamped checkpoint of an organization, which is kept. Throws `OutsideError` without a time stamp. */
export async function stampNow(
  { db, writer, runtime, signer, authority }: StampingNow,
  orgId: string,
): Promise<string> {
  const making = { signer, nowMs: runtime.nowMs(), id: runtime.newId() };
  const made = inSnapshot(db, () => makeKept(db, orgId, making));
  const stamped = { ...made, note: await stampNote(made.note, authority) };
  const call = { at: toTimestamp(runtime.nowMs()), newId: () => runtime.newId() };
  await writer.submit((tx) => keepStamped(tx, stamped, call));
  return joinNotes(stamped);
}

/** A note with a time stamp. */
export async function stampNote(note: string, authority: Authority): Promise<string> {
  const signature = await askForStamp(onlyNote(note), authority);
  return appendedNote(note, [signatureLine(signature).trimEnd()]);
}
