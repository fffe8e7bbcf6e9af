import { beforeAll, describe, expect, test } from "bun:test";
import { validate } from "@hyperjump/json-schema/openapi-3-1";
import { Validator } from "@seriousme/openapi-schema-validator";
import type { TSchema } from "@sinclair/typebox";
import { findFaults } from "../../../../src/kernel/check.ts";
import { PROBLEMS } from "../../../../src/kernel/problem.ts";
import { accessRoutes } from "../../../../src/people/routes.ts";
import type { Route } from "../../../../src/resources/route.ts";
import { buildOpenApi } from "../../../../src/server/http/openapi/document.ts";
import { TAGS } from "../../../../src/server/http/openapi/words.ts";
import { allRoutes } from "../../../../src/server/routes.ts";
import { API_MEMBERS } from "../../../kit/api-members.ts";
import { API_OPERATIONS } from "../../../kit/api-operations.ts";
import { startTestServer } from "../../../kit/service.ts";

/** Runs the command as `cli/main.ts` does. */
const PRINT =
  'import { openapiCommand } from "./cli/operating/openapi.ts"; await openapiCommand().parseAsync([], { from: "user" })';

// biome-ignore lint/suspicious/noExplicitAny: a test looks into every corner of the document
type Loose = any;

const routes = allRoutes("test");
let document: Loose;
beforeAll(async () => {
  document = await buildOpenApi([...routes, ...accessRoutes]);
});

/** The operation of a route in the document. */
function operationOf(route: Route): Loose {
  return document.paths[route.path.replace(/:([a-zA-Z]+)/g, "{$1}")]?.[route.method.toLowerCase()];
}

/** The schema of a request body that has this name. */
function bodyNamed(name: string): Loose {
  return document.components.requestBodies[name].content["application/json"].schema;
}

/** What an operation's body is. */
function bodyOf(operation: Loose): Loose {
  const name = operation.requestBody.$ref.split("/").at(-1);
  return document.components.requestBodies[name].content["application/json"];
}

/** Every operation with its method and path below `/api/v1`. */
function operations(): { name: string; operation: Loose }[] {
  return Object.entries<Loose>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Loose>(methods).map(([method, operation]) => {
      return { name: `${method.toUpperCase()} ${path.replace("/api/v1", "")}`, operation };
    }),
  );
}

describe("the document is OpenAPI 3.1", () => {
  test("says one validator", async () => {
    const validator = new Validator();
    expect(await validator.validate(structuredClone(document))).toEqual({ valid: true });
    expect(validator.version).toBe("3.1");
  });

  test("says another, by the official schema and the dialect of its schemas", async () => {
    const outcome = await validate("https://spec.openapis.org/oas/3.1/schema-base", document, "BASIC");
    expect(outcome).toMatchObject({ valid: true });
  });

  test("and every reference in it leads somewhere", () => {
    const references = JSON.stringify(document).match(/"\$ref":"[^"]+"/g) ?? [];
    expect(references.length).toBeGreaterThan(100);
    for (const reference of new Set(references)) {
      const path = reference.slice('"$ref":"#/'.length, -1).split("/");
      const target = path.reduce((value: Loose, name) => value?.[name], document);
      expect(`${reference} ${typeof target}`).toBe(`${reference} object`);
    }
  });
});

describe("what the document says is what the service has", () => {
  test("an operation for every route, and none besides but the document itself", () => {
    for (const route of routes) expect(operationOf(route)?.operationId).toBe(route.operationId);
    expect(operations().length).toBe(routes.length + accessRoutes.length + 1);
  });

  test("operation ids are unique and good names of functions", () => {
    const ids = operations().map(({ operation }) => operation.operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const id of ids) expect(id).toMatch(/^[a-z][a-zA-Z0-9]+$/);
  });

  test("every group is described", () => {
    const used = operations().flatMap(({ operation }) => operation.tags);
    for (const tag of new Set<string>(used)) expect(Object.keys(TAGS)).toContain(tag);
  });

  test("exactly the operations beyond the implemented interface are marked x-extension", () => {
    const marked = operations().filter(({ operation }) => operation["x-extension"] === true);
    const names = operations().map(({ name }) => name);
    const expected = names.filter((name) => !API_OPERATIONS.includes(name));
    expect(marked.map(({ name }) => name).sort()).toEqual(expected.sort());
  });

  test("members beyond the implemented interface are marked, those of it are not", () => {
    const { properties } = document.components.schemas.Stakeholder;
    expect(properties.walletAddress).toMatchObject({ "x-extension": true, type: ["string", "null"] });
    expect(properties.custodialAddress["x-extension"]).toBe(true);
    expect(properties.email["x-extension"]).toBeUndefined();
    const patch = bodyOf(document.paths["/api/v1/stakeholders/{id}"].patch).schema;
    expect(patch.properties.verificationStatus["x-extension"]).toBe(true);
    expect(patch.properties.status.default).toBeUndefined();
    expect(document.components.schemas.Security.properties.approvalId["x-extension"]).toBe(true);
  });

  test("so are headers", () => {
    const { headers, parameters } = document.components;
    const unmarked = Object.keys(headers).filter((name) => headers[name]["x-extension"] !== true);
    expect(unmarked.sort()).toEqual(["Content-Disposition", "Location", "Retry-After"]);
    const keyOf = (path: string) => {
      const [{ $ref }] = document.paths[`/api/v1/${path}`].post.parameters.slice(-1);
      return parameters[$ref.split("/").at(-1)]["x-extension"] === true;
    };
    expect(["stakeholders", "transactions/cancel"].map(keyOf)).toEqual([false, false]);
    expect(["transactions", "vesting-milestones", "approvals/{id}/steps"].map(keyOf)).toEqual([true, true, true]);
  });
});

