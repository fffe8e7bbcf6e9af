// A batch over a real socket: as if one by one, all of it or nothing, and once.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { verifyWhole } from "../../../src/safekeeping/verify/whole.ts";
import { openReadOnly } from "../../../src/storage/database/open.ts";
import { issueShares, makeShareClass, makeStakeholder } from "../../kit/records.ts";
import { type Answer, startTestServer, type TestServer } from "../../kit/service.ts";

const HEAD_OF_NONE = "0".repeat(64);
const NOWHERE = "0190f5a2-6c1e-7b3a-9d4e-000000000000";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ CAPTABLE_ENV: "test" });
});
afterAll(() => server.stop());

interface Step {
  readonly method: string;
  readonly path: string;
  readonly body?: unknown;
  readonly name?: string;
  readonly ifMatch?: string;
}
type Options = Parameters<TestServer["api"]>[3];

const at = (path: string) => `/api/v1${path}`;
const send = (operations: readonly Step[], more: object = {}, options?: Options) =>
  server.api("POST", "/batch", { operations, ...more }, options);
const holder = (name: string): Step => ({
  method: "POST",
  path: at("/stakeholders"),
  name,
  body: { displayName: name, name: { legalName: name }, type: "INDIVIDUAL" },
});
const issuance = (stakeholderId: unknown, stockClassId: unknown, more: object = {}): Step => ({
  method: "POST",
  path: at("/transactions/issue-shares"),
  body: { stakeholderId, stockClassId, quantity: "10", effectiveDate: "2026-01-15", ...more },
});
const legend = (name: string): Step => ({ method: "POST", path: at("/stock-legends"), body: { name, text: "Text." } });

/** What an organization has: the records of every list, its entries and the rows of its log. */
async function contentOf(orgId?: string): Promise<string> {
  const where = orgId === undefined ? {} : { orgId };
  const lists = [
    "stakeholders",
    "share-classes",
    "securities",
    "approvals",
    "stock-legends",
    "transactions",
    "audit-log",
  ];
  const answers = await Promise.all(lists.map((list) => server.api("GET", `/${list}?limit=100`, undefined, where)));
  return answers.map(({ text }) => text).join("\n");
}

/** Expects that a batch is refused and leaves nothing. */
async function refused(operations: readonly Step[], more: object = {}, options?: Options): Promise<Answer> {
  const before = await contentOf();
  const answer = await send(operations, more, options);
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(await contentOf()).toBe(before);
  return answer;
}
const pointersOf = ({ json }: Answer) => json.errors.map(({ pointer }: { pointer: string }) => pointer).sort();

