// A node in every kind of trouble: what the port says of it, and what it must never say.
import { describe, expect, test } from "bun:test";
import { assertSameChain, ChainError, type Hex } from "../../../src/tokens/chain/port.ts";
import { rpcChain } from "../../../src/tokens/chain/rpc.ts";
import { failure, fakeNode, result } from "./support/fake-node.ts";

const HASH_A: Hex = `0x${"aa".repeat(32)}`;
const HASH_B: Hex = `0x${"bb".repeat(32)}`;
const ADDRESS: Hex = `0x${"11".repeat(20)}`;
const RAW: Hex = `0x02${"cd".repeat(200)}`;

async function errorOf(promise: Promise<unknown>): Promise<ChainError> {
  const error = await promise.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof ChainError) return error;
  throw new Error(`expected a ChainError, got ${String(error)}`);
}

describe("a node that does not answer as it should", () => {
  test("is unreachable when nothing listens: wait and ask again", async () => {
    const node = fakeNode(() => result("0x1"));
    await node[Symbol.asyncDispose]();
    expect(await errorOf(node.chain.head())).toMatchObject({ code: "unreachable", kind: "transient" });
  });

  test("times out when it is slow to begin, and when it is slow to end", async () => {
    const never = () => new Promise<Response>(() => {});
    const endless = () => {
      const body = new ReadableStream({
        async pull(controller) {
          await Bun.sleep(50);
          controller.enqueue(new TextEncoder().encode(" "));
        },
      });
      return new Response(body);
    };
    for (const script of [never, endless]) {
      await using node = fakeNode(script);
      const began = performance.now();
      expect(await errorOf(node.chain.head())).toMatchObject({ code: "timeout", kind: "transient" });
      expect(performance.now() - began).toBeLessThan(2000);
    }
  });

  test("is asked once for each call: when to ask again is decided by the jobs", async () => {
    for (const status of [429, 500, 503]) {
      await using node = fakeNode(() => new Response("busy", { status }));
      await errorOf(node.chain.head());
      expect(node.asked).toHaveLength(1);
    }
  });

  for (const [status, code, kind] of [
    [429, "rate-limited", "transient"],
    [500, "node-failing", "transient"],
    [502, "node-failing", "transient"],
    [503, "node-failing", "transient"],
    [401, "access-refused", "operator"],
    [403, "access-refused", "operator"],
    [404, "not-a-node", "operator"],
    [400, "not-a-node", "operator"],
  ] as const) {
    test(`is ${code} when it answers ${status}`, async () => {
      await using node = fakeNode(() => new Response("<html>sorry</html>", { status }));
      expect(await errorOf(node.chain.head())).toMatchObject({ code, kind, retryAfterMs: null });
    });
  }

  test("says how long to wait, in seconds; a date or nonsense counts as nothing said", async () => {
    for (const [header, ms] of [
      ["7", 7000],
      ["0", 0],
      ["soon", null],
      ["-1", null],
      ["9999999", null],
    ] as const) {
      await using node = fakeNode(() => new Response("", { status: 429, headers: { "retry-after": header } }));
      expect(await errorOf(node.chain.head())).toMatchObject({ code: "rate-limited", retryAfterMs: ms });
    }
  });

  test("cannot send us, and our credentials, to another server", async () => {
    await using elsewhere = fakeNode(() => result("0x1"));
    for (const status of [301, 302, 307, 308]) {
      const headers = { location: elsewhere.url };
      await using node = fakeNode(() => new Response("", { status, headers }), { credentials: "me:pw@" });
      expect(await errorOf(node.chain.head())).toMatchObject({ code: "not-a-node", kind: "operator" });
    }
    expect(elsewhere.asked).toHaveLength(0);
  });

  for (const body of ["", "not json", "null", "5", "[]", "{}", '"x"', '{"result"', '{"error":5}', '{"result":{}}']) {
    test(`gives no answer with the body ${JSON.stringify(body)}`, async () => {
      await using node = fakeNode(() => new Response(body, { headers: { "content-type": "application/json" } }));
      expect(await errorOf(node.chain.head())).toMatchObject({ code: "bad-answer", kind: "transient" });
    });
  }

  for (const value of [5, "5", "0x", "0xzz", "-0x1", `0x${"f".repeat(65)}`, null, true, ["0x1"]]) {
    test(`gives no block number with ${JSON.stringify(value)}`, async () => {
      await using node = fakeNode(() => result(value));
      expect(await errorOf(node.chain.head())).toMatchObject({ code: "bad-answer" });
    });
  }

  test("cannot fill the memory: a large answer is dropped, whether its size is announced or not", async () => {
    const large = JSON.stringify({ jsonrpc: "2.0", id: 1, result: `0x${"0".repeat(20_000)}` });
    const streamed = () => new Response(new Blob([large]).stream());
    for (const script of [() => new Response(large), streamed]) {
      await using node = fakeNode(script);
      expect(await errorOf(node.chain.head())).toMatchObject({
        code: "bad-answer",
        message: "the node's answer is larger than 10000 bytes",
      });
    }
  });
});

