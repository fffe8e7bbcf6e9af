// The typed client against a service: calls, lists, batches, changes, events.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { Captable, ProblemError } from "../../kit/client.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";

let server: TestServer;
let captable: InstanceType<typeof Captable>;

beforeAll(async () => {
  server = await startTestServer();
  captable = new Captable({ server: server.url, key: await server.key("ADMIN"), retries: 0 });
});
afterAll(() => server.stop());

const COMMON = {
  name: "Common",
  classType: "COMMON",
  defaultIdPrefix: "CS-",
  initialSharesAuthorized: "1000000",
  votesPerShare: "1",
  seniority: 1,
} as const;
const person = (displayName: string) =>
  ({ displayName, name: { legalName: displayName }, type: "INDIVIDUAL" }) as const;

/** A client of an organization of its own. */
async function ofOrganization() {
  const orgId = await server.newOrganization();
  return new Captable({ server: server.url, key: await server.key("EDITOR", orgId), retries: 0 });
}

/** What a promise rejects with. */
async function failureOf(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => "no failure",
    (failure: unknown) => failure,
  );
}

test("a call gives the body and the response, a refusal is thrown with its kind and place", async () => {
  const { data, response } = await captable.api.POST("/api/v1/stakeholders", { body: person("Ada") });
  expect([data.displayName, response.status]).toEqual(["Ada", 201]);
  expect(response.headers.get("location")).toBe(`/api/v1/stakeholders/${data.id}`);
  const failure = await failureOf(
    captable.api.POST("/api/v1/stakeholders", { body: { ...person("Ada"), type: "ROBOT" as never } }),
  );
  expect(failure).toBeInstanceOf(ProblemError);
  const { slug, status, detail, errors, requestId, message } = failure as InstanceType<typeof ProblemError>;
  expect({ slug, status }).toEqual({ slug: "validation-failed", status: 422 });
  expect(errors[0]?.pointer).toBe("#/type");
  expect(message).toContain(detail);
  expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
  const { data: none } = await captable.api.DELETE("/api/v1/stakeholders/{id}", { params: { path: { id: data.id } } });
  expect(none).toBeUndefined();
});

test("files come as a Blob, text as text, and what is unchanged as 304", async () => {
  const { data: file } = await captable.api.GET("/api/v1/reports/cap-table.csv");
  expect(file).toBeInstanceOf(Blob);
  expect(file.type).toStartWith("text/csv");
  const { data: text } = await captable.api.GET("/api/v1/reports/cap-table.csv", { parseAs: "text" });
  expect(await file.text()).toBe(text);
  const { data: note } = await captable.api.GET("/api/v1/checkpoint");
  expect(note.length).toBeGreaterThan(50);
  const { response } = await captable.api.GET("/api/v1/organization");
  const tag = response.headers.get("etag") ?? "";
  const again = await captable.api.GET("/api/v1/organization", { params: { header: { "If-None-Match": tag } } });
  expect([again.response.status, again.data]).toEqual([304, undefined as never]);
});

test("an id that would be another address is refused before anything is sent", async () => {
  for (const id of ["", ".", ".."]) {
    const asked = captable.api.DELETE("/api/v1/stakeholders/{id}", { params: { path: { id } } });
    expect(await failureOf(asked)).toBeInstanceOf(TypeError);
  }
  const listed = () => captable.list("/api/v1/webhook-endpoints/{id}/deliveries", {}, { path: { id: ".." } });
  expect(listed).toThrow(TypeError);
  const added = () =>
    captable.batch().add("x", "DELETE", "/api/v1/stakeholders/{id}", undefined, { path: { id: "." } });
  expect(added).toThrow(TypeError);
  const strange = captable.api.GET("/api/v1/stakeholders/{id}", { params: { path: { id: "../organization" } } });
  expect(await failureOf(strange)).toMatchObject({ slug: "not-found" });
});

