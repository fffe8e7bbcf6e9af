// Hostile bodies: never a 5xx, a problem document for every refusal, and nothing half-written.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { PROBLEMS, type ProblemSlug } from "../../src/kernel/problem.ts";
import type { Route, WriteRoute } from "../../src/resources/route.ts";
import { verifyDatabase } from "../../src/safekeeping/verify/verify.ts";
import { ExampleBook } from "../../src/server/http/openapi/example.ts";
import { firstSeed, proved } from "../kit/proof.ts";
import { seeded } from "../kit/random.ts";
import { RELEASE } from "../kit/release.ts";
import { startTestServer, type TestServer } from "../kit/service.ts";
import { NAMES_RECORDS_OF } from "./expectations.ts";
import { CONTENT_TYPES, mutate } from "./mutants.ts";
import { fill, makeRecords, nameOf, pathIds, type Records, ROUTES, withHolder } from "./world.ts";

const BODIES = RELEASE ? 10_000 : 100;
const AT_ONCE = 8;
const SEED = firstSeed();

let server: TestServer;
let records: Records;

beforeAll(async () => {
  server = await withHolder(await startTestServer());
  records = await makeRecords(server, server.orgId);
});
afterAll(() => server.stop());

const routes = ROUTES.filter((route): route is WriteRoute => route.method !== "GET" && route.body !== undefined);
const examples = new ExampleBook(ROUTES);

/** The route's example, naming records that exist, so that mutants get far. */
function exampleOf(route: WriteRoute): unknown {
  const example = { ...(examples.body(route) as Record<string, unknown>) };
  for (const name of Object.keys(example)) {
    const segment = NAMES_RECORDS_OF[name];
    if (segment) example[name] = name.endsWith("Ids") ? [records[segment]] : records[segment];
  }
  return example;
}

/** What is wrong with an answer; null when nothing is. */
async function judge(response: Response): Promise<string | null> {
  const text = await response.text();
  if (response.status < 300) return null;
  if (response.status >= 500) return `status ${response.status}: ${text}`;
  if (response.headers.get("content-type") !== "application/problem+json") return `no problem document: ${text}`;
  const shown = JSON.parse(text);
  const slug = String(shown.type).split("/").at(-1) as ProblemSlug;
  if (PROBLEMS[slug]?.status !== response.status) return `the type does not fit the status: ${text}`;
  if (slug === "validation-failed" && !(shown.errors?.length > 0)) return `nothing is pointed at: ${text}`;
  return null;
}

async function sendOne(index: number, key: string): Promise<string | null> {
  const pick = seeded(SEED + index);
  const route = routes[pick(routes.length)] as WriteRoute;
  const body = mutate(route, exampleOf(route), pick);
  const contentType = CONTENT_TYPES[pick(CONTENT_TYPES.length)] ?? "";
  const headers: Record<string, string> = { authorization: `Bearer ${key}`, "content-type": contentType };
  if (pick(3) === 0) headers["idempotency-key"] = `k${pick(50)}`;
  const url = `${server.url}/api/v1${fill(route, pathIds(route, records))}`;
  const fault = await judge(await fetch(url, { method: route.method, headers, body }));
  return fault === null ? null : `${nameOf(route)} (seed ${SEED}, body ${index}) ${body.slice(0, 300)}\n  ${fault}`;
}

test(`${BODIES} hostile bodies (CAPTABLE_SEED=${SEED}) are answered without a 5xx, refusals as problem documents`, async () => {
  const key = await server.key("ADMIN");
  const faults: string[] = [];
  let next = 0;
  const worker = async () => {
    while (next < BODIES) {
      const fault = await sendOne(next++, key);
      if (fault !== null) faults.push(fault);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  expect(faults.slice(0, 5)).toEqual([]);
  proved({
    fault: "S4",
    what: "hostile bodies over a socket",
    count: BODIES,
    seed: `${SEED}-${SEED + BODIES - 1}`,
    result: "0 answers of 5xx",
  });
}, 300_000);

const NASTY_IDS = [
  "%00",
  "%ff",
  "%ED%A0%80",
  "%2F",
  "..%2F..",
  "%F0%9F%98%80",
  "__proto__",
  "%",
  "%25",
  "x".repeat(3000),
  "'--",
  "*",
];

test("unknown ids are 404, however they are written", async () => {
  const authorization = `Bearer ${await server.key("ADMIN")}`;
  for (const route of ROUTES.filter(({ path }) => path.includes("/:"))) {
    for (const id of NASTY_IDS) {
      const path = route.path.replace(/:[a-zA-Z]+/g, id);
      const body = route.method === "PUT" ? "bytes" : route.method === "GET" || !route.body ? null : exampleJson(route);
      const headers = { authorization, "content-type": "application/json" };
      const isHolders = route.role === "STAKEHOLDER";
      const response = await (isHolders
        ? server.api(route.method, path.replace("/api/v1", ""))
        : fetch(server.url + path, { method: route.method, headers, body }));
      const isProblem = response.headers.get("content-type") === "application/problem+json";
      expect({ path: path.slice(0, 80), status: response.status, isProblem }).toEqual({
        path: path.slice(0, 80),
        status: 404,
        isProblem: true,
      });
    }
  }
});

function exampleJson(route: Route): string {
  return route.method === "PATCH" ? "{}" : JSON.stringify(exampleOf(route as WriteRoute));
}

test("hostile queries are answered or refused, never a failure", async () => {
  const texts = [
    "%00",
    "%ff",
    "%ED%A0%80",
    "%25_%5C",
    "'%20OR%201=1--",
    "x".repeat(600),
    "%F0%9F%98%80",
    "[]",
    "a&a=b",
    "%C3%89",
  ];
  for (const route of ROUTES) {
    if (route.method !== "GET" || route.path.includes("/:")) continue;
    for (const name of [...Object.keys(route.query?.properties ?? {}), "__proto__", "constructor", "%00"]) {
      for (const text of texts) {
        const answer = await server.api("GET", `${route.path.replace("/api/v1", "")}?${name}=${text}`);
        expect({ path: route.path, name, text, isFailure: ![200, 422].includes(answer.status) }).toEqual({
          path: route.path,
          name,
          text,
          isFailure: false,
        });
      }
    }
  }
});

/** What has to be asked with a query. */
const NEEDS_A_QUERY = /\/(in-force|next-certificate)$/;

test("and left nothing half-written: the service still adds up", async () => {
  for (const route of ROUTES) {
    if (route.method !== "GET" || route.path.includes("/:") || NEEDS_A_QUERY.test(route.path)) continue;
    const answer = await server.api("GET", route.path.replace("/api/v1", ""));
    expect({ path: route.path, status: answer.status }).toEqual({ path: route.path, status: 200 });
  }
  expect(verifyDatabase(server.app.reader).differences).toEqual([]);
  expect({ polluted: Reflect.get({}, "isAdmin") }).toEqual({ polluted: undefined });
});

test("the log holds no failure", () => {
  expect(server.log.join("\n").match(/"level":"error".*/g) ?? []).toEqual([]);
});
