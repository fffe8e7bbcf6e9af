// Out of the box: no settings, a class, shares, and a token that follows the ledger on the embedded chain.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { existsSync, renameSync } from "node:fs";
import { join } from "node:path";
import { parseDecimal } from "../../../src/kernel/numbers/decimal.ts";
import { issueShares, makeShareClass, makeStakeholder } from "../../kit/records.ts";
import { startTestServer, type TestServer } from "../../kit/service.ts";
import { removeTemporaryFolders, temporaryFolder } from "../chain/support/people.ts";
import {
  classWith,
  QUICK,
  readToken,
  securityWith,
  settled,
  startOn,
  units,
  until,
  withEmbeddedChain,
} from "./support/tokens.ts";

const WALLET = "0x52908400098527886E0F7030069857D2E4169EE7";
const OTHER_WALLET = "0x8617E340B3D01FA5F11F306F4090FD50E238070D";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ CAPTABLE_CHAIN: "on" }, { jobsTiming: QUICK });
});
afterAll(async () => {
  await server.stop();
  removeTemporaryFolders();
});

async function transfer(securityId: string, from: string, to: string, quantity: string): Promise<string> {
  const body = { securityId, fromStakeholderId: from, toStakeholderId: to, quantity, effectiveDate: "2026-02-01" };
  const { json } = await server.api("POST", "/transactions/transfer", body);
  return json.data.newSecurityId;
}

async function balance(address: string, holder: string): Promise<bigint> {
  return withEmbeddedChain(server.dataDir, (chain) => readToken(chain, address).balanceOf(holder));
}

async function holder(given: Record<string, unknown> = {}) {
  const id = await makeStakeholder(server, given);
  return { id, read: async () => (await server.api("GET", `/stakeholders/${id}`)).json };
}

describe("a fresh service", () => {
  test("deploys a class, mints what is issued before and after, and says so", async () => {
    const stockClassId = await makeShareClass(server);
    expect((await server.api("GET", `/share-classes/${stockClassId}/token`)).json).toMatchObject({ totalSupply: "0" });
    const ada = await holder();
    const early = await issueShares(server, { stakeholderId: ada.id, stockClassId, quantity: "100.5" });
    const { tokenAddress } = await classWith(server, stockClassId, "DEPLOYED");
    expect(tokenAddress).toMatch(/^0x[0-9a-fA-F]{40}$/);
    const late = await issueShares(server, { stakeholderId: ada.id, stockClassId, quantity: "7" });
    for (const id of [early, late]) {
      const { tokenTransactionHash } = await securityWith(server, id, "MINTED");
      expect(tokenTransactionHash).toMatch(/^0x[0-9a-f]{64}$/);
    }
    const { custodialAddress } = await ada.read();
    expect(await balance(tokenAddress, custodialAddress)).toBe(parseDecimal("107.5"));
    expect(await settled(server, stockClassId)).toMatchObject({
      address: tokenAddress,
      chainId: 31338,
      isLocalDevelopmentChain: true,
      decimals: 10,
      totalSupply: "107.5",
      ledgerTotal: "107.5",
      awaitingApproval: "0",
      failedOperations: 0,
      lastError: null,
    });
  });

  test("follows transfers, cancellations, and a wallet that the holder brings", async () => {
    const stockClassId = await makeShareClass(server);
    const [ada, bob] = [await holder({ walletAddress: WALLET }), await holder()];
    const securityId = await issueShares(server, { stakeholderId: ada.id, stockClassId, quantity: "100" });
    await securityWith(server, securityId, "MINTED");
    const { tokenAddress } = await classWith(server, stockClassId, "DEPLOYED");
    expect(await balance(tokenAddress, WALLET)).toBe(units(100));

    const moved = await transfer(securityId, ada.id, bob.id, "40");
    const { tokenTransactionHash } = await securityWith(server, moved, "MINTED");
    expect(tokenTransactionHash).toMatch(/^0x/);
    const cancellation = { securityId, quantity: "10", cancellationReason: "FORFEITURE", effectiveDate: "2026-03-01" };
    expect((await server.api("POST", "/transactions/cancel", cancellation)).status).toBe(200);
    expect(await settled(server, stockClassId)).toMatchObject({ totalSupply: "90", ledgerTotal: "90" });
    const { custodialAddress } = await bob.read();
    expect([await balance(tokenAddress, WALLET), await balance(tokenAddress, custodialAddress)]).toEqual([
      units(50),
      units(40),
    ]);

    await server.api("PATCH", `/stakeholders/${bob.id}`, { walletAddress: OTHER_WALLET.toLowerCase() });
    await settled(server, stockClassId);
    expect(await balance(tokenAddress, OTHER_WALLET)).toBe(units(40));
    expect(await balance(tokenAddress, custodialAddress)).toBe(0n);
    await server.api("PATCH", `/stakeholders/${bob.id}`, { walletAddress: null });
    await settled(server, stockClassId);
    expect(await balance(tokenAddress, custodialAddress)).toBe(units(40));
    const taken = await server.api("POST", "/stakeholders", {
      displayName: "Eve",
      name: { legalName: "Eve" },
      type: "INDIVIDUAL",
      walletAddress: custodialAddress,
    });
    expect([taken.status, taken.json.type.split("/").at(-1)]).toEqual([409, "duplicate-wallet-address"]);
    const entries = await server.api("GET", "/audit-log?limit=100");
    expect(JSON.stringify(entries.json)).toContain(OTHER_WALLET);
  });

  test("keeps the token's cap in step with the class", async () => {
    const stockClassId = await makeShareClass(server, { initialSharesAuthorized: "100" });
    const stakeholderId = await makeStakeholder(server);
    await classWith(server, stockClassId, "DEPLOYED");
    const raised = { initialSharesAuthorized: "250" };
    const answer = await server.api("PATCH", `/share-classes/${stockClassId}`, raised);
    expect(answer.json.tokenizationStatus).toBe("DEPLOYED");
    const securityId = await issueShares(server, { stakeholderId, stockClassId, quantity: "250" });
    await securityWith(server, securityId, "MINTED");
    const retired = { securityId, quantity: "200", cancellationReason: "FORFEITURE", effectiveDate: "2026-03-01" };
    await server.api("POST", "/transactions/cancel", retired);
    await server.api("PATCH", `/share-classes/${stockClassId}`, { initialSharesAuthorized: "60" });
    expect(await settled(server, stockClassId)).toMatchObject({ totalSupply: "50", failedOperations: 0 });
  });

  test("starts a class's tokenization again only where it failed", async () => {
    const stockClassId = await makeShareClass(server);
    const path = `/share-classes/${stockClassId}/retokenize`;
    const early = await server.api("POST", path);
    if (early.status !== 200) expect(early.json.type).toEndWith("/problems/invalid-state");
    await classWith(server, stockClassId, "DEPLOYED");
    const answer = await server.api("POST", path);
    expect([answer.status, answer.json.tokenizationStatus]).toEqual([200, "DEPLOYED"]);
    expect((await server.api("POST", path, undefined, { role: "VIEWER" })).status).toBe(403);
    expect((await server.api("POST", "/share-classes/unknown/retokenize")).status).toBe(404);
  });
});

