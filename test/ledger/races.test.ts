// What many clients at once may not bring about. The release run does a thousand rounds where this does a few.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { issueShares, makeShareClass, makeStakeholder } from "../kit/records.ts";
import { RELEASE } from "../kit/release.ts";
import { startTestServer, type TestServer } from "../kit/service.ts";

let server: TestServer;
let holder: string;
let other: string;
let stockClassId: string;

beforeAll(async () => {
  server = await startTestServer();
  holder = await makeStakeholder(server);
  other = await makeStakeholder(server);
  stockClassId = await makeShareClass(server, { initialSharesAuthorized: "1000000000" });
});
afterAll(() => server.stop());

function issuance(certificateId: string) {
  return { stakeholderId: holder, stockClassId, quantity: "1", certificateId, effectiveDate: "2026-01-15" };
}

test("50 parallel issue-shares with one Idempotency-Key make one security, and all get its answer", async () => {
  const headers = { "idempotency-key": "one-key" };
  const issue = () => server.api("POST", "/transactions/issue-shares", issuance("ONE-1"), { headers });
  const answers = await Promise.all(Array.from({ length: 50 }, issue));
  expect(new Set(answers.map((answer) => answer.text)).size).toBe(1);
  expect(answers.every((answer) => answer.status === 201 && answer.headers.has("location"))).toBe(true);
  expect(answers.filter((answer) => answer.headers.get("idempotent-replayed") === "true")).toHaveLength(49);
  const { data } = (await server.api("GET", "/transactions?type=STOCK_ISSUANCE")).json;
  expect(data).toHaveLength(1);
});

test("one key with another body is refused, and is free in another organization and on another path", async () => {
  const headers = { "idempotency-key": "one-key" };
  const reused = await server.api("POST", "/transactions/issue-shares", issuance("OTHER-1"), { headers });
  expect([reused.status, reused.json.type.split("/").at(-1)]).toEqual([422, "idempotency-key-reused"]);
  const body = { displayName: "X", name: { legalName: "X" }, type: "INDIVIDUAL" };
  expect((await server.api("POST", "/stakeholders", body, { headers })).status).toBe(201);
  const orgId = await server.newOrganization();
  expect((await server.api("POST", "/stakeholders", body, { headers, orgId })).status).toBe(201);
});

test("50 parallel issue-shares with different keys make 50, numbered without gaps in the ledger", async () => {
  const issue = (_: unknown, n: number) =>
    server.api("POST", "/transactions/issue-shares", issuance(`MANY-${n}`), {
      headers: { "idempotency-key": `many-${n}` },
    });
  const answers = await Promise.all(Array.from({ length: 50 }, issue));
  expect(new Set(answers.map((answer) => answer.json.data.securityId)).size).toBe(50);
  const { data } = (await server.api("GET", "/transactions?limit=100")).json;
  const sequences = data.map((entry: { sequence: number }) => entry.sequence);
  expect(sequences).toEqual(Array.from({ length: data.length }, (_, n) => data.length - n));
});

test("two transfers of the whole of one security: exactly one wins", async () => {
  for (let round = 0; round < (RELEASE ? 1000 : 4); round++) {
    const securityId = await issueShares(server, { stakeholderId: holder, stockClassId, quantity: "10" });
    const body = { securityId, fromStakeholderId: holder, toStakeholderId: other, quantity: "10" };
    const transfer = () => server.api("POST", "/transactions/transfer", { ...body, effectiveDate: "2026-02-01" });
    const answers = await Promise.all([transfer(), transfer()]);
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, 409]);
  }
}, 120_000);
