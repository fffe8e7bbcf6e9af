// Schemas of the scalar types of OCF 1.2.0 (types/*.schema.json). Each states in plain words what it accepts (`says`),
// for messages. OCF's own patterns, not the API's: an import must accept other programs' output.
import { FormatRegistry, type TProperties, type TSchema, Type } from "@sinclair/typebox";
import { isCalendarDate } from "../../../kernel/date.ts";

const EMAIL_ATOM = "[a-z0-9!#$%&'*+/=?^_`{|}~-]+";
const EMAIL_LABEL = "[a-z0-9](?:[a-z0-9-]*[a-z0-9])?";
const EMAIL = new RegExp(`^${EMAIL_ATOM}(?:\\.${EMAIL_ATOM})*@(?:${EMAIL_LABEL}\\.)+${EMAIL_LABEL}$`, "i");
const DATE_TIME = /^(\d{4}-\d{2}-\d{2})[t\s](\d{2}):(\d{2}):(\d{2})(?:\.\d+)?(?:z|([+-])(\d{2})(?::?(\d{2}))?)$/i;
/** No address is longer (RFC 5321); it also bounds the work of the pattern. */
const EMAIL_LENGTH_MAX = 320;

/** Whether `text` is an instant with a time zone (RFC 3339 date-time; a leap second only where one can be). */
export function isDateTime(text: string): boolean {
  const match = DATE_TIME.exec(text);
  if (!match) return false;
  const [, date = "", hour = "", minute = "", second = "", sign = "+", zoneHour = "0", zoneMinute = "0"] = match;
  if (!isCalendarDate(date) || Number(zoneHour) > 23 || Number(zoneMinute) > 59) return false;
  if (Number(hour) > 23 || Number(minute) > 59) return false;
  if (Number(second) < 60) return true;
  const offset = (Number(zoneHour) * 60 + Number(zoneMinute)) * (sign === "-" ? -1 : 1);
  const utcMinute = (((Number(hour) * 60 + Number(minute) - offset) % 1440) + 1440) % 1440;
  return Number(second) === 60 && utcMinute === 1439;
}

FormatRegistry.Set("ocf-date", isCalendarDate);
FormatRegistry.Set("ocf-date-time", isDateTime);
FormatRegistry.Set("ocf-email", (text) => text.length <= EMAIL_LENGTH_MAX && EMAIL.test(text));

/** Any text. */
export const Text = Type.String({ says: "text in quotation marks" });
/** The id of an object, or a reference to one: any text. */
export const Id = Type.String({ says: "an id: text in quotation marks" });
/** A yes or no. */
export const Flag = Type.Boolean({ says: "true or false, without quotation marks" });
/** An exact number as text, at most 10 places. */
export const Numeric = Type.String({
  pattern: "^[+-]?[0-9]+(\\.[0-9]{1,10})?$",
  says: 'a number in quotation marks, with at most 10 decimals and no thousands separators, such as "1500" or "0.25"',
});
/** A share of one, as text: 0 to 1. The empty text passes, as in the official pattern. */
export const Percentage = Type.String({
  pattern: "^0?(\\.[0-9]{1,10})?$|^1(\\.0{1,10})?$",
  says: 'a share between 0 and 1 in quotation marks, such as "0.2" for 20%',
});
/** A day of the calendar. */
export const DateText = Type.String({ format: "ocf-date", says: "a date that exists, as YYYY-MM-DD" });
/** An instant with its zone. */
export const DateTime = Type.String({
  format: "ocf-date-time",
  says: 'a date and time with a time zone, such as "2026-01-15T14:30:00Z"',
});
/** ISO 3166-1 alpha-2. */
export const CountryCode = Type.String({ pattern: "^[A-Z]{2}$", says: 'a two-letter country code such as "US"' });
/** ISO 3166-2, the part after the country. */
export const SubdivisionCode = Type.String({
  pattern: "^[A-Z0-9]{1,3}$",
  says: 'the code of a state or region, up to three capital letters or digits, such as "CA"',
});
/** As {@link SubdivisionCode}, of any length (development version). */
export const SubdivisionCodeDevelopment = Type.String({
  pattern: "^[A-Z0-9]{1,}$",
  says: 'the code of a state or region in capital letters or digits, such as "CA"',
});
/** ISO 4217. */
export const CurrencyCode = Type.String({ pattern: "^[A-Z]{3}$", says: 'a three-letter currency code such as "USD"' });
/** The MD5 of a file, in hex. */
export const Md5 = Type.String({ pattern: "^[a-fA-F0-9]{32}$", says: "an MD5 checksum: 32 hexadecimal digits" });
/** A telephone number the way OCF writes it. */
export const PhoneNumber = Type.String({
  pattern: "^\\+\\d{1,3}\\s\\d{2,3}\\s\\d{2,3}\\s\\d{4}(\\s(ext.|extension)\\s\\d+)?$",
  says: 'a telephone number in OCF\'s form, such as "+1 555 010 0199"',
});
/** An e-mail address. */
export const EmailAddress = Type.String({ format: "ocf-email", says: "an e-mail address" });

/** One of the given words. */
export function oneOf<const V extends readonly string[]>(...values: V) {
  const says = values.length === 1 ? `"${values[0]}"` : `one of ${values.join(", ")}`;
  const literals = values.map((value) => Type.Literal(value));
  return Type.Unsafe<V[number]>(Type.Union(literals, { says }));
}

/** An object of exactly these members; OCF allows no others anywhere. */
export function record<P extends TProperties>(members: P) {
  return Type.Object(members, { additionalProperties: false, says: "an object in braces" });
}

/** A list; `minItems` where OCF wants at least one entry, `uniqueItems` where none may occur twice. */
export function list<T extends TSchema>(items: T, options: { minItems?: number; uniqueItems?: boolean } = {}) {
  return Type.Array(items, { ...options, says: "a list in brackets" });
}

/** A member that may be left out. */
export function optional<T extends TSchema>(schema: T) {
  return Type.Optional(schema);
}
