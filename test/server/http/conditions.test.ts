// Conditional requests over a real socket: what reads answer to `If-None-Match`, and changes to `If-Match`.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Route } from "../../../src/resources/route.ts";
import { makeStakeholder } from "../../kit/records.ts";
import { type Answer, startTestServer, type TestServer } from "../../kit/service.ts";
import { fill, makeRecords, nameOf, pathIds, type Records, ROUTES, withHolder } from "../../matrix/world.ts";

const TAG = /^"[0-9a-f]{16}"$/;
const OTHER = '"0123456789abcdef"';
const QUERY: Readonly<Record<string, string>> = {
  "/valuations/in-force": "?stockClassId={share-classes}&on=2026-01-15",
  "/securities/next-certificate": "?type=STOCK&stockClassId={share-classes}",
};
/** Reads whose answers hold the moment at which they were made. */
const OF_MOMENT = [
  "GET /cap-table",
  "GET /stakeholders/{id}/position",
  "GET /scenarios/{id}/result",
  "GET /cap-table/health",
];

let service: TestServer;
let server: TestServer;
let records: Records;
beforeAll(async () => {
  service = await startTestServer({ CAPTABLE_ENV: "test" });
  records = await makeRecords(service, service.orgId);
  server = await withHolder(service, records.stakeholders);
});
afterAll(() => service.stop());

function addressOf(route: Route): string {
  const path = fill(route, pathIds(route, records));
  const query = QUERY[path] ?? "";
  return path + query.replaceAll(/\{([a-z-]+)\}/g, (_, name: string) => records[name] ?? "");
}

const get = (path: string, headers: Record<string, string> = {}) => server.api("GET", path, undefined, { headers });
const tagAt = async (path: string) => (await get(path)).headers.get("etag") ?? "";
const isJsonRead = (route: Route) => route.method === "GET" && route.response !== undefined;

describe("each read of JSON", () => {
  for (const route of ROUTES.filter(isJsonRead)) {
    test(nameOf(route), async () => {
      const path = addressOf(route);
      const first = await get(path);
      if (first.status !== 200) throw new Error(`${path}: ${first.status} ${first.text}`);
      const tag = first.headers.get("etag") ?? "";
      expect(tag).toMatch(TAG);
      expect(tag).toBe(`"${Bun.hash(first.text).toString(16).padStart(16, "0")}"`);
      if (OF_MOMENT.includes(nameOf(route))) return;
      const again = await get(path, { "if-none-match": tag });
      expect({ status: again.status, text: again.text, tag: again.headers.get("etag") }).toEqual({
        status: 304,
        text: "",
        tag,
      });
      for (const name of ["x-request-id", "cache-control", "x-content-type-options"]) {
        expect({ name, sent: again.headers.has(name) }).toEqual({ name, sent: true });
      }
    });
  }

  test("there are as many as the table has", () => {
    expect(ROUTES.filter(isJsonRead).length).toBeGreaterThan(45);
  });
});

test("files and text carry no tag", async () => {
  const ofFiles = ROUTES.filter((route) => route.method === "GET" && route.response === undefined);
  expect(ofFiles.length).toBeGreaterThan(20);
  for (const path of ["/stakeholders.csv", "/checkpoint", "/reports/holders.csv"]) {
    const answer = await get(path, { "if-none-match": "*" });
    if (answer.status !== 404) expect([answer.status, answer.headers.get("etag")]).toEqual([200, null]);
  }
});

test("HEAD has the tag of GET", async () => {
  const { headers, text } = await server.api("HEAD", `/stakeholders/${records.stakeholders}`);
  expect([headers.get("etag"), text]).toEqual([await tagAt(`/stakeholders/${records.stakeholders}`), ""]);
});

