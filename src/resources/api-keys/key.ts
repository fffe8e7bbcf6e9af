// The form of an API key: prefix of the environment, then 43 base62 characters holding 256 random bits.
import { randomBytes } from "node:crypto";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const RANDOM_LENGTH = 43;
const SHOWN_LENGTH = 4;

/** The environment of a data directory, fixed when it is created. */
export type KeyEnvironment = "production" | "test";

const PREFIXES: Readonly<Record<KeyEnvironment, string>> = { production: "pg_live_", test: "pg_test_" };

/** 256 random bits in 43 base62 characters. */
export function randomBase62(): string {
  let number = BigInt(`0x${randomBytes(32).toString("hex")}`);
  let digits = "";
  for (let i = 0; i < RANDOM_LENGTH; i++) {
    digits = ALPHABET.charAt(Number(number % 62n)) + digits;
    number /= 62n;
  }
  return digits;
}

/** Makes a new key. It is shown once and never stored. */
export function generateKey(environment: KeyEnvironment): string {
  return PREFIXES[environment] + randomBase62();
}

/** Whether `text` has the form of a key of this environment. */
export function isKeyOf(environment: KeyEnvironment, text: string): boolean {
  return text.startsWith(PREFIXES[environment]) && /^pg_(?:live|test)_[0-9A-Za-z]{43}$/.test(text);
}

/** The stored form of a key: the lowercase hex of its SHA-256. */
export function hashKey(key: string): string {
  return new Bun.CryptoHasher("sha256").update(key).digest("hex");
}

/** The part of a key that lists show: the environment's prefix and the first 4 random characters. */
export function shownPrefix(key: string): string {
  return key.slice(0, PREFIXES.production.length + SHOWN_LENGTH);
}
