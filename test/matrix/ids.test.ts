// Every route × every place where an id can stand × {unknown, another organization's}: `404`, and the two answers may
// not differ but for the request's id, or a caller could learn what others have.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { TObject, TSchema } from "@sinclair/typebox";
import type { WriteRoute } from "../../src/resources/route.ts";
import { type Answer, startTestServer, type TestServer } from "../kit/service.ts";
import { NAMES_RECORDS_OF } from "./expectations.ts";
import { fill, makeRecords, nameOf, pathIds, pathOf, type Records, ROUTES, withHolder } from "./world.ts";

const UNKNOWN = "0190f5a2-6c1e-7b3a-9d4e-000000000000";
type Body = Record<string, unknown>;

let server: TestServer;
let own: Records;
let foreignOrgId: string;
let foreign: Records;

beforeAll(async () => {
  server = await withHolder(await startTestServer());
  own = await makeRecords(server, server.orgId);
  foreignOrgId = await server.newOrganization();
  foreign = await makeRecords(server, foreignOrgId);
});
afterAll(() => server.stop());

/** The members of a body in which an id of a record may stand, by name. */
function idMembers(body: TObject): string[] {
  return Object.keys(body.properties).filter((name) => /Ids?$/.test(name) && NAMES_RECORDS_OF[name] !== null);
}

/** Every name in a body, at whatever depth. */
function allNames(schema: TSchema): string[] {
  const inner: TSchema[] = [...(schema.anyOf ?? []), ...(schema.items ? [schema.items] : [])];
  const members = Object.entries((schema.properties ?? {}) as Record<string, TSchema>);
  return [...members.flatMap(([name, member]) => [name, ...allNames(member)]), ...inner.flatMap(allNames)];
}

/** What a body must also say where it names such a record. */
const GOES_WITH: Readonly<Record<string, Body>> = { "/vesting-milestones securityId": { quantity: "10" } };

/** Records that a list also names, where one alone would be too few. */
const GOES_BEFORE: Readonly<Record<string, () => readonly (string | undefined)[]>> = {
  scenarioIds: () => [own.scenarios],
};

/** The route's own example with the ids of this organization's records. */
function ownBody(route: WriteRoute): Body {
  const example = { ...(route.bodyExample as Body | undefined) };
  for (const name of Object.keys(example)) {
    const segment = NAMES_RECORDS_OF[name];
    if (segment) example[name] = name.endsWith("Ids") ? [own[segment]] : own[segment];
  }
  return example;
}

/** An answer without what names the request. */
function comparable({ status, json }: Answer): unknown {
  const { instance: _instance, ...rest } = json;
  return { status, ...rest };
}

test("every member that looks like an id is known to the tables", () => {
  const names = ROUTES.flatMap((route) => (route.method === "GET" || !route.body ? [] : allNames(route.body)));
  const unknown = new Set(names.filter((name) => /Ids?$/.test(name) && NAMES_RECORDS_OF[name] === undefined));
  expect([...unknown]).toEqual([]);
});

describe("in a path", () => {
  for (const route of ROUTES.filter((candidate) => pathOf(candidate).includes("{"))) {
    test(nameOf(route), async () => {
      const body = route.method === "PUT" ? "bytes" : route.method === "GET" || !route.body ? undefined : {};
      const places = [...pathOf(route).matchAll(/\{([a-zA-Z]+)\}/g)].map(([, name = ""]) => name);
      for (const place of places) {
        const answers: unknown[] = [];
        for (const id of [UNKNOWN, pathIds(route, foreign)[place] ?? "missing"]) {
          expect(id).not.toBe("");
          const valid =
            body && "bodyExample" in route && route.method !== "PATCH" ? ownBody(route as WriteRoute) : body;
          const path = fill(route, { ...pathIds(route, own), [place]: id });
          const answer = await server.api(route.method, path, valid);
          expect({ place, status: answer.status }).toEqual({ place, status: 404 });
          expect(answer.json.type).toEndWith("/problems/not-found");
          answers.push(comparable(answer));
        }
        expect(answers[1]).toEqual(answers[0]);
      }
    });
  }
});

describe("in a body", () => {
  for (const route of ROUTES) {
    if (route.method === "GET" || !route.body || idMembers(route.body).length === 0) continue;
    const writing = route as WriteRoute;
    const members = idMembers(route.body);
    test(`${nameOf(route)}: ${members.join(", ")}`, async () => {
      for (const name of members) {
        const segment = NAMES_RECORDS_OF[name] ?? "";
        const answers: unknown[] = [];
        for (const id of [UNKNOWN, foreign[segment] ?? "missing"]) {
          const given = {
            ...(route.method === "PATCH" ? {} : ownBody(writing)),
            [name]: name.endsWith("Ids") ? [...(GOES_BEFORE[name]?.() ?? []), id] : id,
            ...GOES_WITH[`${pathOf(route)} ${name}`],
          };
          const answer = await server.api(route.method, fill(route, pathIds(route, own)), given);
          expect({ name, status: answer.status, text: answer.text }).toEqual({
            name,
            status: 404,
            text: expect.stringContaining("/problems/not-found"),
          });
          answers.push(comparable(answer));
        }
        expect(answers[1]).toEqual(answers[0]);
      }
    });
  }
});

test("in what a document is related to", async () => {
  const answers: unknown[] = [];
  for (const objectId of [UNKNOWN, foreign["share-classes"]]) {
    const body = { title: "Charter", path: "charter.pdf", relatedObjects: [{ objectType: "STOCK_CLASS", objectId }] };
    const answer = await server.api("POST", "/documents", body);
    expect(answer.status).toBe(404);
    answers.push(comparable(answer));
  }
  expect(answers[1]).toEqual(answers[0]);
});

describe("in a query", () => {
  for (const route of ROUTES) {
    if (route.method !== "GET") continue;
    const members = idMembers(route.query ?? ({ properties: {} } as TObject));
    if (members.length === 0) continue;
    test(`${nameOf(route)}: ${members.join(", ")}`, async () => {
      for (const name of members) {
        const path = fill(route, pathIds(route, own));
        // These tell of the record that is named; the others narrow what they tell.
        const needed = { "/valuations/in-force": "on=2026-02-01&", "/securities/next-certificate": "type=STOCK&" };
        const more = needed[pathOf(route) as keyof typeof needed];
        const asked = `${path}?${more ?? ""}${name}=`;
        const unknown = await server.api("GET", `${asked}${UNKNOWN}`);
        const others = await server.api("GET", `${asked}${foreign[NAMES_RECORDS_OF[name] ?? ""]}`);
        expect(unknown.status).toBe(more ? 404 : 200);
        expect(comparable(others)).toEqual(comparable(unknown));
      }
    });
  }
});

test("nothing of the other organization was touched", async () => {
  const orgId = foreignOrgId;
  for (const [segment, id] of Object.entries(foreign)) {
    if (
      ["steps", "api-keys", "invitations", "deliveries"].includes(segment) ||
      !ROUTES.some((route) => pathOf(route) === `/${segment}/{id}`)
    )
      continue;
    expect({ segment, status: (await server.api("GET", `/${segment}/${id}`, undefined, { orgId })).status }).toEqual({
      segment,
      status: 200,
    });
  }
});
