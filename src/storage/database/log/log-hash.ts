// The audit log's hash chain, with the ledger's recipe: lowercase hex SHA-256 of the canonical JSON (RFC 8785) of a
// row's members. So any program can check the chain from outside.
import canonicalize from "canonicalize";
import { present } from "../../../kernel/assert.ts";
import type { AuditLogTable } from "../schema.ts";

/** The `previousHash` of an organization's first row. */
export const FIRST_HASH = "0".repeat(64);

/** The members under the hash; `before` and `after` as canonical JSON text. */
export type HashedRow = Omit<AuditLogTable, "seq" | "hash">;

/** The hash of a row. */
export function hashLogRow(row: HashedRow): string {
  return Bun.CryptoHasher.hash("sha256", canonicalRow(row), "hex");
}

/**
 * The canonical JSON of a row: its members have fixed names, listed here in canonical order. What stands between two
 * texts of JSON is written by one call, which takes a third of the time of one for each member. A row without a session
 * has no member `sessionId`.
 */
export function canonicalRow(row: HashedRow): string {
  const { accountId, actor, actorName, apiKeyId, at, id, method, orgId, path, previousHash, requestId } = row;
  const { resourceId, resourceType, sequence, sessionId } = row;
  const first = JSON.stringify({ accountId, actor, actorName });
  const middle = JSON.stringify({ apiKeyId, at });
  const last = { id, method, orgId, path, previousHash, requestId, resourceId, resourceType, sequence };
  const rest = JSON.stringify(sessionId === null ? last : { ...last, sessionId });
  return (
    `${first.slice(0, -1)},"after":${row.after ?? "null"},${middle.slice(1, -1)},` +
    `"before":${row.before ?? "null"},${rest.slice(1)}`
  );
}

/** Escapes, and names that an object would not keep in insertion order: only the library handles these. */
const UNUSUAL = /\\u|"(?:\d+|__proto__)"\s*:/;
/** Texts up to this length cannot nest deeper than the call stack allows. */
const SHORT = 4000;

/**
 * JSON text in canonical form. Throws `SyntaxError` for invalid JSON. An unpaired surrogate, which only an escape can
 * express and no database keeps, counts as the replacement character.
 */
export function canonicalText(text: string): string {
  if (text.length <= SHORT && !UNUSUAL.test(text)) return JSON.stringify(inNameOrder(JSON.parse(text)));
  const whole = (_name: string, value: unknown) => (typeof value === "string" ? value.toWellFormed() : value);
  return canonicalJson(/\\ud[89a-f]/i.test(text) ? JSON.parse(text, whole) : JSON.parse(text));
}

/** The same JSON value with sorted members; no name is a number, which an object would put first. */
export function inNameOrder(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(inNameOrder);
  const members = value as Readonly<Record<string, unknown>>;
  const ordered: Record<string, unknown> = {};
  for (const name of Object.keys(members).sort()) ordered[name] = inNameOrder(members[name]);
  return ordered;
}

/** A JSON value in canonical form: each write makes some, and the library takes more than twice the time. */
export function canonicalJson(value: unknown): string {
  const ordered = plainInOrder(value, 0);
  const text = ordered === NOT_PLAIN ? null : JSON.stringify(ordered);
  return text === null || UNUSUAL.test(text) ? present(canonicalize(value), "canonical JSON") : text;
}

/** As deep as metadata of entries and rows of the log nest. */
const LEVELS_MAX = 8;
const NOT_PLAIN = Symbol("not plain");

/**
 * A value of plain objects and lists of few levels, with sorted members; {@link NOT_PLAIN} for all else, which only the
 * library gets right, or refuses.
 */
function plainInOrder(value: unknown, level: number): unknown {
  if (typeof value === "number") return Number.isFinite(value) ? value : NOT_PLAIN;
  if (value === null || typeof value === "string" || typeof value === "boolean") return value;
  if (typeof value !== "object" || level === LEVELS_MAX) return NOT_PLAIN;
  if (Array.isArray(value)) return listInOrder(value, level);
  if (Object.getPrototypeOf(value) !== Object.prototype) return NOT_PLAIN;
  const members = value as Readonly<Record<string, unknown>>;
  const ordered: Record<string, unknown> = {};
  for (const name of Object.keys(members).sort()) {
    const member = members[name];
    if (name === "__proto__") return NOT_PLAIN;
    if (member === undefined) continue;
    const inOrder = plainInOrder(member, level + 1);
    if (inOrder === NOT_PLAIN) return NOT_PLAIN;
    ordered[name] = inOrder;
  }
  return ordered;
}

function listInOrder(list: readonly unknown[], level: number): unknown {
  const ordered: unknown[] = [];
  for (const item of list) {
    const inOrder = plainInOrder(item, level + 1);
    if (inOrder === NOT_PLAIN) return NOT_PLAIN;
    ordered.push(inOrder);
  }
  return ordered;
}

/** Lowercase hex SHA-256 of a text, or null: the log's substitute for a long text. */
export function digestText(text: string | null): string | null {
  return text === null ? null : Bun.CryptoHasher.hash("sha256", text, "hex");
}
