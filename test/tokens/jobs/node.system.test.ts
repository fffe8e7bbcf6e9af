// Against a real node, from outside: settings, minting, reorganizations, a reset chain, and a node that wants money.
import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { SettingError } from "../../../src/server/config.ts";
import { issueShares, makeShareClass, makeStakeholder } from "../../kit/records.ts";
import { RELEASE } from "../../kit/release.ts";
import { type Anvil, anvilMissing, startAnvil } from "../chain/support/anvil.ts";
import { person, removeTemporaryFolders, temporaryFolder, testKey } from "../chain/support/people.ts";
import { classWith, readToken, securityWith, settled, startOn, units, until } from "./support/tokens.ts";

const WALLET = "0x52908400098527886E0F7030069857D2E4169EE7";
const REORGS = RELEASE ? 60 : 3;
const CLOSERS: (() => Promise<unknown>)[] = [];

afterEach(async () => {
  for (const close of CLOSERS.splice(0).reverse()) await close();
});
afterAll(removeTemporaryFolders);

async function node(...flags: string[]): Promise<Anvil> {
  const anvil = await startAnvil(...flags);
  CLOSERS.push(() => anvil.stop());
  return anvil;
}

function settings(url: string, dataDir: string, more: Record<string, string> = {}): Record<string, string> {
  const keyFile = join(dataDir, "operator");
  writeFileSync(keyFile, testKey(0), { mode: 0o600 });
  return { CAPTABLE_CHAIN_RPC_URL: url, CAPTABLE_CHAIN_KEY_FILE: keyFile, ...more };
}

async function service(url: string, dataDir = temporaryFolder(), more: Record<string, string> = {}) {
  const started = await startOn(dataDir, settings(url, dataDir, more));
  let isStopped = false;
  const stop = async () => {
    if (!isStopped) await started.stop();
    isStopped = true;
  };
  CLOSERS.push(stop);
  return { ...started, stop };
}

type Started = Awaited<ReturnType<typeof service>>;

async function holding(server: Started, quantity = "100") {
  const stockClassId = await makeShareClass(server);
  const stakeholderId = await makeStakeholder(server, { walletAddress: WALLET });
  const securityId = await issueShares(server, { stakeholderId, stockClassId, quantity });
  return { stockClassId, stakeholderId, securityId };
}

async function lastError(server: Started, stockClassId: string, words: RegExp): Promise<void> {
  await until(`the error ${words}`, async () => {
    const { json } = await server.api("GET", `/share-classes/${stockClassId}/token`);
    return words.test(json.lastError ?? "") ? json : null;
  });
}

