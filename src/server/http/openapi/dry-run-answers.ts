// What a dry run answers, as components of the OpenAPI document: so that generated clients have a name for each.
import type { TSchema } from "@sinclair/typebox";
import { present } from "../../../kernel/assert.ts";
import type { AnyRoute } from "../any-route.ts";
import { type Json, membersOf, pascal } from "./described-schema.ts";

/** The meaning of null in the answer of a dry run if the schema says nothing of it. */
const NOTHING_MADE = "Null where the dry run would make it.";

/** Whether an operation's body can ask for a dry run. */
export function isDryRunnable(route: AnyRoute): boolean {
  const isChange = route.method !== "GET" && !("ask" in route) && !("gives" in route);
  return isChange && "dryRun" in membersOf(route.body);
}

/**
 * For each operation that has them its result's members with null for what does not exist yet, and the effects;
 * `results` are the components that describe the results, by name.
 */
export function describeDryRuns(routes: readonly AnyRoute[], results: Readonly<Record<string, Json>>) {
  const described = routes.filter(isDryRunnable).map((route) => {
    const { properties = {}, required = [] } = present(
      results[`${pascal(route)}Result`],
      route.operationId,
    ) as ResultSchema;
    const members = Object.entries(properties).map(([name, member]) => [name, nullable(member, name)]);
    const effects = {
      type: "array",
      description: "What would have changed.",
      "x-extension": true,
      items: { $ref: "#/components/schemas/Effect" },
    };
    return [
      `${pascal(route)}DryRun`,
      {
        type: "object",
        "x-extension": true,
        properties: { ...Object.fromEntries(members), effects },
        required: [...required, "effects"],
      },
    ] as const;
  });
  return Object.fromEntries(described);
}

interface ResultSchema {
  readonly properties?: Readonly<Record<string, Json>>;
  readonly required?: readonly string[];
}

/** What a dry run would make, by name: null also within lists, whose other members name existing records. */
const MADE = /^(transaction|newSecurity)Ids?$/;

/**
 * Members with another name or members of their own are never null; of a list's members, those that would be made are.
 */
function nullable(member: Json, name: string): Json {
  const { type, description } = member;
  if (type === "array") return { ...member, items: nullableItem(member.items as Json, name) };
  if (typeof type !== "string" || type === "object") return member;
  const words = /\bnull\b/i.test(String(description ?? "")) ? [description] : [description, NOTHING_MADE];
  return { ...member, type: [type, "null"], description: words.filter(Boolean).join(" ") };
}

function nullableItem(item: Json, name: string): Json {
  if (MADE.test(name)) return nullable(item, name);
  const properties = item.properties as Readonly<Record<string, Json>> | undefined;
  if (!properties) return item;
  const members = Object.entries(properties).map(([of, member]) => [of, MADE.test(of) ? nullable(member, of) : member]);
  return { ...item, properties: Object.fromEntries(members) };
}

/** The whole answer of a dry run. */
export function dryRunSchema(route: AnyRoute): Json {
  const data = { $ref: `#/components/schemas/${pascal(route)}DryRun` };
  return { type: "object", properties: { data }, required: ["data"] };
}

/** An example of it. */
export function dryRunExample(response: TSchema): Json {
  const members = Object.entries(membersOf(membersOf(response).data));
  const usual = members.map(([name, { type }]) => [name, type === "array" ? [] : null]);
  const effects = [{ resourceType: "security", id: null, field: "quantity", before: null, after: "10000" }];
  return { data: { ...Object.fromEntries(usual), effects } };
}
