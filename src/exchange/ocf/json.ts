// Readers of JSON values of unknown shape: package files come from any program, and every check but the first one must
// cope with objects that failed it. Each reader returns null instead of guessing. Pure.
import { type CalendarDate, isCalendarDate } from "../../kernel/date.ts";
import { type Decimal, isDecimalText, parseDecimal } from "../../kernel/numbers/decimal.ts";

/** A JSON object of unknown members. */
export type JsonObject = { readonly [name: string]: unknown };

/** Digits that a number may have to be calculated with: longer ones are an attack or a slip, never shares. */
const NUMERIC_LENGTH_MAX = 40;

/** Whether `value` is a JSON object, neither list nor null. */
export function isObject(value: unknown): value is JsonObject {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

/** The member `name` where it is text, else null. */
export function textOf(object: JsonObject, name: string): string | null {
  const value = object[name];
  return typeof value === "string" ? value : null;
}

/** The member `name` where it is a list, else an empty one. */
export function listOf(object: JsonObject, name: string): readonly unknown[] {
  const value = object[name];
  return Array.isArray(value) ? value : [];
}

/** The texts in the list `name`; an entry that is not a text is left out. */
export function textsOf(object: JsonObject, name: string): string[] {
  return listOf(object, name).filter((value) => typeof value === "string");
}

/** The objects in the list `name`; an entry that is not an object is left out. */
export function objectsOf(object: JsonObject, name: string): JsonObject[] {
  return listOf(object, name).filter(isObject);
}

/** The member `name` where it is a day that exists, else null. */
export function dateOf(object: JsonObject, name: string): CalendarDate | null {
  const value = textOf(object, name);
  return value !== null && isCalendarDate(value) ? value : null;
}

/** The exact number that `value` writes as text (OCF's Numeric), else null. */
export function toDecimal(value: unknown): Decimal | null {
  if (typeof value !== "string" || value.length > NUMERIC_LENGTH_MAX || !isDecimalText(value)) return null;
  return parseDecimal(value);
}

/** The member `name` as an exact number, whether a Numeric or the amount of a Monetary, else null. */
export function decimalOf(object: JsonObject, name: string): Decimal | null {
  const value = object[name];
  return toDecimal(isObject(value) ? value.amount : value);
}
