// Examples for the reference documentation, made from the schemas so that they cannot contradict them. What a create
// operation's own example says is shown in the answers too; what it does not say is null there, as in a real answer.
import { createHash } from "node:crypto";
import type { TSchema } from "@sinclair/typebox";
import { findFaults } from "../../../kernel/check.ts";
import type { AnyRoute } from "../any-route.ts";
import { membersOf, unwrap } from "./described-schema.ts";

type Members = Readonly<Record<string, unknown>>;

const UUID_HEAD = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}/;
const BY_FORMAT: Readonly<Record<string, string>> = {
  date: "2026-01-15",
  "date-time": "2026-01-15T14:30:00.000Z",
  email: "ada@example.com",
};
/** What a PATCH shows changing where its route gives no example: the first of these that it takes. */
const PATCH_EXAMPLES = [
  ["comments", "Confirmed with counsel."],
  ["summary", "Approved unanimously by the board."],
  ["notes", "Counsel has reviewed the terms."],
  ["description", "Confirmed with the team."],
  ["name", "Renamed"],
] as const;

/** Makes examples of bodies and answers. */
export class ExampleBook {
  /** What is known of a record, by its schema, when it is made and when it is read: the example with which it is made. */
  readonly #known = new Map<TSchema, Members>();

  constructor(routes: readonly AnyRoute[]) {
    const read = new Map(routes.filter(({ method }) => method === "GET").map((route) => [route.path, route.response]));
    for (const { method, path, response, ...route } of routes) {
      if (method !== "POST" || !response || !("bodyExample" in route) || !route.bodyExample) continue;
      const example = { warnings: [], ...(route.bodyExample as Members) };
      for (const shown of [response, read.get(`${path}/:id`)]) if (shown) this.#known.set(unwrap(shown), example);
    }
  }

  /** A body for `route`; undefined when it takes none. */
  body(route: AnyRoute): unknown {
    if (!("body" in route) || !route.body) return undefined;
    if (route.bodyExample !== undefined) return route.bodyExample;
    const members = membersOf(route.body);
    const change = PATCH_EXAMPLES.find(([name]) => name in members);
    return route.method === "PATCH" && change ? { [change[0]]: change[1] } : this.answer(route.body);
  }

  /** An answer of the given form. */
  answer(schema: TSchema): unknown {
    return this.#make(schema, "value");
  }

  #make(schema: TSchema, name: string): unknown {
    if (Array.isArray(schema.anyOf)) {
      const isNullable = (schema.anyOf as TSchema[]).some((member) => member.type === "null");
      return isNullable ? null : this.#make(schema.anyOf[0], name);
    }
    if (schema.const !== undefined) return schema.const;
    if (schema.type === "object") return this.#makeObject(schema);
    if (schema.type === "array") {
      const items = schema.items as TSchema;
      return items.type === "object" ? [this.#make(items, name)] : [];
    }
    return makeScalar(schema, name);
  }

  #makeObject(schema: TSchema): Members {
    const known = this.#known.get(schema) ?? {};
    const required = new Set(schema.required as string[] | undefined);
    const made: Record<string, unknown> = {};
    for (const [name, member] of Object.entries(membersOf(schema))) {
      if (known[name] !== undefined && findFaults(member, known[name]).length === 0) made[name] = known[name];
      else if (required.has(name)) made[name] = this.#make(member, name);
    }
    return made;
  }
}

function makeScalar(schema: TSchema, name: string): unknown {
  const [given] = (schema.examples as unknown[] | undefined) ?? [];
  if (typeof given === "string" && UUID_HEAD.test(given)) return idFor(given, name);
  if (given !== undefined) return given;
  if (schema.default !== undefined) return schema.default;
  if (Array.isArray(schema.enum)) return schema.enum[0];
  if (schema.type === "boolean") return false;
  if (schema.type === "integer" || schema.type === "number") return schema.minimum ?? 1;
  if (/\bdecimal\b/i.test(schema.description ?? "")) return "10000000";
  if (name === "name") return "Common Stock";
  return BY_FORMAT[schema.format ?? ""] ?? "text";
}

/** An id that is the same wherever a member of this name stands, so that examples fit together. */
function idFor(given: string, name: string): string {
  const tail = createHash("sha256").update(name).digest("hex").slice(0, 12);
  return `${UUID_HEAD.exec(given)?.[0]}${tail}`;
}