describe("a node's own errors", () => {
  test("count with any HTTP status", async () => {
    for (const status of [200, 400, 500]) {
      await using node = fakeNode(() => failure(-32000, "insufficient funds for gas * price + value", null, status));
      expect(await errorOf(node.chain.send(RAW))).toMatchObject({ code: "insufficient-funds", kind: "operator" });
    }
  });

  test("are a success where the node only has the transaction already", async () => {
    for (const words of ["already known", "transaction already imported", "AlreadyKnown", "known transaction: 0xab"]) {
      await using node = fakeNode(() => failure(-32000, words));
      await node.chain.send(RAW);
      expect(node.asked).toMatchObject([{ method: "eth_sendRawTransaction", params: [RAW] }]);
    }
  });
});

test("a node that does not know a kind of transaction is not taken to know the transaction", async () => {
  await using node = fakeNode(() => failure(-32000, "unknown transaction type"));
  expect(await errorOf(node.chain.send(RAW))).toMatchObject({ code: "node-failing" });
});

describe("the chain's identity", () => {
  const identity = (chainId: string, genesis: Hex) => () => {
    let calls = 0;
    return fakeNode(() => result(calls++ === 0 ? chainId : { hash: genesis }));
  };

  test("is its id and its first block", async () => {
    await using node = identity("0x7a69", HASH_A)();
    expect(await node.chain.identity()).toEqual({ chainId: 31337, genesisHash: HASH_A });
    expect(node.asked.map((each) => each.method)).toEqual(["eth_chainId", "eth_getBlockByNumber"]);
  });

  test("tells another chain, and a chain that was reset", () => {
    const expected = { chainId: 1, genesisHash: HASH_A };
    assertSameChain(expected, { ...expected });
    const wrong = () => assertSameChain(expected, { chainId: 5, genesisHash: HASH_A });
    const reset = () => assertSameChain(expected, { chainId: 1, genesisHash: HASH_B });
    expect(wrong).toThrow(expect.objectContaining({ code: "wrong-chain", kind: "operator" }));
    expect(reset).toThrow(expect.objectContaining({ code: "chain-reset", kind: "operator" }));
  });
});

describe("a receipt", () => {
  const receipt = {
    status: "0x1",
    blockNumber: "0x10",
    blockHash: HASH_A,
    contractAddress: null,
    logs: [{ address: ADDRESS, topics: [HASH_B], data: "0x" }],
  };
  const node = (raw: unknown, block: unknown) =>
    fakeNode(({ method }) => result(method === "eth_getTransactionReceipt" ? raw : block));

  test("counts when its block is the chain's block of that number", async () => {
    await using fake = node(receipt, { hash: HASH_A });
    const { logs, ...rest } = { ...receipt, status: "success", blockNumber: 16n };
    expect(await fake.chain.receipt(HASH_B)).toMatchObject({ ...rest, logs: [{ topics: [HASH_B], data: "0x" }] });
    expect(fake.asked[1]?.params).toEqual(["0x10", false]);
    expect(logs).toHaveLength(1);
  });

  test("does not count when that block was replaced or is gone: look at all attempts anew", async () => {
    for (const block of [{ hash: HASH_B }, null]) {
      await using fake = node(receipt, block);
      expect(await errorOf(fake.chain.receipt(HASH_B))).toMatchObject({ code: "reorged", kind: "reorged" });
    }
  });

  test("is null until it exists, and an error when it is incomplete", async () => {
    await using absent = node(null, null);
    expect(await absent.chain.receipt(HASH_B)).toBeNull();
    await using waiting = node({ ...receipt, blockHash: null, blockNumber: null }, null);
    expect(await waiting.chain.receipt(HASH_B)).toBeNull();
    for (const missing of ["status", "blockNumber", "blockHash", "logs"]) {
      await using fake = node({ ...receipt, [missing]: undefined }, { hash: HASH_A });
      expect(await errorOf(fake.chain.receipt(HASH_B))).toMatchObject({ code: "bad-answer" });
    }
  });
});

