// Signed notes as C2SP defines them (https://c2sp.org/signed-note): a text, an empty line, and a line for each
// signature, here Ed25519 alone. Pure.
import { createHash, createPrivateKey, createPublicKey, type KeyObject, sign, verify } from "node:crypto";

/** A signer: the key pair of a seed. */
export interface Signer {
  /** 32 bytes. */
  readonly publicKey: Uint8Array;
  sign(message: Uint8Array): Uint8Array;
}

/** A note that was read, its signature not yet checked. */
export interface Note {
  /** The signed text, its last line break included. */
  readonly text: string;
  readonly signatures: readonly NoteSignature[];
}

/** A signature of a note. */
export interface NoteSignature {
  readonly name: string;
  /** 4 bytes that identify the key, then the signature itself. */
  readonly bytes: Uint8Array;
}

/** A key that verifies notes, and the name that it signs under. */
export interface Verifier {
  readonly name: string;
  readonly publicKey: Uint8Array;
}

const ED25519 = 1;
export const KEY_BYTES = 32;
export const SIGNATURE_BYTES = 64;
export const KEY_ID_BYTES = 4;
/** The prefix of the 32 bytes in the usual encodings of such keys (RFC 8410). */
const PRIVATE_HEAD = Buffer.from("302e020100300506032b657004220420", "hex");
const PUBLIC_HEAD = Buffer.from("302a300506032b6570032100", "hex");

/** The signer of a 32-byte seed. */
export function signerOf(seed: Uint8Array): Signer {
  const key = createPrivateKey({ key: Buffer.concat([PRIVATE_HEAD, seed]), format: "der", type: "pkcs8" });
  const publicKey = createPublicKey(key).export({ format: "der", type: "spki" }).subarray(-KEY_BYTES);
  return { publicKey, sign: (message) => sign(null, message, key) };
}

/** Signs a text, which ends in a line break, under a name without spaces and plus signs. */
export function signNote(text: string, name: string, signer: Signer): string {
  const signature = signer.sign(Buffer.from(text));
  const bytes = Buffer.concat([keyId({ name, publicKey: signer.publicKey }), signature]);
  return `${text}\n${signatureLine({ name, bytes })}`;
}

/** The line of a signature, with its line break. */
export function signatureLine({ name, bytes }: NoteSignature): string {
  return `— ${name} ${Buffer.from(bytes).toString("base64")}\n`;
}

/** A note as text. */
export function writeNote({ text, signatures }: Note): string {
  return `${text}\n${signatures.map(signatureLine).join("")}`;
}

/** Whether the note bears a good signature by this key. */
export function isSignedBy({ text, signatures }: Note, verifier: Verifier): boolean {
  const id = keyId(verifier);
  const own = signatures.filter(
    ({ name, bytes }) => name === verifier.name && id.equals(bytes.subarray(0, KEY_ID_BYTES)),
  );
  return own.some(({ bytes }) => isSignature(Buffer.from(text), bytes.subarray(KEY_ID_BYTES), verifier.publicKey));
}

/** Whether `signature` is that of `message` by the key. */
export function isSignature(message: Uint8Array, signature: Uint8Array, publicKey: Uint8Array): boolean {
  return signature.length === SIGNATURE_BYTES && verify(null, message, keyObject(publicKey), signature);
}

function keyObject(publicKey: Uint8Array): KeyObject {
  return createPublicKey({ key: Buffer.concat([PUBLIC_HEAD, publicKey]), format: "der", type: "spki" });
}

function keyId({ name, publicKey }: Verifier): Buffer {
  return keyIdOf(name, ED25519, publicKey);
}

/** The 4 bytes that identify a key of a type under a name. */
export function keyIdOf(name: string, type: number, key: Uint8Array): Buffer {
  const hash = createHash("sha256").update(`${name}\n`).update(Uint8Array.of(type)).update(key);
  return hash.digest().subarray(0, KEY_ID_BYTES);
}

/** A key as text: its name, its id and itself. */
export function writeVerifier(verifier: Verifier): string {
  const bytes = Buffer.concat([Uint8Array.of(ED25519), verifier.publicKey]);
  return `${verifier.name}+${keyId(verifier).toString("hex")}+${bytes.toString("base64")}`;
}

/** Reads the output of {@link writeVerifier}; null if it is not such a key, or its id is not its own. */
export function readVerifier(text: string): Verifier | null {
  return readVerifierOf(ED25519, text);
}

/** The same of another type of key, whose material are 32 bytes too. */
export function readVerifierOf(type: number, text: string): Verifier | null {
  const [, name = "", id, encoded = ""] = /^([^\s+]+)\+([0-9a-f]{8})\+(\S+)$/.exec(text) ?? [];
  const bytes = readBase64(encoded);
  if (bytes?.length !== KEY_BYTES + 1 || bytes[0] !== type) return null;
  const verifier = { name, publicKey: Uint8Array.from(bytes.subarray(1)) };
  return keyIdOf(name, type, verifier.publicKey).toString("hex") === id ? verifier : null;
}

/** Reads base64 with padding; null for any text that its bytes would not be written as. */
export function readBase64(text: string): Buffer | null {
  const bytes = Buffer.from(text, "base64");
  return bytes.toString("base64") === text ? bytes : null;
}

/** Reads notes that stand one after the other; null if other text stands among them. */
export function readNotes(text: string): Note[] | null {
  const notes: Note[] = [];
  for (let rest = text.trimStart(); rest !== ""; ) {
    const [whole, body = "", signatures = ""] = /^((?:[^\n]+\n)+)\n((?:— [^\n]+\n?)+)\s*/.exec(rest) ?? [];
    if (whole === undefined) return null;
    notes.push({ text: body, signatures: signatures.trim().split("\n").flatMap(readSignature) });
    rest = rest.slice(whole.length);
  }
  return notes;
}

/** Reads a line of a signature, without its line break: nothing where it is not one. */
export function readSignature(line: string): NoteSignature[] {
  const [, name, encoded = ""] = /^— ([^\s+]+) (\S+)$/.exec(line) ?? [];
  const bytes = readBase64(encoded);
  return name === undefined || bytes === null || bytes.length <= KEY_ID_BYTES ? [] : [{ name, bytes }];
}
