// The key of webhooks, `webhook.key`: secrets of endpoints follow from it and are stored nowhere. It is in no backup: a
// copy of the data elsewhere signs, and sends, nothing.
import { createHmac, randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { KeyFileError, readOrCreatePrivateFile, readPrivateFile } from "../../kernel/files/private-file.ts";
import { problem } from "../../kernel/problem.ts";

const KEY_BYTES = 32;
const KEY = /^[0-9a-f]{64}$/;
const FINGERPRINT_DIGITS = 16;
const SECRET_PREFIX = "whsec_";

/** The secret's endpoint and number. */
export interface SecretName {
  readonly id: string;
  readonly version: number;
}

/** A key that was read. */
export class OpenedWebhookKey {
  readonly #key: Buffer;

  constructor(key: Buffer) {
    this.#key = key;
  }

  /** Tells keys apart without showing anything of them. */
  get fingerprint(): string {
    return this.#digest("fingerprint").toString("hex").slice(0, FINGERPRINT_DIGITS);
  }

  /** A secret as people see it: `whsec_` and base64 of its 32 bytes. */
  secretOf({ id, version }: SecretName): string {
    return SECRET_PREFIX + this.#digest(`${id}:${version}`).toString("base64");
  }

  #digest(text: string): Buffer {
    return createHmac("sha256", this.#key).update(text).digest();
  }
}

/** The key in a file; without a file, one of this process alone, for a service without a data directory. */
export class WebhookKey {
  readonly #file: string | null;
  readonly #passing = new OpenedWebhookKey(randomBytes(KEY_BYTES));

  constructor(file: string | null) {
    this.#file = file;
  }

  /** The key, made at its first use. Throws `409 conflict` where its file cannot be used. */
  readOrMake(): OpenedWebhookKey {
    if (this.#file === null) return this.#passing;
    try {
      return keyOf(readOrCreatePrivateFile(this.#file, () => randomBytes(KEY_BYTES).toString("hex")).text);
    } catch (error) {
      if (!(error instanceof KeyFileError)) throw error;
      throw problem("conflict", "The server's webhook.key cannot be used: its operator has to look at the file.");
    }
  }

  /** The key; null without one that can be used. */
  find(): OpenedWebhookKey | null {
    if (this.#file === null) return this.#passing;
    try {
      return existsSync(this.#file) ? keyOf(readPrivateFile(this.#file)) : null;
    } catch {
      return null;
    }
  }
}

function keyOf(text: string): OpenedWebhookKey {
  if (!KEY.test(text)) throw new KeyFileError("webhook.key does not hold a key");
  return new OpenedWebhookKey(Buffer.from(text, "hex"));
}
