// Rate limits on failed sign-ins: passwords by e-mail and address, codes by account. No account is locked out for good,
// since a stranger could do that to its owner, and an attempt that succeeds takes nothing.

import { Problem } from "../../kernel/problem.ts";
import { AddressLimiter, type Allowance, RateLimiter } from "../../kernel/rate-limit.ts";

/** `times` at once, and as many again in so many minutes. */
function limit(times: number, minutes: number): RateLimiter {
  return new RateLimiter(times / minutes, times);
}

function limitOfAddresses(times: number, minutes: number): AddressLimiter {
  return new AddressLimiter(times / minutes, times);
}

/** One bucket: takes a token of it, or gives one back. */
interface Bucket {
  take(nowMs: number): Allowance;
  giveBack(nowMs: number): void;
}

function bucketOf(limiter: RateLimiter, name: string): Bucket {
  return { take: (nowMs) => limiter.take(name, nowMs), giveBack: (nowMs) => limiter.giveBack(name, nowMs) };
}

function bucketOfAddress(limiter: AddressLimiter, address: string, whose = ""): Bucket {
  return {
    take: (nowMs) => limiter.take(address, nowMs, whose),
    giveBack: (nowMs) => limiter.giveBack(address, nowMs, whose),
  };
}

/** Counts failed attempts. */
export class Failures {
  readonly #ofPair = limitOfAddresses(10, 15);
  readonly #ofEmail = limit(50, 60);
  readonly #ofAddress = limitOfAddresses(60, 1);
  readonly #ofDevice = limit(10, 15);
  readonly #ofCode = limit(5, 15);
  readonly #ofSession = limit(10, 15);
  readonly #ofWishes = limit(5, 1440);
  readonly #ofBeginnings = limitOfAddresses(300, 1);
  readonly #ofRecoveries = limit(3, 60);
  readonly #recoveriesFrom = limitOfAddresses(20, 60);
  readonly #recoveries = limit(5000, 60);

  /**
   * Begins an attempt to sign in, which counts as failed until the returned function is called. On a device that signed
   * in with this account before (`deviceId`) it counts for that device alone: what strangers get wrong elsewhere keeps
   * no owner out. Throws `429` after too many.
   */
  attempt({ emailFolded, address, deviceId }: SignInFrom, nowMs: number): () => void {
    if (deviceId !== null) return take(nowMs, [bucketOf(this.#ofDevice, deviceId)]);
    return take(nowMs, [
      bucketOfAddress(this.#ofAddress, address),
      bucketOf(this.#ofEmail, emailFolded),
      bucketOfAddress(this.#ofPair, address, emailFolded),
    ]);
  }

  /** Counts a forgotten password, of an account or of none alike. Throws `429` after too many. */
  recover(emailFolded: string, address: string, nowMs: number): void {
    take(nowMs, [
      bucketOf(this.#ofRecoveries, emailFolded),
      bucketOfAddress(this.#recoveriesFrom, address),
      bucketOf(this.#recoveries, ""),
    ]);
  }

  /** The same for an attempt without an e-mail address. */
  attemptFrom(address: string, nowMs: number): () => void {
    return take(nowMs, [bucketOfAddress(this.#ofAddress, address)]);
  }

  /** The same for a password in a live session: failures of strangers elsewhere do not count here. */
  attemptIn(sessionId: string, nowMs: number): () => void {
    return take(nowMs, [bucketOf(this.#ofSession, sessionId)]);
  }

  /** The same for a code of an account, on one of its devices or elsewhere. */
  attemptCode(accountId: string, nowMs: number, deviceId: string | null = null): () => void {
    return take(nowMs, [deviceId === null ? bucketOf(this.#ofCode, accountId) : bucketOf(this.#ofDevice, deviceId)]);
  }

  /** Counts how often a person asks for another e-mail address. Throws `429` after five a day. */
  askEmail(accountId: string, nowMs: number): void {
    take(nowMs, [bucketOf(this.#ofWishes, accountId)], "Too many changes of the e-mail address");
  }

  /**
   * Counts attempts that any caller may begin and that stay in memory until they end: no caller may push out those of
   * others.
   */
  begin(address: string, nowMs: number): void {
    take(nowMs, [bucketOfAddress(this.#ofBeginnings, address)]);
  }
}

/** The source of an attempt to sign in. */
interface SignInFrom {
  readonly emailFolded: string;
  readonly address: string;
  /** The device that signed in with the account before; null if no known device did. */
  readonly deviceId: string | null;
}

/** Takes from each bucket, or from no bucket at all. */
function take(nowMs: number, buckets: readonly Bucket[], what = "Too many failed attempts"): () => void {
  const taken: Bucket[] = [];
  const giveBack = () => {
    for (const bucket of taken) bucket.giveBack(nowMs);
  };
  for (const bucket of buckets) {
    const { isAllowed, retryAfterSeconds: seconds } = bucket.take(nowMs);
    if (!isAllowed) {
      giveBack();
      throw new Problem("rate-limited", `${what}; try again in ${seconds} s.`, undefined, {
        retryAfterSeconds: seconds,
      });
    }
    taken.push(bucket);
  }
  return giveBack;
}
