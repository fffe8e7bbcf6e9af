// Common pieces of OCF objects, and the rule by which an imported original is exported: as it came, except for members
// that were changed since. Pure; no rows of one particular table.
import { Value } from "@sinclair/typebox/value";
import { isObject, type JsonObject } from "../json.ts";
import { EmailAddress } from "../schemas/scalars.ts";

/** Called with every default that OCF forces and with whatever has no OCF form; the manifest's comments count them. */
export type Note = (what: string) => void;

/** An object without the members that are null or undefined: OCF takes neither. */
export function compact(members: Readonly<Record<string, unknown>>): JsonObject {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null && value !== undefined));
}

/** OCF's Monetary, or undefined where there is no amount. `amount` is a decimal string, `currency` its three letters. */
export function money(amount: string | null | undefined, currency: string): JsonObject | undefined {
  return amount === null || amount === undefined ? undefined : { amount, currency };
}

/** OCF's `comments`: the texts that there are, or undefined for none. */
export function commentsOf(...texts: readonly (string | null | undefined)[]): string[] | undefined {
  const given = texts.filter((text) => typeof text === "string" && text !== "");
  return given.length > 0 ? (given as string[]) : undefined;
}

/** OCF's Email, or undefined for none and for an address that OCF's own check would refuse. */
export function emailOf(address: string | null, kind: "BUSINESS" | "OTHER", note: Note): JsonObject | undefined {
  if (address === null) return undefined;
  if (Value.Check(EmailAddress, address)) return { email_type: kind, email_address: address };
  note("an e-mail address has a form that OCF does not take; left out");
  return undefined;
}

const NAMESPACE = "6f8e2c0a-3d0f-5a54-9a0e-7d1d7a0c5b11";

/**
 * The id of an object or security that exists in OCF only, such as the balance after a partial cancellation: always
 * the same for the same entry and role (a UUID of version 5), so that two exports name the same objects.
 */
export function derivedId(entryId: string, role: string): string {
  return String(Bun.randomUUIDv5(`${entryId} ${role}`, NAMESPACE));
}

/**
 * An original with only those members changed in which `now` differs from `was`, both what our mapping makes of the
 * record: as it was imported and today. Objects and lists of objects are compared member by member, so that what the
 * service has no field for (a second e-mail address, a telephone) stays.
 */
export function patchOriginal(original: JsonObject, was: JsonObject, now: JsonObject): JsonObject {
  if (Bun.deepEquals(was, now)) return original;
  const patched: Record<string, unknown> = { ...original };
  for (const name of new Set([...Object.keys(was), ...Object.keys(now)])) {
    if (Bun.deepEquals(was[name], now[name])) continue;
    const value = patchValue(original[name], was[name], now[name]);
    if (value === undefined) delete patched[name];
    else patched[name] = value;
  }
  return patched;
}

function patchValue(original: unknown, was: unknown, now: unknown): unknown {
  if (isObject(original) && isObject(was) && isObject(now)) return patchOriginal(original, was, now);
  if (!isListOfObjects(original) || !isListOfObjects(was) || !isListOfObjects(now)) return now;
  if (was.length !== now.length || original.length < was.length) return now;
  return original.map((item, i) => {
    const [before, after] = [was[i], now[i]];
    return before && after ? patchOriginal(item, before, after) : item;
  });
}

function isListOfObjects(value: unknown): value is readonly JsonObject[] {
  return Array.isArray(value) && value.every(isObject);
}
