// What waits and how long: a deployment's deadline, classes without a request to tokenize, and shares that pile up.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { join } from "node:path";
import { commandLineCall } from "../../../src/kernel/call.ts";
import { systemRuntime } from "../../../src/kernel/runtime.ts";
import { changeLogged } from "../../../src/storage/database/log/logged.ts";
import { DATABASE_FILE, openReadOnly } from "../../../src/storage/database/open.ts";
import { ChainError } from "../../../src/tokens/chain/port.ts";
import { chainSource } from "../../../src/tokens/chain/source.ts";
import { issueShares, makeShareClass, makeStakeholder } from "../../kit/records.ts";
import { removeTemporaryFolders, temporaryFolder } from "../chain/support/people.ts";
import { classWith, securityWith, settled, startOn, until, withEmbeddedChain } from "./support/tokens.ts";

const MINUTE_MS = 60_000;

/** A service whose clock and chain obey the test. */
async function obedientService() {
  const dataDir = temporaryFolder();
  const source = chainSource({ dataDir, rpcUrl: null, keyFile: null, passwordFile: null, confirmations: 1 });
  let isDown = true;
  let offsetMs = 0;
  const service = await startOn(
    dataDir,
    {},
    {
      runtime: { ...systemRuntime, nowMs: () => systemRuntime.nowMs() + offsetMs },
      chain: {
        ...source,
        openChain: async () => {
          if (isDown) throw new ChainError("unreachable", "the node cannot be reached (ECONNREFUSED)");
          return source.openChain();
        },
      },
    },
  );
  return {
    ...service,
    pass: (ms: number) => {
      offsetMs += ms;
    },
    bringUp: () => {
      isDown = false;
    },
  };
}

afterAll(removeTemporaryFolders);

test("a deployment that has not succeeded after 10 minutes is FAILED with the reason, and can be asked for again", async () => {
  const service = await obedientService();
  const stockClassId = await makeShareClass(service);
  const stakeholderId = await makeStakeholder(service);
  const securityId = await issueShares(service, { stakeholderId, stockClassId });
  await classWith(service, stockClassId, "PENDING");
  const early = await service.api("POST", `/share-classes/${stockClassId}/retokenize`);
  expect([early.status, early.json.type.split("/").at(-1)]).toEqual([409, "invalid-state"]);
  service.pass(9 * MINUTE_MS);
  await Bun.sleep(300);
  expect((await service.api("GET", `/share-classes/${stockClassId}`)).json.tokenizationStatus).toBe("PENDING");
  service.pass(2 * MINUTE_MS);
  const failed = await classWith(service, stockClassId, "FAILED");
  expect(failed.tokenError).toMatch(/10 minutes.*cannot be reached/);
  expect((await service.api("GET", `/securities/${securityId}`)).json.tokenStatus).toBe("PENDING");
  service.bringUp();
  const again = await service.api("POST", `/share-classes/${stockClassId}/retokenize`);
  expect([again.status, again.json.tokenizationStatus, again.json.tokenError]).toEqual([200, "PENDING", null]);
  service.pass(MINUTE_MS);
  await securityWith(service, securityId, "MINTED");
  await service.stop();
}, 60_000);

test("of a class that was deleted before its token was begun, nothing waits", async () => {
  const dataDir = temporaryFolder();
  const source = chainSource({ dataDir, rpcUrl: null, keyFile: null, passwordFile: null, confirmations: 1 });
  const gate = Promise.withResolvers<void>();
  const openWallets = () => gate.promise.then(() => source.openWallets());
  const service = await startOn(dataDir, {}, { chain: { ...source, openWallets } });
  try {
    const stockClassId = await makeShareClass(service);
    const stakeholderId = await makeStakeholder(service);
    const securityId = await issueShares(service, { stakeholderId, stockClassId });
    await service.api("PATCH", `/securities/${securityId}`, { status: "CANCELLED" });
    expect((await service.api("DELETE", `/share-classes/${stockClassId}`)).status).toBe(204);
    gate.resolve();
    const db = openReadOnly(join(dataDir, DATABASE_FILE));
    const jobs = db.sqlite.prepare("select kind, state from outbox order by seq");
    const states = await until("no job that waits", async () => {
      const all = jobs.all() as { readonly state: string }[];
      return all.some(({ state }) => state === "QUEUED" || state === "RUNNING") ? null : all.map(({ state }) => state);
    });
    db.sqlite.close();
    expect(states).toEqual(["DROPPED", "DROPPED", "DROPPED"]);
  } finally {
    await service.stop();
  }
}, 60_000);

