// One-time codes (RFC 6238 on RFC 4226: SHA-1, six digits, steps of 30 seconds), and recovery codes.
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { hashToken } from "./token.ts";

const STEP_SECONDS = 30;
const DIGITS = 6;
const SECRET_BYTES = 20;
/** How many steps a clock may be off. */
const TOLERANCE = 1;
const RECOVERY_CODES = 10;
const RECOVERY_BYTES = 10;
const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/** A new secret, in base32. */
export function newTotpSecret(): string {
  return toBase32(randomBytes(SECRET_BYTES));
}

/** The time step at an instant. */
export function stepAt(nowMs: number): number {
  return Math.floor(nowMs / 1000 / STEP_SECONDS);
}

/** The code of a secret (base32) at a time step; RFC 6238's vectors have eight digits. */
export function totpCode(secret: string, step: number, digits = DIGITS): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac("sha1", fromBase32(secret)).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 0x0f;
  const number = mac.readUInt32BE(offset) & 0x7fffffff;
  return String(number % 10 ** digits).padStart(digits, "0");
}

/** The step, now or one beside, whose code this is; null if it is not a valid code, or one of a step up to `last`. */
export function matchingStep(secret: string, code: string, nowMs: number, last: number | null): number | null {
  const now = stepAt(nowMs);
  for (let step = now - TOLERANCE; step <= now + TOLERANCE; step++) {
    if (step > (last ?? -1) && isEqual(totpCode(secret, step), code)) return step;
  }
  return null;
}

/** Whether a typed code is an app's and not a recovery code. */
export function isAppCode(code: string): boolean {
  return /^\d{6}$/.test(code);
}

/** The address that an app reads, from a QR code or a link. */
export function totpUri(secret: string, email: string): string {
  const query = `secret=${secret}&issuer=captable&algorithm=SHA1&digits=${DIGITS}&period=${STEP_SECONDS}`;
  return `otpauth://totp/captable:${encodeURIComponent(email)}?${query}`;
}

/** Ten new recovery codes of 16 base32 characters. They are shown once. */
export function newRecoveryCodes(): string[] {
  return Array.from({ length: RECOVERY_CODES }, () => toBase32(randomBytes(RECOVERY_BYTES)));
}

/** The stored form of a recovery code; it may be typed with spaces, dashes and small letters or without. */
export function hashRecoveryCode(code: string): string {
  return hashToken(code.toUpperCase().replace(/[\s-]/g, ""));
}

function isEqual(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}

function toBase32(bytes: Uint8Array): string {
  let bits = "";
  for (const byte of bytes) bits += byte.toString(2).padStart(8, "0");
  return (bits.match(/.{1,5}/g) ?? []).map((five) => ALPHABET.charAt(Number.parseInt(five.padEnd(5, "0"), 2))).join("");
}

function fromBase32(text: string): Buffer {
  let bits = "";
  for (const letter of text) bits += ALPHABET.indexOf(letter).toString(2).padStart(5, "0");
  return Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
}
