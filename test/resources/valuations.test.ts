import { afterAll, beforeAll, expect, test } from "bun:test";
import { issueShares, makeShareClass, makeStakeholder } from "../kit/records.ts";
import { startTestServer, type TestServer } from "../kit/service.ts";
import { newestEntry, refusal, tryBodies, tryCommonRules } from "./support.ts";

let server: TestServer;
let stockClassId: string;
const basic = { type: "409A", pricePerShare: "1.250", effectiveDate: "2026-01-15" };

beforeAll(async () => {
  server = await startTestServer();
  stockClassId = await makeShareClass(server);
});
afterAll(() => server.stop());

test("valuations behave as every resource does", () =>
  tryCommonRules(server, "/valuations", { ...basic, stockClassId }, "items"));

test("each member is taken up to its limit, and refused beyond", () =>
  tryBodies(server, "/valuations", {
    required: { ...basic, stockClassId },
    accepted: [
      ["type", "BOARD"],
      ["type", "FINANCING"],
      ...["DRAFT", "PENDING_APPROVAL", "APPROVED", "EXPIRED"].map((status) => ["status", status] as const),
      ["pricePerShare", "0.0000000001"],
      ["effectiveDate", "2024-02-29"],
      ["expirationDate", "2027-01-15"],
      ["provider", "é".repeat(200)],
      ["reportId", "r".repeat(100)],
      ["fairMarketValue", "0"],
      ["enterpriseValue", "999999999999999.9999999999"],
      ["boardApprovalDate", "2026-01-15"],
      ["stockholderApprovalDate", "2026-01-15"],
      ["comments", "c".repeat(2000)],
    ],
    refused: [
      ["type", "409a"],
      ["status", "LOCKED"],
      ["pricePerShare", "0"],
      ["pricePerShare", 1.25],
      ["pricePerShare", "-1"],
      ["effectiveDate", "2023-02-30"],
      ["provider", "p".repeat(201)],
      ["reportId", "r".repeat(101)],
      ["fairMarketValue", "1e3"],
      ["enterpriseValue", "1000000000000000"],
      ["comments", "c".repeat(2001)],
      ["stockClassId", 7],
    ],
    nullable: [
      "expirationDate",
      "provider",
      "reportId",
      "fairMarketValue",
      "enterpriseValue",
      "boardApprovalDate",
      "stockholderApprovalDate",
      "comments",
      "sourceDocumentId",
    ],
    defaulted: ["status"],
  }));

test("verificationStatus is the service's on create and anybody's on PATCH", async () => {
  const body = { ...basic, stockClassId };
  const refused = await server.api("POST", "/valuations", { ...body, verificationStatus: "VERIFIED" });
  expect(refusal(refused)).toEqual([422, "validation-failed", "#/verificationStatus"]);
  const { id, ...made } = (await server.api("POST", "/valuations", body)).json;
  expect(made).toMatchObject({ status: "DRAFT", verificationStatus: "UNVERIFIED", pricePerShare: "1.250" });
  const patched = await server.api("PATCH", `/valuations/${id}`, { verificationStatus: "VERIFIED" });
  expect(patched.json.verificationStatus).toBe("VERIFIED");
});

test("a class or document that names nothing is 404, a foreign one too", async () => {
  const foreign = { orgId: await server.newOrganization() };
  const strange = await makeShareClass(server, {}, foreign);
  const { id } = (await server.api("POST", "/valuations", { ...basic, stockClassId })).json;
  for (const wrong of [{ stockClassId: strange }, { stockClassId: "none" }, { sourceDocumentId: "none" }]) {
    expect((await server.api("POST", "/valuations", { ...basic, stockClassId, ...wrong })).status).toBe(404);
    expect((await server.api("PATCH", `/valuations/${id}`, wrong)).status).toBe(404);
  }
});

test("a PATCH appends VALUATION_UPDATE with what changed, and one that changes nothing appends nothing", async () => {
  const { id } = (await server.api("POST", "/valuations", { ...basic, stockClassId })).json;
  const start = await newestEntry(server);
  await server.api("PATCH", `/valuations/${id}`, {});
  await server.api("PATCH", `/valuations/${id}`, basic);
  expect(await newestEntry(server)).toEqual(start);
  await server.api("PATCH", `/valuations/${id}`, { pricePerShare: "2", comments: "after the round" });
  const entry = await newestEntry(server);
  expect(entry).toMatchObject({ type: "VALUATION_UPDATE", securityId: null, stakeholderId: null, quantity: null });
  expect(entry.metadata).toEqual({
    rules: 2,
    valuationId: id,
    changed: ["pricePerShare", "comments"],
    before: { pricePerShare: "1.250" },
    after: { pricePerShare: "2" },
  });
});

test("deleting a valuation takes it out of the securities that name it; deleting its class leaves it without one", async () => {
  const stakeholderId = await makeStakeholder(server);
  const { id } = (await server.api("POST", "/valuations", { ...basic, stockClassId })).json;
  const security = await issueShares(server, { stakeholderId, stockClassId, valuationId: id });
  expect((await server.api("GET", `/securities/${security}`)).json.valuationId).toBe(id);
  expect((await server.api("DELETE", `/valuations/${id}`)).status).toBe(204);
  expect((await server.api("GET", `/securities/${security}`)).json.valuationId).toBeNull();

  const doomed = await makeShareClass(server);
  const orphan = (await server.api("POST", "/valuations", { ...basic, stockClassId: doomed })).json;
  expect((await server.api("DELETE", `/share-classes/${doomed}`)).status).toBe(204);
  expect((await server.api("GET", `/valuations/${orphan.id}`)).json.stockClassId).toBeNull();
});
