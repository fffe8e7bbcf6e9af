import { afterAll, beforeAll, expect, test } from "bun:test";
import { makeShareClass } from "../kit/records.ts";
import { startTestServer, type TestServer } from "../kit/service.ts";
import { newestEntry, refusal, tryBodies, tryCommonRules } from "./support.ts";

let server: TestServer;
let stockClassId: string;
const basic = { planName: "2026 Plan", initialSharesReserved: "1000.50" };

beforeAll(async () => {
  server = await startTestServer();
  stockClassId = await makeShareClass(server);
});
afterAll(() => server.stop());

async function makePlan(given = {}): Promise<string> {
  return (await server.api("POST", "/equity-plans", { ...basic, ...given })).json.id;
}

async function plan(id: string) {
  return (await server.api("GET", `/equity-plans/${id}`)).json;
}

test("equity plans behave as every resource does", () => tryCommonRules(server, "/equity-plans", basic, "items"));

test("each member is taken up to its limit, and refused beyond", () =>
  tryBodies(server, "/equity-plans", {
    required: basic,
    accepted: [
      ["planName", "p".repeat(100)],
      ["planType", "t".repeat(20)],
      ["initialSharesReserved", "1500"],
      ["stockClassIds", [stockClassId]],
      ["stockClassIds", []],
      ["defaultCancellationBehavior", "RETIRE"],
      ["defaultCancellationBehavior", "RETURN_TO_POOL"],
      ["adoptedDate", "2026-01-15"],
      ["expirationDate", "2036-01-15"],
      ["boardApprovalDate", "2026-01-15"],
      ["stockholderApprovalDate", "2026-01-15"],
      ["comments", "c".repeat(2000)],
    ],
    refused: [
      ["planName", "p".repeat(101)],
      ["planName", "  "],
      ["name", "a plan"],
      ["planType", "t".repeat(21)],
      ["initialSharesReserved", "0"],
      ["initialSharesReserved", 1000],
      ["currentSharesReserved", "5"],
      ["totalSharesReserved", "5"],
      ["stockClassIds", "x"],
      ["stockClassIds", [stockClassId, stockClassId]],
      ["defaultCancellationBehavior", "KEEP"],
      ["adoptedDate", "2026-02-30"],
      ["comments", "c".repeat(2001)],
    ],
    nullable: [
      "planType",
      "expirationDate",
      "boardApprovalDate",
      "stockholderApprovalDate",
      "comments",
      "sourceDocumentId",
    ],
    defaulted: ["stockClassIds", "defaultCancellationBehavior", "adoptedDate"],
  }));

test("a new plan shows its name, defaults, and all of its reserve as available", async () => {
  expect(await plan(await makePlan({ boardApprovalDate: "2026-01-15" }))).toMatchObject({
    name: "2026 Plan",
    planType: null,
    initialSharesReserved: "1000.50",
    currentSharesReserved: "1000.50",
    stockClassIds: [],
    defaultCancellationBehavior: "RETURN_TO_POOL",
    adoptedDate: "2026-01-15",
    verificationStatus: "UNVERIFIED",
  });
  const own = await makePlan({ boardApprovalDate: "2026-01-15", adoptedDate: "2026-02-01" });
  expect((await plan(own)).adoptedDate).toBe("2026-02-01");
  const renamed = await server.api("PATCH", `/equity-plans/${own}`, { planName: "B", verificationStatus: "VERIFIED" });
  expect(renamed.json).toMatchObject({ name: "B", planName: "B", verificationStatus: "VERIFIED" });
});

test("classes and documents that name nothing are 404", async () => {
  const id = await makePlan();
  for (const wrong of [{ stockClassIds: [stockClassId, "none"] }, { sourceDocumentId: "none" }]) {
    expect((await server.api("POST", "/equity-plans", { ...basic, ...wrong })).status).toBe(404);
    expect((await server.api("PATCH", `/equity-plans/${id}`, wrong)).status).toBe(404);
  }
});

test("a deleted class leaves the plans that list it", async () => {
  const doomed = await makeShareClass(server);
  const id = await makePlan({ stockClassIds: [stockClassId, doomed] });
  await server.api("DELETE", `/share-classes/${doomed}`);
  expect((await plan(id)).stockClassIds).toEqual([stockClassId]);
});

test("a PATCH of the initial reserve moves what is available by the difference, and the ledger says so", async () => {
  const id = await makePlan();
  const raised = await server.api("PATCH", `/equity-plans/${id}`, { initialSharesReserved: "1500" });
  expect(raised.json).toMatchObject({ initialSharesReserved: "1500", currentSharesReserved: "1500" });
  expect(await newestEntry(server)).toMatchObject({
    type: "STOCK_PLAN_ADJUSTMENT",
    quantity: "1500",
    metadata: {
      equityPlanId: id,
      newSharesReserved: "1500",
      initialSharesReserved: { before: "1000.50", after: "1500" },
    },
  });
  const start = await newestEntry(server);
  await server.api("PATCH", `/equity-plans/${id}`, { initialSharesReserved: "1500", comments: "no adjustment" });
  expect(await newestEntry(server)).toEqual(start);
});

async function grant(equityPlanId: string, quantity: string) {
  const holder = { displayName: "Grantee", name: { legalName: "Grantee" }, type: "INDIVIDUAL" };
  const stakeholderId = (await server.api("POST", "/stakeholders", holder)).json.id;
  const body = {
    stakeholderId,
    stockPlanId: equityPlanId,
    quantity,
    exercisePrice: "1",
    optionType: "NSO",
    certificateId: `OPT-${stakeholderId}`,
    effectiveDate: "2026-01-15",
  };
  return server.api("POST", "/transactions/issue-options", body);
}

test("a reserve cannot fall below what was granted, and a plan with outstanding grants cannot be deleted", async () => {
  const id = await makePlan({ stockClassIds: [stockClassId] });
  const granted = await grant(id, "600");
  expect(granted.status).toBe(201);
  expect((await plan(id)).currentSharesReserved).toBe("400.5");
  const lowered = await server.api("PATCH", `/equity-plans/${id}`, { initialSharesReserved: "599" });
  expect(refusal(lowered)).toEqual([409, "insufficient-plan-reserve"]);
  expect(await plan(id)).toMatchObject({ initialSharesReserved: "1000.50", currentSharesReserved: "400.5" });
  expect((await server.api("PATCH", `/equity-plans/${id}`, { initialSharesReserved: "600" })).json).toMatchObject({
    currentSharesReserved: "0",
    totalSharesReserved: "600",
  });
  expect(refusal(await server.api("DELETE", `/equity-plans/${id}`))).toEqual([409, "in-use"]);

  const cancelling = {
    securityId: granted.json.data.securityId,
    quantity: "600",
    cancellationReason: "TERMINATION",
    effectiveDate: "2026-02-01",
    returnToPool: true,
  };
  expect((await server.api("POST", "/transactions/cancel", cancelling)).status).toBe(200);
  expect((await plan(id)).currentSharesReserved).toBe("600");
  expect((await server.api("DELETE", `/equity-plans/${id}`)).status).toBe(204);
});
