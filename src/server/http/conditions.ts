// Conditional requests (RFC 9110, section 13): the headers `If-None-Match` of reads and `If-Match` of changes.
import type { FieldError } from "../../kernel/problem.ts";
import type { Route } from "../../resources/route.ts";
import type { DemandedTags } from "../changes/tags.ts";

/** A list of tags, each with its `W/` if it is weak. */
const TAGS =
  /^[\t ,]*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*"(?:[\t ]*,[\t ,]*(?:W\/)?"[\x21\x23-\x7e\x80-\xff]*")*[\t ,]*$/;
const TAG = /(?:W\/)?"[^"]*"/g;
const IS_NO_LIST = 'must be `*` or tags in quotation marks, for instance "00f1a2b3c4d5e6f7"';

/** What a header says; undefined where it is not sent, and `error` where it says nothing. */
interface Read<V> {
  readonly value?: V;
  readonly error?: FieldError;
}

function readTags(headers: Headers, name: string): Read<DemandedTags> {
  const text = headers.get(name)?.trim();
  if (text === undefined) return {};
  if (text === "*") return { value: "*" };
  if (!TAGS.test(text)) return { error: { header: name, detail: IS_NO_LIST } };
  return { value: text.match(TAG) ?? [] };
}

/** Whether a header `If-None-Match` names a tag, and its fault. */
export function readUnchanged(headers: Headers): Read<(tag: string) => boolean> {
  const { value, error } = readTags(headers, "If-None-Match");
  if (error) return { error };
  if (value === undefined) return {};
  return { value: (tag) => value === "*" || value.includes(tag) || value.includes(`W/${tag}`) };
}

/** The tags that a change demands by `If-Match`, and what is wrong with its headers. Weak tags are no demand that holds. */
export function readDemanded(
  { record }: Pick<Route, "record">,
  headers: Headers,
): { readonly ifMatch?: DemandedTags; readonly errors: readonly FieldError[] } {
  const errors: FieldError[] = [];
  if (headers.has("if-none-match")) errors.push({ header: "If-None-Match", detail: "is for reading alone" });
  const { value, error } = readTags(headers, "If-Match");
  if (headers.has("if-match") && record === undefined) {
    errors.push({ header: "If-Match", detail: "is not taken here: this changes no record that its address names" });
  } else if (error) errors.push(error);
  return value === undefined ? { errors } : { ifMatch: value, errors };
}