describe("a batch", () => {
  test("answers what each operation answers alone, and refers to earlier ones in bodies and addresses", async () => {
    const { status, json } = await send([
      holder("ada"),
      {
        ...{ method: "POST", path: at("/share-classes"), name: "common" },
        body: {
          ...{ name: "Common", classType: "COMMON", defaultIdPrefix: "CS-", initialSharesAuthorized: "1000" },
          ...{ votesPerShare: "1", seniority: 1 },
        },
      },
      { ...issuance({ $ref: "ada.id" }, { $ref: "common.id" }, { certificateId: "CS-1" }), name: "issued" },
      {
        ...{ method: "POST", path: at("/approvals"), name: "board" },
        body: { title: "Founders", entityType: "Stock Issuance", steps: [{ name: "Board" }] },
      },
      { method: "POST", path: at("/approvals/{board.id}/submit") },
      { method: "PATCH", path: at("/securities/{issued.securityId}"), body: { comments: "Founder's stock" } },
      { method: "DELETE", path: at(`/stock-legends/${await legendAlone()}`) },
    ]);
    expect({ status, errors: json.errors }).toMatchObject({ status: 200 });
    const { results } = json.data;
    expect(results.map((each: { status: number }) => each.status)).toEqual([201, 201, 201, 201, 200, 200, 204]);
    expect(results.map((each: { name: string | null }) => each.name)).toEqual([
      ...["ada", "common", "issued", "board"],
      ...[null, null, null],
    ]);
    const [ada, , issued, board, submitted, changed, deleted] = results;
    expect((await server.api("GET", `/stakeholders/${ada.body.id}`)).json).toMatchObject({ displayName: "ada" });
    expect(ada.location).toBe(`/api/v1/stakeholders/${ada.body.id}`);
    expect(issued.body.data.warnings).toBeInstanceOf(Array);
    expect(issued.location).toBe(`/api/v1/securities/${issued.body.data.securityId}`);
    expect(submitted.body.data).toMatchObject({ id: board.body.data.id, state: "Submitted" });
    expect(changed.body).toMatchObject({ comments: "Founder's stock", stakeholderId: ada.body.id });
    expect([deleted.body, deleted.location]).toEqual([null, null]);
  });

  test("gives each operation its own row of the log, with its method and address, the batch's request and one instant", async () => {
    const requestId = "0190f5a2-6c1e-7b3a-9d4e-aaaaaaaaaaaa";
    const operations = [
      holder("grace"),
      { method: "PATCH", path: at("/stakeholders/{grace.id}"), body: { comments: "Née Murray" } },
    ];
    const { json } = await send(operations, {}, { headers: { "x-request-id": requestId } });
    const id = json.data.results[0].body.id;
    const { items } = (await server.api("GET", `/audit-log?resourceId=${id}`)).json;
    const rows = items.toReversed();
    expect(rows.map((row: Record<string, unknown>) => [row.method, row.path, row.requestId])).toEqual([
      ["POST", "/api/v1/stakeholders", requestId],
      ["PATCH", `/api/v1/stakeholders/${id}`, requestId],
    ]);
    expect(new Set(rows.map((row: Record<string, unknown>) => row.at ?? row.createdAt)).size).toBe(1);
  });

  test("takes 500 operations, and not 501, none, or another member", async () => {
    const many = (count: number) => Array.from({ length: count }, (_, n) => legend(`L ${n}`));
    expect((await send(many(500))).json.data.results.length).toBe(500);
    for (const [operations, pointer] of [
      [many(501), "#/operations"],
      [[], "#/operations"],
      [[{ ...legend("A"), query: "a=1" }], "#/operations/0/query"],
      [[{ ...legend("A"), method: "PUT" }], "#/operations/0/method"],
    ] as const) {
      expect(pointersOf(await refused(operations as readonly Step[]))).toEqual([pointer]);
    }
  });
});

async function legendAlone(): Promise<string> {
  return (await server.api("POST", "/stock-legends", { name: "Alone", text: "Text." })).json.id;
}