test("a document's bytes go up and come down as whatever they are", () => {
  const { put, get } = document.paths["/api/v1/documents/{id}/content"];
  expect(put.requestBody).toMatchObject({ required: true, content: { "*/*": {} } });
  expect(Object.keys(get.responses["200"].content)).toEqual(["*/*"]);
});

test("every record shows the interface's members unmarked, and all else it shows is marked x-extension", () => {
  for (const [record, members] of Object.entries(API_MEMBERS)) {
    const { properties } = document.components.schemas[record];
    const unmarked = Object.keys(properties).filter((name) => properties[name]["x-extension"] !== true);
    expect({ record, unmarked: unmarked.sort() }).toEqual({ record, unmarked: [...members].sort() });
  }
});

test("types that generators name by a record and its member never have one name twice", () => {
  const names = new Map<string, string>();
  const take = (name: string, of: string) => {
    expect({ name, takenBy: names.get(name) }).toEqual({ name, takenBy: undefined });
    names.set(name, of);
  };
  const walk = (name: string, described: unknown): void => {
    const { properties, items, anyOf } = described as { properties?: object; items?: unknown; anyOf?: unknown[] };
    for (const [member, inner] of Object.entries(properties ?? {})) {
      const joined = name + member.charAt(0).toUpperCase() + member.slice(1);
      take(joined, `${name}.${member}`);
      walk(joined, inner);
    }
    if (items) walk(`${name}Item`, items);
    for (const inner of anyOf ?? []) walk(name, inner);
  };
  const { schemas, requestBodies } = document.components;
  for (const name of [...Object.keys(schemas), ...Object.keys(requestBodies)]) take(name, name);
  for (const [name, described] of Object.entries(schemas)) walk(name, described);
});

test("what a dry run would make is null, also in lists; existing records are named", () => {
  const { transactionIds, cancelled } = document.components.schemas.TerminateServiceDryRun.properties;
  expect(transactionIds.items.type).toEqual(["string", "null"]);
  const { transactionId, securityId } = cancelled.items.properties;
  expect([transactionId.type, securityId.type]).toEqual([["string", "null"], "string"]);
});

test("null is explained wherever it may stand", () => {
  const bare = new Set<string>();
  const walk = (value: unknown, name: string): void => {
    if (typeof value !== "object" || value === null) return;
    const { properties } = value as { properties?: Record<string, Record<string, unknown>> };
    for (const [member, { type, anyOf, description }] of Object.entries(properties ?? {})) {
      const kinds = [type, anyOf].flat() as unknown[];
      const isNullable = kinds.some(
        (kind) => kind === "null" || (kind as { type?: unknown } | undefined)?.type === "null",
      );
      if (isNullable && !/null/i.test(String(description))) bare.add(`${name} ${member}`);
    }
    for (const [key, inner] of Object.entries(value)) walk(inner, name === "" ? key : name);
  };
  for (const part of Object.values(document.components)) walk(part, "");
  walk(document.paths, "");
  expect([...bare]).toEqual([]);
});

/** Members without a description, each as "Schema member"; one with a name of its own is described there. */
function undescribed(components: Loose): string[] {
  const bare = new Set<string>();
  const walk = (value: Loose, where: string) => {
    if (typeof value !== "object" || value === null) return;
    for (const [name, member] of Object.entries<Loose>(value.properties ?? {})) {
      if (typeof member === "object" && !member.description && !member.$ref) bare.add(`${where} ${name}`);
    }
    for (const inner of Object.values(value)) walk(inner, where);
  };
  for (const part of ["schemas", "requestBodies"]) {
    for (const [name, described] of Object.entries(components[part])) walk(described, name);
  }
  return [...bare];
}

test("every member of every body and answer is described by its own schema", async () => {
  expect(undescribed(document.components)).toEqual([]);
  const planted = routes.map((route) => {
    if (route.operationId !== "createStockLegend" || route.method === "GET" || !route.body) return route;
    const { name: member, ...others } = route.body.properties as Record<string, TSchema>;
    const { description: _words, ...bare } = member as TSchema;
    return { ...route, body: { ...route.body, properties: { ...others, name: bare } } } as unknown as Route;
  });
  const faulty = (await buildOpenApi(planted)) as Loose;
  expect(undescribed(faulty.components)).toEqual(["StockLegendCreate name"]);
});

