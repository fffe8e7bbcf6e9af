// The OpenAPI 3.1 document, made from the route table alone, so that a new route appears in it by itself. Each route
// becomes a `detail` as Elysia knows it, and Elysia's own plugin combines them (see docs/decisions/server.md).
import { swagger } from "@elysiajs/swagger";
import { type DocumentDecoration, Elysia } from "elysia";
import { VERSION } from "../../../kernel/version.ts";
import { WarningShown } from "../../../kernel/warning.ts";
import { OPENAPI_PATH } from "../answers/public.ts";
import type { AnyRoute } from "../any-route.ts";
import { type Json, listedIn, pascal, SchemaBook, unwrap } from "./described-schema.ts";
import { describeDryRuns } from "./dry-run-answers.ts";
import { ExampleBook } from "./example.ts";
import { describeBodies, describeRoute } from "./operation.ts";
import { REFUSAL_RESPONSES } from "./refusals.ts";
import { HEADERS, headersNamed, INTRODUCTION, PARAMETERS, SHARED_SCHEMAS, TAGS } from "./words.ts";

const COLLECTED_PATH = "/collected";

/** Builds the document for `routes`. The result is plain JSON. */
export async function buildOpenApi(routes: readonly AnyRoute[]): Promise<Json> {
  const books = { schemas: nameSchemas(routes), examples: new ExampleBook(routes) };
  const schemas = books.schemas.components();
  const documentation = {
    openapi: "3.1.0",
    info: {
      title: "captable",
      version: VERSION,
      summary: "A self-hosted cap table: its ledger, its API, and Open Cap Format in and out.",
      description: INTRODUCTION,
      license: { name: "MIT", identifier: "MIT" },
    },
    servers: [{ url: "/", description: "The server that serves this document." }],
    security: [{ bearerAuth: [] }, { session: [] }],
    tags: tagsOf(routes),
    components: {
      schemas: { ...schemas, ...describeDryRuns(routes, schemas), ...SHARED_SCHEMAS },
      requestBodies: describeBodies(routes, books),
      parameters: PARAMETERS,
      headers: HEADERS,
      responses: REFUSAL_RESPONSES,
      securitySchemes: {
        bearerAuth: { type: "http", scheme: "bearer", description: "An API key, for instance `pg_live_…`." },
        session: {
          type: "apiKey",
          in: "cookie",
          name: "__Host-captable",
          description:
            "The session of a person who signed in; on this machine, without TLS, the cookie is `captable-{port}`. " +
            "Operations on an organization's records then need the header `Captable-Organization` with its id.",
        },
      },
    },
  };
  return collect(routes, (route) => describeRoute(route, books), documentation);
}

/** Lets the plugin assemble the document, in an Elysia that never listens. */
async function collect(
  routes: readonly AnyRoute[],
  describe: (route: AnyRoute) => Json,
  documentation: Record<string, unknown>,
): Promise<Json> {
  const collector = new Elysia().use(
    swagger({ documentation, path: "/page", specPath: COLLECTED_PATH, excludeStaticFile: false }),
  );
  const add = (method: string, path: string, detail: Json) =>
    collector.route(method, path, () => "", { detail: detail as DocumentDecoration });
  for (const route of routes) add(route.method, route.path, describe(route));
  add("GET", OPENAPI_PATH, OWN_OPERATION);
  const answer = await collector.handle(new Request(`http://localhost${COLLECTED_PATH}`));
  return (await answer.json()) as Json;
}

/**
 * Records that another name than their operation's is given: generators call a member's type by the record's name and
 * the member's, and `ShareClass` has a `tokenAddress` as the token of a share class has an `address`.
 */
const OTHER_NAMES: Readonly<Record<string, string>> = { ShareClassToken: "TokenOfShareClass" };

/** Gives records and results their names: `getStakeholder` answers a `Stakeholder`, `listStakeholders` a page. */
function nameSchemas(routes: readonly AnyRoute[]): SchemaBook {
  const book = new SchemaBook();
  book.name("Warning", WarningShown);
  for (const route of routes) {
    const noun = /^get(.+)$/.exec(route.operationId)?.[1];
    if (noun && route.response) book.name(OTHER_NAMES[noun] ?? noun, unwrap(route.response));
  }
  for (const route of routes) {
    const noun = /^(?:create|update)(.+)$/.exec(route.operationId)?.[1];
    if (noun && route.response) book.name(`${noun}WithWarnings`, unwrap(route.response));
  }
  for (const route of routes) {
    const { response } = route;
    const listed = response && listedIn(response);
    if (listed) book.name(`${pascal(route).replace(/^List/, "")}Page`, response);
    else if (response) book.name(`${pascal(route)}Result`, unwrap(response));
  }
  return book;
}

function tagsOf(routes: readonly AnyRoute[]): Json[] {
  const used = new Set([...routes.map((route) => route.tag), ...OWN_OPERATION.tags]);
  const known = Object.entries(TAGS).filter(([name]) => used.has(name));
  const unknown = [...used].filter((name) => !(name in TAGS));
  return [...known.map(([name, description]) => ({ name, description })), ...unknown.map((name) => ({ name }))];
}

const OWN_OPERATION = {
  operationId: "getOpenApi",
  tags: ["Description"],
  summary: "Get this description",
  description: "Answered with a key and without one, and not rate limited.",
  security: [{}, { bearerAuth: [] }],
  responses: {
    "200": {
      description: "An OpenAPI 3.1 document.",
      headers: headersNamed("X-Request-Id"),
      content: { "application/json": { schema: { type: "object", additionalProperties: true } } },
    },
  },
};
