// The ledger's operations and entry types, as modules for the pages: what a form of each asks for, as its body's schema
// says, and what the menus and lists name.
import type { TObject, TProperties, TSchema } from "@sinclair/typebox";
import type { LedgerOperation } from "../src/ledger/operation.ts";
import { OPERATIONS } from "../src/ledger/registry.ts";
import { ENTRY_TYPES } from "../src/ledger/types.ts";
import { SECURITY_TYPES } from "../src/resources/securities/schema.ts";
import { choicesOf, innerOf, kindOf, mayStayEmpty } from "../src/storage/records/register.ts";
import { NAMED_ACTIONS } from "../src/web/text/actions/named-actions.ts";
import { type Members, print } from "./print.ts";

const FIELDS_HEAD = `// The members of each operation's body, as a form asks for them by default. Made by .ci/api-types.ts of the operations in
// src/ledger/operations/; change those, and run \`bun run typecheck\`.
`;
const OPERATIONS_HEAD = `// The ledger's operations: title, group, and the types of security that one takes. Made by .ci/api-types.ts of
// src/ledger/operations/; change those, and run \`bun run typecheck\`.
`;
const TYPES_HEAD = `// Names of ledger entries, by the API's type. Made by .ci/api-types.ts of src/ledger/types.ts.
`;

/** The module of the operations' fields. */
export function fieldsText(operations: readonly LedgerOperation[] = OPERATIONS): string {
  const fields = operations.map(({ route, body }) => [route, [...fieldsOf(body.properties)]] as const);
  return `${FIELDS_HEAD}\nexport const OPERATION_FIELDS = ${print(Object.fromEntries(fields))} as const;\n`;
}

/** The module of the operations: the title, the group, and the types of security that one takes. */
export function operationsText(operations: readonly LedgerOperation[] = OPERATIONS): string {
  const entries = operations.map((operation) => {
    const takes = "securityId" in operation.body.properties;
    const securityTypes = takes ? { securityTypes: operation.securityTypes ?? SECURITY_TYPES } : {};
    return [operation.route, { title: operation.summary, group: groupOf(operation), ...securityTypes }] as const;
  });
  return `${OPERATIONS_HEAD}\nexport const OPERATIONS = ${print(Object.fromEntries(entries))} as const;\n`;
}

/** Entries of the menu for operations that the pages do not name in their own words. */
export function moreActions(operations: readonly LedgerOperation[] = OPERATIONS): readonly Members[] {
  const named = NAMED_ACTIONS.flatMap(({ actions }) => actions.map(({ operation }) => operation));
  return operations
    .filter(({ route }) => !named.includes(route))
    .map((operation) => ({ operation: operation.route, label: operation.summary, group: groupOf(operation) }));
}

/** The module of the entry types' names. */
export function entryTypesText(): string {
  const labels = Object.entries(ENTRY_TYPES).map(([type, { label }]) => [type, label] as const);
  return `${TYPES_HEAD}\nexport const ENTRY_TYPES = ${print(Object.fromEntries(labels))} as const;\n`;
}

function groupOf({ isOfVesting, answers, body: { properties } }: LedgerOperation): string {
  if (isOfVesting) return "vesting";
  if (answers.includes("securityId")) return "issue";
  return "securityId" in properties || "stakeholderId" in properties ? "holdings" : "limits";
}

/** A form sends no dry run by itself. */
const NOT_ASKED = new Set(["dryRun"]);

function* fieldsOf(properties: TProperties, within = "", isInOptional = false): Generator<Members> {
  for (const [member, schema] of Object.entries(properties)) {
    const [name, inner] = [`${within}${member}`, innerOf(schema) ?? schema];
    const isOptional = isInOptional || mayStayEmpty(schema);
    if (NOT_ASKED.has(name)) continue;
    if (inner.type === "object") yield* fieldsOf((inner as TObject).properties, `${name}.`, isOptional);
    else if (inner.items?.type !== "object") yield fieldOf(name, schema, isOptional);
  }
}

function fieldOf(name: string, schema: TSchema, isOptional: boolean): Members {
  const choices = choicesOf(schema);
  return {
    ...{ name, kind: kindOf(schema), ...(choices ? { choices } : {}) },
    ...(isOptional ? { isOptional } : {}),
    ...(innerOf(schema)?.["x-positive"] === true ? { isPositive: true } : {}),
  };
}