test("bytes are uploaded as they are", async () => {
  const { data } = await captable.api.POST("/api/v1/documents", { body: { title: "Deed", path: "deed.bin" } });
  const id = data.id;
  const bytes = crypto.getRandomValues(new Uint8Array(5000));
  const params = { path: { id } };
  await captable.api.PUT("/api/v1/documents/{id}/content", { params, body: new Blob([bytes]) });
  const { data: read } = await captable.api.GET("/api/v1/documents/{id}/content", { params, parseAs: "arrayBuffer" });
  expect(Buffer.from(read).equals(bytes)).toBe(true);
});

test("each write with an idempotency key gets one of its own, and keeps the one that is given", async () => {
  const sent: (string | null)[] = [];
  const listening = new Captable({
    server: server.url,
    key: await server.key("EDITOR"),
    fetch: (url, init) => {
      sent.push(new Headers(init.headers).get("idempotency-key"));
      return fetch(url, init);
    },
  });
  const { data } = await listening.api.POST("/api/v1/stakeholders", { body: person("A") });
  await listening.api.POST("/api/v1/stakeholders", { body: person("B") });
  const params = { header: { "Idempotency-Key": "mine" } };
  await listening.api.POST("/api/v1/stakeholders", { body: person("C"), params });
  const path = { id: data.id };
  await listening.api.PATCH("/api/v1/stakeholders/{id}", { params: { path }, body: { comments: "x" } });
  await listening.api.GET("/api/v1/stakeholders");
  expect(sent.slice(2)).toEqual(["mine", null, null]);
  expect(new Set(sent.slice(0, 2)).size).toBe(2);
  for (const key of sent.slice(0, 2)) expect(key).toMatch(/^[0-9a-f-]{36}$/);
});

test("a list gives all records over pages, or the pages, whatever its members are called", async () => {
  const own = await ofOrganization();
  const names = Array.from({ length: 7 }, (_, at) => `H${at}`);
  for (const name of names) await own.api.POST("/api/v1/stakeholders", { body: person(name) });
  const found: string[] = [];
  for await (const { displayName } of own.list("/api/v1/stakeholders", { limit: 3, sort: "createdAt" })) {
    found.push(displayName);
  }
  expect(found).toEqual(names);
  const lengths: number[] = [];
  for await (const { items } of own.list("/api/v1/stakeholders", { limit: 3 }).pages()) lengths.push(items.length);
  expect(lengths).toEqual([3, 3, 1]);
  let isTaken = false;
  for await (const each of own.list("/api/v1/transactions")) isTaken = each.id !== "";
  expect(isTaken).toBe(false);
});

test("a list below a record takes what stands in its path", async () => {
  const url = "https://93.184.216.34/hook";
  // What never happens here, so that nothing is sent anywhere.
  const body = { url, types: ["organization.arrived"] };
  const { data: endpoint } = await captable.api.POST("/api/v1/webhook-endpoints", { body });
  const found = [];
  const path = { id: endpoint.id };
  for await (const delivery of captable.list("/api/v1/webhook-endpoints/{id}/deliveries", {}, { path })) {
    found.push(delivery.eventType);
  }
  expect(found).toEqual([]);
  await captable.api.DELETE("/api/v1/webhook-endpoints/{id}", { params: { path } });
});

test("a batch is done once with its references, and a dry run keeps nothing", async () => {
  const own = await ofOrganization();
  const batch = own.batch();
  const common = batch.add("common", "POST", "/api/v1/share-classes", COMMON);
  const ada = batch.add("ada", "POST", "/api/v1/stakeholders", person("Ada"));
  const board = batch.add("board", "POST", "/api/v1/approvals", {
    title: "Founding",
    entityType: "Stock Issuance",
    steps: [{ name: "Board" }],
  });
  batch.add("submit", "POST", "/api/v1/approvals/{id}/submit", undefined, { path: { id: board.ref("id") } });
  const shares = batch.add("shares", "POST", "/api/v1/transactions/issue-shares", {
    stakeholderId: ada.ref("id"),
    stockClassId: common.ref("id"),
    quantity: "10",
    certificateId: "CS-1",
    effectiveDate: "2026-01-02",
  });
  const dry = await batch.run({ dryRun: true });
  expect([shares.of(dry), dry.results.length]).toEqual([null, 5]);
  const [done, again] = [await batch.run(), await batch.run()];
  expect(again).toEqual(done);
  const { data: security } = await own.api.GET("/api/v1/securities/{id}", {
    params: { path: { id: shares.of(done)?.data.securityId ?? "" } },
  });
  expect(security.quantity).toBe("10");
  expect(security.stakeholderId).toBe(ada.of(done)?.id ?? "");
  const { data: summary } = await own.api.GET("/api/v1/cap-table/summary");
  expect(summary.data.totalIssued).toBe("10");
  expect(() => own.batch().add("none", "POST", "/api/v1/stakeholders", person("N")).of(done)).toThrow(TypeError);
});

