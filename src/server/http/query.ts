// The query of a request against its route's schema: everything that is wrong with it is reported at once.
import { findFaults } from "../../kernel/check.ts";
import { type FieldError, Problem } from "../../kernel/problem.ts";
import type { Query, ReadRoute } from "../../resources/route.ts";

/** What is read of a request without one. */
export const NO_QUERY: { readonly query: Query; readonly errors: readonly FieldError[] } = { query: {}, errors: [] };

/** Reads the query's parameters; those that are wrong are in `errors` and left out of `query`. */
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
 * What else a list finds wrong with `limit` and `cursor` once its schema's faults are left out: all is reported at
 * once. For lists alone: another read may take long, or open an export that no caller would end.
 */
export function pageErrors(read: () => unknown): readonly FieldError[] {
  try {
    read();
    return [];
  } catch (thrown) {
    return thrown instanceof Problem && thrown.slug === "validation-failed" ? (thrown.errors ?? []) : [];
  }
}
