// Keys that test nodes fund, and the whole way of a transaction, as tests walk it.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { bytesToHex } from "viem";
import { mnemonicToAccount } from "viem/accounts";
import type { Address } from "../../../../src/kernel/text/wallet-address.ts";
import { loadOperator, type Operator, type SignedTransaction } from "../../../../src/tokens/chain/keys.ts";
import type { Chain, Hex, Receipt } from "../../../../src/tokens/chain/port.ts";

const MNEMONIC = "test test test test test test test test test test test junk";
const RECEIPT_MS_MAX = 10_000;

const folders: string[] = [];

/** Removes every folder that {@link temporaryFolder} made: for `afterAll`. */
export function removeTemporaryFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** A folder of the test's own, until {@link removeTemporaryFolders}. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "captable-chain-"));
  folders.push(folder);
  return folder;
}

/** The private key of a published test account. */
export function testKey(index: number): Hex {
  const key = mnemonicToAccount(MNEMONIC, { addressIndex: index }).getHdKey().privateKey;
  if (!key) throw new Error("the account has no key");
  return bytesToHex(key);
}

/** A person with a published test account, which test nodes fund. */
export function person(index: number, chainId: number): Operator {
  const file = join(temporaryFolder(), "key");
  writeFileSync(file, testKey(index), { mode: 0o600 });
  return loadOperator(file, null, chainId);
}

/** Signs a transaction with the account's next nonce. Gas is fixed where a call is known to fail. */
export async function signed(
  chain: Chain,
  who: Operator,
  to: Address | null,
  data: Hex,
  gas?: bigint,
): Promise<SignedTransaction> {
  const { chainId } = await chain.identity();
  const nonce = await chain.nonce(who.address, "latest");
  const enough = gas ?? (await chain.simulate({ from: who.address, to, data }));
  return who.sign({ chainId, nonce, to, data, gas: enough, fees: await chain.fees() });
}

/** Sends a transaction and waits until it stands in a block. */
export async function execute(
  chain: Chain,
  who: Operator,
  to: Address | null,
  data: Hex,
  gas?: bigint,
): Promise<Receipt> {
  const { raw, hash } = await signed(chain, who, to, data, gas);
  await chain.send(raw);
  return receiptOf(chain, hash);
}

/** The receipt of a transaction, waited for. */
export async function receiptOf(chain: Chain, hash: Hex): Promise<Receipt> {
  const deadline = performance.now() + RECEIPT_MS_MAX;
  while (performance.now() < deadline) {
    const receipt = await chain.receipt(hash);
    if (receipt) return receipt;
    await Bun.sleep(10);
  }
  throw new Error("the transaction did not get into a block");
}
