// Every route answers as its documentation says: status, form, `Location`, and the same again for a retry. Each answer is
// held against the route's schema with nothing besides allowed, so that an undocumented member is noticed too.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { type TSchema, Type } from "@sinclair/typebox";
import { findFaults } from "../../src/kernel/check.ts";
import type { Route } from "../../src/resources/route.ts";
import { ExampleBook } from "../../src/server/http/openapi/example.ts";
import { issueShares, makeShareClass, makeStakeholder } from "../kit/records.ts";
import { type Answer, startTestServer, type TestServer } from "../kit/service.ts";
import { NAMES_RECORDS_OF } from "./expectations.ts";
import { fill, makeRecords, nameOf, pathIds, pathOf, type Records, ROUTES, withHolder } from "./world.ts";

type Json = Record<string, unknown>;

let server: TestServer;
let records: Records;
let counter = 0;

beforeAll(async () => {
  server = await startTestServer();
  records = await makeRecords(server, server.orgId);
  server = await withHolder(server, records.stakeholders);
});
afterAll(() => server.stop());

const examples = new ExampleBook(ROUTES);

/** The same schema with every object closed but those that are free on purpose. */
function closed(schema: TSchema): TSchema {
  if (Array.isArray(schema.anyOf)) return { ...schema, anyOf: (schema.anyOf as TSchema[]).map(closed) } as TSchema;
  if (schema.type === "array") return { ...schema, items: closed(schema.items as TSchema) } as TSchema;
  const members = Object.entries((schema.properties ?? {}) as Record<string, TSchema>);
  if (schema.type !== "object" || members.length === 0 || schema.additionalProperties === true) return schema;
  const properties = Object.fromEntries(members.map(([name, member]) => [name, closed(member)]));
  return { ...schema, properties, additionalProperties: false } as TSchema;
}

function expectAnswer(route: Route, answer: Answer): void {
  expect({ status: answer.status, text: answer.text }).toEqual({ status: route.status, text: expect.any(String) });
  expect(answer.headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  expect(answer.headers.get("cache-control")).toBe("no-store");
  if (!route.response) return;
  expect(answer.headers.get("content-type")).toBe("application/json");
  expect(findFaults(closed(route.response), answer.json)).toEqual([]);
}

describe("reading", () => {
  for (const route of ROUTES) {
    if (route.method !== "GET" || route.fileType !== undefined) continue;
    test(nameOf(route), async () => {
      const isInForce = pathOf(route) === "/valuations/in-force";
      const query = isInForce ? `?on=2026-02-01&stockClassId=${records["share-classes"]}` : "";
      expectAnswer(route, await server.api("GET", `${fill(route, pathIds(route, records))}${query}`));
    });
  }
});

/** A body that will be accepted: the example with ids that exist, and what the state of things asks for besides. */
async function goodBody(route: Route): Promise<unknown> {
  if (route.method === "GET" || route.method === "PUT" || !route.body) return undefined;
  const example = { ...(examples.body(route as never) as Json) };
  for (const name of Object.keys(example)) {
    const segment = NAMES_RECORDS_OF[name];
    if (segment) example[name] = name.endsWith("Ids") ? [records[segment]] : records[segment];
    if (name === "certificateId") example[name] = `NEW-${++counter}`;
  }
  return { ...example, ...(await PREPARED[nameOf(route)]?.()) };
}

async function issue(given: Json = {}): Promise<Json> {
  const body = { stakeholderId: records.stakeholders, stockClassId: records["share-classes"], ...given };
  return { securityId: await issueShares(server, { ...body, quantity: "100" }), quantity: "10" };
}

async function grantOptions(given: Json = {}): Promise<Json> {
  const answer = await server.api("POST", "/transactions/issue-options", {
    stakeholderId: records.stakeholders,
    stockPlanId: records["equity-plans"],
    quantity: "100",
    exercisePrice: "0.5",
    optionType: "ISO",
    certificateId: `OPT-${++counter}`,
    effectiveDate: "2026-01-15",
    ...given,
  });
  return { securityId: answer.json.data.securityId, quantity: "10", exercisePrice: "0.5" };
}

/** A round, and the digest of what its model says. */
async function modelledRound(): Promise<Json> {
  const asOf = new Date().toISOString().slice(0, 10);
  const model = {
    asOf,
    closingDate: asOf,
    newClass: { name: `Series ${++counter}`, defaultIdPrefix: `S${counter}-` },
    valuation: { kind: "PRE_MONEY", amount: "15000000" },
    investors: [{ stakeholderId: await makeStakeholder(server), amount: "5000000" }],
  };
  const answer = await server.api("POST", "/models/round", model);
  expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 200 });
  return { model, digest: answer.json.data.digest };
}

