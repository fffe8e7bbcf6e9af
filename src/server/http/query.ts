// Query parameters: checks a request's query against its route's schema, and reports all errors at once.
import { findFaults } from "../../kernel/check.ts";
import { type FieldError, Problem } from "../../kernel/problem.ts";
import type { Query, ReadRoute } from "../../resources/route.ts";

/** The value for a request without a query. */
export const NO_QUERY: { readonly query: Query; readonly errors: readonly FieldError[] } = { query: {}, errors: [] };

/** Reads the query's parameters; wrong ones are in `errors` and left out of `query`. */
export function readQuery(schema: ReadRoute["query"], url: string): typeof NO_QUERY {
  const start = url.indexOf("?");
  if (start < 0) return NO_QUERY;
  const query: Record<string, string> = {};
  const errors: FieldError[] = [];
  for (const [name, value] of new URLSearchParams(url.slice(start))) {
    if (!schema || !Object.hasOwn(schema.properties, name)) {
      errors.push({ parameter: name, detail: "is not a query parameter of this operation" });
    } else if (Object.hasOwn(query, name)) errors.push({ parameter: name, detail: "must be given once" });
    else query[name] = value;
  }
  for (const { path, detail } of schema ? findFaults(schema, query) : []) {
    errors.push({ parameter: path.slice(1), detail });
  }
  for (const error of errors) if ("parameter" in error) delete query[error.parameter];
  return { query, errors };
}

/** Whether the route answers a page of a list. */
export function isList(route: ReadRoute): boolean {
  return route.query !== undefined && "cursor" in route.query.properties;
}

/**
 * Further errors of a list's `limit` and `cursor`, besides its schema's: all are reported at once. For lists alone:
 * another read may take long, or open an export that no caller would end.
 */
export function pageErrors(read: () => unknown): readonly FieldError[] {
  try {
    read();
    return [];
  } catch (thrown) {
    return thrown instanceof Problem && thrown.slug === "validation-failed" ? (thrown.errors ?? []) : [];
  }
}
