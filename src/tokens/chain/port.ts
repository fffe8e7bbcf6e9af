// The chain port: the operations of an EVM chain that background jobs need. Jobs import this file; the composition root
// decides which chain answers (a node reached by HTTP, or the embedded development chain). No viem, no I/O, no clock.
import type { Address } from "../../kernel/text/wallet-address.ts";

/** Bytes as `0x` and hexadecimal digits. */
export type Hex = `0x${string}`;
/** The block of a read's state: the newest, or the one with that number. */
export type BlockRef = "latest" | bigint;

/** The chain id of the embedded development chain. */
export const EMBEDDED_CHAIN_ID = 31338;

/** The identity of a chain: two chains may share an id, but not their first block. */
export interface ChainIdentity {
  readonly chainId: number;
  readonly genesisHash: Hex;
}

/** Offered fees per unit of gas, in wei. `legacy` for chains whose blocks have no base fee. */
export type Fees =
  | { readonly type: "eip1559"; readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }
  | { readonly type: "legacy"; readonly gasPrice: bigint };

/** A call or transaction before it has a nonce and fees. `to` is null for the creation of a contract. */
export interface Call {
  readonly from: Address;
  readonly to: Address | null;
  readonly data: Hex;
}

/** An event that a contract emitted. */
export interface Log {
  readonly address: Address;
  readonly topics: readonly Hex[];
  readonly data: Hex;
}

/** The result of a mined transaction. */
export interface Receipt {
  readonly status: "success" | "reverted";
  readonly blockNumber: bigint;
  readonly blockHash: Hex;
  /** The contract that the transaction created; null if it called an existing one. */
  readonly contractAddress: Address | null;
  readonly logs: readonly Log[];
}

/** An EVM chain. Every method rejects with {@link ChainError} and nothing else. Nothing is retried inside. */
export interface Chain {
  /** Whether this is the embedded development chain, which has one transaction in each block. */
  readonly embedded: boolean;
  /** Reads the chain's identity anew each time: a node may have been exchanged or reset. */
  identity(): Promise<ChainIdentity>;
  /** The number of the newest block. With N confirmations the confirmed block is `head - N + 1`. */
  head(): Promise<bigint>;
  /** The fees for a transaction that should be in one of the next blocks. */
  fees(): Promise<Fees>;
  /** The number of transactions of `address` at `at`: its next nonce there. */
  nonce(address: Address, at: BlockRef): Promise<number>;
  /** The code at `address`; null if the address has no code. */
  code(address: Address, at: BlockRef): Promise<Hex | null>;
  /** Calls a view function. Rejects with `no-contract` if the address has no contract. */
  read(to: Address, data: Hex, at: BlockRef): Promise<Hex>;
  /** Simulates `call` on the newest state. Returns the gas to send it with; rejects as the call would. */
  simulate(call: Call): Promise<bigint>;
  /** Sends a signed transaction. One that the chain knows already is a success. */
  send(raw: Hex): Promise<void>;
  /** The receipt of a transaction; null until it is mined. Rejects with `reorged` if its block is gone. */
  receipt(hash: Hex): Promise<Receipt | null>;
  /** Closes the connection or file. No other method may be called after it. */
  close(): Promise<void>;
}

/**
 * Each failure's code and remedy: `transient`: wait and retry; `deterministic`: a retry fails again; `operator`: the
 * operator has to act; `reorged`: check all attempts again.
 */
const CHAIN_ERRORS = {
  unreachable: "transient",
  timeout: "transient",
  "rate-limited": "transient",
  "node-failing": "transient",
  "bad-answer": "transient",
  /** The state of the requested block is not available (any more, or yet). */
  "state-unavailable": "transient",
  /** The nonce was used: by an earlier attempt, or by another program with the same key. */
  "nonce-too-low": "transient",
  "nonce-too-high": "transient",
  /** The fee is lower than the chain requires, or too close to that of the attempt it replaces. */
  underpriced: "transient",
  /** The operation with this key is done. */
  "key-used": "deterministic",
  reverted: "deterministic",
  "no-contract": "deterministic",
  /** The node will never take this transaction. */
  rejected: "deterministic",
  "insufficient-funds": "operator",
  "access-refused": "operator",
  "not-a-node": "operator",
  "wrong-chain": "operator",
  "chain-reset": "operator",
  /** The operator's key is not the one that the contract obeys. */
  "not-issuer": "operator",
  /** The embedded chain's file or worker has failed. */
  "embedded-chain-down": "operator",
  reorged: "reorged",
} as const;

/** A failure's code: a row of {@link CHAIN_ERRORS}. */
export type ChainErrorCode = keyof typeof CHAIN_ERRORS;
/** A failure's remedy: see {@link CHAIN_ERRORS}. */
export type ChainErrorKind = (typeof CHAIN_ERRORS)[ChainErrorCode];

/** A chain's failure. Its message is safe to show: it has no node's address, credential, key or raw payload. */
export class ChainError extends Error {
  override readonly name = "ChainError";
  readonly code: ChainErrorCode;
  /** Milliseconds that the node asks to wait; null if it does not say. */
  readonly retryAfterMs: number | null;

  constructor(code: ChainErrorCode, reason: string, retryAfterMs: number | null = null) {
    super(reason);
    this.code = code;
    this.retryAfterMs = retryAfterMs;
  }

  /** The failure's remedy. */
  get kind(): ChainErrorKind {
    return CHAIN_ERRORS[this.code];
  }
}

/** Throws `wrong-chain` or `chain-reset` unless `found` is the chain used before: no other chain has the tokens. */
export function assertSameChain(expected: ChainIdentity, found: ChainIdentity): void {
  if (expected.chainId !== found.chainId) {
    throw new ChainError(
      "wrong-chain",
      `the node serves chain ${found.chainId}, but this data directory belongs to chain ${expected.chainId}`,
    );
  }
  if (expected.genesisHash !== found.genesisHash) {
    throw new ChainError("chain-reset", `chain ${found.chainId} was reset: it has another first block than before`);
  }
}
