// How often somebody may be wrong (ACCOUNTS section 7): passwords by e-mail and address, codes by account. Nobody is locked
// out for good, and who is right takes nothing.

import { Problem } from "../kernel/problem.ts";
import { RateLimiter } from "../kernel/rate-limit.ts";

/** `times` at once, and as many again in so many minutes. */
function limit(times: number, minutes: number): RateLimiter {
  return new RateLimiter(times / minutes, times);
}

/** Counts failed attempts. */
export class Failures {
  readonly #ofPair = limit(10, 15);
  readonly #ofEmail = limit(50, 60);
  readonly #ofAddress = limit(60, 1);
  readonly #ofCode = limit(5, 15);
  readonly #ofSession = limit(10, 15);
  readonly #ofBeginnings = limit(300, 1);

  /**
   * Begins an attempt to sign in, which counts as failed until what is returned is called. Throws `429` where there
   * were too many.
   */
  attempt(emailFolded: string, address: string, nowMs: number): () => void {
    return take(nowMs, [
      [this.#ofAddress, address],
      [this.#ofEmail, emailFolded],
      [this.#ofPair, `${emailFolded} ${address}`],
    ]);
  }

  /** The same where there is no e-mail address yet. */
  attemptFrom(address: string, nowMs: number): () => void {
    return take(nowMs, [[this.#ofAddress, address]]);
  }

  /** The same for a password in a living session: what strangers get wrong elsewhere does not count here. */
  attemptIn(sessionId: string, nowMs: number): () => void {
    return take(nowMs, [[this.#ofSession, sessionId]]);
  }

  /** The same for a code of an account. */
  attemptCode(accountId: string, nowMs: number): () => void {
    return take(nowMs, [[this.#ofCode, accountId]]);
  }

  /** Counts what anybody may begin, and is remembered until it ends: nobody is to push out what others began. */
  begin(address: string, nowMs: number): void {
    take(nowMs, [[this.#ofBeginnings, address]]);
  }
}

/** Takes from each bucket, or from none. */
function take(nowMs: number, buckets: readonly (readonly [RateLimiter, string])[]): () => void {
  const taken: (readonly [RateLimiter, string])[] = [];
  const giveBack = () => {
    for (const [limiter, name] of taken) limiter.giveBack(name, nowMs);
  };
  for (const [limiter, name] of buckets) {
    const { isAllowed, retryAfterSeconds: seconds } = limiter.take(name, nowMs);
    if (!isAllowed) {
      giveBack();
      throw new Problem("rate-limited", `Too many failed attempts; try again in ${seconds} s.`, undefined, {
        retryAfterSeconds: seconds,
      });
    }
    taken.push([limiter, name]);
  }
  return giveBack;
}