describe.skipIf(anvilMissing)("a service on a real node", () => {
  test("deploys and mints; the node says the same in its own words", async () => {
    const anvil = await node();
    const server = await service(anvil.url);
    const { stockClassId, securityId } = await holding(server, "100.5");
    const { tokenAddress } = await classWith(server, stockClassId, "DEPLOYED");
    const { tokenTransactionHash } = await securityWith(server, securityId, "MINTED");
    const receipt = (await anvil.ask("eth_getTransactionReceipt", tokenTransactionHash)) as Record<string, unknown>;
    expect(receipt).toMatchObject({ status: "0x1", to: tokenAddress.toLowerCase() });
    const balance = { to: tokenAddress, data: `0x70a08231${WALLET.slice(2).toLowerCase().padStart(64, "0")}` };
    expect(BigInt((await anvil.ask("eth_call", balance, "latest")) as string)).toBe(1_005_000_000_000n);
    expect(BigInt((await anvil.ask("eth_call", { to: tokenAddress, data: "0x18160ddd" }, "latest")) as string)).toBe(
      1_005_000_000_000n,
    );
    expect(await settled(server, stockClassId)).toMatchObject({ chainId: 31337, isLocalDevelopmentChain: false });
  }, 60_000);

  test("survives reorganizations: what they drop is sent again, and counts once", async () => {
    const anvil = await node("--no-mining");
    const miner = setInterval(() => void anvil.ask("evm_mine"), 50);
    CLOSERS.push(async () => clearInterval(miner));
    const server = await service(anvil.url, temporaryFolder(), { CAPTABLE_CHAIN_CONFIRMATIONS: "3" });
    const { stockClassId, stakeholderId } = await holding(server);
    const { tokenAddress } = await classWith(server, stockClassId, "DEPLOYED");
    for (let round = 0; round < REORGS; round++) {
      await issueShares(server, { stakeholderId, stockClassId, quantity: "50" });
      await Bun.sleep(30 * (round % 7));
      await anvil.ask("anvil_reorg", 2, []);
    }
    const shares = 100 + 50 * REORGS;
    expect(await settled(server, stockClassId)).toMatchObject({ totalSupply: String(shares), failedOperations: 0 });
    expect(await readToken(anvil.chain, tokenAddress).balanceOf(WALLET)).toBe(units(shares));
  }, 60_000);

  test("makes its classes FAILED when the chain is reset, and mints everything anew once asked", async () => {
    const first = await node();
    const dataDir = temporaryFolder();
    const before = await service(first.url, dataDir);
    const { stockClassId, securityId } = await holding(before);
    await securityWith(before, securityId, "MINTED");
    await before.stop();
    const second = await node("--timestamp", "1700000000");
    const after = await service(second.url, dataDir);
    await after.api("PATCH", `/share-classes/${stockClassId}`, { initialSharesAuthorized: "2000000" });
    const failed = await classWith(after, stockClassId, "FAILED");
    expect(failed.tokenError).toContain("was reset");
    expect((await after.api("GET", `/securities/${securityId}`)).json.tokenStatus).toBe("FAILED");
    const again = await after.api("POST", `/share-classes/${stockClassId}/retokenize`);
    expect([again.status, again.json.tokenizationStatus, again.json.tokenError]).toEqual([200, "PENDING", null]);
    await securityWith(after, securityId, "MINTED");
    const { tokenAddress } = await classWith(after, stockClassId, "DEPLOYED");
    expect(await readToken(second.chain, tokenAddress).balanceOf(WALLET)).toBe(units(100));
  }, 60_000);

  test("refuses to start on another chain than the one it first used", async () => {
    const [first, second] = [await node(), await node("--chain-id", "31339")];
    const dataDir = temporaryFolder();
    const server = await service(first.url, dataDir);
    const { stockClassId } = await holding(server);
    await classWith(server, stockClassId, "DEPLOYED");
    await server.stop();
    await expect(startOn(dataDir, settings(second.url, dataDir))).rejects.toThrow(SettingError);
    await expect(startOn(dataDir)).rejects.toThrow(/belongs to chain 31337/);
    const wanted = settings(first.url, dataDir, { CAPTABLE_CHAIN_ID: "5" });
    await expect(startOn(dataDir, wanted)).rejects.toThrow(/CAPTABLE_CHAIN_ID|belongs to chain/);
    const url = { CAPTABLE_CHAIN_RPC_URL: first.url };
    await expect(startOn(temporaryFolder(), url)).rejects.toThrow(/CAPTABLE_CHAIN_KEY_FILE/);
  }, 60_000);

  test("waits for money, and goes on when it comes", async () => {
    const anvil = await node();
    await anvil.ask("anvil_setBalance", person(0, 31337).address, "0x0");
    const server = await service(anvil.url);
    const { stockClassId, securityId } = await holding(server);
    await lastError(server, stockClassId, /funds/i);
    expect((await server.api("GET", `/share-classes/${stockClassId}`)).json.tokenizationStatus).toBe("PENDING");
    await anvil.ask("anvil_setBalance", person(0, 31337).address, "0x56bc75e2d63100000");
    await securityWith(server, securityId, "MINTED");
  }, 60_000);

  test("starts while the node is down, waits, and goes on when it is back; a key others can read is refused", async () => {
    const anvil = await node();
    await anvil.stop();
    const dataDir = temporaryFolder();
    const down = await service(anvil.url, dataDir);
    const { stockClassId } = await holding(down);
    await lastError(down, stockClassId, /cannot be reached/);
    expect(down.log.join("")).not.toContain(anvil.url);
    await down.stop();
    const open = settings(anvil.url, dataDir);
    writeFileSync(open.CAPTABLE_CHAIN_KEY_FILE ?? "", testKey(0));
    Bun.spawnSync(["chmod", "644", open.CAPTABLE_CHAIN_KEY_FILE ?? ""]);
    await expect(startOn(dataDir, open)).rejects.toThrow(/can be read by others/);
  }, 60_000);

  test("offers more when a transaction does not get into a block, and mints once", async () => {
    const anvil = await node();
    await anvil.ask("evm_setAutomine", false);
    const dataDir = temporaryFolder();
    const environment = settings(anvil.url, dataDir);
    const impatient = { idleMs: 20, pollMs: 30, resendMs: 100, stuckMs: 150, backoffMs: [50, 200] as const };
    const server = await startOn(dataDir, environment, { jobsTiming: impatient });
    CLOSERS.push(() => server.stop());
    const { stockClassId, securityId } = await holding(server as Started);
    await Bun.sleep(700);
    await anvil.ask("evm_setAutomine", true);
    await anvil.ask("evm_mine");
    await securityWith(server, securityId, "MINTED");
    const { tokenAddress } = await classWith(server, stockClassId, "DEPLOYED");
    expect(await readToken(anvil.chain, tokenAddress).totalSupply()).toBe(units(100));
  }, 60_000);

  test("makes a class FAILED whose contract is gone, and goes on serving", async () => {
    const anvil = await node();
    const server = await service(anvil.url);
    const { stockClassId, stakeholderId, securityId } = await holding(server);
    await securityWith(server, securityId, "MINTED");
    const { tokenAddress } = await classWith(server, stockClassId, "DEPLOYED");
    await anvil.ask("anvil_setCode", tokenAddress, "0x");
    const later = await issueShares(server, { stakeholderId, stockClassId });
    const failed = await classWith(server, stockClassId, "FAILED");
    expect(failed.tokenError).toContain("no token contract");
    expect((await server.api("GET", `/securities/${later}`)).json.tokenStatus).toBe("PENDING");
  }, 60_000);
});
