// kill -9 at the points around signing, keeping, sending, mining and recording: every mint happens exactly once. What
// happened is read from the chain's own events, not from our records.
import { afterAll, describe, expect, setDefaultTimeout, test } from "bun:test";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { ChainError } from "../../../src/tokens/chain/port.ts";
import { chainSource } from "../../../src/tokens/chain/source.ts";
import { runCommand } from "../../kit/command.ts";
import { LARGE_PAGES } from "../../kit/program.ts";
import { issueShares, makeShareClass, makeStakeholder } from "../../kit/records.ts";
import { RELEASE } from "../../kit/release.ts";
import { anvilMissing, startAnvil } from "../chain/support/anvil.ts";
import { removeTemporaryFolders, temporaryFolder, testKey } from "../chain/support/people.ts";
import { POINTS } from "./support/crashing.ts";
import { classWith, readToken, settled, startOn, units, withEmbeddedChain } from "./support/tokens.ts";

setDefaultTimeout(600_000);
afterAll(removeTemporaryFolders);

const KILLS = RELEASE ? 200 : POINTS.length;
const SHARES_EACH = 10;

/** Records a class and issues to many holders while there is no chain at all. */
async function prepare(dataDir: string, mints: number): Promise<string> {
  const source = chainSource({ dataDir, rpcUrl: null, keyFile: null, passwordFile: null, confirmations: 1 });
  const noChain = { ...source, openChain: () => Promise.reject(new ChainError("unreachable", "not yet")) };
  const service = await startOn(dataDir, {}, { chain: noChain });
  const stockClassId = await makeShareClass(service);
  for (let index = 0; index < mints; index++) {
    const stakeholderId = await makeStakeholder(service);
    await issueShares(service, { stakeholderId, stockClassId, quantity: String(SHARES_EACH) });
  }
  await service.stop();
  return stockClassId;
}

/** Runs the service, killed at one point after the other, until it ends well. Returns how often it was killed. */
async function killOften(dataDir: string, rpcUrl: string, keyFile: string): Promise<number> {
  const script = new URL("./support/crashing.ts", import.meta.url).pathname;
  let kills = 0;
  for (let round = 0; round <= KILLS; round++) {
    const point = round < KILLS ? POINTS[round % POINTS.length] : "";
    const time = String(1 + (Math.floor(round / POINTS.length) % 3));
    const args = [process.execPath, script, dataDir, rpcUrl, keyFile, point ?? "", time];
    const child = Bun.spawn(args, { env: { ...process.env, ...LARGE_PAGES }, stdout: "ignore", stderr: "inherit" });
    await child.exited;
    if (child.signalCode === "SIGKILL") kills++;
    else if (child.exitCode !== 0) throw new Error(`the service failed with ${child.exitCode}`);
  }
  return kills;
}

// A round mints up to three shares' worth before it dies; the rest is left for the last round.
const MINTS = RELEASE ? 3 * KILLS : 10;

describe("a service that is killed around each step of a transaction", () => {
  test(
    "mints everything exactly once on the embedded chain",
    async () => {
      const dataDir = temporaryFolder();
      const stockClassId = await prepare(dataDir, MINTS);
      expect(await killOften(dataDir, "", "")).toBeGreaterThanOrEqual(KILLS - 1);
      const service = await startOn(dataDir);
      const { tokenAddress } = await classWith(service, stockClassId, "DEPLOYED");
      expect(await settled(service, stockClassId)).toMatchObject({ failedOperations: 0, lastError: null });
      const supply = await withEmbeddedChain(dataDir, (chain) => readToken(chain, tokenAddress).totalSupply());
      expect(supply).toBe(units(MINTS * SHARES_EACH));
      await service.stop();
      for (const command of [["verify"], ["chain", "reconcile"]]) {
        expect((await runCommand([...command, "--data-dir", dataDir])).status).toBe(0);
      }
    },
    RELEASE ? 1_200_000 : 600_000,
  );

  test.skipIf(anvilMissing)(
    "mints everything exactly once on a real node",
    async () => {
      const dataDir = temporaryFolder();
      const keyFile = join(dataDir, "operator");
      writeFileSync(keyFile, testKey(0), { mode: 0o600 });
      const anvil = await startAnvil();
      const stockClassId = await prepare(dataDir, MINTS);
      expect(await killOften(dataDir, anvil.url, keyFile)).toBeGreaterThanOrEqual(KILLS - 1);
      const service = await startOn(dataDir, { CAPTABLE_CHAIN_RPC_URL: anvil.url, CAPTABLE_CHAIN_KEY_FILE: keyFile });
      const { tokenAddress } = await classWith(service, stockClassId, "DEPLOYED");
      await settled(service, stockClassId);
      const filter = { address: tokenAddress, fromBlock: "0x0", toBlock: "latest" };
      const logs = (await anvil.ask("eth_getLogs", filter)) as { topics: string[] }[];
      const transfers = logs.filter(({ topics }) => topics[0] === TRANSFER);
      expect(transfers.length).toBe(MINTS);
      expect(await readToken(anvil.chain, tokenAddress).totalSupply()).toBe(units(MINTS * SHARES_EACH));
      await service.stop();
      await anvil.stop();
    },
    RELEASE ? 1_200_000 : 600_000,
  );
});

/** `Transfer(address,address,uint256)`: every ERC-20 writes it for a mint. */
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";
