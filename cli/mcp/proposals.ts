// Proposed changes, kept in this process until they are confirmed, cancelled or old.
import { systemRuntime, toTimestamp } from "../../src/kernel/runtime.ts";
import type { Row } from "../api/output.ts";
import { Refusal } from "./answer.ts";

const MINUTE_MS = 60_000;
const LIFE_MS = 15 * MINUTE_MS;
const COUNT_MAX = 20;

/** An operation, as the API takes it in a batch. */
export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly name?: string;
  readonly body?: unknown;
}

/** What is proposed. */
export interface Proposal {
  /** Also the `Idempotency-Key` with which it is sent. */
  readonly id: string;
  readonly operations: readonly Operation[];
  readonly reason: string;
  /** The hash of the ledger's newest entry when it was tried. */
  readonly head: string;
  /** What the trial said that changes, with values before and after. */
  readonly effects: readonly Row[];
  /** Shares issued in all, before and after. */
  readonly issued: { readonly before: string; readonly after: string };
  readonly expiresAt: string;
  /** Questions to the person that wait for an answer, each answered once. */
  readonly questions: Set<string>;
  /** Whether it has been confirmed; it may be sent again, and is done once. */
  isConfirmed: boolean;
}

/** The proposals of this process. */
export class Proposals {
  readonly #nowMs: () => number;
  readonly #kept = new Map<string, Proposal>();

  constructor(nowMs: () => number = systemRuntime.nowMs) {
    this.#nowMs = nowMs;
  }

  /** Refuses where there is no room: {@link Refusal}. */
  makeRoom(): void {
    for (const { id, expiresAt } of this.#kept.values()) if (Date.parse(expiresAt) <= this.#nowMs()) this.drop(id);
    for (const { id, isConfirmed } of this.#kept.values()) {
      if (this.#kept.size >= COUNT_MAX && isConfirmed) this.drop(id);
    }
    if (this.#kept.size < COUNT_MAX) return;
    throw new Refusal(`${COUNT_MAX} proposals wait for confirmation: confirm or cancel one first`);
  }

  /** Keeps one for 15 minutes. */
  add(given: Pick<Proposal, "operations" | "reason" | "head" | "effects" | "issued">): Proposal {
    this.makeRoom();
    const id = crypto.randomUUID();
    const expiresAt = toTimestamp(this.#nowMs() + LIFE_MS);
    const proposal: Proposal = { ...given, id, expiresAt, questions: new Set(), isConfirmed: false };
    this.#kept.set(id, proposal);
    return proposal;
  }

  /** The proposal. Throws {@link Refusal} for one that is not here, or no longer. */
  get(id: string): Proposal {
    const found = this.#kept.get(id);
    if (found !== undefined && Date.parse(found.expiresAt) > this.#nowMs()) return found;
    this.drop(id);
    throw new Refusal(
      "there is no such proposal: it was cancelled or refused, is older than 15 minutes, or of another run",
    );
  }

  /** Forgets one; whether it was here. */
  drop(id: string): boolean {
    return this.#kept.delete(id);
  }
}
