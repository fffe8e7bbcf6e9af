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
 * The canonical JSON of a row: its members have fixed names, so only their values need sorting. A row without a session
 * has no member `sessionId`.
 */
function canonicalRow(row: HashedRow): string {
  const json = JSON.stringify;
  const session = row.sessionId === null ? "" : `,"sessionId":${json(row.sessionId)}`;
  return (
    `{"accountId":${json(row.accountId)},"actor":${json(row.actor)},"actorName":${json(row.actorName)},` +
    `"after":${row.after ?? "null"},"apiKeyId":${json(row.apiKeyId)},"at":${json(row.at)},` +
    `"before":${row.before ?? "null"},"id":${json(row.id)},"method":${json(row.method)},"orgId":${json(row.orgId)},` +
    `"path":${json(row.path)},"previousHash":${json(row.previousHash)},"requestId":${json(row.requestId)},` +
    `"resourceId":${json(row.resourceId)},"resourceType":${json(row.resourceType)},"sequence":${row.sequence}${session}}`
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
  const text = isPlain(value, 0) ? JSON.stringify(inNameOrder(value)) : null;
  return text === null || UNUSUAL.test(text) ? present(canonicalize(value), "canonical JSON") : text;
}

/** As deep as metadata of entries and rows of the log nest. */
const LEVELS_MAX = 8;

/** Whether a value consists of plain objects and lists of few levels; all else only the library gets right, or refuses. */
function isPlain(value: unknown, level: number): boolean {
  if (typeof value === "number") return Number.isFinite(value);
  if (value === null || typeof value === "string" || typeof value === "boolean") return true;
  if (typeof value !== "object" || level === LEVELS_MAX) return false;
  if (Array.isArray(value)) return value.every((item) => isPlain(item, level + 1));
  if (Object.getPrototypeOf(value) !== Object.prototype) return false;
  const members = value as Readonly<Record<string, unknown>>;
  return Object.keys(members).every((name) => {
    const member = members[name];
    return name !== "__proto__" && (member === undefined || isPlain(member, level + 1));
  });
}

/** Lowercase hex SHA-256 of a text, or null: the log's substitute for a long text. */
export function digestText(text: string | null): string | null {
  return text === null ? null : Bun.CryptoHasher.hash("sha256", text, "hex");
}