describe("If-None-Match", () => {
  const path = () => `/share-classes/${records["share-classes"]}`;
  const asked = async (header: (tag: string) => string) => {
    const { status, json } = await get(path(), { "if-none-match": header(await tagAt(path())) });
    return status === 422 ? json.errors : status;
  };

  test("is one tag, a weak one, one of a list, or any", async () => {
    for (const header of [
      (tag: string) => tag,
      (tag: string) => `W/${tag}`,
      (tag: string) => `${OTHER}, ${tag}`,
      (tag: string) => `, "a,b" ,${tag},`,
      () => "*",
    ]) {
      expect(await asked(header)).toBe(304);
    }
    expect(await asked(() => OTHER)).toBe(200);
    expect(await asked(() => '""')).toBe(200);
  });

  test("is refused where it is no list of tags, together with what is wrong in the query", async () => {
    for (const header of ["abc", '"abc', '"a" "b"', '*, "a"', 'w/"a"', "", ","]) {
      const errors = [{ header: "If-None-Match", detail: expect.stringContaining("must be") }];
      expect(await asked(() => header)).toEqual(errors);
    }
    const { status, json } = await get(`${path()}?a=1`, { "if-none-match": "abc" });
    expect([status, json.errors.length]).toEqual([422, 2]);
  });

  test("is not for a change", async () => {
    const headers = { "if-none-match": "*" };
    for (const answer of [
      await server.api("PATCH", path(), {}, { headers }),
      await server.api("POST", "/stock-legends", { name: "A", text: "B" }, { headers }),
      await server.api("POST", "/models/cap-table", {}, { headers }),
    ]) {
      expect([answer.status, answer.json.errors?.[0]?.header]).toEqual([422, "If-None-Match"]);
    }
  });
});

/** The changes that work on one record: by the addresses of the table. */
const TAKING = ROUTES.filter((route) => route.method !== "GET" && route.record !== undefined);
const BODIES: Readonly<Record<string, unknown>> = {
  "POST /approvals/{id}/steps": { name: "Counsel" },
  "POST /vesting-terms/{id}/preview": {},
};

