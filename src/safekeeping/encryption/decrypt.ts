// Opens files in the format of age (age-encryption.org/v1), which are input from outside.
import { closeSync, fstatSync, fsyncSync, openSync, readSync, rmSync } from "node:fs";
import { withFile, writeAll } from "../../storage/data-dir/durable-files.ts";
import { EncryptedFileDamagedError, EncryptionKeyError } from "./errors.ts";
import { streamOf } from "./file-stream.ts";
import type { Opener } from "./keys.ts";

const FIRST_LINE = "age-encryption.org/v1\n";
const ARMORED = "-----BEGIN AGE ENCRYPTED FILE-----";
/** As many as 20 recipients take, and room for those of other programs. */
const HEADER_BYTES_MAX = 65_536;

/**
 * Whether a file is encrypted, by its first bytes. Throws {@link EncryptionKeyError} for one in the letters that
 * `age --armor` writes, which are not read here.
 */
export function isEncrypted(path: string): boolean {
  const start = startOf(path, ARMORED.length).toString("latin1");
  if (start.startsWith(ARMORED)) {
    throw new EncryptionKeyError(`${path} is armored (age --armor): open it with age -d first`);
  }
  return start.startsWith(FIRST_LINE);
}

/**
 * Writes what the encrypted file `path` holds to the new file `out` (mode 0600), flushed. Throws
 * {@link EncryptionKeyError} if it is not for this opener, {@link EncryptedFileDamagedError} if it was changed or cut:
 * then nothing is left at `out`.
 */
export async function decryptFile(
  path: string,
  out: string,
  opener: Opener | null,
  onProgress: (done: number) => void,
): Promise<void> {
  const file = openSync(out, "wx", 0o600);
  try {
    try {
      await readDecrypted(path, opener, (piece) => writeAll(file, piece), onProgress);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
  } catch (failure) {
    rmSync(out, { force: true });
    throw failure;
  }
}

/** Gives what an encrypted file holds, piece by piece, each of which is genuine; throws as {@link decryptFile}. */
export async function readDecrypted(
  path: string,
  opener: Opener | null,
  take: (piece: Uint8Array) => void,
  onProgress: (done: number) => void,
): Promise<void> {
  const { Decrypter } = await import("age-encryption");
  const needsPassphrase = hasPassphrase(path);
  if (opener === null || needsPassphrase !== "passphrase" in opener) {
    throw new EncryptionKeyError(otherKind(path, needsPassphrase));
  }
  const decrypter = new Decrypter();
  if ("passphrase" in opener) decrypter.addPassphrase(opener.passphrase);
  else for (const identity of opener.identities) decrypter.addIdentity(identity);
  const total = withFile(path, "r", (file) => fstatSync(file).size);
  let read = 0;
  let isTaking = false;
  try {
    const source = streamOf(path, (piece) => {
      read += piece.length;
      onProgress(read / total);
    });
    for await (const piece of await decrypter.decrypt(source)) {
      isTaking = true;
      take(piece);
      isTaking = false;
    }
  } catch (failure) {
    throw isTaking || isOfFiles(failure) ? failure : refusalOf(path, failure, needsPassphrase);
  }
}

/** Whether a passphrase opens it. A header without end is no header. */
function hasPassphrase(path: string): boolean {
  const header = startOf(path, HEADER_BYTES_MAX).toString("latin1");
  const end = header.indexOf("\n--- ");
  if (!header.startsWith(FIRST_LINE) || end < 0) throw changed(path);
  return header.slice(0, end).includes("\n-> scrypt ");
}

function otherKind(path: string, needsPassphrase: boolean): string {
  return needsPassphrase
    ? `${path} is encrypted with a passphrase: give --passphrase-file FILE, or --passphrase to type it`
    : `${path} is encrypted for public keys: give --identity-file FILE with the secret key of one`;
}

function refusalOf(path: string, failure: unknown, needsPassphrase: boolean): Error {
  const isOther = failure instanceof Error && failure.message.startsWith("no identity matched");
  if (!isOther) return changed(path);
  const what = needsPassphrase ? "another passphrase" : "other keys than those of the identity file";
  return new EncryptionKeyError(`${path} is encrypted for ${what}`);
}

function changed(path: string): EncryptedFileDamagedError {
  return new EncryptedFileDamagedError(`${path} is not as it was encrypted: it was changed or cut`);
}

/** Failures of reading itself say nothing of the bytes. */
function isOfFiles(failure: unknown): boolean {
  return failure instanceof Error && "code" in failure && /^E[A-Z]+$/.test(String(failure.code));
}

function startOf(path: string, bytes: number): Buffer {
  return withFile(path, "r", (file) => {
    const start = Buffer.alloc(bytes);
    return start.subarray(0, readSync(file, start, 0, bytes, 0));
  });
}
