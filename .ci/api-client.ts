// What the typed client knows of the API besides its types: the operations that are sent again, slugs of problems, types
// of events. Made by .ci/api-types.ts.
import { PROBLEMS } from "../src/kernel/problem.ts";
import { EVENT_PATTERNS, EVENT_TYPES } from "../src/resources/events/event-types.ts";
import type { Route } from "../src/resources/route.ts";
import { print } from "./print.ts";

/** The routes that a key may call. */
export function clientRoutes(routes: readonly Route[]): readonly Route[] {
  return routes.filter(({ role }) => role !== "STAKEHOLDER");
}

/** A route as the document names it: `PATCH /api/v1/approvals/{id}`. */
export function operationOf({ method, path }: Pick<Route, "method" | "path">): string {
  return `${method} ${path.replace(/:(\w+)/g, "{$1}")}`;
}

/** The module. */
export function knownText(routes: readonly Route[]): string {
  const keyed = routes.filter((route) => "isIdempotent" in route && route.isIdempotent === true).map(operationOf);
  const asks = routes.filter((route) => "ask" in route).map(operationOf);
  const files = routes.filter((route) => "fileType" in route && route.fileType !== undefined).map(operationOf);
  const lines = (words: readonly string[]) => words.map((word) => `\n  | ${JSON.stringify(word)}`).join("");
  return `// Operations that are sent again, slugs of problems and types of events, as this version of the API has them.

/** Writes that take an \`Idempotency-Key\`. */
export const KEYED: ReadonlySet<string> = new Set(${print(keyed)});

/** Operations with a body that write nothing. */
export const ASKS: ReadonlySet<string> = new Set(${print(asks)});

/** Operations that answer a file or a text. */
export const FILES: ReadonlySet<string> = new Set(${print(files)});

/** The kind of a problem: the last part of its \`type\`. */
export type ProblemSlug =${lines(Object.keys(PROBLEMS))};

/** What an event tells. */
export type EventType =${lines(EVENT_TYPES)};

/** What stands for several types of events. */
export type EventPattern =${lines(EVENT_PATTERNS)};
`;
}