describe("shares that await an approval", () => {
  async function approval(): Promise<{ id: string; lock: () => Promise<void> }> {
    const made = await server.api("POST", "/approvals", { title: "Board consent", entityType: "Stock Issuance" });
    const id: string = made.json.data.id;
    return {
      id,
      async lock() {
        const step = await server.api("POST", `/approvals/${id}/steps`, { name: "Board" });
        await server.api("POST", `/approvals/${id}/submit`);
        const { status } = await server.api("PATCH", `/approvals/${id}/steps/${step.json.data.id}`, {
          status: "APPROVED",
        });
        expect(status).toBe(200);
        expect((await server.api("POST", `/approvals/${id}/lock`)).status).toBe(200);
      },
    };
  }

  test("mint once it is locked, and not before; what happens meanwhile changes what is minted", async () => {
    const stockClassId = await makeShareClass(server);
    const [ada, bob] = [await holder(), await holder()];
    const board = await approval();
    const made = await server.api("POST", "/securities", {
      type: "STOCK",
      stakeholderId: ada.id,
      stockClassId,
      quantity: "100",
      grantDate: "2026-01-15",
      certificateId: "GATED-1",
      approvalId: board.id,
    });
    expect([made.status, made.json.tokenStatus]).toEqual([201, "PENDING_APPROVAL"]);
    const { tokenAddress } = await classWith(server, stockClassId, "DEPLOYED");
    const moved = await transfer(made.json.id, ada.id, bob.id, "30");
    expect(await settled(server, stockClassId)).toMatchObject({
      totalSupply: "0",
      ledgerTotal: "100",
      awaitingApproval: "100",
    });
    expect((await server.api("GET", `/securities/${moved}`)).json.tokenStatus).toBe("PENDING_APPROVAL");
    await board.lock();
    for (const id of [made.json.id, moved]) await securityWith(server, id, "MINTED");
    expect(await settled(server, stockClassId)).toMatchObject({ totalSupply: "100", awaitingApproval: "0" });
    expect(await balance(tokenAddress, (await bob.read()).custodialAddress)).toBe(units(30));
  });
});

test("a service without its operator's key goes on, and its tokens wait until the key is back", async () => {
  const dataDir = temporaryFolder();
  const first = await startOn(dataDir);
  const stockClassId = await makeShareClass(first);
  const stakeholderId = await makeStakeholder(first);
  await classWith(first, stockClassId, "DEPLOYED");
  await first.stop();
  const file = join(dataDir, "chain-operator.key");
  renameSync(file, `${file}.away`);
  const second = await startOn(dataDir);
  const securityId = await issueShares(second, { stakeholderId, stockClassId });
  await until("the reason", async () => {
    const { json } = await second.api("GET", `/share-classes/${stockClassId}/token`);
    return json.lastError?.includes("missing") ? json : null;
  });
  expect((await second.api("GET", `/securities/${securityId}`)).json.tokenStatus).toBe("PENDING");
  expect(existsSync(file)).toBe(false);
  renameSync(`${file}.away`, file);
  await securityWith(second, securityId, "MINTED");
  await second.stop();
}, 60_000);

test("holders' addresses are assigned once, and no key or seed is in the database or the log", async () => {
  const secrets = await Promise.all(
    ["chain-operator.key", "wallet-seed"].map(async (name) =>
      (await Bun.file(join(server.dataDir, name)).text()).trim(),
    ),
  );
  const database = await Bun.file(join(server.dataDir, "captable.db")).bytes();
  const wal = await Bun.file(join(server.dataDir, "captable.db-wal")).bytes();
  const text = Buffer.concat([database, wal]).toString("latin1") + server.log.join("");
  for (const secret of secrets) {
    expect(secret.length).toBeGreaterThan(60);
    expect(text.includes(secret)).toBe(false);
    expect(text.includes(secret.replace(/^0x/, ""))).toBe(false);
  }
  const { json } = await server.api("GET", "/stakeholders?limit=100");
  const addresses = json.items
    .map((item: { custodialAddress: string | null }) => item.custodialAddress)
    .filter(Boolean);
  expect(new Set(addresses).size).toBe(addresses.length);
});
