// Asks an authority for the time stamp of a note, and checks it before anything is made of it.
import type { Note, NoteSignature } from "../checkpoint/note.ts";
import { newNonce, readStampAnswer, writeStampRequest } from "../timestamp/request.ts";
import { imprintOf, stampSignature } from "../timestamp/stamp-line.ts";
import { TokenError, verifyToken } from "../timestamp/token.ts";
import { OutsideError, post } from "./outside.ts";
import type { Authority } from "./sources.ts";

const OK = 200;

/** The signature line of a new time stamp of the note. Throws {@link OutsideError} that says why it got none. */
export async function askForStamp(
  { text }: Pick<Note, "text">,
  { url, name, roots }: Pick<Authority, "url" | "name" | "roots">,
  signal?: AbortSignal,
): Promise<NoteSignature> {
  const imprint = imprintOf(text);
  const { bytes: body, nonce } = writeStampRequest(imprint, newNonce());
  const { status, bytes } = await post({ url, contentType: "application/timestamp-query", body }, signal);
  if (status !== OK) throw new OutsideError(`it answered with status ${status}`);
  try {
    const token = readStampAnswer(bytes);
    verifyToken(token, { imprint, nonce, roots });
    return stampSignature(name, token);
  } catch (error) {
    if (error instanceof TokenError) throw new OutsideError(`its time stamp is refused: ${error.message}`);
    throw error;
  }
}
