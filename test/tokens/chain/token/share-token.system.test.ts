// Every right and every refusal of the token, on the embedded chain and on a real node.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { encodeFunctionData, parseAbi } from "viem";
import type { Address } from "../../../../src/kernel/text/wallet-address.ts";
import { openEmbeddedChain } from "../../../../src/tokens/chain/embedded/open.ts";
import type { Operator } from "../../../../src/tokens/chain/keys.ts";
import type { Chain, ChainErrorCode, Hex, Receipt } from "../../../../src/tokens/chain/port.ts";
import { shareTokenAbi, shareTokenFactoryAbi } from "../../../../src/tokens/chain/token/abi.ts";
import * as token from "../../../../src/tokens/chain/token/token.ts";
import { type Anvil, anvilMissing, startAnvil } from "../support/anvil.ts";
import { execute, person, removeTemporaryFolders, temporaryFolder } from "../support/people.ts";

afterAll(removeTemporaryFolders);

const SHARE = 10n ** 10n;
const ZERO: Address = "0x0000000000000000000000000000000000000000";
const ZERO_KEY: Hex = `0x${"00".repeat(32)}`;
const abi = shareTokenAbi;
const erc20 = parseAbi([
  "function transfer(address to, uint256 amount)",
  "function transferFrom(address from, address to, uint256 amount)",
  "function approve(address spender, uint256 amount)",
  "function initialize(address issuer, string name, string symbol, uint256 authorized)",
  "function renounceOwnership()",
]);

let serial = 0;
const newKey = () => token.operationKey("test", "entry", serial++);
const issue = (...entries: token.HolderEntry[]) => token.encodeOperation({ kind: "issue", entries });
const cancel = (...entries: token.HolderEntry[]) => token.encodeOperation({ kind: "cancel", entries });
const move = (key: Hex, from: Address, to: Address, amount: bigint) =>
  token.encodeOperation({ kind: "transfer", key, from, to, amount });
const setAuthorized = (authorized: bigint, key = newKey()) =>
  token.encodeOperation({ kind: "setAuthorized", key, authorized });
const setAllowed = (account: Address, allowed: boolean, key = newKey()) =>
  encodeFunctionData({ abi, functionName: "setAllowed", args: [key, account, allowed] });
const transfer = (to: Address, amount: bigint) =>
  encodeFunctionData({ abi: erc20, functionName: "transfer", args: [to, amount] });
const handOver = (to: Address) => encodeFunctionData({ abi, functionName: "transferOwnership", args: [to] });
const accept = encodeFunctionData({ abi, functionName: "acceptOwnership" });

interface Ground {
  readonly chain: Chain;
  readonly people: readonly [Operator, Operator, Operator, Operator];
  readonly factory: Address;
  stop(): Promise<void>;
}

async function ground(chain: Chain, stop: () => Promise<void>): Promise<Ground> {
  const { chainId } = await chain.identity();
  const people = [person(0, chainId), person(1, chainId), person(2, chainId), person(3, chainId)] as const;
  const { contractAddress } = await execute(chain, people[0], null, token.FACTORY_CREATION);
  if (!contractAddress) throw new Error("the factory was not created");
  return { chain, people, factory: contractAddress, stop };
}

async function embeddedGround(): Promise<Ground> {
  const chain = await openEmbeddedChain(temporaryFolder());
  return ground(chain, () => chain.close());
}

async function anvilGround(): Promise<Ground> {
  const anvil: Anvil = await startAnvil();
  return ground(anvil.chain, () => anvil.stop());
}

for (const [name, open, missing] of [
  ["the embedded chain", embeddedGround, false],
  ["anvil", anvilGround, anvilMissing],
] as const) {
  describe.skipIf(missing)(`a share class's token on ${name}`, () => tokenTests(open));
}

