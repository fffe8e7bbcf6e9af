import { afterAll, afterEach, describe, expect, test } from "bun:test";
import { chmodSync, existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import fc from "fast-check";
import type { Address } from "../../../../src/kernel/text/wallet-address.ts";
import { embeddedChainFile } from "../../../../src/storage/data-dir/chain-files.ts";
import { openEmbeddedChain } from "../../../../src/tokens/chain/embedded/open.ts";
import { embeddedOperator, type Operator } from "../../../../src/tokens/chain/keys.ts";
import type { Chain, ChainErrorCode } from "../../../../src/tokens/chain/port.ts";
import * as token from "../../../../src/tokens/chain/token/token.ts";
import { RELEASE } from "../../../kit/release.ts";
import { execute, person, removeTemporaryFolders, signed, temporaryFolder } from "../support/people.ts";

afterAll(removeTemporaryFolders);

const FRIEND: Address = "0x00000000000000000000000000000000000000f1";
const open: Chain[] = [];

async function openIn(dataDir: string): Promise<Chain> {
  const chain = await openEmbeddedChain(dataDir);
  open.push(chain);
  return chain;
}

afterEach(async () => {
  for (const chain of open.splice(0)) await chain.close().catch(() => {});
});

async function newToken(chain: Chain, issuer: Operator, authorized = token.NO_LIMIT): Promise<Address> {
  const { contractAddress: factory } = await execute(chain, issuer, null, token.FACTORY_CREATION);
  if (!factory) throw new Error("no factory");
  const shareClass = token.classDigest("org", "class");
  await execute(chain, issuer, factory, token.encodeDeploy(shareClass, "Acme", "A", authorized));
  return token.tokenAddress(chain, factory, shareClass, "latest");
}

const refusal = async (promise: Promise<unknown>, code: ChainErrorCode) =>
  expect(await promise.catch((error: unknown) => error)).toMatchObject({ code });

describe("the embedded chain", () => {
  test("has the id of a local development chain, costs nothing, and says what it is", async () => {
    const chain = await openIn(temporaryFolder());
    expect(chain.embedded).toBe(true);
    expect((await chain.identity()).chainId).toBe(31338);
    expect(await chain.fees()).toEqual({ type: "eip1559", maxFeePerGas: 0n, maxPriorityFeePerGas: 0n });
    expect(await chain.head()).toBe(0n);
  });

  test("is another chain in another data directory, and the same one when it is opened again", async () => {
    const [here, there] = [temporaryFolder(), temporaryFolder()];
    const first = await openIn(here);
    const identity = await first.identity();
    await first.close();
    expect(await (await openIn(here)).identity()).toEqual(identity);
    expect((await (await openIn(there)).identity()).genesisHash).not.toBe(identity.genesisHash);
  });

  test("keeps state, code, nonces and receipts when it is closed and opened", async () => {
    const dataDir = temporaryFolder();
    const issuer = embeddedOperator(dataDir);
    const before = await openIn(dataDir);
    const address = await newToken(before, issuer);
    const key = token.operationKey("org", "entry", 0);
    const data = token.encodeOperation({ kind: "issue", entries: [{ key, holder: FRIEND, amount: 5n }] });
    const { raw, hash } = await signed(before, issuer, address, data);
    await before.send(raw);
    const receipt = await before.receipt(hash);
    await before.close();
    const after = await openIn(dataDir);
    expect(await after.receipt(hash)).toEqual(receipt);
    expect(await token.tokenAt(after, address, await after.head()).balancesOf([FRIEND])).toEqual([5n]);
    expect(await after.nonce(issuer.address, "latest")).toBe(3);
    await after.send(raw);
    expect(await after.head()).toBe(3n);
  });

  test("has a block for each transaction, and answers for the newest block only", async () => {
    const dataDir = temporaryFolder();
    const issuer = embeddedOperator(dataDir);
    const chain = await openIn(dataDir);
    const receipt = await execute(chain, issuer, FRIEND, "0x");
    expect(receipt).toMatchObject({ status: "success", blockNumber: 1n });
    expect(await chain.nonce(issuer.address, 1n)).toBe(1);
    await refusal(chain.nonce(issuer.address, 0n), "state-unavailable");
    await refusal(chain.code(FRIEND, 0n), "state-unavailable");
    await refusal(chain.read(FRIEND, "0x", 0n), "state-unavailable");
    await refusal(chain.nonce(issuer.address, 2n), "state-unavailable");
  });

  test("refuses transactions out of turn, for another chain, that the sender cannot pay, and malformed ones", async () => {
    const dataDir = temporaryFolder();
    const who = embeddedOperator(dataDir);
    const chain = await openIn(dataDir);
    await execute(chain, who, FRIEND, "0x");
    const fees = await chain.fees();
    const usual = { chainId: 31338, nonce: 1, to: FRIEND, data: "0x", gas: 21_000n, fees } as const;
    const send = async (change: object) => chain.send((await who.sign({ ...usual, ...change })).raw);
    await refusal(send({ nonce: 0, gas: 30_000n }), "nonce-too-low");
    await refusal(send({ nonce: 2 }), "nonce-too-high");
    await refusal(send({ chainId: 1 }), "wrong-chain");
    await refusal(send({ gas: 20_000n }), "rejected");
    await refusal(send({ gas: 100_000_000n }), "rejected");
    await refusal(send({ fees: { type: "legacy", gasPrice: 1n } }), "insufficient-funds");
    await refusal(chain.send("0x1234"), "rejected");
    expect(await chain.head()).toBe(1n);
    await send({});
    expect(await chain.head()).toBe(2n);
  });

  test("leaves no trace of calls and simulations, even of those that write", async () => {
    const dataDir = temporaryFolder();
    const issuer = embeddedOperator(dataDir);
    const chain = await openIn(dataDir);
    const address = await newToken(chain, issuer);
    const entry = { key: token.operationKey("org", "e", 0), holder: FRIEND, amount: 5n };
    const data = token.encodeOperation({ kind: "issue", entries: [entry] });
    const gas = await chain.simulate({ from: issuer.address, to: address, data });
    expect(await chain.simulate({ from: issuer.address, to: address, data })).toBe(gas);
    await chain.simulate({ from: issuer.address, to: null, data: token.FACTORY_CREATION });
    expect(await token.tokenAt(chain, address, "latest").totalSupply()).toBe(0n);
    expect(await chain.nonce(issuer.address, "latest")).toBe(2);
    expect(await execute(chain, issuer, address, data, gas)).toMatchObject({ status: "success" });
  });

  test("answers many questions at once in the order in which they came", async () => {
    const dataDir = temporaryFolder();
    const issuer = embeddedOperator(dataDir);
    const chain = await openIn(dataDir);
    const fees = await chain.fees();
    const transactions = await Promise.all(
      Array.from({ length: 30 }, (_, nonce) =>
        issuer.sign({ chainId: 31338, nonce, to: FRIEND, data: "0x", gas: 21_000n, fees }),
      ),
    );
    const heads = await Promise.all(transactions.map(({ raw }) => chain.send(raw).then(() => chain.head())));
    expect(await chain.head()).toBe(30n);
    expect(heads).toEqual(heads.toSorted((a, b) => Number(a - b)));
  });

  test("works beside the main thread, which goes on turning while a large batch runs", async () => {
    const dataDir = temporaryFolder();
    const issuer = embeddedOperator(dataDir);
    const chain = await openIn(dataDir);
    const address = await newToken(chain, issuer);
    const entries = Array.from({ length: 300 }, (_, index) => ({
      key: token.operationKey("org", "batch", index),
      holder: `0x${(index + 1).toString(16).padStart(40, "0")}` as Address,
      amount: 1n,
    }));
    const { raw } = await signed(chain, issuer, address, token.encodeOperation({ kind: "issue", entries }));
    let done = false;
    const sending = chain.send(raw).then(() => {
      done = true;
    });
    let turns = 0;
    while (!done) {
      await Bun.sleep(1);
      turns++;
    }
    await sending;
    expect(turns).toBeGreaterThan(10);
    expect(await token.tokenAt(chain, address, "latest").totalSupply()).toBe(300n);
  });

  test("is one file that another program can read and copy while it is open", async () => {
    const dataDir = temporaryFolder();
    const who = embeddedOperator(dataDir);
    const chain = await openIn(dataDir);
    await execute(chain, who, FRIEND, "0x");
    const db = new Database(embeddedChainFile(dataDir));
    const copy = join(temporaryFolder(), "chain.db");
    await db.backup(copy);
    db.close();
    await execute(chain, who, FRIEND, "0x");
    const restored = await openIn(join(copy, ".."));
    expect(await restored.identity()).toEqual(await chain.identity());
    expect(await restored.head()).toBe(1n);
  });

  test("can be used from two processes: neither overwrites a block of the other", async () => {
    const dataDir = temporaryFolder();
    const [one, two] = [await openIn(dataDir), await openIn(dataDir)];
    const [ann, bob] = [person(1, 31338), person(2, 31338)];
    const many = async (chain: Chain, who: Operator) => {
      for (let count = 0; count < 15; count++) await execute(chain, who, FRIEND, "0x");
    };
    await Promise.all([many(one, ann), many(two, bob)]);
    expect(await one.head()).toBe(30n);
    expect([await two.nonce(ann.address, "latest"), await one.nonce(bob.address, "latest")]).toEqual([15, 15]);
  });

  test("refuses a file that is not its own, with a reason", async () => {
    const dataDir = temporaryFolder();
    writeFileSync(embeddedChainFile(dataDir), "this is no database, and long enough to look at twice".repeat(100));
    const error = await openEmbeddedChain(dataDir).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code: "embedded-chain-down", kind: "operator" });
    expect(String(error)).toContain("not a database");
    const newer = temporaryFolder();
    const db = new Database(embeddedChainFile(newer));
    db.pragma("user_version = 99");
    db.close();
    expect(String(await openEmbeddedChain(newer).catch((thrown: unknown) => thrown))).toContain("newer program");
  });

  test("does not blame a transaction for the trouble of its file", async () => {
    const dataDir = temporaryFolder();
    const issuer = embeddedOperator(dataDir);
    const chain = await openIn(dataDir);
    const address = await newToken(chain, issuer);
    const data = token.encodeOperation({ kind: "setAuthorized", key: token.operationKey("o", "e", 0), authorized: 1n });
    const { raw } = await signed(chain, issuer, address, data);
    const db = new Database(embeddedChainFile(dataDir));
    db.exec("ALTER TABLE slot RENAME TO gone");
    await refusal(chain.send(raw), "embedded-chain-down");
    await refusal(token.tokenAt(chain, address, "latest").totalSupply(), "embedded-chain-down");
    db.exec("ALTER TABLE gone RENAME TO slot");
    db.close();
    await chain.send(raw);
    expect(await token.tokenAt(chain, address, "latest").authorized()).toBe(1n);
  });

  test("cannot be made where nothing can be written, and answers nothing once closed", async () => {
    const dataDir = join(temporaryFolder(), "missing");
    await refusal(openEmbeddedChain(dataDir), "embedded-chain-down");
    const chain = await openIn(temporaryFolder());
    await chain.close();
    await refusal(chain.head(), "embedded-chain-down");
  });

  test("closes cleanly: nothing waits in a write-ahead log", async () => {
    const dataDir = temporaryFolder();
    chmodSync(dataDir, 0o700);
    const chain = await openIn(dataDir);
    await execute(chain, embeddedOperator(dataDir), FRIEND, "0x");
    await chain.close();
    expect(existsSync(`${embeddedChainFile(dataDir)}-wal`)).toBe(false);
  });
});

