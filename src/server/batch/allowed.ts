// The routes that a batch may carry out, found by method and address.
import type { Route, WriteRoute } from "../../resources/route.ts";
import { segmentReference } from "./references.ts";

/** A parameter of an address: its value, or the text of a reference that stands for it. */
export type GivenParam = { readonly value: string } | { readonly reference: string };

/** The route of an operation, and the parameters in its address. */
export interface Found {
  readonly route: WriteRoute;
  readonly params: Readonly<Record<string, GivenParam>>;
}

interface Candidate {
  readonly route: WriteRoute;
  readonly segments: readonly string[];
}

/** The routes that write in one transaction, and are not kept out. */
export function isAllowed(route: Route): route is WriteRoute {
  const isWrite = route.method === "POST" || route.method === "PATCH" || route.method === "DELETE";
  return isWrite && "run" in route && route.isBatchable !== false;
}

/** Finds the routes of operations. */
export class AllowedRoutes {
  /** All of them. */
  readonly routes: readonly WriteRoute[];
  readonly #candidates = new Map<string, Candidate[]>();

  constructor(routes: readonly Route[]) {
    this.routes = routes.filter(isAllowed);
    for (const route of this.routes) {
      const segments = route.path.split("/");
      const key = keyOf(route.method, segments);
      this.#candidates.set(key, [...(this.#candidates.get(key) ?? []), { route, segments }]);
    }
    // As a router does: a literal segment goes before a parameter.
    const count = ({ segments }: Candidate) => segments.filter((segment) => segment.startsWith(":")).length;
    for (const each of this.#candidates.values()) each.sort((one, other) => count(one) - count(other));
  }

  /** The route; null if no operation of a batch has this address. */
  find(method: string, path: string): Found | null {
    const given = path.split("/");
    for (const { route, segments } of this.#candidates.get(keyOf(method, given)) ?? []) {
      const params = match(segments, given);
      if (params) return { route, params };
    }
    return null;
  }
}

function keyOf(method: string, segments: readonly string[]): string {
  return `${method} ${segments.length}`;
}

function match(segments: readonly string[], given: readonly string[]): Record<string, GivenParam> | null {
  const params: Record<string, GivenParam> = {};
  for (const [at, segment] of segments.entries()) {
    const text = given[at] ?? "";
    if (!segment.startsWith(":")) {
      if (segment !== text) return null;
      continue;
    }
    const reference = segmentReference(text);
    const value = reference === null ? decoded(text) : "";
    if (value === null || (reference === null && value === "")) return null;
    params[segment.slice(1)] = reference === null ? { value } : { reference };
  }
  return params;
}

function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
