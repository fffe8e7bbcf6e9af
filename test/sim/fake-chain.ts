// A chain in memory: blocks, each with the state after it, and a pool of transactions that wait. It does what its
// driver says: makes blocks, forgets some (a reorganization), loses what waits, begins anew. Nothing here is in time.

import type { Address } from "../../src/kernel/text/wallet-address.ts";
import {
  type BlockRef,
  ChainError,
  type ChainIdentity,
  type Fees,
  type Hex,
  type Receipt,
} from "../../src/tokens/chain/port.ts";
import { type Effect, EMPTY_STATE, execute, type State } from "./contracts.ts";

/** A signed transaction as the simulated operator makes it: plain JSON in its bytes. */
export interface Sent {
  readonly hash: Hex;
  readonly nonce: number;
  readonly to: Address | null;
  readonly data: Hex;
  readonly price: bigint;
}

/** How a transaction ends that gets into a block: `hollow` succeeds without doing anything. */
export type Fate = "normal" | "reverts" | "hollow";

interface Block {
  readonly hash: Hex;
  readonly transactions: readonly {
    readonly sent: Sent;
    readonly receipt: Omit<Receipt, "blockHash" | "blockNumber">;
  }[];
  readonly state: State;
}

const PER_BLOCK = 3;

/** The address that signs everything. */
export const OPERATOR: Address = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";

/** The chain itself, without a node's troubles. */
export class FakeChain {
  /** What a transaction must pay at least to get into a block. */
  price = 10n;
  /** DeliberateFault: it forgets which operations were done, and does each a second time. */
  isDoubling = false;
  readonly #confirmations: number;
  #generation = 0;
  #blocks: Block[] = [];
  #pool = new Map<Hex, Sent>();
  /** The newest block that ever was as deep as confirmations go: nothing up to it may be reorganized. */
  #settled = 0;

  constructor(confirmations: number) {
    this.#confirmations = confirmations;
    this.reset();
  }

  get identity(): ChainIdentity {
    return { chainId: 31337, genesisHash: (this.#blocks[0] as Block).hash };
  }

  get head(): number {
    return this.#blocks.length - 1;
  }

  /** The newest state. */
  get state(): State {
    return (this.#blocks.at(-1) as Block).state;
  }

  get waiting(): number {
    return this.#pool.size;
  }

  stateAt(at: BlockRef): State {
    const block = at === "latest" ? this.#blocks.at(-1) : this.#blocks[Number(at)];
    if (!block) throw new ChainError("state-unavailable", "the state of that block is not at hand");
    return block.state;
  }

  receipt(hash: Hex): Receipt | null {
    for (const [number, block] of this.#blocks.entries()) {
      const found = block.transactions.find(({ sent }) => sent.hash === hash);
      if (found) return { ...found.receipt, blockNumber: BigInt(number), blockHash: block.hash };
    }
    return null;
  }

  /** Takes a transaction into the pool. Throws what a node answers. */
  accept(sent: Sent): void {
    if (this.#pool.has(sent.hash) || this.receipt(sent.hash)) return;
    if (sent.nonce < this.state.nonce) throw new ChainError("nonce-too-low", "the nonce is spent");
    const rival = [...this.#pool.values()].find(({ nonce }) => nonce === sent.nonce);
    if (rival && sent.price * 10n < rival.price * 11n) throw new ChainError("underpriced", "replacement underpriced");
    if (rival) this.#pool.delete(rival.hash);
    this.#pool.set(sent.hash, sent);
  }

  /** Makes a block of what can go. */
  mine(fate: () => Fate): string {
    const transactions: Block["transactions"][number][] = [];
    let { state } = this;
    for (;;) {
      const next = [...this.#pool.values()].find(({ nonce, price }) => nonce === state.nonce && price >= this.price);
      if (!next || transactions.length === PER_BLOCK) break;
      this.#pool.delete(next.hash);
      const effect = carryOut(state, next, fate());
      const after = this.isDoubling ? carryOut(withoutKeys(effect.state), next, "normal") : effect;
      const { contractAddress, logs, status } = effect;
      transactions.push({ sent: next, receipt: { status, contractAddress, logs } });
      state = { ...after.state, nonce: state.nonce + 1 };
    }
    for (const { hash, nonce } of [...this.#pool.values()]) if (nonce < state.nonce) this.#pool.delete(hash);
    this.#append(transactions, state);
    return `${this.head}: ${transactions.map(({ sent, receipt }) => `${sent.nonce} ${receipt.status}`).join(", ")}`;
  }

  /** Forgets up to `depth` blocks, none that counts as confirmed, and makes `more` empty ones; lost or not, what they held. */
  reorganize(depth: number, isLost: boolean, more: number): number {
    const dropped = this.#blocks.splice(Math.max(this.#settled, this.head - depth) + 1);
    for (const { sent } of isLost ? [] : dropped.flatMap(({ transactions }) => transactions)) {
      this.#pool.set(sent.hash, sent);
    }
    this.#generation++;
    for (let count = 0; count < more; count++) this.#append([], this.state);
    return dropped.length;
  }

  /** Loses whatever waits. */
  forgetPool(): void {
    this.#pool.clear();
  }

  /** Another program uses the operator's next nonce. */
  spendNonce(): void {
    this.#append([], { ...this.state, nonce: this.state.nonce + 1 });
  }

  /** Begins with another first block, without anything that was. */
  reset(): void {
    this.#generation++;
    this.#blocks = [];
    this.#settled = 0;
    this.#pool.clear();
    this.#append([], EMPTY_STATE);
    this.#append([], EMPTY_STATE);
  }

  #append(transactions: Block["transactions"], state: State): void {
    const name = [this.#generation, this.#blocks.length, ...transactions.map(({ sent }) => sent.hash)].join();
    this.#blocks.push({ hash: digestOf(name), transactions, state });
    this.#settled = Math.max(this.#settled, this.head - this.#confirmations + 1);
  }
}

function withoutKeys(state: State): State {
  return { ...state, tokens: new Map([...state.tokens].map(([at, token]) => [at, { ...token, keys: new Set() }])) };
}

function carryOut(state: State, { to, data }: Sent, fate: Fate): Effect & Pick<Receipt, "status"> {
  const none = { state, logs: [], contractAddress: null };
  if (fate === "reverts" || (fate === "hollow" && to === null)) return { ...none, status: "reverted" };
  if (fate === "hollow") return { ...none, status: "success" };
  try {
    return { ...execute(state, OPERATOR, to, data), status: "success" };
  } catch (error) {
    if (error instanceof ChainError) return { ...none, status: "reverted" };
    throw error;
  }
}

/** A hash of a text. */
export function digestOf(text: string): Hex {
  return `0x${new Bun.CryptoHasher("sha256").update(text).digest("hex")}`;
}

/** What a transaction offers for a unit of gas. */
export function priceOf(fees: Fees): bigint {
  return fees.type === "legacy" ? fees.gasPrice : fees.maxFeePerGas;
}