test("members of one name are described as what they are in each place", () => {
  const { schemas } = document.components;
  const token = schemas.TokenOfShareClass.properties.differences.items.properties;
  const { range } = bodyNamed("ModelWaterfallRequest").properties;
  const terms = schemas.Security.properties.convertibleTerms.anyOf[0].properties;
  const invitation = schemas.InvitationsPage.properties.items.items.properties;
  expect({
    address: token.address.description,
    steps: range.anyOf[0].properties.steps.description,
    date: terms.triggers.items.properties.date.description,
    state: invitation.state.description,
    role: invitation.role.description,
  }).toEqual({
    address: "The holder's address on the chain, or `total`.",
    steps: "Into how many even steps the range is divided.",
    date: "The day of `AUTOMATIC_ON_DATE`; null for other kinds.",
    state: "Whether the invitation can be used, was used or revoked, or has expired.",
    role: "What the person may do in the organization.",
  });
});

describe("every operation tells all that may come back", () => {
  test("a route with a body: 400, 413, 415, 422; every route: 401, 429, 500; a write: 503", () => {
    for (const route of routes) {
      const statuses = Object.keys(operationOf(route).responses).map(Number);
      const hasBody = route.method !== "GET" && route.body !== undefined;
      const expected = [
        route.status,
        ...[401, 422, 429, 500],
        ...(route.role === "VIEWER" ? [] : [403]),
        ...(hasBody ? [400, 413, 415] : []),
        ...(route.method === "GET" ? [] : [503]),
        ...(route.path.includes("/:") ? [404] : []),
      ];
      expect({ id: route.operationId, missing: expected.filter((status) => !statuses.includes(status)) }).toEqual({
        id: route.operationId,
        missing: [],
      });
    }
  });

  test("refusals are problem documents that name their kinds", () => {
    const responses = Object.values<Loose>(document.components.responses);
    for (const response of responses) {
      const media = response.content["application/problem+json"];
      expect(Object.keys(response.content)).toEqual(["application/problem+json"]);
      expect(media.schema).toEqual({ $ref: "#/components/schemas/Problem" });
      expect(response.headers["X-Request-Id"]).toBeDefined();
    }
    const text = JSON.stringify(responses);
    const unnamed = Object.keys(PROBLEMS).filter((slug) => !text.includes(`\`${slug}\``));
    // Neither comes from an operation: /metrics is not one.
    expect(unnamed).toEqual(["method-not-allowed", "misdirected-request"]);
    expect(document.components.responses.Unauthorized.headers["WWW-Authenticate"]).toBeDefined();
    for (const name of ["RateLimited", "Unavailable"]) {
      expect(document.components.responses[name].headers["Retry-After"]).toBeDefined();
    }
  });

  test("headers: Location where something is made, Idempotency-Key and its echo where a retry is safe", () => {
    for (const route of routes) {
      const operation = operationOf(route);
      const { headers } = operation.responses[String(route.status)];
      expect(headers["RateLimit-Remaining"]).toBeDefined();
      expect("Location" in headers).toBe(route.isLocated === true);
      const isIdempotent = route.method !== "GET" && route.isIdempotent === true;
      expect("Idempotent-Replayed" in headers).toBe(isIdempotent);
      const parameters = JSON.stringify(operation.parameters ?? []);
      expect(parameters.includes("IdempotencyKey")).toBe(isIdempotent);
    }
  });
});

describe("examples", () => {
  test("every body has one that the service would accept, and every answer one of its form", () => {
    for (const route of routes) {
      const operation = operationOf(route);
      if (route.method !== "GET" && route.body) {
        const { example } = bodyOf(operation);
        expect({ id: route.operationId, faults: findFaults(route.body, example) }).toEqual({
          id: route.operationId,
          faults: [],
        });
      }
      const shown = operation.responses[String(route.status)].content?.["application/json"];
      if (!route.response || !shown) continue;
      expect({ id: route.operationId, faults: findFaults(route.response, shown.example) }).toEqual({
        id: route.operationId,
        faults: [],
      });
    }
  });

  test("none is mere filler", () => {
    const { requestBodies } = document.components;
    const all = [...operations().map(({ name, operation }) => [name, operation]), ...Object.entries(requestBodies)];
    const fillers = all.filter(([, described]) => /:"text"|\["text"/.test(JSON.stringify(described)));
    expect(fillers.map(([name]) => name)).toEqual([]);
  });
});

describe("GET /api/v1/openapi.json", () => {
  test("is answered with a key, without one and with a wrong one, and costs nothing of the rate limit", async () => {
    const server = await startTestServer({ CAPTABLE_RATE_LIMIT: "6", CAPTABLE_ENV: "test" });
    try {
      for (const key of [undefined, null, "pg_test_wrong", undefined, undefined]) {
        const answer = await server.api("GET", "/openapi.json", undefined, key === undefined ? {} : { key });
        expect(answer.status).toBe(200);
        expect(answer.headers.get("content-type")).toBe("application/json");
        expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
        expect(answer.json).toEqual(document);
      }
    } finally {
      await server.stop();
    }
  });

  test("and `captable openapi` prints the same", async () => {
    const run = Bun.spawn([process.execPath, "-e", PRINT]);
    expect(await new Response(run.stdout).json()).toEqual(document);
  });
});
