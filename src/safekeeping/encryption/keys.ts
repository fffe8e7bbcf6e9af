// Who may open an encrypted file: age recipients (public keys) and identities (their secret halves), and passphrases.
// The library for age is loaded only where one of them is used.
import { KeyFileError, readPrivateFile } from "../../kernel/files/private-file.ts";
import { EncryptionKeyError } from "./errors.ts";

/** The shortest passphrase, in characters. */
export const PASSPHRASE_CHARACTERS_MIN = 12;
const RECIPIENTS_MAX = 20;
const QUANTUM_SAFE = "age1pq1";
const RECIPIENT = /^age1(?:pq1)?[02-9ac-hj-np-z]+$/;
const IDENTITY = /^AGE-SECRET-KEY-(?:PQ-)?1[02-9AC-HJ-NP-Z]+$/;

/** What a file is encrypted for: the holders of the recipients' identities, or those who know the passphrase. */
export type Lock = { readonly recipients: readonly string[] } | { readonly passphrase: string };

/** What opens a file. */
export type Opener = { readonly identities: readonly string[] } | { readonly passphrase: string };

/** Whether a recipient withstands quantum computers too (`age1pq1…`). */
export function isQuantumSafe(recipient: string): boolean {
  return recipient.startsWith(QUANTUM_SAFE);
}

/**
 * Checked and distinct recipients, each `age1…` or `age1pq1…`. Throws {@link EncryptionKeyError} for another text, and
 * for both kinds together: a file is as safe as its weakest recipient, and `age` refuses that too.
 */
export async function recipientsOf(recipients: readonly string[]): Promise<readonly string[]> {
  const { Encrypter } = await import("age-encryption");
  const distinct = [...new Set(recipients.map((each) => each.trim()))];
  if (distinct.length === 0) throw new EncryptionKeyError("no recipient is named");
  if (distinct.length > RECIPIENTS_MAX)
    throw new EncryptionKeyError(`more than ${RECIPIENTS_MAX} recipients are named`);
  for (const recipient of distinct) {
    const isSecret = /^AGE-SECRET-KEY-/i.test(recipient);
    if (isSecret)
      throw new EncryptionKeyError("a secret key is named as recipient; name its public key (age-keygen -y)");
    try {
      if (!RECIPIENT.test(recipient)) throw new Error("another form");
      new Encrypter().addRecipient(recipient);
    } catch {
      throw new EncryptionKeyError(
        `${shortened(recipient)} cannot be read as a public key of age (age1… or age1pq1…, whole)`,
      );
    }
  }
  if (distinct.some(isQuantumSafe) && !distinct.every(isQuantumSafe)) {
    throw new EncryptionKeyError("recipients age1pq1… and age1… cannot be mixed: name those of one kind");
  }
  return distinct;
}

/** The lock of a passphrase. Throws {@link EncryptionKeyError} for a short one. */
export function lockWith(passphrase: string): Lock {
  if ([...passphrase].length >= PASSPHRASE_CHARACTERS_MIN) return { passphrase };
  throw new EncryptionKeyError(`the passphrase is shorter than ${PASSPHRASE_CHARACTERS_MIN} characters`);
}

/**
 * The identities in a file as `age-keygen` writes it: one a line, comments begin with #. Throws
 * {@link EncryptionKeyError}, and `KeyFileError` for a file that others can read.
 */
export async function readIdentities(path: string): Promise<Opener> {
  const { Decrypter } = await import("age-encryption");
  const lines = readPrivateFile(path).split(/\r?\n/);
  const identities = lines.map((line) => line.trim()).filter((line) => line !== "" && !line.startsWith("#"));
  if (identities.length === 0) throw new EncryptionKeyError(`${path} holds no identity (AGE-SECRET-KEY-1…)`);
  for (const [index, identity] of identities.entries()) {
    try {
      if (!IDENTITY.test(identity)) throw new Error("another form");
      new Decrypter().addIdentity(identity);
    } catch {
      // Never the content: it may be a secret with one wrong letter.
      throw new EncryptionKeyError(
        `${path}: identity ${index + 1} cannot be read as one of age (AGE-SECRET-KEY-1… or -PQ-1…)`,
      );
    }
  }
  return { identities };
}

/** The passphrase that a private file holds. Throws `KeyFileError`. */
export function readPassphrase(path: string): string {
  const text = readPrivateFile(path);
  if (text === "" || /[\r\n]/.test(text)) throw new KeyFileError(`${path} must hold the passphrase in one line`);
  return text;
}

function shortened(text: string): string {
  return text.length > 20 ? `${text.slice(0, 16)}…` : text;
}
