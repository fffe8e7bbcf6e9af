// Verifications on a running server: each in a process of its own, one at a time for the instance, for it reads
// everything; other organizations' wait in a queue. Results are kept in memory only: run it anew to be certain.
import { problem } from "../../kernel/problem.ts";
import { type Timestamp, toTimestamp } from "../../kernel/runtime.ts";
import type { Difference, VerifyReport } from "./report.ts";

/** The state of a verification. */
export const VERIFICATION_STATES = ["NEVER", "RUNNING", "CLEAN", "DIFFERENT"] as const;

/** An organization's verification. */
export interface Verification {
  readonly state: (typeof VERIFICATION_STATES)[number];
  /** When it began, or was requested while it waits: records made after it began are not in it. */
  readonly at: Timestamp | null;
  /** How many ledger entries were read; null while it runs. */
  readonly entries: number | null;
  readonly differences: readonly Difference[];
}

/** Verifies one organization elsewhere; rejects if that could not be done. */
export type VerifyElsewhere = (orgId: string, signal: AbortSignal) => Promise<VerifyReport>;

/** What verifications need. */
export interface VerificationsParts {
  readonly verify: VerifyElsewhere;
  /** The time, in milliseconds, at which one that had to wait begins. */
  readonly nowMs: () => number;
  /** Called with the reason why a verification could not be done. */
  readonly onTrouble: (thrown: unknown) => void;
}

/** The differences kept of each: a ledger that was changed throughout has one for each entry. */
const KEPT_MAX = 1000;
const NEVER: Verification = { state: "NEVER", at: null, entries: null, differences: [] };

/** The verifications of an instance; without parts, each is refused. */
export class Verifications {
  readonly #parts: VerificationsParts | null;
  readonly #last = new Map<string, Verification>();
  readonly #end = new AbortController();
  /** Organizations that wait, in the order of their requests, each once, with their earlier state. */
  readonly #queue = new Map<string, Verification>();
  #running: string | null = null;

  constructor(parts: VerificationsParts | null = null) {
    this.#parts = parts;
  }

  /** The organization's verification that is under way or waits, or the last one. */
  of(orgId: string): Verification {
    return this.#last.get(orgId) ?? NEVER;
  }

  /** Begins one, or queues it behind other organizations'; does nothing if the organization's is under way or waits. */
  begin(orgId: string, nowMs: number): void {
    if (this.#running === orgId || this.#queue.has(orgId)) return;
    const parts = this.#parts;
    if (parts === null) throw problem("unavailable", "This program cannot verify.");
    this.#queue.set(orgId, this.of(orgId));
    this.#last.set(orgId, { ...NEVER, state: "RUNNING", at: toTimestamp(nowMs) });
    if (this.#running === null) this.#next(parts, nowMs);
  }

  #next(parts: VerificationsParts, nowMs: number): void {
    const [next] = this.#queue;
    if (next === undefined || this.#end.signal.aborted) return;
    const [orgId, before] = next;
    this.#queue.delete(orgId);
    this.#running = orgId;
    const at = toTimestamp(nowMs);
    this.#last.set(orgId, { ...NEVER, state: "RUNNING", at });
    parts
      .verify(orgId, this.#end.signal)
      .then((report) => this.#last.set(orgId, { at, ...outcomeOf(report) }))
      .catch((thrown: unknown) => {
        this.#last.set(orgId, before);
        if (!this.#end.signal.aborted) parts.onTrouble(thrown);
      })
      .finally(() => {
        this.#running = null;
        this.#next(parts, parts.nowMs());
      });
  }

  /** Ends the one that is under way. */
  stop(): void {
    this.#end.abort();
  }
}

function outcomeOf({ organizations, differences }: VerifyReport): Omit<Verification, "at"> {
  return {
    state: differences.length === 0 ? "CLEAN" : "DIFFERENT",
    entries: organizations[0]?.entries ?? 0,
    differences: differences.slice(0, KEPT_MAX),
  };
}