/** Fresh records for the operations that use them up or need them in a state. */
const PREPARED: Readonly<Record<string, () => Promise<Json>>> = {
  "POST /transactions/issue-options": async () => ({ quantity: "10" }),
  "POST /transactions/transfer": async () => ({
    ...(await issue()),
    fromStakeholderId: records.stakeholders,
    toStakeholderId: await makeStakeholder(server),
  }),
  "POST /transactions/exercise": () => grantOptions(),
  "POST /transactions/cancel": () => issue(),
  "POST /transactions/convert": async () => ({ ...(await issue()), stockClassId: await makeShareClass(server) }),
  "POST /transactions/repurchase": () => issue(),
  "POST /transactions/retract": async () => ({ securityId: (await issue()).securityId }),
  "POST /transactions/correct": async () => ({ securityId: (await issue()).securityId }),
  "POST /transactions/split": async () => ({ stockClassId: await makeShareClass(server) }),
  "POST /transactions/start-vesting": async () => ({
    securityId: (await issue({ vestingTermsId: records["vesting-terms"] })).securityId,
    conditionId: "month",
  }),
  "POST /transactions/accelerate-vesting": () => issue({ vestingTermsId: records["vesting-terms"] }),
  "POST /transactions/record-vesting-event": async () => ({
    ...(await issue({ vestingTermsId: records["vesting-terms"] })),
    conditionId: undefined,
  }),
  "POST /transactions/terminate-service": async () => {
    const stakeholderId = await makeStakeholder(server, { relationships: ["EMPLOYEE"] });
    await grantOptions({ stakeholderId, vestingTermsId: records["vesting-terms"] });
    await issue({ stakeholderId, vestingTermsId: records["vesting-terms"] });
    return { stakeholderId };
  },
  "POST /transactions/adjust-conversion": async () => ({
    stockClassId: await makeShareClass(server, { classType: "PREFERRED", defaultIdPrefix: `P${++counter}-` }),
  }),
  "POST /models/cap-table": async () => {
    const equityPlanId = records["equity-plans"];
    return { add: [{ type: "STOCK_OPTION", equityPlanId, name: "New hire", quantity: "25", exercisePrice: "1.2" }] };
  },
  "POST /models/round": async () => ({ pool: { targetPercent: "10", equityPlanId: records["equity-plans"] } }),
  "POST /models/expense": async () => {
    const { securityId } = await grantOptions({ vestingTermsId: records["vesting-terms"] });
    return { grants: [{ securityId, fairValuePerShare: "0.84" }] };
  },
  "POST /models/round/close": () => modelledRound(),
  "POST /scenarios/compare": async () => {
    const other = await server.api("POST", "/scenarios", { name: "Again", model: "CAP_TABLE", input: {} });
    return { scenarioIds: [records.scenarios, other.json.id] };
  },
  "POST /portal/acceptances": async () => {
    const { securityId } = await issue({ asksAcceptance: true });
    const { items } = (await server.api("GET", "/portal/acceptances")).json.data;
    const { digest } = items.find((each: Json) => each.securityId === securityId);
    return { securityId, digest };
  },
  "POST /imports": async () => ({ documentId: records.imported }),
  "POST /securities": async () => ({ status: "ACTIVE", quantity: "10" }),
  "POST /documents": async () => ({ relatedObjects: [] }),
  "PATCH /approvals/{id}/steps/{stepId}": async () => ({ status: undefined, comment: undefined, name: "Counsel" }),
};

