// The device cookie: marks a device on which an account has signed in. It gives no access: failed sign-ins of that
// account on that device are counted for the device alone, so that strangers, who get a password wrong elsewhere, lock
// no owner out. It is signed with a key that depends on `accounts.key` and the password's hash, and so becomes invalid
// when the password changes.
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { cookieOf, readCookie } from "./cookie.ts";
import type { Seal } from "./seal.ts";

const DAY_MS = 86_400_000;
const LIFE_MS = 180 * DAY_MS;
const RANDOM_BYTES = 16;
const PURPOSE = "captable device cookie";

/** What recognizing devices needs. */
export interface DeviceParts {
  readonly seal: Seal;
  readonly publicUrl: () => string;
}

/** The account of the device, and the password hash with which it signs in; null without one. */
export interface DeviceOwner {
  readonly id: string;
  readonly passwordHash: string | null;
}

function deviceCookieOf(publicUrl: string): ReturnType<typeof cookieOf> {
  const session = cookieOf(publicUrl);
  if (session === null) return null;
  const name = session.name.replace("captable", "captable-device");
  return { name, attributes: `${session.attributes}; Max-Age=${LIFE_MS / 1000}` };
}

/** The `Set-Cookie` of a device on which an account has just signed in; null if there can be none. */
export function newDeviceCookie({ seal, publicUrl }: DeviceParts, owner: DeviceOwner, nowMs: number): string | null {
  const cookie = deviceCookieOf(publicUrl());
  const key = seal.derive(PURPOSE, { isMade: true });
  if (cookie === null || key === null) return null;
  const told = `${owner.id}.${nowMs}.${randomBytes(RANDOM_BYTES).toString("hex")}`;
  return `${cookie.name}=${told}.${mac(key, told, owner)}; ${cookie.attributes}`;
}

/** The device's own id, if a request comes from one of the account's; else null. */
export function knownDevice(
  { seal, publicUrl }: DeviceParts,
  headers: Headers,
  owner: DeviceOwner | null,
  nowMs: number,
): string | null {
  const cookie = deviceCookieOf(publicUrl());
  const sent = owner && cookie && readCookie(headers.get("cookie"), cookie.name);
  const [, told, accountId, atMs, id, given] =
    /^(([\w-]{36})\.(\d{1,15})\.([0-9a-f]{32}))\.([\w-]{43})$/.exec(sent ?? "") ?? [];
  if (owner === null || accountId !== owner.id || told === undefined || id === undefined || given === undefined)
    return null;
  const age = nowMs - Number(atMs);
  const key = seal.derive(PURPOSE, { isMade: false });
  if (key === null || age < 0 || age >= LIFE_MS) return null;
  return timingSafeEqual(Buffer.from(mac(key, told, owner)), Buffer.from(given)) ? id : null;
}

function mac(key: Buffer, told: string, { passwordHash }: DeviceOwner): string {
  return createHmac("sha256", key)
    .update(`${told}.${passwordHash ?? ""}`)
    .digest("base64url");
}