describe("the token's balances", () => {
  const operation = fc.record({
    kind: fc.constantFrom("issue", "cancel", "transfer"),
    key: fc.integer({ min: 0, max: 9 }),
    from: fc.integer({ min: 0, max: 2 }),
    to: fc.integer({ min: 0, max: 2 }),
    amount: fc.bigInt({ min: 0n, max: 40n }),
  });

  test("follow a simple model through any operations, whatever keys repeat and whatever is refused", async () => {
    const dataDir = temporaryFolder();
    const issuer = embeddedOperator(dataDir);
    const chain = await openIn(dataDir);
    const { contractAddress: factory } = await execute(chain, issuer, null, token.FACTORY_CREATION);
    if (!factory) throw new Error("no factory");
    const holders = [1, 2, 3].map((index) => `0x${index.toString().padStart(40, "0")}` as Address);
    let run = 0;
    const property = fc.asyncProperty(fc.array(operation, { minLength: 1, maxLength: 12 }), async (operations) => {
      const shareClass = token.classDigest("model", String(run++));
      await execute(chain, issuer, factory, token.encodeDeploy(shareClass, "M", "M", 100n));
      const address = await token.tokenAddress(chain, factory, shareClass, "latest");
      const balances = [0n, 0n, 0n];
      const used = new Set<number>();
      for (const { kind, key, from, to, amount } of operations) {
        const [fromBefore = 0n, supply] = [balances[from], balances.reduce((sum, each) => sum + each, 0n)];
        const allowed = !used.has(key) && (kind === "issue" ? supply + amount <= 100n : amount <= fromBefore);
        if (allowed) {
          used.add(key);
          if (kind !== "issue") balances[from] = fromBefore - amount;
          if (kind !== "cancel")
            balances[kind === "issue" ? from : to] = (balances[kind === "issue" ? from : to] ?? 0n) + amount;
        }
        const name = token.operationKey("model", String(key), 0);
        const [source, target] = [holders[from], holders[to]];
        if (!source || !target) throw new Error("no such holder");
        const data = token.encodeOperation(
          kind === "transfer"
            ? { kind, key: name, from: source, to: target, amount }
            : { kind: kind === "issue" ? "issue" : "cancel", entries: [{ key: name, holder: source, amount }] },
        );
        const { status } = await execute(chain, issuer, address, data, 300_000n);
        expect(status).toBe(allowed ? "success" : "reverted");
      }
      expect(await token.tokenAt(chain, address, "latest").balancesOf(holders)).toEqual(balances);
    });
    await fc.assert(property, { numRuns: RELEASE ? 15 : 5 });
  }, 60_000);
});