/** Routes that need more than a body; their own tests try them. */
const ELSEWHERE = [
  "POST /approvals/{id}/submit",
  "POST /approvals/{id}/lock",
  "POST /share-classes/{id}/retokenize",
  "POST /securities/{id}/acceptances",
  "POST /securities/{id}/ask-acceptance",
  "POST /cap-table/ocf-import",
  "POST /imports/{id}/commit",
  "POST /members/{id}/operator-reset",
  "POST /members/{id}/accept-email",
];

describe("writing, and writing again with the same key", () => {
  for (const route of ROUTES) {
    if (!["POST", "PATCH", "PUT"].includes(route.method) || ELSEWHERE.includes(nameOf(route))) continue;
    test(nameOf(route), async () => {
      const body = route.method === "PUT" ? "bytes" : await goodBody(route);
      const path = fill(route, pathIds(route, records));
      const headers = { "idempotency-key": `retry-${++counter}` };
      const answer = await server.api(route.method, path, body, { headers });
      expectAnswer(route, answer);
      const location = answer.headers.get("location");
      expect(location !== null).toBe(route.isLocated === true);
      if (location) expect((await server.api("GET", location.replace("/api/v1", ""))).status).toBe(200);
      if (route.method === "GET" || !route.isIdempotent) return;
      const again = await server.api(route.method, path, body, { headers });
      expect(again.headers.get("idempotent-replayed")).toBe("true");
      expect(answer.headers.get("idempotent-replayed")).toBeNull();
      expect([again.status, again.text, again.headers.get("location")]).toEqual([answer.status, answer.text, location]);
      const other = await server.api(
        route.method,
        path,
        { ...(body as Json), effectiveDate: "1999-01-01" },
        { headers },
      );
      expect(other.status).toBe(422);
    });
  }
});

describe("trying out: `dryRun` answers 200 with null ids and effects, and keeps nothing", () => {
  for (const route of ROUTES) {
    if (route.method !== "POST" || !route.body?.properties.dryRun || ELSEWHERE.includes(nameOf(route))) continue;
    test(nameOf(route), async () => {
      const body = { ...((await goodBody(route)) as Json), dryRun: true };
      const before = (await server.api("GET", "/transactions?limit=1")).text;
      const answer = await server.api("POST", fill(route, pathIds(route, records)), body);
      expect({ status: answer.status, text: answer.text }).toMatchObject({ status: 200 });
      const data = (route.response as TSchema).properties.data as TSchema;
      for (const name of Object.keys(data.properties)) {
        if (name.endsWith("Id")) expect({ name, value: answer.json.data[name] }).toEqual({ name, value: null });
      }
      const effect = Type.Object({
        resourceType: Type.String(),
        id: Type.Union([Type.String(), Type.Null()]),
        field: Type.String(),
        before: Type.Unknown(),
        after: Type.Unknown(),
      });
      expect(findFaults(Type.Array(effect), answer.json.data.effects)).toEqual([]);
      expect((await server.api("GET", "/transactions?limit=1")).text).toBe(before);
    });
  }
});

describe("deleting", () => {
  for (const route of ROUTES) {
    if (route.method !== "DELETE") continue;
    test(nameOf(route), async () => {
      const orgId = await server.newOrganization();
      const fresh = await makeRecords(server, orgId);
      const path = fill(route, pathIds(route, fresh));
      const answer = await server.api("DELETE", path, undefined, { orgId });
      if (answer.status === 409) {
        expect(answer.json.type).toEndWith("/problems/in-use");
        return;
      }
      expectAnswer(route, answer);
      expect(answer.text).toBe("");
      // What is revoked or ended stays, and is so the second time.
      const isKept = /\/(?:api-keys|invitations)\/|\/sessions$/.test(nameOf(route));
      expect((await server.api("DELETE", path, undefined, { orgId })).status).toBe(isKept ? 204 : 404);
      if (!isKept) expect((await server.api("GET", path, undefined, { orgId })).status).toBe(404);
    });
  }
});
