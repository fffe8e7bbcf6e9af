// The node in front of the simulated chain, with all that can go wrong on the way to it. Each question is a place where
// the service can crash, before it is asked and before the answer is seen.

import type { Address } from "../../src/kernel/text/wallet-address.ts";
import type { Operator, UnsignedTransaction } from "../../src/tokens/chain/keys.ts";
import { type Call, type Chain, ChainError, type ChainErrorCode, type Hex } from "../../src/tokens/chain/port.ts";
import type { Random } from "../kit/random.ts";
import { codeAt, execute, view } from "./contracts.ts";
import { digestOf, type FakeChain, OPERATOR, priceOf, type Sent } from "./fake-chain.ts";
import { type Trace, Violation } from "./trace.ts";

/** How a node is just now. */
export type Mood = "calm" | "flaky" | "slow" | "down" | "lossy" | "poor" | "stale" | "refusing";

const TRANSIENT: readonly [ChainErrorCode, ...ChainErrorCode[]] = [
  "unreachable",
  "timeout",
  "rate-limited",
  "node-failing",
  "bad-answer",
  "access-refused",
];

/** The service that asks, as far as a node can notice. */
export interface Asker {
  /** False when the service is no more: it crashed here, or before. */
  passCrashPoint(point: string): boolean;
  /** Whether the database on disk knows these bytes. */
  hasKept(raw: Hex): boolean;
  violate(violation: Error): void;
}

/** A node and its moods. */
export class Node {
  mood: Mood = "calm";
  /** Where the chain has one transaction in each block at once, as the embedded one. */
  readonly isInstant: boolean;
  readonly chain: FakeChain;
  /** Questions that take long: calling one lets its answer come. */
  readonly gates: (() => void)[] = [];
  readonly #random: Random;
  readonly #trace: Trace;

  constructor(chain: FakeChain, isInstant: boolean, random: Random, trace: Trace) {
    this.chain = chain;
    this.isInstant = isInstant;
    this.#random = random;
    this.#trace = trace;
  }

  /** The port as one service sees it. */
  connect(asker: Asker): Chain {
    const { chain } = this;
    const ask = <T>(method: string, answer: () => T): Promise<T> => this.#ask(asker, method, answer);
    return {
      embedded: this.isInstant,
      identity: () => ask("identity", () => chain.identity),
      head: () => ask("head", () => BigInt(chain.head)),
      fees: () => ask("fees", () => ({ type: "legacy", gasPrice: chain.price })),
      nonce: (_address, at) => ask("nonce", () => this.#stateAt(at).nonce),
      code: (address, at) => ask("code", () => codeAt(this.#stateAt(at), address)),
      read: (to, data, at) => ask("read", () => view(this.#stateAt(at), to, data)),
      simulate: (call) => ask("simulate", () => this.#simulate(call)),
      receipt: (hash) => ask("receipt", () => chain.receipt(hash)),
      send: (raw) => ask("send", () => this.#take(raw, asker)),
      close: async () => undefined,
    };
  }

  /** Lets every slow answer come. */
  openGates(): void {
    for (const open of this.gates.splice(0)) open();
  }

  async #ask<T>(asker: Asker, method: string, answer: () => T): Promise<T> {
    if (!asker.passCrashPoint(`before ${method}`)) return never();
    try {
      this.#stumble(method);
      if (this.mood === "slow" && this.#random.chance(0.3)) await new Promise<void>((open) => this.gates.push(open));
      if (!asker.passCrashPoint(`amid ${method}`)) return never();
      const answered = answer();
      if (this.mood === "lossy" && this.#random.chance(0.3)) throw new ChainError("timeout", "the answer was lost");
      this.#trace.note(`chain ${method}`);
      return asker.passCrashPoint(`after ${method}`) ? answered : never();
    } catch (error) {
      this.#trace.note(`chain ${method} ${error instanceof ChainError ? error.code : error}`);
      throw error;
    }
  }

  /** Throws what goes wrong before the question arrives. */
  #stumble(method: string): void {
    const { mood } = this;
    if (mood === "down") throw new ChainError("unreachable", "the node is down");
    if (mood === "flaky" && this.#random.chance(0.25)) {
      const code = this.#random.pick(TRANSIENT);
      throw new ChainError(code, `the node stumbles (${code})`, code === "rate-limited" ? 2000 : null);
    }
    const isSpending = method === "simulate" || method === "send";
    if (mood === "poor" && isSpending) throw new ChainError("insufficient-funds", "the operator lacks funds");
    if (mood === "refusing" && method === "send") throw new ChainError("rejected", "the node will not have it");
    if (mood === "stale" && method !== "send" && this.#random.chance(0.4)) {
      throw new ChainError("state-unavailable", "the state of that block is not at hand");
    }
  }

  #stateAt(at: bigint | "latest") {
    const isOld = this.isInstant && at !== "latest" && Number(at) !== this.chain.head;
    if (isOld) throw new ChainError("state-unavailable", "the state has moved on from that block");
    return this.chain.stateAt(at);
  }

  #simulate({ from, to, data }: Call): bigint {
    execute(this.chain.state, from, to, data);
    return 21_000n;
  }

  #take(raw: Hex, asker: Asker): void {
    if (!asker.hasKept(raw)) asker.violate(new Violation("a transaction was sent that is not on disk"));
    const sent = JSON.parse(Buffer.from(raw.slice(2), "hex").toString());
    this.chain.accept({ ...sent, hash: digestOf(raw), price: BigInt(sent.price) } satisfies Sent);
    if (this.isInstant) this.chain.mine(() => "normal");
  }
}

/** The signer of a simulation: bytes that follow from the transaction, as with real signatures. */
export function simulatedOperator(asker: Asker): Operator {
  return {
    address: OPERATOR,
    async sign({ nonce, to, data, gas, fees }: UnsignedTransaction) {
      if (!asker.passCrashPoint("before signing")) return never();
      const said = { nonce, to, data, gas: String(gas), price: String(priceOf(fees)) };
      const raw: Hex = `0x${Buffer.from(JSON.stringify(said)).toString("hex")}`;
      return asker.passCrashPoint("after signing") ? { raw, hash: digestOf(raw) } : never();
    },
  };
}

/** A client of a stopped service waits for ever. */
function never<T>(): Promise<T> {
  return new Promise(() => undefined);
}

/** An address in one case only, which needs no checksum. */
export function anyAddress(random: Random): Address {
  return `0x${random.hex(40)}`;
}