describe("If-Match", () => {
  test("is taken by each change of one record, and by no other", () => {
    const names = TAKING.map(nameOf);
    for (const name of [
      "PATCH /organization",
      "DELETE /securities/{id}",
      "POST /approvals/{id}/lock",
      "POST /approvals/{id}/steps",
      "PATCH /approvals/{id}/steps/{stepId}",
      "PUT /documents/{id}/content",
      "POST /imports/{id}/commit",
    ]) {
      expect(names).toContain(name);
    }
    const changes = ROUTES.filter(({ method }) => method === "PATCH" || method === "DELETE").map(nameOf);
    expect(changes.filter((name) => !names.includes(name))).toEqual(["DELETE /invitations/{id}"]);
  });

  for (const route of TAKING) {
    test(`${nameOf(route)} with another tag`, async () => {
      const path = addressOf(route);
      const { record } = route;
      if (record === undefined) throw new Error("no record");
      const recordPath = fill(record, pathIds(record, records));
      const before = await get(recordPath);
      expect(before.status).toBe(200);
      const isUpload = route.method === "PUT";
      const example = "bodyExample" in route ? route.bodyExample : undefined;
      const body = isUpload
        ? "text"
        : (BODIES[nameOf(route)] ?? example ?? ("body" in route && route.body ? {} : undefined));
      const headers = { "if-match": OTHER, ...(isUpload ? { "content-type": "text/plain" } : {}) };
      const refused = await server.api(route.method, path, body, { headers });
      expect([refused.status, refused.json.type?.split("/").at(-1)]).toEqual([412, "precondition-failed"]);
      const after = await get(recordPath);
      const { lastUsedAt: _one, ...shown } = before.json;
      const { lastUsedAt: _other, ...still } = after.json;
      expect(still).toEqual(shown);
    });
  }

  test("any other change refuses it at the header", async () => {
    const headers = { "if-match": "*" };
    const others = ROUTES.filter((route) => route.method !== "GET" && route.record === undefined);
    expect(others.length).toBeGreaterThan(20);
    for (const route of others.filter((each) => !("gives" in each))) {
      const body = "body" in route && route.body ? {} : undefined;
      const { status, json } = await server.api(route.method, addressOf(route), body, { headers });
      const found = json.errors?.some((error: { header?: string }) => error.header === "If-Match");
      expect([nameOf(route), status, found]).toEqual([nameOf(route), 422, true]);
    }
  });

  test("with the tag that was read, the change is made once", async () => {
    const path = `/stakeholders/${await makeStakeholder(service)}`;
    const tag = await tagAt(path);
    const headers = { "if-match": `${OTHER}, ${tag}` };
    const change = (displayName: string) => server.api("PATCH", path, { displayName }, { headers });
    expect((await change("Ada King")).status).toBe(200);
    expect((await change("Augusta")).status).toBe(412);
    expect((await get(path)).json.displayName).toBe("Ada King");
    expect((await server.api("PATCH", path, { displayName: "A" }, { headers: { "if-match": "*" } })).status).toBe(200);
  });

  test("a weak tag is no demand that holds", async () => {
    const path = `/share-classes/${records["share-classes"]}`;
    const headers = { "if-match": `W/${await tagAt(path)}` };
    expect((await server.api("PATCH", path, {}, { headers })).status).toBe(412);
  });

  test("a record that is not there is 404, also for any tag; a body that is wrong comes before both", async () => {
    const path = "/stakeholders/0190f5a2-6c1e-7b3a-9d4e-000000000000";
    for (const tag of [OTHER, "*"]) {
      const headers = { "if-match": tag };
      expect((await server.api("PATCH", path, {}, { headers })).status).toBe(404);
      expect((await server.api("DELETE", path, undefined, { headers })).status).toBe(404);
      expect((await server.api("PATCH", path, { displayName: 1 }, { headers })).status).toBe(422);
    }
  });

  test("another organization's record is not there", async () => {
    const orgId = await service.newOrganization();
    const path = `/stakeholders/${records.stakeholders}`;
    const headers = { "if-match": await tagAt(path) };
    expect((await service.api("DELETE", path, undefined, { headers, orgId })).status).toBe(404);
  });

  test("a retry gets the stored answer, whatever the tag is now", async () => {
    const path = `/corporate-actions/${records["corporate-actions"]}`;
    const headers = { "if-match": await tagAt(path), "idempotency-key": "once" };
    const change = () => server.api("PATCH", path, { title: "Terminated" }, { headers });
    const [first, again] = [await change(), await change()];
    expect([first.status, again.status, again.headers.get("idempotent-replayed")]).toEqual([200, 200, "true"]);
  });

  test("a step of an approval is decided by its own tag, or by that of the approval it was looked at in", async () => {
    const made = await server.api("POST", "/approvals", {
      ...{ title: "Grants", entityType: "Option Grant", steps: [{ name: "Chair" }, { name: "Counsel" }] },
    });
    const { id, steps } = made.json.data;
    const path = `/approvals/${id}`;
    await server.api("POST", `${path}/submit`);
    const [chair, counsel] = steps.map((step: { readonly id: string }) => `${path}/steps/${step.id}`);
    const decide = async (step: string, tag: string) => {
      const headers = { "if-match": tag };
      return (await server.api("PATCH", step, { status: "APPROVED" }, { headers })).status;
    };
    const [looked, other] = [await tagAt(path), await tagAt(`/approvals/${records.approvals}`)];
    expect(await decide(chair, other)).toBe(412);
    await server.api("POST", `${path}/steps`, { name: "Auditor" });
    expect(await decide(chair, looked)).toBe(412);
    expect(await decide(chair, await tagAt(path))).toBe(200);
    expect(await decide(counsel, await tagAt(chair))).toBe(412);
    const operation = { method: "PATCH", path: `/api/v1${counsel}`, body: { status: "APPROVED" } };
    const batch = async (ifMatch: string) =>
      (await server.api("POST", "/batch", { operations: [{ ...operation, ifMatch }] })).status;
    expect([await batch(looked), await batch(await tagAt(path))]).toEqual([412, 200]);
    expect(await decide(`${path}/steps/${(await get(path)).json.data.steps[2].id}`, await tagAt(path))).toBe(200);
  });

  test("of 50 changes at once with one tag, one is made", async () => {
    const path = `/stakeholders/${await makeStakeholder(service)}`;
    const headers = { "if-match": await tagAt(path) };
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, at) => server.api("PATCH", path, { displayName: `Name ${at}` }, { headers })),
    );
    const count = (status: number) => answers.filter((answer: Answer) => answer.status === status).length;
    expect([count(200), count(412)]).toEqual([1, 49]);
  });

  test("each member that is changed changes the tag", async () => {
    const path = `/stakeholders/${await makeStakeholder(service)}`;
    const changes = [
      { displayName: "B" },
      { name: { legalName: "Bee" } },
      { type: "INSTITUTION" },
      { status: "FORMER" },
      { relationships: ["INVESTOR"] },
      { email: "b@example.com" },
      { issuerAssignedId: "B-1" },
      { comments: "Née A" },
    ];
    const tags = [await tagAt(path)];
    for (const change of changes) {
      const headers = { "if-match": tags.at(-1) ?? "" };
      expect((await server.api("PATCH", path, change, { headers })).status).toBe(200);
      tags.push(await tagAt(path));
    }
    expect(new Set(tags).size).toBe(changes.length + 1);
  });
});
