// One route as an OpenAPI operation: everything that a caller can send, and everything that may come back.
import { OptionalKind, type TSchema } from "@sinclair/typebox";
import { id } from "../../../kernel/fields.ts";
import { scopesFor } from "../../../resources/route.ts";
import { type AnyRoute, isOfPeople } from "../any-route.ts";
import { type Json, membersOf, pascal, type SchemaBook, withNullExplained } from "./described-schema.ts";
import { dryRunExample, dryRunSchema, isDryRunnable } from "./dry-run-answers.ts";
import type { ExampleBook } from "./example.ts";
import { refusalsOf } from "./refusals.ts";
import {
  COMMON_HEADERS,
  headersNamed,
  LIMIT_SCHEMA,
  NAMED_IDEMPOTENT,
  type PARAMETERS,
  PATH_PARAMETERS,
} from "./words.ts";

/** Where an operation's schemas and examples come from. */
export interface Books {
  readonly schemas: SchemaBook;
  readonly examples: ExampleBook;
}

/** The meaning of null in a body that says nothing else of it. */
const CLEARS = "Null clears it.";
const AS_IF_LEFT_OUT = "Null is as if it were left out.";

const DONE = {
  200: "Done.",
  201: "Created.",
  204: "Done; there is nothing to show.",
  303: "Leads the browser on.",
} as const;

/** A file's bytes. */
const BYTES = { type: "string", format: "binary" } as const;