describe("on an embedded chain", () => {
  let service: Awaited<ReturnType<typeof startOn>>;
  beforeAll(async () => {
    service = await startOn(temporaryFolder());
  });
  afterAll(() => service.stop());

  test("an imported class is tokenized when asked, and its shares then mint in batches", async () => {
    const orgId = (await service.api("GET", "/organization")).json.id;
    const stockClassId = await makeShareClass(service);
    await classWith(service, stockClassId, "DEPLOYED");
    const untouched = { isImported: 1, tokenizationStatus: "NOT_STARTED", tokenAddress: null } as const;
    const importedId = await makeShareClass(service);
    await classWith(service, importedId, "DEPLOYED");
    // As if it had come by an import: it has shares, and no user asked for a token.
    const call = commandLineCall(systemRuntime, orgId);
    await service.app.writer.submit((tx) => changeLogged(tx, call, "share_classes", importedId, untouched));
    const stakeholderId = await makeStakeholder(service);
    const securities: string[] = [];
    for (let index = 0; index < 45; index++) {
      securities.push(await issueShares(service, { stakeholderId, stockClassId: importedId, quantity: "2" }));
    }
    const [first = ""] = securities;
    expect((await service.api("GET", `/securities/${first}`)).json.tokenStatus).toBe("NOT_APPLICABLE");
    await service.api("PATCH", `/share-classes/${importedId}`, { name: "Renamed" });
    await Bun.sleep(200);
    const before = await service.api("GET", `/share-classes/${importedId}`);
    expect(before.json.tokenizationStatus).toBe("NOT_STARTED");
    const head = await withEmbeddedChain(service.dataDir, (chain) => chain.head());
    const asked = await service.api("POST", `/share-classes/${importedId}/retokenize`);
    expect([asked.status, asked.json.tokenizationStatus]).toEqual([200, "PENDING"]);
    for (const id of securities) await securityWith(service, id, "MINTED");
    expect(await settled(service, importedId)).toMatchObject({ totalSupply: "90", ledgerTotal: "90" });
    const blocks = (await withEmbeddedChain(service.dataDir, (chain) => chain.head())) - head;
    expect(Number(blocks)).toBeLessThanOrEqual(5);
    const split = { stockClassId: importedId, numerator: 3, denominator: 1, effectiveDate: "2026-04-01" };
    const answer = await service.api("POST", "/transactions/split", split);
    expect([answer.status, answer.json.data.securitiesAdjusted]).toEqual([200, 45]);
    expect(await settled(service, importedId)).toMatchObject({
      totalSupply: "270",
      ledgerTotal: "270",
      lastError: null,
    });
  }, 60_000);

  test("a class and its shares that are gone before they got a token leave none", async () => {
    const stockClassId = await makeShareClass(service);
    const stakeholderId = await makeStakeholder(service);
    const securityId = await issueShares(service, { stakeholderId, stockClassId, quantity: "5" });
    const cancellation = { securityId, quantity: "5", cancellationReason: "FORFEITURE", effectiveDate: "2026-03-01" };
    await service.api("POST", "/transactions/cancel", cancellation);
    await classWith(service, stockClassId, "DEPLOYED");
    expect(await settled(service, stockClassId)).toMatchObject({ totalSupply: "0", failedOperations: 0 });
    const { tokenStatus } = (await service.api("GET", `/securities/${securityId}`)).json;
    expect(["NOT_APPLICABLE", "MINTED"]).toContain(tokenStatus);
  });
});
