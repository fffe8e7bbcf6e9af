// Cosignatures of witnesses (https://c2sp.org/tlog-cosignature): a witness's word, with a time, that it saw a history
// grow to a checkpoint and only grow. Those by Ed25519 are checked here. Pure.
import {
  isSignature,
  KEY_BYTES,
  KEY_ID_BYTES,
  keyIdOf,
  type Note,
  type NoteSignature,
  readVerifierOf,
  SIGNATURE_BYTES,
  type Verifier,
} from "../checkpoint/note.ts";

/** The type of keys of timestamped Ed25519 cosignatures. */
const COSIGNATURE = 4;
const TIME_BYTES = 8;
const ML_DSA_BYTES = 2420;
/** The last second that a timestamp of the API can show. */
const TIME_MAX = 253_402_300_799n;

/** A cosignature of a note. */
export interface Cosignature {
  readonly witness: string;
  /** Seconds since 1970, as the witness says. */
  readonly time: number;
  /** Of its two kinds: one is checked against the witness's key, the other is only kept. */
  readonly kind: "ED25519" | "ML_DSA_44";
}

const KINDS: ReadonlyMap<number, Cosignature["kind"]> = new Map([
  [SIGNATURE_BYTES, "ED25519"],
  [ML_DSA_BYTES, "ML_DSA_44"],
]);

/** Reads the public key of a witness, as text of type `0x04`; null for any other text. */
export function readWitnessKey(text: string): Verifier | null {
  return readVerifierOf(COSIGNATURE, text);
}

/** Writes the same. */
export function writeWitnessKey({ name, publicKey }: Verifier): string {
  const material = Buffer.concat([Uint8Array.of(COSIGNATURE), publicKey]);
  return `${name}+${keyIdOf(name, COSIGNATURE, publicKey).toString("hex")}+${material.toString("base64")}`;
}

/** What a witness signs to cosign a note's text at a time, in seconds since 1970. */
export function cosignedMessage(text: string, time: number): Uint8Array {
  return Buffer.from(`cosignature/v1\ntime ${time}\n${text}`);
}

/** The signature of a note by a witness: its key's id, the time, and the signature of {@link cosignedMessage}. */
export function writeCosignature({ name, publicKey }: Verifier, time: number, signature: Uint8Array): NoteSignature {
  const seconds = Buffer.alloc(TIME_BYTES);
  seconds.writeBigUInt64BE(BigInt(time));
  return { name, bytes: Buffer.concat([keyIdOf(name, COSIGNATURE, publicKey), seconds, signature]) };
}

/** Tells a cosignature from other signatures by its length; null for another. Its signature is not looked at. */
export function readCosignature({ name: witness, bytes }: NoteSignature): Cosignature | null {
  const kind = KINDS.get(bytes.length - KEY_ID_BYTES - TIME_BYTES);
  if (kind === undefined) return null;
  const seconds = Buffer.from(bytes).readBigUInt64BE(KEY_ID_BYTES);
  return seconds > TIME_MAX ? null : { witness, time: Number(seconds), kind };
}

/** Whether a signature bears the name and id of a witness's key; whether it is good is another question. */
export function isOfWitness({ name, bytes }: NoteSignature, witness: Verifier): boolean {
  if (name !== witness.name || witness.publicKey.length !== KEY_BYTES) return false;
  return keyIdOf(name, COSIGNATURE, witness.publicKey).equals(bytes.subarray(0, KEY_ID_BYTES));
}

/** Whether a signature of a note's text is a good cosignature by a witness. */
export function isCosignedBy({ text }: Pick<Note, "text">, signature: NoteSignature, witness: Verifier): boolean {
  const cosignature = readCosignature(signature);
  if (cosignature?.kind !== "ED25519" || !isOfWitness(signature, witness)) return false;
  const signed = signature.bytes.subarray(KEY_ID_BYTES + TIME_BYTES);
  return isSignature(cosignedMessage(text, cosignature.time), signed, witness.publicKey);
}
