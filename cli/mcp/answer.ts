// Answers of tools: JSON as data and as text, at most 64 KiB in all, cut at a record; refusals.
import type { CallToolResult } from "@modelcontextprotocol/server";
import { isRow, type Row } from "../api/output.ts";
import { ConnectionError, ProblemError } from "../client/errors.ts";

const KIBIBYTE = 1024;
/** What an answer has at most, with room for the message that it is in. */
export const BYTES_MAX = 63 * KIBIBYTE;

/** A tool does not do what it was asked: the text is the answer. */
export class Refusal extends Error {
  override readonly name = "Refusal";
}

/** An answer of a tool: the value as data and the same as text. */
export function answered(value: Row): CallToolResult {
  return { content: [{ type: "text", text: JSON.stringify(value) }], structuredContent: value };
}

/** The answer for what was thrown. Throws what is no refusal and no failure of the connection. */
export function refused(failure: unknown): CallToolResult {
  if (failure instanceof ProblemError) {
    const { slug, status, detail, errors, requestId, problem } = failure;
    const { operation, name } = problem;
    const of = typeof operation === "number" ? { operation, name: name ?? null } : {};
    return asError({ problem: slug, status, detail, ...of, errors: errors.slice(0, 100), requestId });
  }
  const isOurs = failure instanceof Refusal || failure instanceof ConnectionError || failure instanceof TypeError;
  if (!isOurs) throw failure;
  return asError({ problem: failure instanceof ConnectionError ? "no-answer" : "refused", detail: failure.message });
}

function asError(error: Row): CallToolResult {
  return { ...answered({ error }), isError: true };
}

/** The bytes that a value takes in an answer, where it stands twice, once quoted. */
export function bytesOf(value: unknown): number {
  const json = JSON.stringify(value) ?? "";
  return Buffer.byteLength(json) + Buffer.byteLength(JSON.stringify(json));
}

/** How many of the first records fit into so many bytes. */
export function countThatFit(records: readonly unknown[], bytes: number): number {
  let left = bytes;
  for (const [at, record] of records.entries()) {
    left -= bytesOf(record);
    if (left < 0) return at;
  }
  return records.length;
}

/** A list in an answer: where it stands, as `data.stakeholders`. */
interface List {
  readonly at: string;
  readonly records: readonly unknown[];
}

/** The lists in an answer, but those in records of lists. */
function listsOf(value: unknown, at = ""): List[] {
  if (Array.isArray(value)) return [{ at, records: value }];
  if (!isRow(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => listsOf(inner, at === "" ? name : `${at}.${name}`));
}

/** The answer with another list in its place. */
function withList(value: Row, [name = "", ...below]: readonly string[], records: readonly unknown[]): Row {
  const inner = value[name];
  return { ...value, [name]: below.length > 0 && isRow(inner) ? withList(inner, below, records) : records };
}

/**
 * An answer without pages of its own, cut to what fits: its longest lists at a record, and `cut` says where each goes
 * on. With the `cursor` of such a list it is that list from there. Throws {@link Refusal} where nothing can be cut.
 */
export function fitted(answer: Row, cursor?: string): Row {
  if (cursor !== undefined) return nextPart(answer, cursor);
  let shown = answer;
  const cut = new Map<string, Row>();
  for (;;) {
    const whole = cut.size === 0 ? shown : { ...shown, cut: [...cut.values()] };
    const excess = bytesOf(whole) - BYTES_MAX;
    if (excess <= 0) return whole;
    const longest = listsOf(shown)
      .filter(({ records }) => records.length > 0)
      .map((list) => ({ ...list, bytes: bytesOf(list.records) }))
      .sort((one, other) => other.bytes - one.bytes)[0];
    if (longest === undefined)
      throw new Refusal("the answer is larger than 64 KiB and has no list to cut: ask for less");
    const { at, records, bytes } = longest;
    const kept = Math.min(records.length - 1, countThatFit(records, bytes - excess - KIBIBYTE));
    shown = withList(shown, at.split("."), records.slice(0, kept));
    const of = cut.get(at)?.of ?? records.length;
    cut.set(at, { at, shown: kept, of, nextCursor: `${at}:${kept}` });
  }
}

function nextPart(answer: Row, cursor: string): Row {
  const [, at = "", from = ""] = /^([\w.]{1,100}):(\d{1,7})$/.exec(cursor) ?? [];
  const records = listsOf(answer)
    .find((list) => list.at === at)
    ?.records.slice(Number(from));
  if (records === undefined) throw new Refusal(`${cursor} is no cursor of this answer`);
  const kept = countThatFit(records, BYTES_MAX - KIBIBYTE);
  if (kept === 0 && records.length > 0) throw new Refusal("the next record alone is larger than 64 KiB");
  const nextCursor = kept < records.length ? `${at}:${Number(from) + kept}` : null;
  return { at, from: Number(from), items: records.slice(0, kept), nextCursor };
}
