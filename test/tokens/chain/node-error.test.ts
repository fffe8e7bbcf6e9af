// What nodes say, word for word as they said it, and what each of them means.
import { describe, expect, test } from "bun:test";
import { encodeErrorResult, parseAbi } from "viem";
import { nodeError } from "../../../src/tokens/chain/node-error.ts";
import type { ChainErrorCode } from "../../../src/tokens/chain/port.ts";
import { shareTokenAbi } from "../../../src/tokens/chain/token/abi.ts";

const sentences: readonly (readonly [number, string, ChainErrorCode])[] = [
  [-32000, "nonce too low: next nonce 5, tx nonce 3", "nonce-too-low"],
  [-32003, "nonce too low", "nonce-too-low"],
  [-32000, "OldNonce, Current nonce: 5, nonce of rejected tx: 3", "nonce-too-low"],
  [-32000, "nonce too high", "nonce-too-high"],
  [-32000, "replacement transaction underpriced", "underpriced"],
  [-32000, "transaction underpriced: tip needed 1, tip permitted 0", "underpriced"],
  [-32000, "max fee per gas less than block base fee: address 0x1, maxFeePerGas: 1, baseFee: 7", "underpriced"],
  [-32000, "FeeTooLow, EffectivePriorityFeePerGas too low 0 < 1", "underpriced"],
  [-32000, "insufficient funds for gas * price + value: address 0x1 have 0 want 21000", "insufficient-funds"],
  [-32003, "Insufficient funds for gas * price + value", "insufficient-funds"],
  [-32004, "Upfront cost exceeds account balance", "insufficient-funds"],
  [-32000, "invalid chain id for signer: have 1 want 5", "wrong-chain"],
  [-32005, "limit exceeded", "rate-limited"],
  [429, "slow down", "rate-limited"],
  [-32007, "50/second request limit reached - reduce calls per second", "rate-limited"],
  [-32000, "header not found", "state-unavailable"],
  [-32000, "missing trie node 0abc (path ) state 0x1 is not available", "state-unavailable"],
  [-32001, "block not found", "state-unavailable"],
  [-32602, "BlockOutOfRangeError: block height is 5 but requested was 9", "state-unavailable"],
  [-32000, "intrinsic gas too low: gas 21000, minimum needed 53000", "rejected"],
  [-32000, "exceeds block gas limit", "rejected"],
  [-32000, "gas required exceeds allowance (21000)", "rejected"],
  [-32000, "oversized data: transaction size 200000, limit 131072", "rejected"],
  [-32000, "out of gas", "rejected"],
  [-32000, "tx gas limit exceeded: exceeds block gas limit", "rejected"],
  [-32000, "rlp: value size exceeds available input length", "rejected"],
  [-32000, "typed transaction too short", "rejected"],
  [-32601, "the method eth_foo does not exist/is not available", "not-a-node"],
  [-32600, "invalid project id", "access-refused"],
  [-32603, "Internal error", "node-failing"],
  [0, "", "node-failing"],
];

describe("a node's error", () => {
  for (const [code, message, meaning] of sentences) {
    test(`${code} “${message.slice(0, 50)}” means ${meaning}`, () => {
      expect(nodeError({ code, message }).code).toBe(meaning);
    });
  }
});

describe("a revert", () => {
  const key = `0x${"ab".repeat(32)}` as const;
  const used = encodeErrorResult({ abi: shareTokenAbi, errorName: "KeyUsed", args: [key] });

  test("is read from wherever a kind of node puts its data", () => {
    const shapes = [
      { code: 3, message: "execution reverted: custom error 0x9a1f", data: used },
      { code: 3, message: "execution reverted", data: used.toUpperCase().replace("0X", "0x") },
      { code: -32000, message: "Execution reverted", data: used },
      { code: -32015, message: "VM execution error.", data: `Reverted ${used}` },
      {
        code: -32603,
        message: "Error: VM Exception: reverted with an unrecognized custom error",
        data: { data: used },
      },
    ];
    for (const shape of shapes) expect(nodeError(shape)).toMatchObject({ code: "key-used", kind: "deterministic" });
  });

  test("without data, or with data of a stranger, is a refusal without a reason", () => {
    for (const data of [undefined, null, "0x", "0x12345678", "0xzz", `${used}00ff`.slice(0, 20), 5, {}]) {
      const error = nodeError({ code: 3, message: "execution reverted", data });
      expect(error).toMatchObject({ code: "reverted", kind: "deterministic" });
      expect(error.message).toBe("the contract refused the operation without saying why");
    }
  });

  test("of the language's own carries its words, printable and short", () => {
    const abi = parseAbi(["error Error(string)", "error Panic(uint256)"]);
    const words = encodeErrorResult({ abi, errorName: "Error", args: [`not\ntoday${"x".repeat(300)}`] });
    expect(nodeError({ code: 3, message: "execution reverted", data: words }).message).toMatch(/: not todayx{90,95}$/);
    const panic = encodeErrorResult({ abi, errorName: "Panic", args: [17n] });
    expect(nodeError({ code: 3, message: "execution reverted", data: panic }).message).toContain("panic 17");
  });

  test("by a contract that obeys another operator waits for the operator", () => {
    const account = "0x00000000000000000000000000000000000000AA" as const;
    const data = encodeErrorResult({ abi: shareTokenAbi, errorName: "OwnableUnauthorizedAccount", args: [account] });
    expect(nodeError({ code: 3, message: "execution reverted", data })).toMatchObject({
      code: "not-issuer",
      kind: "operator",
    });
  });
});
