// The queue for the reading process, or for an organization's imports: one at a time; waiting ones are served by
// organization, then by caller.
import type { Asker } from "../../kernel/fair-queue.ts";
import { Problem } from "../../kernel/problem.ts";
import { WaitingLine, type Patience as Waits } from "../../kernel/threads/waiting-line.ts";

const RETRY_SECONDS = 5;
const WAITING_OF_CALLER = 8;
const WAITING_OF_ORGANIZATION = 32;

/** How long a caller waits for its turn. */
export type Patience = Pick<Waits, "ms" | "signal">;

/** Gives turns, one at a time. */
export class ReadingQueue {
  #isTaken = false;
  readonly #waiting = new WaitingLine<Asker>();

  /**
   * Waits for the turn; resolves with what ends it. Rejects with `429 rate-limited` where the caller or its
   * organization has too many files waiting, with `503 unavailable` where the turn does not come in time, and as
   * `signal` says.
   */
  take({ orgId, callerId }: Asker, { ms, signal }: Patience = {}): Promise<() => void> {
    if (signal?.aborted) return Promise.reject(signal.reason);
    if (!this.#isTaken) return Promise.resolve(this.#begin());
    if (
      this.#waiting.ofCaller(callerId).length >= WAITING_OF_CALLER ||
      this.#waiting.ofOrganization(orgId).length >= WAITING_OF_ORGANIZATION
    ) {
      return Promise.reject(tooManyWaiting());
    }
    const gone = () => signal?.reason;
    return this.#waiting.wait({ orgId, callerId }, () => this.#begin(), { ms, late: tooBusy, signal, gone });
  }

  /** Whether no one has the turn: then no one waits. */
  get isFree(): boolean {
    return !this.#isTaken;
  }

  #begin(): () => void {
    this.#isTaken = true;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      this.#isTaken = false;
      this.#waiting.admit(() => true);
    };
  }
}

/** Turns of each organization's own: one of its callers has one, and other organizations do not wait for that. */
export class OrganizationQueues {
  readonly #queues = new Map<string, ReadingQueue>();

  /** Waits for a turn of the caller's organization as {@link ReadingQueue.take} does. */
  async take(asker: Asker, patience: Patience = {}): Promise<() => void> {
    const queue = this.#queues.get(asker.orgId) ?? new ReadingQueue();
    this.#queues.set(asker.orgId, queue);
    const end = await queue.take(asker, patience);
    return () => {
      end();
      if (queue.isFree) this.#queues.delete(asker.orgId);
    };
  }
}

function tooManyWaiting(): Problem {
  const detail = "Too many of your files, or of your organization's, wait to be read. Send fewer at once.";
  return new Problem("rate-limited", detail, undefined, { retryAfterSeconds: RETRY_SECONDS });
}

function tooBusy(): Problem {
  const detail = "Other files are under way, and the turn of this one did not come in time. Try again.";
  return new Problem("unavailable", detail, undefined, { retryAfterSeconds: RETRY_SECONDS });
}
