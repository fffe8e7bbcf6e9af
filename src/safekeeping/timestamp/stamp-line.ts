// Time stamps as signature lines of notes: readers that do not know them pass them by.
import { createHash } from "node:crypto";
import { KEY_ID_BYTES, keyIdOf, type Note, type NoteSignature } from "../checkpoint/note.ts";
import type { Certificate } from "./certificates.ts";
import { readTimeStamp, type TimeStamp, TokenError, verifyToken } from "./token.ts";

/** The type of signatures without a number of their own; the word behind it tells them apart. */
const NAMED_TYPE = 0xff;
const KIND = Buffer.from("rfc3161");

/** The SHA-256 that a time stamp of a note is of: that of its text, without any signature. */
export function imprintOf(text: string): Uint8Array {
  return createHash("sha256").update(text).digest();
}

/** The signature line of a token by an authority, by the host of its address. */
export function stampSignature(authority: string, token: Uint8Array): NoteSignature {
  return { name: authority, bytes: Buffer.concat([keyIdOf(authority, NAMED_TYPE, KIND), token]) };
}

/** A note's time stamps, as tokens. */
export interface StampLine {
  readonly authority: string;
  readonly token: Uint8Array;
}

/** The time stamps among a note's signatures. */
export function stampsOf({ signatures }: Pick<Note, "signatures">): StampLine[] {
  return signatures.flatMap(({ name, bytes }) => {
    const isStamp = keyIdOf(name, NAMED_TYPE, KIND).equals(bytes.subarray(0, KEY_ID_BYTES));
    return isStamp ? [{ authority: name, token: Uint8Array.from(bytes.subarray(KEY_ID_BYTES)) }] : [];
  });
}

/** A time stamp of a note that was checked: what it says, or why it does not hold. */
export type CheckedStamp = { readonly authority: string } & (
  | (TimeStamp & { readonly fault: null })
  | { readonly fault: string }
);

/** Checks each time stamp of a note against the given roots. */
export function checkStamps(note: Note, roots: readonly Certificate[]): CheckedStamp[] {
  return stampsOf(note).map(({ authority, token }) => {
    try {
      return { authority, fault: null, ...verifyToken(token, { imprint: imprintOf(note.text), roots }) };
    } catch (error) {
      if (error instanceof TokenError) return { authority, fault: error.message };
      throw error;
    }
  });
}

/** What the time stamps of a note say, unchecked. Those that cannot be read are left out. */
export function shownStamps(note: Note): (TimeStamp & { readonly authority: string })[] {
  return stampsOf(note).flatMap(({ authority, token }) => {
    try {
      return [{ authority, ...readTimeStamp(token) }];
    } catch (error) {
      if (error instanceof TokenError) return [];
      throw error;
    }
  });
}
