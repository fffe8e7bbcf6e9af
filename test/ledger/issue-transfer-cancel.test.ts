import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { issueShares, makeShareClass, makeStakeholder } from "../kit/records.ts";
import { startTestServer, type TestServer } from "../kit/service.ts";

let server: TestServer;
let holder: string;
let other: string;
let stockClass: string;

beforeAll(async () => {
  server = await startTestServer();
  holder = await makeStakeholder(server);
  other = await makeStakeholder(server);
  stockClass = await makeShareClass(server, { initialSharesAuthorized: "100000" });
});
afterAll(() => server.stop());

async function security(id: string) {
  return (await server.api("GET", `/securities/${id}`)).json;
}

async function totalIssued(): Promise<string> {
  return (await server.api("GET", "/cap-table/summary")).json.data.totalIssued;
}

describe("issue-shares", () => {
  test("makes an ACTIVE stock security and answers its ids and Location", async () => {
    const body = {
      stakeholderId: holder,
      stockClassId: stockClass,
      quantity: "1000.50",
      certificateId: "CS-1",
      effectiveDate: "2026-01-15",
      pricePerShare: "0.5",
    };
    const answer = await server.api("POST", "/transactions/issue-shares", body);
    expect(answer.status).toBe(201);
    const { securityId, transactionId } = answer.json.data;
    expect(answer.headers.get("location")).toBe(`/api/v1/securities/${securityId}`);
    expect(await security(securityId)).toMatchObject({
      type: "STOCK",
      status: "ACTIVE",
      quantity: "1000.50",
      certificateId: "CS-1",
      grantDate: "2026-01-15",
      vestingStartDate: "2026-01-15",
      pricePerShare: "0.5",
      purchasePrice: "500.25",
    });
    const [entry] = (await server.api("GET", "/transactions?type=STOCK_ISSUANCE")).json.data;
    expect(entry).toMatchObject({ id: transactionId, securityId, stakeholderId: holder, quantity: "1000.50" });
  });

  test("is refused beyond the authorized shares, and moves nothing", async () => {
    const before = await totalIssued();
    const body = { stakeholderId: holder, stockClassId: stockClass, quantity: "100000", certificateId: "X-1" };
    const answer = await server.api("POST", "/transactions/issue-shares", { ...body, effectiveDate: "2026-01-15" });
    expect([answer.status, answer.json.type.split("/").at(-1)]).toEqual([409, "insufficient-authorized-shares"]);
    expect(await totalIssued()).toBe(before);
  });

  test("is refused for a certificate id that another security has", async () => {
    const given = { stakeholderId: holder, stockClassId: stockClass, certificateId: "DUP-1" };
    await issueShares(server, given);
    const body = { ...given, quantity: "1", effectiveDate: "2026-01-15" };
    const answer = await server.api("POST", "/transactions/issue-shares", body);
    expect([answer.status, answer.json.type.split("/").at(-1)]).toEqual([409, "duplicate-certificate-id"]);
  });
});

describe("transfer", () => {
  test("of a part shrinks the source and makes the recipient's security; the total stays", async () => {
    const source = await issueShares(server, { stakeholderId: holder, stockClassId: stockClass, quantity: "100" });
    const before = await totalIssued();
    const body = { securityId: source, fromStakeholderId: holder, toStakeholderId: other, quantity: "30" };
    const answer = await server.api("POST", "/transactions/transfer", { ...body, effectiveDate: "2026-02-01" });
    expect(answer.status).toBe(201);
    const made = await security(answer.json.data.newSecurityId);
    expect(made).toMatchObject({ status: "ACTIVE", quantity: "30", stakeholderId: other, originSecurityId: source });
    expect(await security(source)).toMatchObject({ status: "ACTIVE", quantity: "70" });
    expect(await totalIssued()).toBe(before);
  });

  test("of the whole closes the source as TRANSFERRED", async () => {
    const source = await issueShares(server, { stakeholderId: holder, stockClassId: stockClass, quantity: "100" });
    const body = { securityId: source, fromStakeholderId: holder, toStakeholderId: other, quantity: "100" };
    await server.api("POST", "/transactions/transfer", { ...body, effectiveDate: "2026-02-01" });
    expect(await security(source)).toMatchObject({ status: "TRANSFERRED", quantity: "0" });
  });

  test.each([
    ["more than it holds", { quantity: "101" }, 422, "#/quantity"],
    ["to the same holder", { toStakeholderId: "holder" }, 422, "#/toStakeholderId"],
    [
      "from a stakeholder who does not hold it",
      { fromStakeholderId: "other", toStakeholderId: "holder" },
      409,
      undefined,
    ],
    ["to an unknown stakeholder", { toStakeholderId: "unknown" }, 404, undefined],
  ])("%s is refused", async (_case, change, status, pointer) => {
    const source = await issueShares(server, { stakeholderId: holder, stockClassId: stockClass, quantity: "100" });
    const people: Record<string, string> = { holder, other };
    const changed = Object.fromEntries(Object.entries(change).map(([name, value]) => [name, people[value] ?? value]));
    const body = { securityId: source, fromStakeholderId: holder, toStakeholderId: other, quantity: "1", ...changed };
    const answer = await server.api("POST", "/transactions/transfer", { ...body, effectiveDate: "2026-02-01" });
    expect(answer.status).toBe(status);
    expect(answer.json.errors?.[0]?.pointer).toBe(pointer);
    expect(await security(source)).toMatchObject({ status: "ACTIVE", quantity: "100" });
  });

  test("as a dry run answers what would happen and changes nothing", async () => {
    const source = await issueShares(server, { stakeholderId: holder, stockClassId: stockClass, quantity: "100" });
    const body = { securityId: source, fromStakeholderId: holder, toStakeholderId: other, quantity: "100" };
    const answer = await server.api("POST", "/transactions/transfer", {
      ...body,
      effectiveDate: "2026-02-01",
      dryRun: true,
    });
    expect(answer.status).toBe(200);
    expect(answer.json.data).toMatchObject({ transactionId: null, newSecurityId: null });
    const expected = { resourceType: "security", id: source, field: "status", before: "ACTIVE", after: "TRANSFERRED" };
    expect(answer.json.data.effects).toContainEqual(expected);
    expect(await security(source)).toMatchObject({ status: "ACTIVE", quantity: "100" });
  });
});

describe("cancel", () => {
  test("of a part leaves the rest ACTIVE; of the rest closes it, and then nothing more can be cancelled", async () => {
    const source = await issueShares(server, { stakeholderId: holder, stockClassId: stockClass, quantity: "100" });
    const cancel = (quantity: string) =>
      server.api("POST", "/transactions/cancel", {
        securityId: source,
        quantity,
        cancellationReason: "FORFEITURE",
        effectiveDate: "2026-03-01",
      });
    expect((await cancel("40")).status).toBe(200);
    expect(await security(source)).toMatchObject({ status: "ACTIVE", quantity: "60" });
    expect((await cancel("60")).status).toBe(200);
    expect(await security(source)).toMatchObject({ status: "CANCELLED", quantity: "0" });
    expect((await cancel("1")).status).toBe(409);
  });
});