test("a refused batch names its operation", async () => {
  const batch = captable.batch();
  batch.add("ada", "POST", "/api/v1/stakeholders", person("Ada"));
  batch.add("gone", "DELETE", "/api/v1/stakeholders/{id}", undefined, { path: { id: crypto.randomUUID() } });
  const failure = (await failureOf(batch.run())) as InstanceType<typeof ProblemError>;
  expect([failure.slug, failure.problem.operation, failure.problem.name]).toEqual(["not-found", 1, "gone"]);
});

test("an update that others come between begins again, and gives up after three times more", async () => {
  const { data: ada } = await captable.api.POST("/api/v1/stakeholders", { body: person("Ada") });
  const path = `/api/v1/stakeholders/${ada.id}` as const;
  const byOthers = (comments: string) =>
    captable.api.PATCH("/api/v1/stakeholders/{id}", { params: { path: { id: ada.id } }, body: { comments } });
  const edits = await Promise.allSettled(
    Array.from({ length: 3 }, (_, at) =>
      captable.update(path, ({ comments }) => ({ comments: `${comments ?? ""}${at}` })),
    ),
  );
  expect(edits.filter(({ status }) => status === "fulfilled").length).toBe(3);
  const { data: edited } = await captable.api.GET("/api/v1/stakeholders/{id}", { params: { path: { id: ada.id } } });
  expect([...(edited.comments ?? "")].sort().join("")).toBe("012");
  let reads = 0;
  const isBetween: typeof fetch = (async (url: string, init: RequestInit) => {
    const response = await fetch(url, init);
    if (init.method === "GET") await byOthers(`between ${reads++}`);
    return response;
  }) as typeof fetch;
  const disturbed = new Captable({ server: server.url, key: await server.key("EDITOR"), fetch: isBetween });
  const failure = (await failureOf(disturbed.update(path, { comments: "mine" }))) as InstanceType<typeof ProblemError>;
  expect([failure.slug, reads]).toEqual(["precondition-failed", 4]);
  const { data: kept } = await captable.api.GET("/api/v1/stakeholders/{id}", { params: { path: { id: ada.id } } });
  expect(kept.comments).toBe("between 3");
});

test("events come by the stream with cursors that go on, and a refusal ends them", async () => {
  const own = await ofOrganization();
  const taken: string[] = [];
  const { data: before } = await own.api.GET("/api/v1/events", { params: { query: { after: "latest" } } });
  await own.api.POST("/api/v1/stakeholders", { body: person("One") });
  const first = own.events({ after: before.cursor, types: ["stakeholder.created"] });
  const { value: one } = await first.next();
  await own.api.POST("/api/v1/stakeholders", { body: person("Two") });
  const { value: two } = await first.next();
  await first.return();
  for await (const { id } of own.events({ after: one?.cursor ?? "", types: ["stakeholder.created"] })) {
    taken.push(id);
    break;
  }
  expect(taken).toEqual([two?.id ?? ""]);
  const unknown = own.events({ types: ["nothing.at-all" as never] });
  expect(await failureOf(unknown.next())).toMatchObject({ slug: "validation-failed" });
  const stranger = new Captable({ server: server.url, key: "pg_live_unknown", retries: 0 });
  expect(await failureOf(stranger.events().next())).toMatchObject({ slug: "unauthorized", status: 401 });
});

test("a signal ends what waits for events", async () => {
  const own = await ofOrganization();
  const controller = new AbortController();
  const waiting = failureOf(own.events({ signal: controller.signal }).next());
  controller.abort(new Error("enough"));
  expect(await waiting).toMatchObject({ message: "enough" });
});
