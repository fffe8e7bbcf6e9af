// Paging: cursors by the row's own number, newest first, or oldest first where a list is sorted so. It only grows, so
// paging neither skips nor repeats a record while others are written. A digest binds a cursor to its list, filters and
// sort; another cursor is refused.
import { type FieldError, Problem } from "../../kernel/problem.ts";

const LIMIT_DEFAULT = 25;
const LIMIT_MAX = 100;

/** A page's start and length. */
export interface Page {
  readonly limit: number;
  /** Only rows with a smaller `seq`; null on the first page. */
  readonly before: number | null;
  /** Oldest first, and only rows with a larger `seq`, 0 on the first page; null: newest first. */
  readonly after: number | null;
}

/** The value of `sort` for lists with the oldest first. By the order of recording: clocks may go back. */
export const OLDEST_FIRST = "createdAt";

/** Reads `limit`: by default 25, clamped to 1 through 100. Null if it is not an integer. */
export function readLimit(
  text: string | undefined,
  { usual, most }: { readonly usual: number; readonly most: number } = { usual: LIMIT_DEFAULT, most: LIMIT_MAX },
): number | null {
  if (text === undefined) return usual;
  if (!/^-?\d+$/.test(text)) return null;
  return Math.min(most, Math.max(1, Number(text)));
}

/**
 * Makes the cursor of the page after the row numbered `seq`. `scope` names the list, its organization and its filters.
 */
export function writeCursor(scope: string, seq: number): string {
  return Buffer.from(`${seq}.${digest(scope, seq)}`).toString("base64url");
}

/** Reads a cursor made by {@link writeCursor} for the same scope; null if it is not one of ours. */
export function readCursor(scope: string, cursor: string): number | null {
  const match = /^(\d{1,15})\.([0-9a-f]{16})$/.exec(Buffer.from(cursor, "base64url").toString("latin1"));
  if (!match) return null;
  const seq = Number(match[1]);
  return match[2] === digest(scope, seq) && writeCursor(scope, seq) === cursor ? seq : null;
}

function digest(scope: string, seq: number): string {
  return new Bun.CryptoHasher("sha256").update(`${seq}|${scope}`).digest("hex").slice(0, 16);
}

/** A cursor's scope: one organization's list, with these filters in any order. */
export function scopeOf(orgId: string, list: string, filters: Readonly<Record<string, unknown>> = {}): string {
  return JSON.stringify([orgId, list, Object.entries(filters).sort(([a], [b]) => (a < b ? -1 : 1))]);
}

/** Reads `limit` and `cursor` of a list request. Throws `422 validation-failed` naming the parameter. */
function readPage(scope: string, query: Readonly<Record<string, string | undefined>>): Page {
  const isOldestFirst = query.sort === OLDEST_FIRST;
  const errors: FieldError[] = [];
  const limit = readLimit(query.limit);
  if (limit === null)
    errors.push({
      parameter: "limit",
      detail: "must be an integer in plain digits",
    });
  const seq = query.cursor === undefined ? null : readCursor(scope, query.cursor);
  if (query.cursor !== undefined && seq === null) {
    errors.push({
      parameter: "cursor",
      detail: "is not a cursor that this list gave with these filters",
    });
  }
  if (limit === null || errors.length > 0) {
    throw new Problem("validation-failed", "The query is not acceptable.", errors);
  }
  return isOldestFirst ? { limit, before: null, after: seq ?? 0 } : { limit, before: seq, after: null };
}

/** A page of a list, and the next one's cursor; null on the last page. */
export interface PageOf<R> {
  readonly rows: readonly R[];
  readonly nextCursor: string | null;
}

/**
 * The page of a list that a query asks for; `list` fetches up to `limit` rows, in the order that the page says: one
 * more than the page has. Throws `422 validation-failed` naming the parameter.
 */
export function pageOf<R extends { readonly seq: number }>(
  scope: string,
  query: Readonly<Record<string, string | undefined>>,
  list: (page: Page) => readonly R[],
): PageOf<R> {
  const sorted = query.sort === OLDEST_FIRST ? `${scope} ${OLDEST_FIRST}` : scope;
  const { limit, ...range } = readPage(sorted, query);
  const fetched = list({ ...range, limit: limit + 1 });
  const rows = fetched.slice(0, limit);
  const last = rows.at(-1);
  return { rows, nextCursor: fetched.length > limit && last ? writeCursor(sorted, last.seq) : null };
}
