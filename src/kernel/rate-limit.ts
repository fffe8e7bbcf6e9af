// Token buckets (DECISIONS section 6). Memory is bounded: the least recently used bucket is forgotten first, and a
// forgotten one is full again, which errs on the caller's side.

const BUCKETS_MAX = 10_000;

interface Bucket {
  tokens: number;
  atMs: number;
}

/** The state of a bucket after a request, for the `RateLimit-*` headers. */
export interface Allowance {
  readonly isAllowed: boolean;
  /** Requests a minute. */
  readonly limit: number;
  /** Whole requests left at once. */
  readonly remaining: number;
  /** Seconds until the bucket is full again. */
  readonly resetSeconds: number;
  /** Seconds until one more request is allowed; at least 1. */
  readonly retryAfterSeconds: number;
}

/** A token bucket for each name. */
export class RateLimiter {
  readonly #buckets = new Map<string, Bucket>();
  readonly #perMinute: number;
  readonly #burst: number;

  /** `perMinute` requests a minute with `burst` at once. */
  constructor(perMinute: number, burst: number) {
    this.#perMinute = perMinute;
    this.#burst = Math.max(1, Math.floor(burst));
  }

  /** Takes one token of the bucket `name` at `nowMs`, if there is one. */
  take(name: string, nowMs: number): Allowance {
    const perMs = this.#perMinute / 60_000;
    const bucket = this.#buckets.get(name) ?? { tokens: this.#burst, atMs: nowMs };
    this.#buckets.delete(name);
    this.#buckets.set(name, bucket);
    if (this.#buckets.size > BUCKETS_MAX) this.#forgetOldest();
    bucket.tokens = Math.min(this.#burst, bucket.tokens + Math.max(0, nowMs - bucket.atMs) * perMs);
    bucket.atMs = nowMs;
    const isAllowed = bucket.tokens >= 1;
    if (isAllowed) bucket.tokens -= 1;
    return {
      isAllowed,
      limit: this.#perMinute,
      remaining: Math.floor(bucket.tokens),
      resetSeconds: Math.ceil((this.#burst - bucket.tokens) / perMs / 1000),
      retryAfterSeconds: Math.max(1, Math.ceil((1 - bucket.tokens) / perMs / 1000)),
    };
  }

  /** Puts a token back: what it was taken for did not count after all. */
  giveBack(name: string): void {
    const bucket = this.#buckets.get(name);
    if (bucket) bucket.tokens = Math.min(this.#burst, bucket.tokens + 1);
  }

  #forgetOldest(): void {
    for (const name of this.#buckets.keys()) {
      this.#buckets.delete(name);
      return;
    }
  }
}