describe("what is wrong is all said before anything is done", () => {
  test("in every operation, at its place", async () => {
    const answer = await refused([
      { method: "POST", path: at("/stakeholders"), body: { displayName: "A" } },
      { method: "POST", path: at("/no-such-thing"), body: {} },
      {
        method: "POST",
        path: at("/transactions/issue-shares"),
        body: { ...(issuance("x", "y").body as object), dryRun: true },
      },
      { method: "DELETE", path: at(`/stakeholders/${NOWHERE}`), body: {} },
      { method: "PATCH", path: at(`/stakeholders/${NOWHERE}`) },
      { ...legend("A"), name: "twice" },
      { ...legend("B"), name: "twice" },
      { ...legend("C"), ifMatch: '"0123456789abcdef"' },
    ]);
    expect(answer.status).toBe(422);
    expect(pointersOf(answer)).toEqual([
      ...["#/operations/0/body/name", "#/operations/0/body/type", "#/operations/1/path"],
      ...[
        "#/operations/2/body/certificateId",
        "#/operations/2/body/dryRun",
        "#/operations/3/body",
        "#/operations/4/body",
      ],
      ...["#/operations/6/name", "#/operations/7/ifMatch"],
    ]);
  });

  test("addresses that no batch takes: other methods, reads, keys, members, imports, the organization, itself", async () => {
    const kept = [
      ["POST", "/batch", { operations: [] }],
      ["POST", "/api-keys", { name: "K", role: "ADMIN" }],
      ["DELETE", `/api-keys/${NOWHERE}`],
      ["PATCH", "/organization", {}],
      ["POST", "/invitations", { email: "a@example.com", role: "VIEWER" }],
      ["PATCH", `/members/${NOWHERE}`, {}],
      ["POST", "/imports", { documentId: NOWHERE }],
      ["POST", `/imports/${NOWHERE}/commit`],
      ["POST", "/cap-table/ocf-import", {}],
      ["POST", "/models/cap-table", {}],
      ["POST", "/ledger/verify"],
      ["POST", "/auth/sign-out"],
      ["DELETE", "/stakeholders"],
      ["POST", "/stakeholders/"],
      ["POST", "//stakeholders"],
    ] as const;
    const operations = kept.map(([method, path, body]) => ({ method, path: at(path), ...(body ? { body } : {}) }));
    expect(pointersOf(await refused(operations))).toEqual(kept.map((_, n) => `#/operations/${n}/path`).sort());
    for (const path of [
      "/api/v1/stakeholders?limit=1",
      "/api/v2/stakeholders",
      "stakeholders",
      `/api/v1/${"a".repeat(500)}`,
    ]) {
      expect(pointersOf(await refused([{ method: "POST", path, body: {} }]))).toEqual(["#/operations/0/path"]);
    }
  });

  test("references: forward, to itself, to an unknown one, to a number, to what is not answered, of another form", async () => {
    const named = (reference: string): Step => ({ ...legend("A"), body: { name: { $ref: reference }, text: "T" } });
    const operations = [
      { ...named("later.id"), name: "self" },
      { ...named("self.id"), name: "self2" },
      named("unknown.id"),
      { ...legend("L"), name: "later" },
      named("later.version"),
      named("later"),
      named("later.id.x"),
      { method: "DELETE", path: at("/stock-legends/{later.id}"), name: "gone" },
      named("gone.id"),
      { method: "DELETE", path: at("/stock-legends/{unknown.id}") },
      { method: "DELETE", path: at("/stock-legends/{later.nothing}") },
    ];
    const answer = await refused(operations);
    const wrong = [0, 2, 4, 5, 6, 8].map((n) => `#/operations/${n}/body/name`);
    expect(pointersOf(answer)).toEqual([...wrong, "#/operations/9/path", "#/operations/10/path"].sort());
    // A class's seniority is a number, and a number's place takes no reference.
    const ofNumber = await refused([
      { method: "POST", path: at("/approvals"), name: "a", body: { title: "T", entityType: "Other" } },
      { ...legend("B"), body: { name: "B", text: { $ref: "a.steps" } } },
    ]);
    expect(pointersOf(ofNumber)).toEqual(["#/operations/1/body/text"]);
    const inQuantity = await refused([
      holder("zed"),
      issuance({ $ref: "zed.id" }, NOWHERE, { certificateId: "Z", quantity: { $ref: "zed.id" } }),
    ]);
    expect(pointersOf(inQuantity)).toEqual(["#/operations/1/body/quantity"]);
  });

  test("a reference to what is empty when its turn comes", async () => {
    const answer = await refused([
      holder("blank"),
      { ...legend("A"), body: { name: "A", text: { $ref: "blank.comments" } } },
      { method: "DELETE", path: at("/stakeholders/{blank.email}") },
    ]);
    expect([answer.status, answer.json.operation, answer.json.name]).toEqual([422, 1, null]);
    expect(pointersOf(answer)).toEqual(["#/operations/1/body/text"]);
  });

  test("in a free object nothing is a reference", async () => {
    const metadata = { $ref: "unknown.id", more: [{ $ref: "unknown.id" }] };
    const entry = { type: "VALUATION_UPDATE", effectiveDate: "2026-01-15", metadata };
    const { status, json } = await send([{ method: "POST", path: at("/transactions"), body: entry }]);
    expect([status, json.data.results[0].body.data.metadata]).toEqual([200, metadata]);
  });
});

