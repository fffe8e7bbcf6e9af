// Nothing sent is silently dropped; what cannot be read is refused in one order: size, media type, text, then members.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { WriteRoute } from "../../src/resources/route.ts";
import { type Answer, startTestServer, type TestServer } from "../kit/service.ts";
import { fill, makeRecords, nameOf, pathIds, pathOf, type Records, ROUTES, withHolder } from "./world.ts";

let server: TestServer;
let records: Records;

beforeAll(async () => {
  server = await withHolder(await startTestServer());
  records = await makeRecords(server, server.orgId);
});
afterAll(() => server.stop());

const BODY_ROUTES = ROUTES.filter((route): route is WriteRoute => route.method !== "GET" && route.body !== undefined);
const here = (route: (typeof ROUTES)[number]) => fill(route, pathIds(route, records));

function expectProblem(answer: Answer, status: number, slug: string): void {
  expect({ status: answer.status, type: answer.json.type }).toEqual({
    status,
    type: expect.stringMatching(new RegExp(`/problems/${slug}$`)),
  });
  expect(answer.headers.get("content-type")).toBe("application/problem+json");
  expect(answer.json.instance).toBe(`urn:uuid:${answer.headers.get("x-request-id")}`);
}

describe("an unknown query parameter is 422 and named", () => {
  for (const route of ROUTES) {
    test(nameOf(route), async () => {
      const body = route.method === "PUT" ? "bytes" : route.method === "GET" || !route.body ? undefined : {};
      const answer = await server.api(route.method, `${here(route)}?colour=red&constructor=x`, body);
      expectProblem(answer, 422, "validation-failed");
      for (const parameter of ["colour", "constructor"]) {
        expect(answer.json.errors).toContainEqual({ parameter, detail: expect.stringContaining("is not a query") });
      }
    });
  }
});

describe("an unknown member is 422 and pointed at, with all else that is wrong", () => {
  for (const route of BODY_ROUTES) {
    test(nameOf(route), async () => {
      const answer = await server.api(route.method, here(route), { colour: "red", "a/b~c é": 1, "#%": 1, "\ud800": 1 });
      expectProblem(answer, 422, "validation-failed");
      const pointers = answer.json.errors.map((error: { pointer: string }) => error.pointer);
      expect(pointers).toContain("#/colour");
      // RFC 6901: `/` and `~` are escaped, and in a fragment so is what a URI cannot hold.
      for (const pointer of ["#/a~1b~0c%20%C3%A9", "#/%23%25", "#/%EF%BF%BD"]) expect(pointers).toContain(pointer);
    });
  }
});

test("a file of an OCF package is pointed at even where no URI can hold its name", async () => {
  const body = {
    manifest: { ocf_version: "1.2.0", issuer: { id: "1", legal_name: "A" } },
    entityFiles: { "\ud800#": {} },
  };
  const answer = await server.api("POST", "/cap-table/ocf-import", body);
  expectProblem(answer, 422, "validation-failed");
  expect(answer.json.errors[0].pointer).toBe("#/entityFiles/%EF%BF%BD%23/items");
});

const MALFORMED = [400, "malformed-json"] as const;
const TOO_COMPLEX = [422, "file-too-complex"] as const;
const PACKAGES = ["POST /cap-table/ocf-import", "POST /cap-table/ocf-validate"];

describe("a body that cannot be read", () => {
  for (const route of BODY_ROUTES) {
    test(nameOf(route), async () => {
      const send = (body: string | Uint8Array, contentType = "application/json") =>
        server.api(route.method, here(route), body, { headers: { "content-type": contentType } });
      for (const text of ["{", "", "[1,]", "{'a':1}", "NaN", '{"a":1}x', "\ufeff{"]) {
        if (text === "" && route.isBodyOptional) continue;
        expectProblem(await send(text), 400, "malformed-json");
      }
      expectProblem(await send(Uint8Array.of(0x22, 0xff, 0x22)), 400, "malformed-json");
      // A package is a file: how deep it goes is counted before it is parsed.
      const [status, slug] = PACKAGES.includes(nameOf(route)) ? TOO_COMPLEX : MALFORMED;
      expectProblem(await send(`${"[".repeat(65)}${"]".repeat(65)}`), status, slug);
      expectProblem(await send("[".repeat(100_000)), status, slug);
      for (const type of [
        "text/plain",
        "application/x-www-form-urlencoded",
        "application/merge-patch+json",
        "multipart/form-data; boundary=x",
      ]) {
        expectProblem(await send("{}", type), 415, "unsupported-media-type");
      }
      for (const value of ["null", "[]", '"text"', "1", "true"]) {
        const answer = await send(value);
        expectProblem(answer, 422, "validation-failed");
        expect(answer.json.errors[0].pointer).toBe("#");
      }
      expect((await send("{}", "application/json; charset=utf-8")).status).not.toBe(415);
    });
  }
});

test("a body above the limit is 413, announced or not", async () => {
  const large = `{"displayName":"${"x".repeat(1024 * 1024)}"}`;
  expectProblem(await server.api("POST", "/stakeholders", large), 413, "payload-too-large");
  const stream = new ReadableStream({
    start(controller) {
      for (let i = 0; i < 40; i++) controller.enqueue(new TextEncoder().encode("x".repeat(32 * 1024)));
      controller.close();
    },
  });
  const response = await fetch(`${server.url}/api/v1/stakeholders`, {
    method: "POST",
    body: stream,
    headers: { authorization: `Bearer ${await server.key("EDITOR")}`, "content-type": "application/json" },
  });
  expect({ status: response.status, type: response.headers.get("content-type") }).toEqual({
    status: 413,
    type: "application/problem+json",
  });
});

