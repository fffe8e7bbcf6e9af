// Query parameters of lists: page, order, and the records that are asked for.
import { Type } from "@sinclair/typebox";
import { EXTENSION, matching, oneOf } from "../kernel/fields.ts";
import { OLDEST_FIRST } from "../storage/database/paging.ts";
import type { Query } from "./route.ts";

/** The query parameters that every list takes. */
export const PAGE_QUERY = {
  limit: Type.Optional(
    Type.String({ description: "Page length: default 25, clamped to 1 through 100.", examples: ["25"] }),
  ),
  cursor: Type.Optional(Type.String({ description: "`nextCursor` of the page before; omit on the first." })),
};

/** The same, of lists that go either way. */
export const SORTED_QUERY = {
  ...PAGE_QUERY,
  sort: Type.Optional(
    oneOf([OLDEST_FIRST, `-${OLDEST_FIRST}`], {
      description: "`createdAt`: oldest first. A cursor goes on in its own order. Default `-createdAt`.",
      ...EXTENSION,
    }),
  ),
};

const IDS_MAX = 100;

/** The query parameters of a list of records. */
export const RECORDS_QUERY = {
  ids: Type.Optional(
    matching(`^[^,]+(?:,[^,]+){0,${IDS_MAX - 1}}$`, `1 to ${IDS_MAX} ids with commas between them`, 10_000, {
      description: `Only records with these ids, at most ${IDS_MAX}, comma-separated. Unknown ones are left out.`,
      ...EXTENSION,
    }),
  ),
  ...SORTED_QUERY,
};

/** The filters of a list's query: what it has besides page and order, where `ids` is a JSON array. */
export function filtersIn(query: Query): Readonly<Record<string, string>> {
  const { limit: _limit, cursor: _cursor, sort: _sort, ids, ...given } = query;
  return definedOnly({ ...given, ids: ids === undefined ? undefined : JSON.stringify(ids.split(",")) });
}

/** The filters that a query gives, each the column of its name. */
export function definedOnly<V>(query: Readonly<Record<string, V | undefined>>): Readonly<Record<string, V>> {
  const filters: Record<string, V> = {};
  for (const [name, value] of Object.entries(query)) if (value !== undefined) filters[name] = value;
  return filters;
}
