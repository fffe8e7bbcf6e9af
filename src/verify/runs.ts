// Verifications that people ask a running server for: each in a process of its own, one at a time for the instance, for it
// reads everything. What came of them is remembered in memory only: whoever wants it for certain runs it anew.
import { Problem, problem } from "../kernel/problem.ts";
import { type Timestamp, toTimestamp } from "../kernel/runtime.ts";
import type { Difference, VerifyReport } from "./report.ts";

/** How a verification stands. */
export const VERIFICATION_STATES = ["NEVER", "RUNNING", "CLEAN", "DIFFERENT"] as const;

/** What is known of an organization's verification. */
export interface Verification {
  readonly state: (typeof VERIFICATION_STATES)[number];
  /** When it began: what was recorded since is not in it. */
  readonly at: Timestamp | null;
  /** How many ledger entries were read; null while it runs. */
  readonly entries: number | null;
  readonly differences: readonly Difference[];
}

/** Verifies one organization elsewhere; rejects where that could not be done. */
export type VerifyElsewhere = (orgId: string, signal: AbortSignal) => Promise<VerifyReport>;

/** What verifications are made of. */
export interface VerificationsParts {
  readonly verify: VerifyElsewhere;
  /** Told why one could not be done. */
  readonly onTrouble: (thrown: unknown) => void;
}

/** Differences kept of each: a ledger that was changed throughout has one for each entry. */
const KEPT_MAX = 1000;
const RETRY_SECONDS = 10;
const NEVER: Verification = { state: "NEVER", at: null, entries: null, differences: [] };

/** The verifications of an instance; without parts, each is refused. */
export class Verifications {
  readonly #parts: VerificationsParts | null;
  readonly #last = new Map<string, Verification>();
  readonly #end = new AbortController();
  #running: string | null = null;

  constructor(parts: VerificationsParts | null = null) {
    this.#parts = parts;
  }

  /** The organization's verification that is under way, or the last that came to an end. */
  of(orgId: string): Verification {
    return this.#last.get(orgId) ?? NEVER;
  }

  /** Begins one, unless the organization's is under way. Throws `503 unavailable` while another organization's is. */
  begin(orgId: string, nowMs: number): void {
    if (this.#running === orgId) return;
    const parts = this.#parts;
    if (parts === null) throw problem("unavailable", "This program has nobody who verifies.");
    if (this.#running !== null) {
      const detail = "Another organization is being verified; one at a time is.";
      throw new Problem("unavailable", detail, undefined, { retryAfterSeconds: RETRY_SECONDS });
    }
    const before = this.of(orgId);
    const at = toTimestamp(nowMs);
    this.#running = orgId;
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