test("the size is looked at before the type, the type before the text", async () => {
  const headers = { "content-type": "text/plain" };
  const large = "x".repeat(1024 * 1024 + 1);
  expectProblem(await server.api("POST", "/stakeholders", large, { headers }), 413, "payload-too-large");
  expectProblem(await server.api("POST", "/stakeholders", "{", { headers }), 415, "unsupported-media-type");
});

describe("an address takes its methods and no other", () => {
  const methods = new Map<string, Set<string>>();
  for (const route of ROUTES) {
    const taken = methods.get(pathOf(route)) ?? new Set<string>();
    methods.set(pathOf(route), taken.add(route.method));
    if (route.method === "GET") taken.add("HEAD");
  }
  for (const [path, taken] of methods) {
    test(path, async () => {
      const route = ROUTES.find((candidate) => pathOf(candidate) === path) as (typeof ROUTES)[number];
      for (const method of ["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]) {
        if (taken.has(method)) continue;
        // Known or not comes before the key, so none is needed to learn it.
        const answer = await server.api(method, here(route), undefined, { key: null });
        expectProblem(answer, 405, "method-not-allowed");
        expect(answer.headers.get("allow")?.split(", ").sort()).toEqual([...taken].sort());
      }
    });
  }
});

test("an unknown address is 404, with a key and without", async () => {
  for (const path of [
    "/",
    "/nothing",
    "/stakeholders/1/2",
    "/transactions/issue-nothing/x",
    "/__proto__",
    "/approvals/1/steps/2/3",
    "/reports/cap-tableXxlsx",
  ]) {
    for (const key of [null, await server.key("ADMIN")]) {
      expectProblem(await server.api("POST", path, undefined, { key }), 404, "not-found");
    }
  }
});

describe("the list parameters", () => {
  for (const route of ROUTES) {
    if (route.method !== "GET" || !route.query?.properties.cursor) continue;
    test(nameOf(route), async () => {
      const list = (query: string) => server.api("GET", `${here(route)}?${query}`);
      for (const limit of ["1", "100", "0", "-3", "1000"]) expect((await list(`limit=${limit}`)).status).toBe(200);
      for (const query of [
        "limit=",
        "limit=1.5",
        "limit=1e2",
        "limit=%2B5",
        "limit=x",
        "limit=5&limit=6",
        "cursor=",
        "cursor=x",
      ]) {
        const answer = await list(query);
        expect({ query, status: answer.status }).toEqual({ query, status: 422 });
        expect(answer.json.errors[0].parameter).toBe(query.split("=")[0]);
      }
    });
  }
});

test("filters outside their words are 422, a filter that matches no record is an empty list", async () => {
  for (const route of ROUTES) {
    if (route.method !== "GET") continue;
    for (const [name, schema] of Object.entries(route.query?.properties ?? {})) {
      if (!schema.enum) continue;
      const answer = await server.api("GET", `${here(route)}?${name}=NOPE`);
      expect({ name, status: answer.status }).toEqual({ name, status: 422 });
      expect(answer.json.errors).toEqual([{ parameter: name, detail: expect.stringContaining("must be one of") }]);
    }
  }
  expect((await server.api("GET", "/stakeholders?q=no-such-name")).json).toEqual({
    items: [],
    nextCursor: null,
  });
});

describe("Idempotency-Key: 1 to 255 visible characters", () => {
  for (const route of BODY_ROUTES.filter((candidate) => candidate.isIdempotent)) {
    test(nameOf(route), async () => {
      for (const key of ["a b", "x".repeat(256), "é"]) {
        const answer = await server.api(route.method, here(route), {}, { headers: { "idempotency-key": key } });
        expectProblem(answer, 422, "validation-failed");
        expect(answer.json.errors).toContainEqual({ header: "Idempotency-Key", detail: expect.any(String) });
      }
    });
  }
});

describe("a number that a double cannot represent is 422 and named, not changed", () => {
  const entry = '"type":"VALUATION_UPDATE","effectiveDate":"2026-01-01"';
  test.each([
    ["/transactions", `{${entry},"metadata":{"a":1e400}}`, "#/metadata"],
    ["/transactions", `{${entry},"metadata":{"a":[{"b":12345678901234567890}]}}`, "#/metadata"],
    ["/transactions", `{${entry},"metadata":1e400}`, "#/metadata"],
    ["/share-classes", '{"seniority":1.00000000000000000001}', "#/seniority"],
    ["/corporate-actions", '{"metadata":{"a":1e-400}}', "#/metadata/a"],
  ])("%s %s", async (path, body, pointer) => {
    const answer = await server.api("POST", path, body);
    expectProblem(answer, 422, "validation-failed");
    expect(answer.json.errors).toContainEqual({ pointer, detail: expect.any(String) });
  });

  test("others come back as they were sent", async () => {
    const metadata = { a: 0.1, b: [1e21, -5e-324, 123456789012345], c: "12345678901234567890" };
    const body = { type: "VALUATION_UPDATE", effectiveDate: "2026-01-01", metadata };
    expect((await server.api("POST", "/transactions", body)).json.data.metadata).toEqual(metadata);
  });
});

test("a country is one of ISO 3166-1, in capital letters", async () => {
  const status = async (countryOfFormation: unknown) =>
    (await server.api("PATCH", "/organization", { countryOfFormation })).status;
  for (const code of ["US", "GB", "XK", null]) expect([code, await status(code)]).toEqual([code, 200]);
  for (const code of ["UK", "ZZ", "EU", "us", "USA", ""]) expect([code, await status(code)]).toEqual([code, 422]);
});
