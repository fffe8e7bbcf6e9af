// Keystore reader: decrypts a key file of version 3 (Web3 Secret Storage), as geth, Clef and wallets write it. Pure.
// Uses scrypt in JavaScript, since Node's own refuses the parameters of some wallets (r = 1).
import { createDecipheriv } from "node:crypto";
import { pbkdf2 } from "@noble/hashes/pbkdf2.js";
import { scrypt } from "@noble/hashes/scrypt.js";
import { sha256 } from "@noble/hashes/sha2.js";
import { keccak_256 } from "@noble/hashes/sha3.js";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import type { Hex } from "./port.ts";

/** Why a keystore cannot be opened: it is not a keystore, is of another kind, or the password is wrong. */
export class KeystoreError extends Error {
  override readonly name = "KeystoreError";
}

/** The private key in the keystore `text`. Takes a second or so, by design. Throws {@link KeystoreError}. */
export function decryptKeystore(text: string, password: string): Hex {
  const { crypto } = parse(text);
  const { cipher, ciphertext, cipherparams, mac } = crypto;
  if (cipher !== "aes-128-ctr") throw new KeystoreError("its cipher is not aes-128-ctr");
  const key = deriveKey(crypto, password);
  const encrypted = fromHex(ciphertext);
  const expected = bytesToHex(keccak_256(Buffer.concat([key.subarray(16, 32), encrypted])));
  if (expected !== mac.toLowerCase().replace(/^0x/, "")) throw new KeystoreError("the password is wrong");
  const decipher = createDecipheriv("aes-128-ctr", key.subarray(0, 16), fromHex(cipherparams.iv));
  return `0x${Buffer.concat([decipher.update(encrypted), decipher.final()]).toString("hex")}`;
}

interface KeystoreCrypto {
  readonly cipher: string;
  readonly ciphertext: string;
  readonly cipherparams: { readonly iv: string };
  readonly kdf: string;
  readonly kdfparams: {
    readonly salt: string;
    readonly dklen: number;
    readonly n?: number;
    readonly r?: number;
    readonly p?: number;
    readonly c?: number;
    readonly prf?: string;
  };
  readonly mac: string;
}

function parse(text: string): { readonly crypto: KeystoreCrypto } {
  try {
    const file = JSON.parse(text);
    const crypto = file.crypto ?? file.Crypto;
    const texts = [
      crypto.cipher,
      crypto.ciphertext,
      crypto.cipherparams.iv,
      crypto.kdf,
      crypto.kdfparams.salt,
      crypto.mac,
    ];
    if (file.version === 3 && texts.every((each) => typeof each === "string")) return { crypto };
  } catch {
    // said below
  }
  throw new KeystoreError("it is not a keystore of version 3");
}

function deriveKey({ kdf, kdfparams }: KeystoreCrypto, password: string): Uint8Array {
  const { salt, dklen, n, r, p, c, prf } = kdfparams;
  if (dklen !== 32) throw new KeystoreError("its derived key is not 32 bytes long");
  try {
    if (kdf === "scrypt" && n && r && p) return scrypt(password, fromHex(salt), { N: n, r, p, dkLen: dklen });
    if (kdf === "pbkdf2" && c && prf === "hmac-sha256")
      return pbkdf2(sha256, password, fromHex(salt), { c, dkLen: dklen });
  } catch {
    // said below
  }
  throw new KeystoreError("its key derivation is not supported (only scrypt, and pbkdf2 with hmac-sha256)");
}

function fromHex(text: string): Uint8Array {
  try {
    return hexToBytes(text.replace(/^0x/, ""));
  } catch {
    throw new KeystoreError("it is damaged");
  }
}
