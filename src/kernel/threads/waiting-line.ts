// Waiting line: callers that wait for a turn, served by organization, then by caller; each waits so long, and while its
// client is there.
import { type Asker, Round } from "../fair-queue.ts";

/** How long a caller waits. */
export interface Patience {
  /** Milliseconds; without them it waits as long as it takes. */
  readonly ms?: number | undefined;
  /** What the wait rejects with after that. */
  readonly late: () => Error;
  readonly signal?: AbortSignal | undefined;
  /** What it rejects with where `signal` says that the client is gone. */
  readonly gone: () => unknown;
}

interface Waiting<A> {
  readonly asker: A;
  readonly begin: () => void;
}

/** Callers that wait. */
export class WaitingLine<A extends Asker> {
  readonly #round = new Round<A & Waiting<A>>();

  /** Waits until the caller is admitted; `begin` is called then, and the wait resolves with what it returns. */
  wait<R>(asker: A, begin: () => R, { ms, late, signal, gone }: Patience): Promise<R> {
    const { promise, resolve, reject } = Promise.withResolvers<R>();
    const leave = () => {
      if (timer !== null) clearTimeout(timer);
      signal?.removeEventListener("abort", goAway);
      this.#round.remove(waiting);
    };
    const giveUp = (why: unknown) => {
      leave();
      reject(why);
    };
    const goAway = () => giveUp(gone());
    const admitted = () => {
      leave();
      resolve(begin());
    };
    const waiting = { ...asker, asker, begin: admitted };
    const timer = ms === undefined ? null : setTimeout(() => giveUp(late()), ms);
    signal?.addEventListener("abort", goAway);
    this.#round.add(waiting);
    if (signal?.aborted) goAway();
    return promise;
  }

  /** Admits the next caller that may begin. */
  admit(may: (asker: A) => boolean): void {
    this.#round.next(({ asker }) => may(asker))?.begin();
  }

  /** The callers of an organization that wait. */
  ofOrganization(orgId: string): readonly A[] {
    return this.#round.ofOrganization(orgId);
  }

  /** What waits of one caller. */
  ofCaller(callerId: string): readonly A[] {
    return this.#round.ofCaller(callerId);
  }
}