describe("all of it or nothing", () => {
  test("each of 40 operations made to fail in turn: its problem, its number and name, and nothing is left", async () => {
    const stockClassId = await makeShareClass(server, { initialSharesAuthorized: "1000000" });
    const operations = Array.from({ length: 20 }, (_, n) => [
      holder(`h${n}`),
      { ...issuance({ $ref: `h${n}.id` }, stockClassId, { certificateId: `F-${n}` }), name: `s${n}` },
    ]).flat();
    expect(operations.length).toBe(40);
    for (const [number, operation] of operations.entries()) {
      const failing = { ...issuance(NOWHERE, stockClassId, { certificateId: "X" }), name: operation.name };
      const others = operations
        .slice(number + 1)
        .filter(({ body }) => !JSON.stringify(body).includes(`${operation.name}.`));
      const answer = await refused([...operations.slice(0, number), failing as Step, ...others]);
      expect([answer.status, answer.json.type.split("/").at(-1)]).toEqual([404, "not-found"]);
      expect([answer.json.operation, answer.json.name]).toEqual([number, operation.name]);
    }
    expect((await send(operations)).status).toBe(200);
  });

  test("a limit that several exceed together is refused at the one that exceeds it", async () => {
    const stockClassId = await makeShareClass(server, { initialSharesAuthorized: "25" });
    const stakeholderId = await makeStakeholder(server);
    const three = ["A", "B", "C"].map((letter) =>
      issuance(stakeholderId, stockClassId, { certificateId: `M-${letter}` }),
    );
    const answer = await refused(three);
    expect([answer.status, answer.json.operation]).toEqual([409, 2]);
  });

  test("another organization's records are not there", async () => {
    const orgId = await server.newOrganization();
    const stockClassId = await makeShareClass(server, {}, { orgId });
    const answer = await refused([holder("own"), issuance({ $ref: "own.id" }, stockClassId, { certificateId: "Q" })]);
    expect([answer.status, answer.json.operation]).toEqual([404, 1]);
  });

  test("a tag is demanded of the record as the operations before left it", async () => {
    const id = await makeStakeholder(server);
    const tag = (await server.api("GET", `/stakeholders/${id}`)).headers.get("etag") ?? "";
    const change = (comments: string, ifMatch = tag): Step => {
      return { method: "PATCH", path: at(`/stakeholders/${id}`), body: { comments }, ifMatch };
    };
    const answer = await refused([change("first"), { ...change("second"), name: "two" }]);
    expect([answer.status, answer.json.operation, answer.json.name]).toEqual([412, 1, "two"]);
    expect((await send([change("first"), change("second", "*")])).status).toBe(200);
  });

  test("the ledger's newest entry is demanded by ifHead", async () => {
    const orgId = await server.newOrganization();
    const where = { orgId };
    const [stockClassId, stakeholderId] = [
      await makeShareClass(server, {}, where),
      await makeStakeholder(server, {}, where),
    ];
    const one = [issuance(stakeholderId, stockClassId, { certificateId: "I-1" })];
    const before = await contentOf(orgId);
    expect((await send(one, { ifHead: "a".repeat(64) }, where)).status).toBe(412);
    expect(await contentOf(orgId)).toBe(before);
    expect((await send(one, { ifHead: HEAD_OF_NONE }, where)).status).toBe(200);
    const two = [issuance(stakeholderId, stockClassId, { certificateId: "I-2" })];
    expect((await send(two, { ifHead: HEAD_OF_NONE }, where)).status).toBe(412);
    const { head } = (await send(two, { dryRun: true }, where)).json.data;
    expect((await send(two, { ifHead: head }, where)).status).toBe(200);
  });
});

