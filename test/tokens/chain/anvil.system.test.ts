// The same port against a real node: what a fake one cannot prove.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import type { Operator } from "../../../src/tokens/chain/keys.ts";
import { assertSameChain, type ChainErrorCode, type Fees } from "../../../src/tokens/chain/port.ts";
import { type Anvil, anvilMissing, startAnvil } from "./support/anvil.ts";
import { execute, person, receiptOf, removeTemporaryFolders, signed } from "./support/people.ts";

afterAll(removeTemporaryFolders);

const FRIEND = "0x00000000000000000000000000000000000000f1";
const GAS = 21_000n;

describe.skipIf(anvilMissing)("a real node", () => {
  let anvil: Anvil;
  let who: Operator;
  beforeAll(async () => {
    anvil = await startAnvil();
    who = person(0, 31337);
  }, 60_000);
  afterAll(() => anvil.stop());

  const refusal = async (promise: Promise<unknown>, code: ChainErrorCode) =>
    expect(await promise.catch((error: unknown) => error)).toMatchObject({ code });

  async function sign(nonce: number, fees: Fees) {
    return who.sign({ chainId: 31337, nonce, to: FRIEND, data: "0x", gas: GAS, fees });
  }
  const offer = (gwei: bigint): Fees => {
    const wei = gwei * 10n ** 9n;
    return { type: "eip1559", maxFeePerGas: wei, maxPriorityFeePerGas: wei / 10n };
  };

  test("has an identity that a fresh start changes, though the chain id stays", async () => {
    const other = await startAnvil("--timestamp", "1700000000");
    try {
      const [one, two] = [await anvil.chain.identity(), await other.chain.identity()];
      expect(one.chainId).toBe(31337);
      expect(() => assertSameChain(one, two)).toThrow(/was reset/);
    } finally {
      await other.stop();
    }
  }, 60_000);

  test("takes transactions of both fee kinds", async () => {
    const nonce = await anvil.chain.nonce(who.address, "latest");
    const { raw, hash } = await sign(nonce, { type: "legacy", gasPrice: 3n * 10n ** 9n });
    await anvil.chain.send(raw);
    expect(await receiptOf(anvil.chain, hash)).toMatchObject({ status: "success" });
    expect(await anvil.chain.fees()).toMatchObject({ type: "eip1559" });
    expect(await execute(anvil.chain, who, FRIEND, "0x")).toMatchObject({ status: "success", contractAddress: null });
  });

  test("gives the same bytes for the same transaction, and takes them twice as once", async () => {
    const first = await signed(anvil.chain, who, FRIEND, "0x");
    const second = await signed(anvil.chain, who, FRIEND, "0x");
    expect(second).toEqual(first);
    await anvil.ask("evm_setAutomine", false);
    await anvil.chain.send(first.raw);
    await anvil.chain.send(second.raw);
    expect(await anvil.chain.receipt(first.hash)).toBeNull();
    await anvil.ask("evm_setAutomine", true);
    await anvil.ask("evm_mine");
    expect(await receiptOf(anvil.chain, first.hash)).toMatchObject({ status: "success" });
  });

  test("answers for the block that is asked, not for the newest", async () => {
    const before = await anvil.chain.head();
    const nonce = await anvil.chain.nonce(who.address, "latest");
    await execute(anvil.chain, who, FRIEND, "0x");
    expect(await anvil.chain.nonce(who.address, before)).toBe(nonce);
    expect(await anvil.chain.nonce(who.address, "latest")).toBe(nonce + 1);
    await refusal(anvil.chain.nonce(who.address, before + 1000n), "state-unavailable");
  });

  test("tells a spent nonce, a fee below the chain's or a replaced one's, and an empty account", async () => {
    const nonce = await anvil.chain.nonce(who.address, "latest");
    await refusal(anvil.chain.send((await sign(nonce - 1, offer(50n))).raw), "nonce-too-low");
    await refusal(anvil.chain.send((await sign(nonce, { ...offer(0n) })).raw), "underpriced");
    await anvil.ask("evm_setAutomine", false);
    await anvil.chain.send((await sign(nonce, offer(50n))).raw);
    await refusal(anvil.chain.send((await sign(nonce, offer(40n))).raw), "underpriced");
    await anvil.ask("evm_setAutomine", true);
    await anvil.ask("evm_mine");
    const poor = person(0, 31337);
    await anvil.ask("anvil_setBalance", poor.address, "0x0");
    await refusal(anvil.chain.send((await sign(nonce + 1, offer(50n))).raw), "insufficient-funds");
    await anvil.ask("anvil_setBalance", poor.address, "0x21e19e0c9bab2400000");
  });

  test("refuses a transaction for another chain", async () => {
    const nonce = await anvil.chain.nonce(who.address, "latest");
    const { raw } = await who.sign({ chainId: 5, nonce, to: FRIEND, data: "0x", gas: GAS, fees: offer(50n) });
    await refusal(anvil.chain.send(raw), "wrong-chain");
  });

  test("forgets a receipt whose block a reorganization dropped", async () => {
    const { raw, hash } = await signed(anvil.chain, who, FRIEND, "0x");
    await anvil.chain.send(raw);
    const { blockNumber } = await receiptOf(anvil.chain, hash);
    await anvil.ask("evm_setAutomine", false);
    await anvil.ask("anvil_reorg", 1, []);
    expect(await anvil.chain.head()).toBe(blockNumber);
    const now = await anvil.chain.receipt(hash).catch((error: unknown) => error);
    expect(now === null || (now as { code?: string }).code === "reorged").toBe(true);
    await anvil.ask("evm_setAutomine", true);
    await anvil.chain.send(raw);
    await anvil.ask("evm_mine");
    expect(await receiptOf(anvil.chain, hash)).toMatchObject({ status: "success" });
  });

  test("is transient trouble once it has stopped", async () => {
    const gone = await startAnvil();
    await gone.stop();
    await refusal(gone.chain.head(), "unreachable");
  }, 60_000);
});