describe("fees", () => {
  test("leave room for the base fee to double, where there is one", async () => {
    const answers: Record<string, unknown> = {
      eth_getBlockByNumber: { baseFeePerGas: "0x64" },
      eth_maxPriorityFeePerGas: "0x3",
    };
    await using node = fakeNode(({ method }) => result(answers[method]));
    const fees = await node.chain.fees();
    expect(fees).toEqual({ type: "eip1559", maxFeePerGas: 203n, maxPriorityFeePerGas: 3n });
  });

  test("are a gas price on a chain without a base fee", async () => {
    await using node = fakeNode(({ method }) => result(method === "eth_gasPrice" ? "0x9" : { hash: HASH_A }));
    expect(await node.chain.fees()).toEqual({ type: "legacy", gasPrice: 9n });
  });
});

describe("a reason", () => {
  const PASSWORD = "pass-word-7";
  const KEY = "k3y-in-the-path-0123456789";
  const QUERY = "qu3ry-token";
  const place = { credentials: `user-name:${PASSWORD}@`, path: `/v3/${KEY}?token=${QUERY}` };
  const everything = (error: ChainError) =>
    `${error.message}\n${error.stack}\n${Bun.inspect(error)}\n${JSON.stringify(error)}`;

  test("holds no credential and no payload, whatever the node repeats", async () => {
    const url = `http://user-name:${PASSWORD}@host/v3/${KEY}?token=${QUERY}`;
    const echo = `bad request to ${url}: ${RAW} ${RAW.slice(2)} key ${KEY}, ${QUERY}`;
    const scripts = [
      () => failure(-32000, echo),
      () => failure(-32603, `insufficient funds; ${echo}`),
      () => failure(-32601, echo),
      () => new Response(echo, { status: 500 }),
      () => new Response(echo, { status: 400 }),
      () => new Response(echo),
      () => new Promise<Response>(() => {}),
    ];
    for (const script of scripts) {
      await using node = fakeNode(script, place);
      const shown = everything(await errorOf(node.chain.send(RAW)));
      for (const secret of [PASSWORD, KEY, QUERY, RAW.slice(2), btoa(`user-name:${PASSWORD}`)]) {
        expect(shown).not.toContain(secret);
      }
      expect(node.asked[0]?.authorization).toBe(`Basic ${btoa(`user-name:${PASSWORD}`)}`);
      expect(node.asked[0]?.path).toBe(place.path);
    }
  });

  test("holds none of the URL when nothing listens there", async () => {
    const url = `http://user%zzname:${PASSWORD}@127.0.0.1:1/v3/${KEY}?token=${QUERY}`;
    const error = await errorOf(rpcChain({ url, timeoutMs: 1000, answerBytesMax: 1000 }).send(RAW));
    for (const secret of [PASSWORD, KEY, QUERY, "127.0.0.1", RAW.slice(2)])
      expect(everything(error)).not.toContain(secret);
  });

  test("keeps the words of the node that help, on one short line", async () => {
    await using node = fakeNode(() => failure(-32000, `strange\n\ttrouble \u001b[31m ${"very ".repeat(100)}`));
    const { code, message } = await errorOf(node.chain.send(RAW));
    expect(code).toBe("node-failing");
    expect(message).toContain("strange trouble [31m very very");
    expect(message.length).toBeLessThan(220);
  });
});
