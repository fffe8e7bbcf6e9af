// Changes that are worked out before they are carried out: in a reading thread, on a snapshot, so that the thread that
// writes is held by what is written alone.

import { isOutdated } from "../../kernel/threads/outdated.ts";
import { ClientGone } from "../../kernel/threads/turns.ts";
import { findAnswer } from "../../storage/database/idempotency.ts";
import type { Reader } from "../../storage/database/sql.ts";
import type { WireAnswer } from "../changes/answer.ts";
import type { Changes, WriteTask } from "../changes/task.ts";

/** How often a change is worked out anew; then the thread that writes does it. */
const TRIES = 4;

/** What planned changes need. */
export interface PlannedParts {
  readonly changes: Pick<Changes, "write">;
  /** A connection whose reads are never older than the last commit. */
  readonly keys: Reader;
}

/** A change on its way. */
export interface Planned {
  readonly task: WriteTask;
  readonly signal: AbortSignal;
  /** Works it out, as of then; waits for its turn. */
  plan(): Promise<unknown>;
  /** Throws where the caller may not write any more. */
  lookAgain(): void;
}

/** Works changes out and carries them out: of each organization one at a time, for each reads a whole ledger. */
export class PlannedWrites {
  readonly #parts: PlannedParts;
  readonly #last = new Map<string, Promise<unknown>>();

  constructor(parts: PlannedParts) {
    this.#parts = parts;
  }

  /** Settles when the change is on disk. Rejects with the `Problem` that refuses it. */
  carryOut(planned: Planned): Promise<WireAnswer> {
    const { orgId } = planned.task.asked;
    const before = this.#last.get(orgId) ?? Promise.resolve();
    const done = before.then(() => this.#carryOut(planned));
    const over = done.catch(() => undefined);
    this.#last.set(orgId, over);
    void over.then(() => {
      if (this.#last.get(orgId) === over) this.#last.delete(orgId);
    });
    return done;
  }

  async #carryOut({ task, signal, plan, lookAgain }: Planned): Promise<WireAnswer> {
    const { changes } = this.#parts;
    for (let tries = 0; tries < TRIES && !this.#isAnswered(task); tries++) {
      if (signal.aborted) throw new ClientGone();
      const worked = await plan();
      lookAgain();
      try {
        return await changes.write({ ...task, plan: worked });
      } catch (thrown) {
        if (!isOutdated(thrown)) throw thrown;
      }
    }
    return changes.write(task);
  }

  /** Whether an earlier request with the same key was carried out: its answer is all that is needed. */
  #isAnswered({ asked: { orgId, method, path }, idempotency }: WriteTask): boolean {
    return idempotency !== null && findAnswer(this.#parts.keys, { orgId, method, path, ...idempotency }) !== null;
  }
}
