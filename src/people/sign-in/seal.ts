// Encrypts secrets that must be read again, and so cannot be stored as a hash: those of one-time codes (AES-256-GCM,
// with the key in `accounts.key`). A copy of the database alone decrypts none.
import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from "node:crypto";
import { readOrCreatePrivateFile, readPrivateFile } from "../../kernel/files/private-file.ts";

const CIPHER = "aes-256-gcm";
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const KEY = /^[0-9a-f]{64}$/;

/** Seals and opens texts with the key in one file, which is made at the first use. */
export class Seal {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** The sealed text, bound to its owner: `owner` must be the same when it is opened. */
  seal(text: string, owner: string): string {
    const key = this.#readOrMake();
    const nonce = randomBytes(NONCE_BYTES);
    const cipher = createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(owner));
    const body = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
    return Buffer.concat([nonce, cipher.getAuthTag(), body]).toString("base64");
  }

  /**
   * A key for another purpose, derived from the one in the file (HKDF-SHA256); null if that cannot be read, or is
   * missing and not to be made.
   */
  derive(purpose: string, { isMade }: { readonly isMade: boolean }): Buffer | null {
    try {
      const key = isMade ? this.#readOrMake() : keyOf(readPrivateFile(this.#file));
      return Buffer.from(hkdfSync("sha256", key, "", purpose, KEY_BYTES));
    } catch {
      return null;
    }
  }

  #readOrMake(): Buffer {
    return keyOf(readOrCreatePrivateFile(this.#file, () => randomBytes(KEY_BYTES).toString("hex")).text);
  }

  /** The text; null if the key is missing or another, or the text was changed. */
  open(sealed: string, owner: string): string | null {
    try {
      const bytes = Buffer.from(sealed, "base64");
      const nonce = bytes.subarray(0, NONCE_BYTES);
      const decipher = createDecipheriv(CIPHER, keyOf(readPrivateFile(this.#file)), nonce).setAAD(Buffer.from(owner));
      decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
      const body = bytes.subarray(NONCE_BYTES + TAG_BYTES);
      return Buffer.concat([decipher.update(body), decipher.final()]).toString("utf8");
    } catch {
      return null;
    }
  }
}

function keyOf(text: string): Buffer {
  if (!KEY.test(text)) throw new Error("accounts.key does not hold a key");
  return Buffer.from(text, "hex");
}