/** Describes a route. */
export function describeRoute(route: AnyRoute, books: Books): Json {
  const { operationId, summary, description, tag, isExtension } = route;
  const parameters = parametersOf(route, books);
  const hasBody = route.method !== "GET" && route.body !== undefined;
  return {
    operationId,
    tags: [tag],
    summary,
    description: [description, needsOf(route)].filter(Boolean).join(" "),
    ...securityOf(route),
    ...(isExtension ? { "x-extension": true } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(hasBody ? { requestBody: { $ref: `#/components/requestBodies/${bodyName(route)}` } } : {}),
    ...(route.method === "PUT" ? { requestBody: { required: true, content: { "*/*": { schema: BYTES } } } } : {}),
    responses: { ...successesOf(route, books), ...refusalsOf(route) },
  };
}

/** Who may call the operation, in words. */
function needsOf(route: AnyRoute): string {
  const confirmed = route.needsConfirmation ? " With a session it needs a proof of the last ten minutes." : "";
  if (isOfPeople(route))
    return { ANYBODY: "", PERSON: "For any user who is signed in.", OPERATOR: "For operators." }[route.who];
  if (route.role === "STAKEHOLDER") return "For members who are stakeholders; never with a key.";
  const scopes = scopesFor(route).map((scope) => `\`${scope}\``);
  return `Needs the role \`${route.role}\`, and of a key the scope ${scopes.join(" or ")}.${confirmed}`;
}

/** The security requirement of an operation, if it differs from the document's. */
function securityOf(route: AnyRoute): Json {
  if (isOfPeople(route)) return { security: route.who === "ANYBODY" ? [{}, { session: [] }] : [{ session: [] }] };
  return route.role === "STAKEHOLDER" ? { security: [{ session: [] }] } : {};
}

function parametersOf(route: AnyRoute, { schemas }: Books): Json[] {
  const inPath = [...route.path.matchAll(/:([a-zA-Z]+)/g)].map(([, name = ""]) => {
    return { name, in: "path", required: true, description: PATH_PARAMETERS[name], schema: schemas.show(id()) };
  });
  const query = membersOf("query" in route ? route.query : "zipQuery" in route ? route.zipQuery : undefined);
  const inQuery = Object.entries(query).map(([name, member]) => queryParameter(name, member, schemas));
  const isNamed = route.isExtension || NAMED_IDEMPOTENT.has(route.operationId);
  const key: keyof typeof PARAMETERS = isNamed ? "IdempotencyKey" : "AdditiveIdempotencyKey";
  const inHeader = route.method !== "GET" && route.isIdempotent ? [{ $ref: `#/components/parameters/${key}` }] : [];
  const ofTags = hasTag(route) ? ["IfNoneMatch"] : !isOfPeople(route) && route.record ? ["IfMatch"] : [];
  const ofStream = "live" in route ? ["LastEventId"] : [];
  const inHeaders = [
    ...inHeader,
    ...[...ofTags, ...ofStream].map((name) => ({ $ref: `#/components/parameters/${name}` })),
  ];
  const isOfSession = !isOfPeople(route) && route.role === "STAKEHOLDER";
  const organization = isOfSession ? [{ $ref: "#/components/parameters/Organization" }] : [];
  return [...inPath, ...inQuery, ...inHeaders, ...organization];
}

/** Whether its answers carry a tag: those of an organization's reads that are JSON. */
function hasTag(route: AnyRoute): boolean {
  return !isOfPeople(route) && route.method === "GET" && route.response !== undefined;
}

function queryParameter(name: string, member: TSchema, schemas: SchemaBook): Json {
  const { description, "x-extension": isExtension, ...schema } = schemas.show(member);
  return {
    name,
    in: "query",
    required: member[OptionalKind] !== "Optional",
    ...(description ? { description } : {}),
    ...(isExtension ? { "x-extension": true } : {}),
    schema: name === "limit" ? LIMIT_SCHEMA : schema,
  };
}

/**
 * `components.requestBodies`. Bodies are spelled out there and not among the schemas, because client generators take a
 * member with a default as always present in a schema and as optional in a body, and here it is optional.
 */
export function describeBodies(routes: readonly AnyRoute[], { schemas, examples }: Books): Record<string, Json> {
  const bodies: Record<string, Json> = {};
  for (const route of routes) {
    if (route.method === "GET" || !route.body) continue;
    const content = {
      "application/json": {
        schema: withNullExplained(schemas.show(route.body), route.method === "PATCH" ? CLEARS : AS_IF_LEFT_OUT),
        example: examples.body(route),
      },
      ...("gives" in route ? { "application/zip": { schema: BYTES } } : {}),
    };
    bodies[bodyName(route)] = { required: route.isBodyOptional !== true, content };
  }
  return bodies;
}

/** `createStakeholder` takes a `StakeholderCreate`, `updateStakeholder` a `StakeholderUpdate`, `transfer` a `TransferRequest`. */
function bodyName(route: AnyRoute): string {
  const [, verb, noun] = /^(Create|Update)(.+)$/.exec(pascal(route)) ?? [];
  return verb ? `${noun}${verb}` : `${pascal(route)}Request`;
}

const UNCHANGED: Json = {
  description: "Unchanged: the client has this answer, as `If-None-Match` says.",
  "x-extension": true,
  headers: { ...COMMON_HEADERS, ...headersNamed("ETag") },
};

function successesOf(route: AnyRoute, books: Books): Record<string, Json> {
  const normal = successOf(route, books);
  if (hasTag(route)) return { [route.status]: normal, "304": UNCHANGED };
  if (!isDryRunnable(route) || !route.response) return { [route.status]: normal };
  const dry = dryRunSchema(route);
  if (route.status !== 200) {
    const description = "With `dryRun: true`: what would have happened. Nothing was kept.";
    const content = { "application/json": { schema: dry, example: dryRunExample(route.response) } };
    return {
      "200": { description, "x-extension": true, headers: COMMON_HEADERS, content },
      [route.status]: normal,
    };
  }
  const example = { data: books.examples.answer(membersOf(route.response).data ?? route.response) };
  const schema = { anyOf: [books.schemas.show(route.response), dry] };
  return {
    "200": {
      ...normal,
      description: "Done; or, with `dryRun: true`, what would have happened.",
      content: { "application/json": { schema, example } },
    },
  };
}

function successOf(route: AnyRoute, { schemas, examples }: Books): Json {
  const isReplayable = route.method !== "GET" && route.isIdempotent;
  const headers = {
    ...COMMON_HEADERS,
    ...(route.isLocated ? headersNamed("Location") : {}),
    ...(hasTag(route) ? headersNamed("ETag") : {}),
    ...(isReplayable ? headersNamed("Idempotent-Replayed") : {}),
  };
  const description = DONE[route.status];
  if (route.status === 303) return { description, headers: { ...headers, ...headersNamed("Location") } };
  if ("fileType" in route && (route.fileType === "text/plain" || route.fileType === "text/event-stream")) {
    return { description: "The text.", headers, content: { [route.fileType]: { schema: { type: "string" } } } };
  }
  if ("fileType" in route && route.fileType !== undefined) {
    const ofReports = "hasHead" in route && route.hasHead ? headersNamed("X-Captable-Head") : {};
    const fileHeaders = { ...headers, ...headersNamed("Content-Disposition"), ...ofReports };
    const isExport = "exports" in route && route.exports !== undefined;
    const words = isExport ? "The file. The audit log records that it was taken." : "The file.";
    return { description: words, headers: fileHeaders, content: { [route.fileType]: { schema: BYTES } } };
  }
  if (!route.response) return { description, headers };
  const content = {
    "application/json": { schema: schemas.show(route.response), example: examples.answer(route.response) },
  };
  return { description, headers, content };
}
