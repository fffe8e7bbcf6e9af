import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { issueShares, makeShareClass, makeStakeholder } from "../kit/records.ts";
import { startTestServer, type TestServer } from "../kit/service.ts";
import { newestEntry, refusal, tryBodies, tryCommonRules } from "./support.ts";

let server: TestServer;
let stakeholderId: string;
let stockClassId: string;
let securityId: string;
const basic = { name: "First customer" };

beforeAll(async () => {
  server = await startTestServer();
  stakeholderId = await makeStakeholder(server);
  stockClassId = await makeShareClass(server);
  securityId = await issueShares(server, { stakeholderId, stockClassId });
});
afterAll(() => server.stop());

async function makeMilestone(given = {}): Promise<string> {
  return (await server.api("POST", "/vesting-milestones", { ...basic, ...given })).json.id;
}

test("milestones behave as every resource does", () => tryCommonRules(server, "/vesting-milestones", basic, "items"));

test("each member is taken up to its limit, and refused beyond", () =>
  tryBodies(server, "/vesting-milestones", {
    required: basic,
    accepted: [
      ["name", "n".repeat(100)],
      ["description", "d".repeat(500)],
      ["targetDate", "2026-06-30"],
    ],
    refused: [
      ["name", "n".repeat(101)],
      ["description", "d".repeat(501)],
      ["targetDate", "2026-06-31"],
      ["quantity", "0"],
      ["quantity", 5],
      ["securityId", ""],
      ["status", "COMPLETED"],
      ["evidenceNote", "x"],
      ["completedAt", "2026-01-15T00:00:00Z"],
    ],
    nullable: ["description", "targetDate", "securityId", "quantity"],
  }));

describe("what vests", () => {
  test("a security and a quantity go together, on create and as the result of a PATCH", async () => {
    const path = "/vesting-milestones";
    const alone = await server.api("POST", path, { ...basic, securityId });
    expect(refusal(alone)).toEqual([422, "validation-failed", "#/quantity"]);
    const nowhere = await server.api("POST", path, { ...basic, quantity: "5" });
    expect(refusal(nowhere)).toEqual([422, "validation-failed", "#/securityId"]);
    const id = await makeMilestone();
    const both = await server.api("PATCH", `${path}/${id}`, { securityId, quantity: "10.50" });
    expect(both.json).toMatchObject({ securityId, quantity: "10.50", status: "PENDING", completedAt: null });
    const half = await server.api("PATCH", `${path}/${id}`, { securityId: null });
    expect(refusal(half)).toEqual([422, "validation-failed", "#/securityId"]);
    const none = await server.api("PATCH", `${path}/${id}`, { securityId: null, quantity: null });
    expect(none.json).toMatchObject({ securityId: null, quantity: null });
  });

  test("half of the two is a fault of the body, found before what it names is looked for", async () => {
    const answer = await server.api("POST", "/vesting-milestones", { ...basic, securityId: crypto.randomUUID() });
    expect(refusal(answer)).toEqual([422, "validation-failed", "#/quantity"]);
  });

  test("a security that names nothing is 404, and more than it holds is 422", async () => {
    const strange = await server.api("POST", "/vesting-milestones", { ...basic, securityId: "none", quantity: "1" });
    expect(refusal(strange)).toEqual([404, "not-found"]);
    const much = await server.api("POST", "/vesting-milestones", { ...basic, securityId, quantity: "1000.1" });
    expect(refusal(much)).toEqual([422, "validation-failed", "#/quantity"]);
    expect(await makeMilestone({ securityId, quantity: "1000" })).toBeString();
  });
});

describe("complete", () => {
  test("sets COMPLETED with the time and the note, once", async () => {
    const id = await makeMilestone();
    const options = { role: "EDITOR", headers: { "idempotency-key": "done" } } as const;
    const note = { evidenceNote: "e".repeat(1000) };
    const done = await server.api("POST", `/vesting-milestones/${id}/complete`, note, options);
    expect(done.status).toBe(200);
    expect(done.json).toMatchObject({ id, status: "COMPLETED", ...note });
    expect(done.json.completedAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect((await server.api("GET", `/vesting-milestones/${id}`)).json).toEqual(done.json);
    const replay = await server.api("POST", `/vesting-milestones/${id}/complete`, note, options);
    expect([replay.text, replay.headers.get("idempotent-replayed")]).toEqual([done.text, "true"]);
    const again = await server.api("POST", `/vesting-milestones/${id}/complete`);
    expect(refusal(again)).toEqual([409, "invalid-state"]);
    expect(refusal(await server.api("PATCH", `/vesting-milestones/${id}`, { name: "x" }))).toEqual([
      409,
      "invalid-state",
    ]);
    expect((await server.api("DELETE", `/vesting-milestones/${id}`)).status).toBe(204);
  });

  test("asked for by many at once, happens once and vests once", async () => {
    const id = await makeMilestone({
      securityId: await issueShares(server, { stakeholderId, stockClassId }),
      quantity: "5",
    });
    const start = (await newestEntry(server))?.sequence;
    const asking = Array.from({ length: 8 }, () => server.api("POST", `/vesting-milestones/${id}/complete`));
    const statuses = (await Promise.all(asking)).map(({ status }) => status).sort();
    expect(statuses).toEqual([200, ...Array.from({ length: 7 }, () => 409)]);
    expect((await newestEntry(server)).sequence).toBe(start + 1);
  });

  test("needs no body, takes only the note, and the note has a limit", async () => {
    const id = await makeMilestone();
    const path = `/vesting-milestones/${id}/complete`;
    const long = await server.api("POST", path, { evidenceNote: "e".repeat(1001) });
    expect(refusal(long)).toEqual([422, "validation-failed", "#/evidenceNote"]);
    expect(refusal(await server.api("POST", path, { note: "x" }))).toEqual([422, "validation-failed", "#/note"]);
    expect((await server.api("POST", path, {}, { role: "VIEWER" })).status).toBe(403);
    expect((await server.api("POST", path, {}, { orgId: await server.newOrganization() })).status).toBe(404);
    expect((await server.api("POST", path)).json).toMatchObject({ status: "COMPLETED", evidenceNote: null });
  });

  test("appends a VESTING_EVENT where a security is named, and none where none is", async () => {
    const securityId = await issueShares(server, { stakeholderId, stockClassId });
    const start = await newestEntry(server);
    await server.api("POST", `/vesting-milestones/${await makeMilestone()}/complete`);
    expect(await newestEntry(server)).toEqual(start);
    const id = await makeMilestone({ securityId, quantity: "250.0" });
    await server.api("POST", `/vesting-milestones/${id}/complete`);
    expect(await newestEntry(server)).toMatchObject({
      type: "VESTING_EVENT",
      securityId,
      stakeholderId,
      quantity: "250.0",
      metadata: { milestoneId: id },
    });
    expect((await server.api("GET", `/securities/${securityId}`)).json.quantity).toBe("1000");
  });

  test("is refused when the security is no longer ACTIVE, and leaves the milestone pending", async () => {
    const doomed = await issueShares(server, { stakeholderId, stockClassId });
    const id = await makeMilestone({ securityId: doomed, quantity: "10" });
    const cancelling = { quantity: "1000", cancellationReason: "FORFEITURE", effectiveDate: "2026-02-01" };
    await server.api("POST", "/transactions/cancel", { securityId: doomed, ...cancelling });
    expect(refusal(await server.api("POST", `/vesting-milestones/${id}/complete`))).toEqual([409, "invalid-state"]);
    expect((await server.api("GET", `/vesting-milestones/${id}`)).json.status).toBe("PENDING");
  });
});
