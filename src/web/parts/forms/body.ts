// Request body of a guided form from its values, and faults found before sending. Pure.
import { isCalendarDate } from "../../../kernel/date.ts";
import type { ApiProblem } from "../../api/problem.ts";
import { FIGURE_FAULTS } from "../../text/figure-faults.ts";
import { decimalFault, readDecimal } from "./decimal.ts";
import type { AnySpec, Values } from "./field-spec.ts";
import { plainFault, textIn } from "./plain.ts";

const WHOLE = /^\d{1,9}$/;
/** What the lists of `many` are set apart by. */
export const APART = ",";
/** Words that stand for a figure. */
const NO_FIGURES: readonly string[] = ["UNLIMITED", "NOT APPLICABLE"];

/** A request's body. */
export type Body = Record<string, unknown>;

/** What is wrong with a field's text; undefined where nothing is. */
export function faultOf(spec: AnySpec, typed: string): string | undefined {
  const { kind, isPositive = false } = spec;
  const text = textIn(spec, typed);
  const plain = plainFault(spec, typed);
  if (plain || text === "" || spec.fault) return plain;
  if (kind === "decimal" && !NO_FIGURES.includes(text) && decimalFault(text)) return decimalFault(text);
  if (kind === "whole" && !WHOLE.test(text)) return FIGURE_FAULTS.whole;
  if (isPositive && !/[1-9]/.test(text)) return FIGURE_FAULTS.positive;
  if (kind === "day" && !isCalendarDate(text)) return FIGURE_FAULTS.date;
  return undefined;
}

/** What is wrong with the fields, by name. */
export function faultsOf(fields: readonly AnySpec[], values: Values): Record<string, string | undefined> {
  const found = fields.map((field) => [field.name, faultOf(field, values[field.name] ?? "")] as const);
  return Object.fromEntries(found.filter(([, fault]) => fault !== undefined));
}

/** What a field's text means; undefined where it was left out. */
export function meaningOf(spec: AnySpec, typed: string): unknown {
  const { kind } = spec;
  const text = textIn(spec, typed);
  if (kind === "many" || kind === "several") return text === "" ? [] : text.split(APART);
  if (text === "") return undefined;
  if (kind === "check") return true;
  if (kind === "decimal") return readDecimal(text) ?? text;
  return kind === "whole" ? Number.parseInt(text, 10) : text;
}

/** The body that the fields make; null while something is missing or cannot be read. */
export function bodyOf(fields: readonly AnySpec[], values: Values): Body | null {
  if (Object.keys(faultsOf(fields, values)).length > 0) return null;
  const body: Body = {};
  for (const field of fields) put(body, field.name, meaningOf(field, values[field.name] ?? ""));
  return body;
}

/** The body with every field: null for what is empty, false for a box without a tick. */
export function wholeOf(fields: readonly AnySpec[], values: Values): Body {
  const body: Body = {};
  for (const field of fields) {
    put(body, field.name, meaningOf(field, values[field.name] ?? "") ?? (field.kind === "check" ? false : null));
  }
  return body;
}

/** Puts a member, `name.legalName` within `name`, `rights.0.price` within the first of a list. */
export function put(body: Body, name: string, value: unknown): void {
  if (value === undefined) return;
  const [head = "", ...rest] = name.split(".");
  if (rest.length === 0) {
    body[head] = value;
    return;
  }
  const inner = (body[head] ?? (rest[0] === "0" ? [] : {})) as Body;
  body[head] = inner;
  put(inner, rest.join("."), value);
}

/**
 * What an edit sends: the members whose text has changed, null where it was emptied. An object such as `name` is
 * replaced as a whole, so it is sent with all its members.
 */
export function changesOf(fields: readonly AnySpec[], before: Values, after: Values): Body {
  const headOf = ({ name }: AnySpec) => name.split(".")[0] ?? name;
  const isOther = ({ name }: AnySpec) => (before[name] ?? "") !== (after[name] ?? "");
  const changed = new Set(fields.filter(isOther).map(headOf));
  const body: Body = {};
  for (const field of fields) {
    if (!changed.has(headOf(field))) continue;
    const empty = field.kind === "check" ? false : null;
    put(body, field.name, meaningOf(field, after[field.name] ?? "") ?? empty);
  }
  return body;
}

/** The texts of a record's members, for a form that edits it. */
export function valuesOf(
  fields: readonly AnySpec[],
  record: Readonly<Record<string, unknown>>,
): Record<string, string> {
  return Object.fromEntries(fields.map(({ name }) => [name, textOf(memberOf(record, name))]));
}

function memberOf(record: unknown, name: string): unknown {
  return name.split(".").reduce<unknown>((inner, part) => (inner as Body | null | undefined)?.[part], record);
}

function textOf(value: unknown): string {
  if (value === null || value === undefined || value === false) return "";
  return Array.isArray(value) ? value.join(APART) : String(value);
}

/** The fields that refusals without a pointer are about, the first that a form has. */
const PLACES: Readonly<Record<string, readonly string[]>> = {
  "duplicate-certificate-id": ["certificateId"],
  "insufficient-authorized-shares": ["quantity", "resultingQuantity", "newSharesAuthorized", "numerator"],
  "insufficient-plan-reserve": ["quantity", "newSharesReserved"],
  "unvested-quantity": ["quantity"],
  "duplicate-wallet-address": ["walletAddress"],
};

/** The field that a refusal is about; undefined where it is about none. */
export function placeOf({ slug }: Pick<ApiProblem, "slug">, fields: readonly AnySpec[]): string | undefined {
  return PLACES[slug]?.find((name) => fields.some((field) => field.name === name));
}
