// What a holder's new wallet and a class begun again ask of tokens, page by page.
import { afterAll, beforeAll, expect, setDefaultTimeout, test } from "bun:test";
import { type Call, callWithoutRequest } from "../../../src/kernel/call.ts";
import { systemRuntime } from "../../../src/kernel/runtime.ts";
import { PIECE } from "../../../src/storage/database/long-writes.ts";
import { planJob } from "../../../src/tokens/jobs/mirror.ts";
import { listFailed, listUnfinished } from "../../../src/tokens/jobs/operation-store.ts";
import { failOperation } from "../../../src/tokens/jobs/record.ts";
import { expectNoTokens } from "../../../src/tokens/jobs/stock-store.ts";
import { listPlannable } from "../../../src/tokens/jobs/store.ts";
import { listPositions, setTokenization } from "../../../src/tokens/jobs/token-store.ts";
import type { Service } from "../../kit/in-process.ts";
import { COUNT, Company } from "./company.ts";

setDefaultTimeout(120_000);

const [FIRST, SECOND] = ["0x52908400098527886E0F7030069857D2E4169EE7", "0x8617E340B3D01FA5F11F306F4090FD50E238070D"];

let service: Service;
let company: Company;
let call: Call;

/** Plans whatever can be planned. */
async function planAll(): Promise<void> {
  for (;;) {
    const [job] = listPlannable(service.reader, { limit: 1 });
    if (job === undefined) return;
    await service.writer.submit((tx) => planJob(tx, call, job, 0));
  }
}

const ofClass = () => ({ orgId: company.orgId, stockClassId: company.stockClassId });
const addresses = () => new Set(listPositions(service.reader, ofClass()).map(({ address }) => address));

beforeAll(async () => {
  company = await Company.copy(3);
  service = company.service;
  call = callWithoutRequest(systemRuntime, company.orgId, "job");
  await company.api("PATCH", `/stakeholders/${company.stakeholderId}`, { walletAddress: FIRST });
  await company.api("POST", `/approvals/${company.approvalId}/lock`);
  await company.finish();
  await service.writer.submit((tx) =>
    setTokenization(tx, call, company.stockClassId, { tokenizationStatus: "DEPLOYED", tokenAddress: SECOND }),
  );
  await planAll();
});
afterAll(() => service.stop());

test("a new wallet moves all that its holder has, and once", async () => {
  expect([addresses(), listPositions(service.reader, ofClass()).length]).toEqual([new Set([FIRST]), COUNT]);
  const before = listUnfinished(service.reader, ofClass()).length;
  await company.api("PATCH", `/stakeholders/${company.stakeholderId}`, { walletAddress: SECOND });
  await planAll();
  expect([addresses(), listPositions(service.reader, ofClass()).length]).toEqual([new Set([SECOND]), COUNT]);
  const moves = listUnfinished(service.reader, ofClass()).slice(before);
  expect(new Set(moves.map(({ kind, fromAddress, toAddress }) => `${kind} ${fromAddress} ${toAddress}`))).toEqual(
    new Set([`transfer ${FIRST} ${SECOND}`]),
  );
  expect(new Set(moves.map(({ fromSecurityId }) => fromSecurityId)).size).toBe(COUNT);
});

test("a class begun again does its failed operations again, after its stock is shown as about to get tokens", async () => {
  const operations = listUnfinished(service.reader, ofClass());
  expect(operations.length).toBeGreaterThan(2 * PIECE);
  await service.writer.submit((tx) => {
    for (const operation of operations) failOperation(tx, call, operation, "no funds");
  });
  const failed = () => listFailed(service.reader, { ...ofClass(), after: 0, limit: 10_000 }).length;
  expect([failed(), await company.countOf("FAILED")]).toEqual([operations.length, COUNT]);
  await company.api("POST", `/share-classes/${company.stockClassId}/retokenize`);
  expect([failed(), await company.countOf("PENDING")]).toEqual([operations.length, COUNT]);
  // Nothing is planned that could be shown otherwise before.
  await company.api("PATCH", `/stakeholders/${company.stakeholderId}`, { walletAddress: FIRST });
  expect(listPlannable(service.reader, { limit: 1 })).toEqual([]);
  await company.finish();
  expect([failed(), await company.countOf("PENDING")]).toEqual([0, COUNT]);
  expect(listUnfinished(service.reader, ofClass()).every(({ state }) => state === "QUEUED")).toBe(true);
  expect(listPlannable(service.reader, { limit: 1 }).length).toBe(1);
  expect(service.differences()).toEqual([]);
});

test("a class that is to have no tokens gets none that were promised piece by piece", async () => {
  const other = await Company.make(service);
  await other.fail();
  await other.api("POST", `/share-classes/${other.stockClassId}/retokenize`);
  const job = callWithoutRequest(systemRuntime, other.orgId, "job");
  await service.writer.submit((tx) => expectNoTokens(tx, job, other.stockClassId));
  expect(await other.countOf("NOT_APPLICABLE")).toBe(COUNT);
  expect(await other.finish()).toBe(0);
  expect(await other.countOf("NOT_APPLICABLE")).toBe(COUNT);
});
