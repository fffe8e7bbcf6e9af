// The embedded development chain as a node: answers the JSON-RPC methods that evm.ts calls, runs each transaction in a
// block of its own, and commits block, receipt and state together. One request runs at a time. For the worker only.
import { createBlock } from "@ethereumjs/block";
import { createCustomCommon, Hardfork, Mainnet } from "@ethereumjs/common";
import { createFeeMarket1559Tx, createTxFromRLP } from "@ethereumjs/tx";
import {
  type Address,
  bytesToHex,
  concatBytes,
  createAddressFromString,
  EthereumJSError,
  hexToBytes,
} from "@ethereumjs/util";
import { createVM, type RunTxResult, runTx } from "@ethereumjs/vm";
import { keccak_256 } from "@noble/hashes/sha3.js";
import type { Runtime } from "../../../kernel/runtime.ts";
import type { NodeError } from "../node-error.ts";
import { EMBEDDED_CHAIN_ID } from "../port.ts";
import { JournaledState } from "./state.ts";
import { type BlockRow, type ChainStore, openChainStore } from "./store.ts";

/** Room for a batch of several hundred operations in one transaction. */
const BLOCK_GAS = 60_000_000n;
const NO_HASH = new Uint8Array(32);

/** A request that the node refuses, in JSON-RPC's own terms. */
export class NodeRefusal extends Error implements NodeError {
  override readonly name = "NodeRefusal";
  readonly code: number;
  readonly data: string | undefined;

  constructor(code: number, message: string, data?: string) {
    super(message);
    this.code = code;
    this.data = data;
  }
}

/** The node on the chain in the file `path`, which is created if it is missing. */
export async function openEmbeddedNode(path: string, runtime: Runtime) {
  const genesisHash = crypto.getRandomValues(new Uint8Array(32));
  const store = openChainStore(path, EMBEDDED_CHAIN_ID, genesisHash, runtime.nowMs());
  const execution = await openExecution(store);
  let last: Promise<unknown> = Promise.resolve();

  const answer = async (method: string, params: readonly unknown[]): Promise<unknown> => {
    if (method === "eth_sendRawTransaction") {
      return store.exclusively(() => mine(store, execution, runtime.nowMs(), bytesOf(params[0])));
    }
    return store.reading(() => read(store, execution, method, params));
  };
  return {
    /** Resolves with the JSON-RPC `result`; rejects with {@link NodeRefusal} or with the file's failure. */
    request(method: string, params: readonly unknown[]): Promise<unknown> {
      const result = last.then(() => answer(method, params));
      last = result.catch(() => {});
      return result;
    },
    /** Closes the file, after the requests that have arrived. */
    async close(): Promise<void> {
      await last;
      store.close();
    },
  };
}

type Execution = Awaited<ReturnType<typeof openExecution>>;

async function openExecution(store: ChainStore) {
  const common = createCustomCommon({ chainId: EMBEDDED_CHAIN_ID }, Mainnet, { hardfork: Hardfork.Cancun });
  const state = new JournaledState(store);
  return { common, state, vm: await createVM({ common, stateManager: state }) };
}

/** Runs a signed transaction in a new block and writes both. */
async function mine(store: ChainStore, execution: Execution, nowMs: number, raw: Uint8Array): Promise<string> {
  const { common, state, vm } = execution;
  const tx = decodeTransaction(raw, execution);
  const hash = tx.hash();
  if (store.receipt(hash)) throw new NodeRefusal(-32000, "already known");
  const nonce = BigInt(store.account(tx.getSenderAddress().bytes)?.nonce ?? 0);
  if (tx.nonce < nonce) throw new NodeRefusal(-32000, `nonce too low: next nonce ${nonce}, tx nonce ${tx.nonce}`);
  if (tx.nonce > nonce) throw new NodeRefusal(-32000, `nonce too high: next nonce ${nonce}, tx nonce ${tx.nonce}`);
  const parent = store.head();
  const header = nextHeader(parent, nowMs);
  const block = createBlock({ header }, { common, skipConsensusFormatValidation: true });
  let result: RunTxResult;
  try {
    result = await runTx(vm, { tx, block, skipHardForkValidation: true });
  } catch (error) {
    state.take();
    throw error instanceof EthereumJSError ? invalid(error) : error; // a file's failure is not the transaction's fault
  }
  const blockRow = {
    number: header.number,
    hash: keccak_256(concatBytes(parent.hash, hash, word(header.number), word(header.timestamp))),
    parent_hash: parent.hash,
    timestamp: header.timestamp,
  };
  const logs = result.receipt.logs.map(([address, topics, data]) => ({
    address: bytesToHex(address),
    topics: topics.map((topic) => bytesToHex(topic)),
    data: bytesToHex(data),
  }));
  store.write(state.take(), blockRow, {
    hash,
    block_number: header.number,
    succeeded: result.execResult.exceptionError ? 0 : 1,
    gas_used: Number(result.totalGasSpent),
    contract_address: tx.to ? null : (result.createdAddress?.bytes ?? null),
    logs: JSON.stringify(logs),
  });
  return bytesToHex(hash);
}

function decodeTransaction(raw: Uint8Array, { common }: Execution) {
  try {
    return createTxFromRLP(raw, { common });
  } catch (error) {
    throw invalid(error);
  }
}

