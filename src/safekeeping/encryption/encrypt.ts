// Encrypts a whole file in the format of age (age-encryption.org/v1), and reads back what it wrote.
import { createHash } from "node:crypto";
import { closeSync, fsyncSync, openSync, rmSync } from "node:fs";
import { writeAll } from "../../storage/data-dir/durable-files.ts";
import { readDecrypted } from "./decrypt.ts";
import { EncryptedFileDamagedError } from "./errors.ts";
import { streamOf } from "./file-stream.ts";
import { isQuantumSafe, type Lock, type Opener } from "./keys.ts";

/** How a file is encrypted. */
export interface EncryptOptions {
  /** Called with the progress of reading back, from 0 to 1. */
  readonly onProgress: (done: number) => void;
  /** Writes a piece to the open file. */
  readonly write?: (file: number, bytes: Uint8Array) => void;
}

/**
 * Encrypts the file `plain` to the new file `out` (mode 0600), flushed and read back: through a recipient of the moment
 * whose identity is then forgotten, or with the passphrase. Throws {@link EncryptedFileDamagedError} if what is read
 * back is not what was written; `out` is then removed.
 */
export async function encryptFile(
  plain: string,
  out: string,
  lock: Lock,
  { onProgress, write = writeAll }: EncryptOptions,
): Promise<void> {
  const { Encrypter } = await import("age-encryption");
  const encrypter = new Encrypter();
  const { recipients, opener } = await withReader(lock);
  if ("passphrase" in lock) encrypter.setPassphrase(lock.passphrase);
  for (const recipient of recipients) encrypter.addRecipient(recipient);
  const written = createHash("sha256");
  const file = openSync(out, "wx", 0o600);
  try {
    const source = streamOf(plain, (piece) => written.update(piece));
    try {
      for await (const piece of await encrypter.encrypt(source)) write(file, piece);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    const read = createHash("sha256");
    await readDecrypted(out, opener, (piece) => read.update(piece), onProgress);
    if (read.digest("hex") !== written.digest("hex")) {
      throw new EncryptedFileDamagedError("what was read back of the encrypted file is not what was written");
    }
  } catch (failure) {
    rmSync(out, { force: true });
    throw failure;
  }
}

/** The recipients with one of the moment, and what opens the file again. A passphrase stands alone in a file. */
async function withReader(lock: Lock): Promise<{ recipients: readonly string[]; opener: Opener }> {
  if ("passphrase" in lock) return { recipients: [], opener: lock };
  const { generateHybridIdentity, generateX25519Identity, identityToRecipient } = await import("age-encryption");
  const isSafe = lock.recipients.every(isQuantumSafe);
  const identity = await (isSafe ? generateHybridIdentity() : generateX25519Identity());
  return {
    recipients: [...lock.recipients, await identityToRecipient(identity)],
    opener: { identities: [identity] },
  };
}
