// The enumerations of the API's document, as a module for the pages: of each body and record, the values of its members.
import { ROLES, scopesOfRole } from "../src/storage/records/api-key.ts";

const LINE_LENGTH_MAX = 120;
const HEAD = `// The API's enumerations: of each body and record, the values of its members, by path. Made by .ci/api-types.ts of the
// API's document; change the schema, and run \`bun run typecheck\`.
`;

const LOG = "AuditEntriesPage";

/** What of a schema is read. */
interface Schema {
  readonly enum?: readonly (string | null)[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
}

interface Described {
  readonly components: {
    readonly schemas: Readonly<Record<string, Schema>>;
    readonly requestBodies: Readonly<
      Record<string, { readonly content: { readonly "application/json": { readonly schema: Schema } } }>
    >;
  };
}

/** By a member's path, such as `convertibleTerms.dayCount`; a list's is its elements'. */
type Values = Readonly<Record<string, readonly string[]>>;

/** The module: a constant for each body and record with an enumeration, and what keys of each role can be limited to. */
export function valuesText(document: Readonly<Record<string, unknown>>): string {
  const scopes = Object.fromEntries(ROLES.map((role) => [role, scopesOfRole(role)]));
  const constants = [...valuesOf(document as unknown as Described), ["SCOPES_OF_ROLE", scopes] as const];
  return HEAD + constants.map(([name, values]) => constantText(name, values)).join("");
}

function valuesOf({ components }: Described): (readonly [name: string, values: Values])[] {
  const { schemas, requestBodies } = components;
  // Records that a form makes or changes, and the entries of the log; no page lists the values of other answers.
  const isRecord = (name: string) =>
    `${name}Create` in requestBodies || `${name}Update` in requestBodies || name === LOG;
  const records = Object.entries(schemas).filter(([name]) => isRecord(name));
  const bodies = Object.entries(requestBodies).map(
    ([name, { content }]) => [name, content["application/json"].schema] as const,
  );
  const found = [...records, ...bodies].map(
    ([name, schema]) => [name, Object.fromEntries(listed(schema, ""))] as const,
  );
  return found.filter(([, values]) => Object.keys(values).length > 0).sort(([a], [b]) => (a < b ? -1 : 1));
}

function* listed(schema: Schema, path: string): Generator<readonly [path: string, values: readonly string[]]> {
  if (schema.enum) yield [path, schema.enum.filter((each) => each !== null)];
  for (const inner of [...(schema.anyOf ?? []), ...(schema.items ? [schema.items] : [])]) yield* listed(inner, path);
  for (const [name, member] of Object.entries(schema.properties ?? {})) {
    yield* listed(member, path === "" ? name : `${path}.${name}`);
  }
}

function constantText(name: string, values: Values): string {
  const lines = Object.entries(values).map(([path, list]) => {
    const start = `  ${/^\w+$/.test(path) ? path : JSON.stringify(path)}: [`;
    const line = `${start}${list.map((each) => JSON.stringify(each)).join(", ")}],`;
    if (line.length <= LINE_LENGTH_MAX) return line;
    return `${start}\n${list.map((each) => `    ${JSON.stringify(each)},\n`).join("")}  ],`;
  });
  return `\nexport const ${name} = {\n${lines.join("\n")}\n} as const;\n`;
}