/** The library's objection to a transaction, in other nodes' wording. */
function invalid(error: unknown): NodeRefusal {
  const words = error instanceof Error ? (error.message.split(" (vm ")[0] ?? "") : "";
  if (/chain ?id/i.test(words)) return new NodeRefusal(-32000, "invalid chain id for signer");
  if (/enough funds/i.test(words)) return new NodeRefusal(-32000, "insufficient funds for gas * price + value");
  return new NodeRefusal(-32000, `invalid transaction: ${words}`);
}

/** Block time never goes backwards, even if the machine's clock is set back. */
function nextHeader(parent: BlockRow, nowMs: number) {
  const timestamp = Math.max(Math.floor(nowMs / 1000), parent.timestamp);
  return { number: parent.number + 1, timestamp, gasLimit: BLOCK_GAS, baseFeePerGas: 0n };
}

function word(value: number): Uint8Array {
  return hexToBytes(`0x${value.toString(16).padStart(64, "0")}`);
}

async function read(
  store: ChainStore,
  execution: Execution,
  method: string,
  params: readonly unknown[],
): Promise<unknown> {
  switch (method) {
    case "eth_chainId":
      return hex(EMBEDDED_CHAIN_ID);
    case "eth_blockNumber":
      return hex(store.head().number);
    case "eth_gasPrice":
    case "eth_maxPriorityFeePerGas":
      return "0x0";
    case "eth_getBlockByNumber":
      return blockAnswer(params[0] === "latest" ? store.head() : store.block(Number(params[0])));
    case "eth_getTransactionReceipt":
      return receiptAnswer(store, bytesOf(params[0]));
    case "eth_getTransactionCount":
      requireNewest(store, params[1]);
      return hex(store.account(bytesOf(params[0]))?.nonce ?? 0);
    case "eth_getCode":
      requireNewest(store, params[1]);
      return bytesToHex(await execution.state.getCode(addressOf(params[0])));
    case "eth_call":
      requireNewest(store, params[1]);
      return bytesToHex((await call(store, execution, params[0])).returnValue);
    case "eth_estimateGas": {
      const { gasUsed } = await call(store, execution, params[0]);
      return hex((gasUsed * 17n) / 16n); // a call inside a call gets 63/64 of the gas at most
    }
    default:
      throw new NodeRefusal(-32601, `the method ${method} does not exist`);
  }
}

/** Only the newest state is kept: a question about an older block must be asked again with the newer one. */
function requireNewest(store: ChainStore, ref: unknown): void {
  if (ref === "latest" || Number(ref) === store.head().number) return;
  throw new NodeRefusal(-32000, "the state has moved on from that block");
}

/** Runs a call on the newest state and drops its writes. Gas includes the transaction's own cost. */
async function call(store: ChainStore, { common, state, vm }: Execution, params: unknown) {
  const { from, to, data } = params as { from?: string; to?: string; data?: string };
  const target = to === undefined ? {} : { to: addressOf(to) };
  const input = bytesOf(data ?? "0x");
  const shape = createFeeMarket1559Tx({ ...target, data: input, gasLimit: BLOCK_GAS }, { common });
  const head = store.head();
  const header = nextHeader(head, head.timestamp * 1000);
  try {
    const { execResult } = await vm.evm.runCall({
      ...target,
      ...(from === undefined ? {} : { caller: addressOf(from) }),
      data: input,
      gasLimit: BLOCK_GAS - shape.getIntrinsicGas(),
      block: createBlock({ header }, { common, skipConsensusFormatValidation: true }),
    });
    if (execResult.exceptionError?.error === "revert") {
      throw new NodeRefusal(3, "execution reverted", bytesToHex(execResult.returnValue));
    }
    if (execResult.exceptionError) throw new NodeRefusal(-32000, execResult.exceptionError.error);
    return {
      returnValue: execResult.returnValue,
      gasUsed: execResult.executionGasUsed + shape.getIntrinsicGas(),
    };
  } finally {
    vm.evm.journal.cleanJournal();
    state.take();
  }
}

function blockAnswer(row: BlockRow | null) {
  if (row === null) return null;
  return {
    number: hex(row.number),
    hash: bytesToHex(row.hash),
    parentHash: bytesToHex(row.parent_hash),
    timestamp: hex(row.timestamp),
    gasLimit: hex(BLOCK_GAS),
    baseFeePerGas: "0x0",
  };
}

function receiptAnswer(store: ChainStore, hash: Uint8Array) {
  const row = store.receipt(hash);
  if (row === null) return null;
  return {
    transactionHash: bytesToHex(hash),
    blockNumber: hex(row.block_number),
    blockHash: bytesToHex(store.block(row.block_number)?.hash ?? NO_HASH),
    status: hex(row.succeeded),
    gasUsed: hex(row.gas_used),
    contractAddress: row.contract_address && bytesToHex(row.contract_address),
    logs: JSON.parse(row.logs),
  };
}

function hex(value: number | bigint): string {
  return `0x${value.toString(16)}`;
}

function bytesOf(value: unknown): Uint8Array {
  if (typeof value === "string" && /^0x([0-9a-f]{2})*$/i.test(value)) return hexToBytes(value as `0x${string}`);
  throw new NodeRefusal(-32602, "invalid params");
}

function addressOf(value: unknown): Address {
  return createAddressFromString(bytesToHex(bytesOf(value)));
}
