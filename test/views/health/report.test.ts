// The health report as a whole: who may read it, its order, and how many records a finding names.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { startTestServer, type TestServer } from "../../kit/service.ts";
import { Org } from "./support.ts";

setDefaultTimeout(60_000);

let server: TestServer;
let org: Org;

beforeAll(async () => {
  server = await startTestServer({ CAPTABLE_LOG: "off" });
  org = new Org(server, await server.newOrganization("Acme, Inc."));
  const stockClassId = await org.shareClass({ initialSharesAuthorized: "3000" });
  await org.plan(stockClassId, { initialSharesReserved: "1000" });
  for (let index = 0; index < 25; index++) {
    const holder = await org.holder({ displayName: `Holder ${index}`, email: null });
    await org.shares(holder, stockClassId, { certificateId: `CS-${index}` });
  }
  const approval = await org.made("/approvals", { title: "Round", entityType: "Other" });
  await org.made(`/approvals/${approval.id}/steps`, { name: "Board" });
  await org.made(`/approvals/${approval.id}/submit`, {});
});
afterAll(() => server.stop());

test("a finding counts all and names the first twenty, in the order of their making", async () => {
  const finding = await org.find("holder-without-email");
  expect(finding).toMatchObject({ count: 25, detail: "25 holders have no e-mail address on record." });
  expect(finding?.subjects.map(({ name }) => name)).toEqual(
    Array.from({ length: 20 }, (_, index) => `Holder ${index}`),
  );
});

test("findings come in the order of the codes, at most one for each", async () => {
  const findings = await org.findings();
  expect(findings.map(({ code }) => code)).toEqual([
    "approval-missing",
    "class-short-of-reserved",
    "holder-without-email",
    "approval-waiting",
  ]);
});

test("says when it looked, and looks again each time", async () => {
  const read = () => server.api("GET", "/cap-table/health", undefined, { orgId: org.id, role: "VIEWER" });
  const [first, second] = [await read(), await read()];
  expect(Date.parse(second.json.data.checkedAt)).toBeGreaterThanOrEqual(Date.parse(first.json.data.checkedAt));
  const { id } = await org.made("/approvals", { title: "Another", entityType: "Other" });
  await org.made(`/approvals/${id}/steps`, { name: "Board" });
  await org.made(`/approvals/${id}/submit`, {});
  expect((await org.find("approval-waiting"))?.subjects.map(({ name }) => name)).toEqual(["Round", "Another"]);
});

test("what is deleted is in it no more", async () => {
  const own = new Org(server, await server.newOrganization("Beta, Inc."));
  const stockClassId = await own.shareClass({ name: "Series A", classType: "PREFERRED" });
  const security = await own.shares(await own.holder({ email: null }), stockClassId);
  const { id: document } = await own.made("/documents", { title: "Charter", path: "charter.pdf" });
  const codes = async () => (await own.findings()).map(({ code }) => code);
  expect(await codes()).toEqual([
    "approval-missing",
    "document-without-content",
    "preferred-without-preference",
    "holder-without-email",
  ]);
  for (const path of [`/securities/${security}`, `/documents/${document}`, `/share-classes/${stockClassId}`]) {
    expect((await own.call("DELETE", path)).status).toBe(204);
  }
  expect(await codes()).toEqual([]);
});

test("every role may read it; it takes no query", async () => {
  for (const role of ["VIEWER", "EDITOR", "ADMIN"] as const) {
    const answer = await server.api("GET", "/cap-table/health", undefined, { orgId: org.id, role });
    expect([role, answer.status]).toEqual([role, 200]);
  }
  expect((await server.api("GET", "/cap-table/health", undefined, { key: null })).status).toBe(401);
  expect((await org.call("GET", "/cap-table/health?asOf=2026-01-01")).status).toBe(422);
});
