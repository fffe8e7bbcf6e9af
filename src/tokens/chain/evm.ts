// The chain port over JSON-RPC. A node's answers are not trusted: any answer of an unexpected shape is `bad-answer`.
// The transport is separate (rpc.ts, embedded/open.ts).
import { getAddress } from "viem";
import type { Address } from "../../kernel/text/wallet-address.ts";
import {
  type BlockRef,
  type Call,
  type Chain,
  ChainError,
  type Fees,
  type Hex,
  type Log,
  type Receipt,
} from "./port.ts";

/** Carries one JSON-RPC request. Resolves with `result`; rejects with {@link ChainError}. */
export type Request = (method: string, params: readonly unknown[]) => Promise<unknown>;

/** A transport to an EVM node. */
export interface Transport {
  readonly embedded: boolean;
  readonly request: Request;
  /** Like `request` of `eth_sendRawTransaction`, where "known already" is a success. */
  readonly send: (raw: Hex) => Promise<void>;
  readonly close: () => Promise<void>;
}

/** The {@link Chain} behind a transport. */
export function evmChain({ embedded, request, send, close }: Transport): Chain {
  return {
    embedded,
    send,
    close,
    async identity() {
      const chainId = Number(quantity(await request("eth_chainId", [])));
      const genesis = object(await request("eth_getBlockByNumber", ["0x0", false]));
      return { chainId, genesisHash: hash(genesis.hash) };
    },
    async head() {
      return quantity(await request("eth_blockNumber", []));
    },
    fees: () => currentFees(request),
    async nonce(address, at) {
      return Number(quantity(await request("eth_getTransactionCount", [address, tag(at)])));
    },
    async code(address, at) {
      const code = bytes(await request("eth_getCode", [address, tag(at)]));
      return code === "0x" ? null : code;
    },
    async read(to, data, at) {
      const result = bytes(await request("eth_call", [{ to, data }, tag(at)]));
      if (result === "0x") throw new ChainError("no-contract", "there is no token contract at this address");
      return result;
    },
    async simulate({ from, to, data }: Call) {
      const call = to === null ? { from, data } : { from, to, data };
      const gas = quantity(await request("eth_estimateGas", [call]));
      return (gas * 5n) / 4n; // other transactions may raise the cost; unused gas is refunded
    },
    receipt: (transaction) => canonicalReceipt(request, transaction),
  };
}

/** Twice the base fee, so that the offer survives several full blocks in a row. */
async function currentFees(request: Request): Promise<Fees> {
  const block = object(await request("eth_getBlockByNumber", ["latest", false]));
  if (block.baseFeePerGas === undefined || block.baseFeePerGas === null) {
    return { type: "legacy", gasPrice: quantity(await request("eth_gasPrice", [])) };
  }
  const baseFee = quantity(block.baseFeePerGas);
  const tip = quantity(await request("eth_maxPriorityFeePerGas", []));
  return { type: "eip1559", maxFeePerGas: 2n * baseFee + tip, maxPriorityFeePerGas: tip };
}

async function canonicalReceipt(request: Request, transaction: Hex): Promise<Receipt | null> {
  const answer = await request("eth_getTransactionReceipt", [transaction]);
  if (answer === null) return null;
  const raw = object(answer);
  if (raw.blockHash === null) return null; // some nodes return a receipt for a pending transaction
  const blockNumber = quantity(raw.blockNumber);
  const blockHash = hash(raw.blockHash);
  const block = await request("eth_getBlockByNumber", [tag(blockNumber), false]);
  if (block === null || hash(object(block).hash) !== blockHash) {
    throw new ChainError("reorged", "the block that held the transaction is no longer part of the chain");
  }
  return {
    status: quantity(raw.status) === 1n ? "success" : "reverted",
    blockNumber,
    blockHash,
    contractAddress: raw.contractAddress ? address(raw.contractAddress) : null,
    logs: list(raw.logs).map(readLog),
  };
}

function readLog(value: unknown): Log {
  const log = object(value);
  return { address: address(log.address), topics: list(log.topics).map(hash), data: bytes(log.data) };
}

function tag(at: BlockRef): string {
  return at === "latest" ? at : `0x${at.toString(16)}`;
}

function badAnswer(): ChainError {
  return new ChainError("bad-answer", "the node's answer is not what the method promises");
}

function matching(value: unknown, pattern: RegExp): Hex {
  if (typeof value !== "string" || !pattern.test(value)) throw badAnswer();
  return value as Hex;
}

function quantity(value: unknown): bigint {
  return BigInt(matching(value, /^0x[0-9a-f]{1,64}$/i));
}

function bytes(value: unknown): Hex {
  return matching(value, /^0x([0-9a-f]{2})*$/i).toLowerCase() as Hex;
}

function hash(value: unknown): Hex {
  return matching(value, /^0x[0-9a-f]{64}$/i).toLowerCase() as Hex;
}

function address(value: unknown): Address {
  return getAddress(matching(value, /^0x[0-9a-f]{40}$/i).toLowerCase());
}

function object(value: unknown): Record<string, unknown> {
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw badAnswer();
  return value as Record<string, unknown>;
}

function list(value: unknown): unknown[] {
  if (!Array.isArray(value)) throw badAnswer();
  return value;
}
