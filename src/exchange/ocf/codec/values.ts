// Reads an OCF object's members as the service's columns: leniently, since packages come from any program. Members that
// an import requires have `required…` readers, which refuse the object. Pure.
import { type CalendarDate, isCalendarDate } from "../../../kernel/date.ts";
import { type Decimal, formatDecimal, isDecimalText, parseDecimal } from "../../../kernel/numbers/decimal.ts";
import { codePointLength, hasControlCharacter } from "../../../kernel/text/text.ts";
import { pointerTo } from "../finding.ts";
import { isObject, type JsonObject, textOf } from "../json.ts";

/** Why an object cannot be imported: the rest of the package still can. */
export class Refusal extends Error {
  override readonly name = "Refusal";
  constructor(
    /** JSON Pointer fragment into the object. */
    readonly pointer: string,
    readonly detail: string,
  ) {
    super(detail);
  }
}

const ID_LENGTH_MAX = 255;
const SERVICE_DECIMAL = /^[0-9]{1,15}(\.[0-9]{1,10})?$/;
const SERVICE_COUNT = /^[0-9]{1,30}(\.[0-9]{1,10})?$/;

/** The member as a decimal that the service stores: as it was written, where the API takes that form. */
export function numberText(object: JsonObject, name: string, form = SERVICE_DECIMAL): string | null {
  const value = object[name];
  const text = Number.isSafeInteger(value) ? String(value) : value;
  if (typeof text !== "string" || !isDecimalText(text)) return null;
  if (form.test(text)) return text;
  const plain = formatDecimal(parseDecimal(text));
  return form.test(plain) ? plain : null;
}

/** The amount of a Monetary member as a decimal text, else null. A bare number in its place is taken too. */
export function amountText(object: JsonObject, name: string): string | null {
  const value = object[name];
  return isObject(value) ? numberText(value, "amount") : numberText(object, name);
}

/** The member's number. Refuses the object where it is missing, no number, negative, or of more than 15 digits. */
export function requiredNumber(object: JsonObject, name: string): string {
  return numberText(object, name) ?? refuseNumber(object, name, pointerTo(name), 15);
}

/**
 * The member's count of shares, which corrections may have made longer than what is sent. Refuses the object as
 * {@link requiredNumber} does.
 */
export function requiredCount(object: JsonObject, name: string): string {
  return numberText(object, name, SERVICE_COUNT) ?? refuseNumber(object, name, pointerTo(name), 30);
}

/** The amount of a Monetary member; refuses the object as {@link requiredNumber} does. */
export function requiredAmount(object: JsonObject, name: string): string {
  return amountText(object, name) ?? refuseNumber(object, name, pointerTo(name, "amount"), 15);
}

function refuseNumber(object: JsonObject, name: string, pointer: string, digitsMax: number): never {
  if (object[name] === undefined) throw new Refusal(pointerTo(name), `The field ${name} is missing.`);
  const limits = `zero or more, up to ${digitsMax} digits before the point and 10 after it`;
  throw new Refusal(pointer, `The field ${name} is no number in quotation marks that can be counted with (${limits}).`);
}

/** The member's text. Refuses the object where it is missing, empty, or no text. */
export function requiredText(object: JsonObject, name: string, path: readonly string[] = []): string {
  const text = textOf(object, name);
  if (text !== null && text.trim() !== "") return text;
  const what = object[name] === undefined ? "missing" : text === null ? "no text" : "empty";
  throw new Refusal(pointerTo(...path, name), `The field ${name} is ${what}.`);
}

/** The member's name, which may be blank. Refuses the object where it is missing, empty, or no text. */
export function requiredName(object: JsonObject, name: string, path: readonly string[] = []): string {
  const text = textOf(object, name);
  return text !== null && text !== "" ? text : requiredText(object, name, path);
}

/**
 * Why a text cannot be an id, or null. Imported ids are kept as they came, so any string is allowed that a path can
 * hold.
 */
export function faultOfId(id: string | null): string | null {
  if (id === null) return "The object has no id, or one that is no text.";
  if (id === "" || codePointLength(id) > ID_LENGTH_MAX) return `The id must have 1 to ${ID_LENGTH_MAX} characters.`;
  if (!id.isWellFormed()) return "The id contains an unpaired surrogate.";
  return hasControlCharacter(id, false) ? "The id has a control character in it." : null;
}

/** The member's id of something that the object makes. Refuses the object where it cannot be one. */
export function requiredId(object: JsonObject, name: string): string {
  const id = requiredText(object, name);
  const fault = faultOfId(id);
  if (fault !== null) throw new Refusal(pointerTo(name), fault);
  return id;
}

/** One of the given words. Refuses the object where the member is another. */
export function requiredWord<W extends string>(object: JsonObject, name: string, words: readonly W[]): W {
  const word = words.find((each) => each === object[name]);
  if (word !== undefined) return word;
  throw new Refusal(pointerTo(name), `The field ${name} must be one of ${words.join(", ")}.`);
}

/** The member's day. Refuses the object where it is missing or does not exist in the calendar. */
export function requiredDate(object: JsonObject, name: string): CalendarDate {
  const date = dateText(object, name);
  if (date !== null) return date;
  throw new Refusal(pointerTo(name), `The field ${name} must be a date that exists, as YYYY-MM-DD.`);
}

/** The member's day, also where it is written as an instant; null if it is not a day. */
export function dateText(object: JsonObject, name: string): CalendarDate | null {
  const day = textOf(object, name)?.slice(0, "YYYY-MM-DD".length) ?? "";
  return isCalendarDate(day) ? day : null;
}

/** OCF's list of comments as the service's one text, without those whose content has a column of its own. */
export function commentsText({ comments }: JsonObject, isOurs: (comment: string) => boolean = () => false) {
  const lines = Array.isArray(comments) ? comments : [comments];
  const text = lines.filter((line) => typeof line === "string" && !isOurs(line)).join("\n");
  return text === "" ? null : text;
}

/** The two approval dates that most objects have. */
export function approvalDates(object: JsonObject) {
  return {
    boardApprovalDate: dateText(object, "board_approval_date"),
    stockholderApprovalDate: dateText(object, "stockholder_approval_date"),
  };
}

/** The member's exact number, of any sign; null if it is not a number. */
export function exactNumber(object: JsonObject, name: string): Decimal | null {
  const value = object[name];
  const text = isObject(value) ? value.amount : value;
  return typeof text === "string" && text.length <= 40 && isDecimalText(text) ? parseDecimal(text) : null;
}

/**
 * What `ocf_objects.mapped` keeps: the mapped columns of a record as they are at import. An export writes the original,
 * and patches only the columns that were changed since.
 */
export function mappedColumns(row: object, names: readonly string[]): string {
  const columns: Readonly<Record<string, unknown>> = { ...row };
  return JSON.stringify(Object.fromEntries(names.map((name) => [name, columns[name] ?? null])));
}
