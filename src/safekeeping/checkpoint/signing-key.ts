// The signing key of a data directory, `signing.key`: it signs checkpoints and backups, and is in no backup itself. It
// has the form that other signers of notes use: `PRIVATE+KEY+`, a name, the key's id, and its type with the seed.
import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { KeyFileError, readOrCreatePrivateFile, readPrivateFile } from "../../kernel/files/private-file.ts";
import { signingKeyFile } from "../../storage/data-dir/names.ts";
import { type Signer, signerOf, type Verifier, writeVerifier } from "./note.ts";

/** The name under which a data directory signs notes of the instance. */
const DIRECTORY_NAME = "captable";
const SEED_BYTES = 32;
const HEAD = "PRIVATE+KEY+";

/** The key; made if it does not exist yet. Throws `KeyFileError` for a file that cannot be used. */
export function openSigningKey(dataDir: string): Signer {
  const file = signingKeyFile(dataDir);
  return readKey(file, readOrCreatePrivateFile(file, () => writeKey(randomBytes(SEED_BYTES))).text);
}

/** The key, or null if there is no key yet. Throws `KeyFileError` for a file that cannot be used. */
export function findSigningKey(dataDir: string): Signer | null {
  const file = signingKeyFile(dataDir);
  return existsSync(file) ? readKey(file, readPrivateFile(file)) : null;
}

/** The public half, as `version --json` shows it and `--signed-by` takes it. */
export function verifierOf({ publicKey }: Signer): string {
  return writeVerifier({ name: DIRECTORY_NAME, publicKey });
}

/** A signer for this process only, for a service without a data directory. */
export function passingSigner(): Signer {
  return signerOf(randomBytes(SEED_BYTES));
}

function writeKey(seed: Uint8Array): string {
  const [name, id] = writeVerifier({ name: DIRECTORY_NAME, publicKey: signerOf(seed).publicKey }).split("+");
  return `${HEAD}${name}+${id}+${Buffer.concat([Uint8Array.of(1), seed]).toString("base64")}`;
}

function readKey(file: string, text: string): Signer {
  const [, id, encoded = ""] = /^PRIVATE\+KEY\+captable\+([0-9a-f]{8})\+([A-Za-z0-9+/]+=*)$/.exec(text) ?? [];
  const bytes = Buffer.from(encoded, "base64");
  if (bytes.length === SEED_BYTES + 1 && bytes[0] === 1) {
    const signer = signerOf(bytes.subarray(1));
    if (verifierOf(signer).split("+")[1] === id) return signer;
  }
  throw new KeyFileError(`${file} holds no signing key of captable, or a damaged one`);
}

/** Whether two keys are the same, under any names. */
export function isSameKey(one: Pick<Verifier, "publicKey">, other: Pick<Verifier, "publicKey">): boolean {
  return Buffer.from(one.publicKey).equals(other.publicKey);
}