function tokenTests(open: () => Promise<Ground>): void {
  let at: Ground;
  beforeAll(async () => {
    at = await open();
  }, 60_000);
  afterAll(() => at.stop());

  const issuer = () => at.people[0];
  const [ann, bob, eve] = [() => at.people[1], () => at.people[2], () => at.people[3]];
  const run = (who: Operator, to: Address, data: Hex) => execute(at.chain, who, to, data);
  const view = (address: Address) => token.tokenAt(at.chain, address, "latest");
  const balances = (address: Address) => view(address).balancesOf([ann().address, bob().address, eve().address]);

  async function deploy(authorized: bigint): Promise<Address> {
    const shareClass = token.classDigest("org", `class-${serial++}`);
    await run(issuer(), at.factory, token.encodeDeploy(shareClass, "Acme Common", "CS", authorized));
    return token.tokenAddress(at.chain, at.factory, shareClass, "latest");
  }

  /** That the call is refused, and that it is refused too when it is sent all the same. */
  async function refused(who: Operator, to: Address, data: Hex, code: ChainErrorCode, reason?: RegExp): Promise<void> {
    const call = { from: who.address, to, data };
    const error = await at.chain.simulate(call).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code });
    if (reason) expect(String(error)).toMatch(reason);
    const receipt: Receipt = await execute(at.chain, who, to, data, 300_000n);
    expect(receipt).toMatchObject({ status: "reverted", logs: [] });
  }

  test("stands at the address that the factory foretold, with the class's name, symbol, limit and issuer", async () => {
    const shareClass = token.classDigest("org", "first");
    const address = await token.tokenAddress(at.chain, at.factory, shareClass, "latest");
    expect(await at.chain.code(address, "latest")).toBeNull();
    const receipt = await run(issuer(), at.factory, token.encodeDeploy(shareClass, "Acme Common", "CS", 7n * SHARE));
    expect([...token.keysProven(receipt, at.factory)]).toEqual([shareClass]);
    expect(await at.chain.code(address, "latest")).not.toBeNull();
    const text = (functionName: "name" | "symbol" | "decimals") =>
      at.chain.read(address, encodeFunctionData({ abi, functionName }), "latest");
    expect(Buffer.from((await text("name")).slice(2), "hex").toString()).toContain("Acme Common");
    expect(Buffer.from((await text("symbol")).slice(2), "hex").toString()).toContain("CS");
    expect(BigInt(await text("decimals"))).toBe(10n);
    expect(await view(address).authorized()).toBe(7n * SHARE);
    expect(await view(address).owner()).toBe(issuer().address);
    expect(await view(address).totalSupply()).toBe(0n);
  });

  test("is found, not made again, by a repeated deployment, whatever that one says", async () => {
    const shareClass = token.classDigest("org", "twice");
    await run(issuer(), at.factory, token.encodeDeploy(shareClass, "Acme Common", "CS", SHARE));
    const again = await run(issuer(), at.factory, token.encodeDeploy(shareClass, "Other", "X", 9n * SHARE));
    expect(again).toMatchObject({ status: "success", logs: [] });
    const address = await token.tokenAddress(at.chain, at.factory, shareClass, "latest");
    expect(await view(address).authorized()).toBe(SHARE);
  });

  test("has one address for each organization and class", async () => {
    const digests = [token.classDigest("a", "b"), token.classDigest("ab", ""), token.classDigest("b", "a")];
    const found = await Promise.all(digests.map((each) => token.tokenAddress(at.chain, at.factory, each, "latest")));
    expect(new Set(found).size).toBe(3);
  });

  test("has a factory that its operator can find again, and no other caller has", async () => {
    expect(await token.findFactory(at.chain, issuer().address, "latest")).toBe(at.factory);
    expect(await token.findFactory(at.chain, person(9, 31337).address, "latest")).toBeNull();
  });

  test("cannot be initialized again after its deployment, and the shared implementation never", async () => {
    const address = await deploy(SHARE);
    const args = [eve().address, "Mine", "M", 1n] as const;
    const initialize = encodeFunctionData({ abi: erc20, functionName: "initialize", args });
    const implementation = encodeFunctionData({ abi: shareTokenFactoryAbi, functionName: "implementation" });
    const shared = await at.chain.read(at.factory, implementation, "latest");
    for (const target of [address, `0x${shared.slice(26)}` as const]) {
      await refused(eve(), target, initialize, "reverted", /InvalidInitialization/);
      await refused(issuer(), target, initialize, "reverted", /InvalidInitialization/);
    }
  });

  test("obeys the issuer alone", async () => {
    const address = await deploy(100n * SHARE);
    await run(issuer(), address, issue({ key: newKey(), holder: eve().address, amount: SHARE }));
    const entry = () => ({ key: newKey(), holder: eve().address, amount: 1n });
    const calls = [
      issue(entry()),
      issue(entry(), entry()),
      cancel(entry()),
      cancel(entry(), entry()),
      move(newKey(), ann().address, eve().address, 0n),
      setAuthorized(token.NO_LIMIT),
      setAllowed(eve().address, true),
      handOver(eve().address),
      accept,
    ];
    for (const call of calls) await refused(eve(), address, call, "not-issuer", /does not obey/);
    const shareClass = token.classDigest("org", "strange");
    await refused(eve(), at.factory, token.encodeDeploy(shareClass, "S", "S", 1n), "not-issuer");
    expect(await balances(address)).toEqual([0n, 0n, SHARE]);
  });

  test("issues, moves and cancels by the issuer's right, and proves each operation's key", async () => {
    const address = await deploy(100n * SHARE);
    const keys = [newKey(), newKey(), newKey()] as const;
    const issued = await run(issuer(), address, issue({ key: keys[0], holder: ann().address, amount: 10n * SHARE }));
    const moved = await run(issuer(), address, move(keys[1], ann().address, bob().address, 4n * SHARE));
    const cancelled = await run(issuer(), address, cancel({ key: keys[2], holder: bob().address, amount: SHARE + 1n }));
    for (const [index, receipt] of [issued, moved, cancelled].entries()) {
      expect([...token.keysProven(receipt, address)]).toEqual([keys[index] ?? ZERO_KEY]);
      expect([...token.keysProven(receipt, at.factory)]).toEqual([]);
    }
    expect(await balances(address)).toEqual([6n * SHARE, 3n * SHARE - 1n, 0n]);
    expect(await view(address).totalSupply()).toBe(9n * SHARE - 1n);
    expect(await view(address).processed([...keys, newKey()])).toEqual([true, true, true, false]);
  });

  test("takes a key once, whichever operation comes with it", async () => {
    const address = await deploy(100n * SHARE);
    const key = newKey();
    const entry = { key, holder: ann().address, amount: SHARE };
    await run(issuer(), address, issue(entry));
    const setAllowedAgain = setAllowed(ann().address, true, key);
    const calls = [issue(entry), cancel(entry), move(key, ann().address, bob().address, 1n), setAuthorized(SHARE, key)];
    for (const call of [...calls, setAllowedAgain]) await refused(issuer(), address, call, "key-used");
    expect(await balances(address)).toEqual([SHARE, 0n, 0n]);
    expect(await view(address).authorized()).toBe(100n * SHARE);
  });

  test("refuses the zero key, so that a forgotten key is no key", async () => {
    const address = await deploy(SHARE);
    const entry = { key: ZERO_KEY, holder: ann().address, amount: 1n };
    await refused(issuer(), address, issue(entry), "reverted", /ZeroKey/);
    await refused(issuer(), address, issue(entry, entry), "reverted", /ZeroKey/);
  });

  test("passes over the used keys of a batch, and carries out the others", async () => {
    const address = await deploy(100n * SHARE);
    const entries = [1n, 2n, 3n].map((amount) => ({ key: newKey(), holder: ann().address, amount }));
    const [first, second, third] = entries as [token.HolderEntry, token.HolderEntry, token.HolderEntry];
    await run(issuer(), address, issue(second));
    const receipt = await run(issuer(), address, issue(first, second, third, third));
    expect([...token.keysProven(receipt, address)]).toEqual([first.key, third.key]);
    expect(await view(address).totalSupply()).toBe(6n);
    const nobodysKeys = await run(issuer(), address, cancel(first, second));
    expect(nobodysKeys).toMatchObject({ status: "success", logs: [] });
    const fresh = [first, third].map((entry) => ({ ...entry, key: newKey() }));
    await run(issuer(), address, cancel(...fresh));
    expect(await balances(address)).toEqual([2n, 0n, 0n]);
  });

  test("refuses a batch whose lists differ in length", async () => {
    const address = await deploy(SHARE);
    const args = [[newKey(), newKey()], [ann().address, bob().address], [1n]] as const;
    for (const functionName of ["issueBatch", "cancelBatch"] as const) {
      await refused(issuer(), address, encodeFunctionData({ abi, functionName, args }), "reverted", /LengthMismatch/);
    }
  });

  test("never holds more shares than its limit, nor a limit below its shares", async () => {
    const address = await deploy(10n * SHARE);
    const entry = (amount: bigint) => ({ key: newKey(), holder: ann().address, amount });
    await run(issuer(), address, issue(entry(10n * SHARE)));
    await refused(issuer(), address, issue(entry(1n)), "reverted", /10\.0000000001 .* limit of 10$/);
    await refused(issuer(), address, issue(entry(0n), entry(1n)), "reverted", /limit of 10$/);
    await refused(issuer(), address, setAuthorized(10n * SHARE - 1n), "reverted", /limit of 9\.9999999999$/);
    await run(issuer(), address, setAuthorized(10n * SHARE + 1n));
    await run(issuer(), address, issue(entry(1n)));
    await run(issuer(), address, setAuthorized(token.NO_LIMIT));
    await run(issuer(), address, issue(entry(10n ** 30n)));
    expect(await view(address).authorized()).toBe(token.NO_LIMIT);
  });

  test("lets holders transfer only from an allowed address to an allowed address", async () => {
    const address = await deploy(100n * SHARE);
    await run(issuer(), address, issue({ key: newKey(), holder: ann().address, amount: 10n }));
    const args = [ann().address, bob().address, 1n] as const;
    const transferFrom = encodeFunctionData({ abi: erc20, functionName: "transferFrom", args });
    const approve = encodeFunctionData({ abi: erc20, functionName: "approve", args: [eve().address, 5n] });
    await run(ann(), address, approve);
    const bothRefused = async () => {
      await refused(ann(), address, transfer(bob().address, 1n), "reverted", /may not transfer/);
      await refused(eve(), address, transferFrom, "reverted", /may not transfer/);
    };
    await bothRefused();
    await run(issuer(), address, setAllowed(ann().address, true));
    await bothRefused();
    await run(issuer(), address, setAllowed(bob().address, true));
    await run(ann(), address, transfer(bob().address, 2n));
    await run(eve(), address, transferFrom);
    expect(await balances(address)).toEqual([7n, 3n, 0n]);
    await run(issuer(), address, setAllowed(ann().address, false));
    await bothRefused();
    await refused(bob(), address, transfer(ann().address, 1n), "reverted", /may not transfer/);
  });

  test("refuses what a holder does not have, and the zero address as a holder", async () => {
    const address = await deploy(100n * SHARE);
    await run(issuer(), address, issue({ key: newKey(), holder: ann().address, amount: SHARE }));
    const tooMuch = SHARE + 1n;
    const words = /has 1 shares on chain, fewer than the 1\.0000000001 needed/;
    await refused(issuer(), address, move(newKey(), ann().address, bob().address, tooMuch), "reverted", words);
    await refused(
      issuer(),
      address,
      cancel({ key: newKey(), holder: ann().address, amount: tooMuch }),
      "reverted",
      words,
    );
    await refused(issuer(), address, issue({ key: newKey(), holder: ZERO, amount: 1n }), "reverted", /InvalidReceiver/);
    await refused(issuer(), address, move(newKey(), ZERO, bob().address, 1n), "reverted", /InvalidSender/);
    await refused(issuer(), address, move(newKey(), ann().address, ZERO, 1n), "reverted", /InvalidReceiver/);
    expect(await view(address).totalSupply()).toBe(SHARE);
  });

  test("changes hands in two steps: the old issuer rules until the new one accepts, and never after", async () => {
    const address = await deploy(100n * SHARE);
    const entry = () => ({ key: newKey(), holder: ann().address, amount: 1n });
    await run(issuer(), address, handOver(bob().address));
    expect(await view(address).owner()).toBe(issuer().address);
    await run(issuer(), address, issue(entry()));
    await refused(bob(), address, issue(entry()), "not-issuer");
    await refused(eve(), address, accept, "not-issuer");
    await run(bob(), address, accept);
    expect(await view(address).owner()).toBe(bob().address);
    await run(bob(), address, issue(entry()));
    await refused(issuer(), address, issue(entry()), "not-issuer");
    const renounce = encodeFunctionData({ abi: erc20, functionName: "renounceOwnership" });
    await refused(bob(), address, renounce, "reverted", /IssuerRequired/);
    await refused(issuer(), at.factory, renounce, "reverted", /IssuerRequired/);
  });

  test("is not mistaken for an address without code, where every call succeeds", async () => {
    const nowhere = "0x00000000000000000000000000000000000Beef1" as const;
    const call = issue({ key: newKey(), holder: ann().address, amount: 1n });
    const receipt = await execute(at.chain, issuer(), nowhere.toLowerCase() as Address, call);
    expect(receipt.status).toBe("success");
    expect(token.keysProven(receipt, nowhere).size).toBe(0);
    const supply = view(nowhere.toLowerCase() as Address).totalSupply();
    expect(await supply.catch((error: unknown) => error)).toMatchObject({ code: "no-contract" });
  });
}
