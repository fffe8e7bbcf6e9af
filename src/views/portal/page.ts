// Paging of a holder's own lists. A cursor is the last item shown, since a row number would reveal how many rows others
// have.

import { type FieldError, Problem } from "../../kernel/problem.ts";
import type { Query } from "../../resources/route.ts";
import { readLimit } from "../../storage/database/paging.ts";

/** A page of rows, newest first. `keyOf` names each of them. Throws `422` for an invalid limit or cursor. */
export function pageOf<R>(
  rows: readonly R[],
  keyOf: (row: R) => string,
  query: Query,
): { readonly data: readonly R[]; readonly nextCursor: string | null } {
  const limit = readLimit(query.limit);
  const from = query.cursor === undefined ? 0 : rows.findIndex((row) => cursorOf(keyOf(row)) === query.cursor) + 1;
  const isUnknown = query.cursor !== undefined && from === 0;
  const errors: FieldError[] = [
    ...(limit === null ? [{ parameter: "limit", detail: "must be an integer in plain digits" }] : []),
    ...(isUnknown ? [{ parameter: "cursor", detail: "is not a cursor that this list gave" }] : []),
  ];
  if (limit === null || errors.length > 0)
    throw new Problem("validation-failed", "The query is not acceptable.", errors);
  const data = rows.slice(from, from + limit);
  const last = data.at(-1);
  return { data, nextCursor: last !== undefined && from + limit < rows.length ? cursorOf(keyOf(last)) : null };
}

function cursorOf(key: string): string {
  return Buffer.from(key).toString("base64url");
}
