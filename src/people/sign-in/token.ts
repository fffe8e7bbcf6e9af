// Tokens of sessions and links: 256 random bits in 43 base62 characters, of which only the SHA-256 is kept.
import { randomBytes } from "node:crypto";
import { hashKey, randomBase62 } from "../../resources/api-keys/key.ts";

const FORM = /^[0-9A-Za-z]{43}$/;

/** A new token. It is shown once, in a cookie or a link, and kept nowhere. */
export function newToken(): string {
  return randomBase62();
}

/** Whether a text can be a token. */
export function isToken(text: string): boolean {
  return FORM.test(text);
}

/** A new account's salt: 16 random bytes in hex. */
export function newSalt(): string {
  return randomBytes(16).toString("hex");
}

/** The stored form of a token: the lowercase hex of its SHA-256. */
export function hashToken(token: string): string {
  return hashKey(token);
}