describe("once", () => {
  test("20 equal batches with one key at once have one effect and 20 equal answers", async () => {
    const headers = { "idempotency-key": "batch-once" };
    const operations = [holder("once"), { ...legend("Once"), name: "legend" }];
    const answers = await Promise.all(Array.from({ length: 20 }, () => send(operations, {}, { headers })));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.filter((answer) => answer.headers.get("idempotent-replayed") === "true").length).toBe(19);
    expect((await server.api("GET", "/stakeholders?q=once")).json.items.length).toBe(1);
    const reused = await send([holder("once")], {}, { headers });
    expect([reused.status, reused.json.type.split("/").at(-1)]).toEqual([422, "idempotency-key-reused"]);
  });
});

describe("a dry run", () => {
  test("answers each member that would change, and keeps nothing", async () => {
    const stockClassId = await makeShareClass(server, { initialSharesAuthorized: "1000" });
    const stakeholderId = await makeStakeholder(server, { comments: "Before" });
    const securityId = await issueShares(server, { stakeholderId, stockClassId, quantity: "100" });
    const before = await contentOf();
    const summary = (await server.api("GET", "/cap-table/summary")).json.data;
    const { status, json } = await send(
      [
        { method: "PATCH", path: at(`/stakeholders/${stakeholderId}`), body: { comments: "After" } },
        holder("dry"),
        issuance({ $ref: "dry.id" }, stockClassId, { certificateId: "DRY-1", quantity: "7" }),
        { method: "PATCH", path: at("/stakeholders/{dry.id}"), body: { comments: "New" } },
        {
          method: "POST",
          path: at("/transactions/cancel"),
          body: { securityId, quantity: "40", effectiveDate: "2026-02-01", cancellationReason: "FORFEITURE" },
        },
      ],
      { dryRun: true },
    );
    expect({ status, errors: json.errors }).toMatchObject({ status: 200 });
    expect(await contentOf()).toBe(before);
    const { results, effects, ...data } = json.data;
    expect(
      results.every((each: { body: unknown; location: unknown }) => each.body === null && each.location === null),
    ).toBe(true);
    expect([data.before, data.after.totalIssued]).toEqual([summary, String(Number(summary.totalIssued) + 7 - 40)]);
    const of = (operation: number, field: string) =>
      effects.find(
        (each: { operation: number; field: string }) => each.operation === operation && each.field === field,
      );
    const changed = {
      resourceType: "stakeholder",
      id: stakeholderId,
      field: "comments",
      before: "Before",
      after: "After",
    };
    expect(effects.filter((each: { operation: number }) => each.operation === 0)).toEqual([
      { operation: 0, ...changed },
    ]);
    expect(of(1, "displayName")).toEqual({
      operation: 1,
      resourceType: "stakeholder",
      id: null,
      field: "displayName",
      before: null,
      after: "dry",
    });
    expect(of(2, "quantity")).toEqual({
      operation: 2,
      resourceType: "security",
      id: null,
      field: "quantity",
      before: null,
      after: "7",
    });
    expect(of(2, "stakeholderId")?.after ?? null).toBeNull();
    expect(of(2, "issued")).toMatchObject({
      resourceType: "share-class",
      id: stockClassId,
      before: "100",
      after: "107",
    });
    expect(of(3, "comments")).toMatchObject({ id: null, before: null, after: "New" });
    expect(of(4, "quantity")).toMatchObject({ id: securityId, before: "100", after: "60" });
  });

  test("is refused as the batch is", async () => {
    const answer = await refused([holder("a"), issuance({ $ref: "a.id" }, NOWHERE, { certificateId: "N" })], {
      dryRun: true,
    });
    expect([answer.status, answer.json.operation]).toEqual([404, 1]);
  });
});

test("a viewer is refused, and what is wrong is said first", async () => {
  expect((await send([legend("V")], {}, { role: "VIEWER" })).status).toBe(403);
});

test("verify finds the ledger and the log as they must be", async () => {
  const db = openReadOnly(server.app.reader.sqlite.name);
  try {
    const { differences, organizations } = await verifyWhole(db);
    expect(differences).toEqual([]);
    expect(organizations.length).toBeGreaterThan(1);
  } finally {
    db.sqlite.close();
  }
});
