// Rate limits by token buckets: one for each key, and one for each organization above its keys'. Memory is bounded: the
// least recently used bucket is forgotten first, and a forgotten one is full again, which errs on the caller's side.
import { networksOf } from "./text/network-address.ts";

const BUCKETS_MAX = 10_000;
/** Each request takes one token, and a read of a long ledger one more for each so many entries. */
const ENTRIES_A_TOKEN = 1000;

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
    const bucket = this.#bucket(name, nowMs);
    const isAllowed = bucket.tokens >= 1;
    if (isAllowed) bucket.tokens -= 1;
    return this.#allowance(bucket, isAllowed);
  }

  /** Takes as many tokens more, with the one that was taken at most a full bucket, or none of them. */
  takeMore(name: string, nowMs: number, tokens: number): Allowance {
    const bucket = this.#bucket(name, nowMs);
    const needed = this.#atMost(tokens);
    const isAllowed = bucket.tokens >= needed;
    if (isAllowed) bucket.tokens -= needed;
    // The request that asks again takes one, too.
    return this.#allowance(bucket, isAllowed, needed + 1);
  }

  /** Returns what {@link takeMore} took. */
  giveBackMore(name: string, nowMs: number, tokens: number): void {
    const bucket = this.#bucket(name, nowMs);
    bucket.tokens = Math.min(this.#burst, bucket.tokens + this.#atMost(tokens));
  }

  #atMost(tokens: number): number {
    return Math.min(tokens, this.#burst - 1);
  }

  /** Returns a token taken for a request that was refused afterwards. */
  giveBack(name: string, nowMs: number): void {
    const bucket = this.#bucket(name, nowMs);
    bucket.tokens = Math.min(this.#burst, bucket.tokens + 1);
  }

  /**
   * Takes more tokens for an admitted request that costs more than others; if too few are left, the next requests wait.
   * At most one second's supply, so that no caller is shut out for long.
   */
  charge(name: string, nowMs: number, tokens: number): Allowance {
    const bucket = this.#bucket(name, nowMs);
    bucket.tokens -= Math.min(tokens, this.#perMinute / 60);
    return this.#allowance(bucket, true);
  }

  #bucket(name: string, nowMs: number): Bucket {
    const bucket = this.#buckets.get(name) ?? { tokens: this.#burst, atMs: nowMs };
    this.#buckets.delete(name);
    this.#buckets.set(name, bucket);
    if (this.#buckets.size > BUCKETS_MAX) this.#forgetOldest();
    bucket.tokens = Math.min(this.#burst, bucket.tokens + Math.max(0, nowMs - bucket.atMs) * this.#perMs);
    bucket.atMs = nowMs;
    return bucket;
  }

  #allowance({ tokens }: Bucket, isAllowed: boolean, needed = 1): Allowance {
    return {
      isAllowed,
      limit: this.#perMinute,
      remaining: Math.max(0, Math.floor(tokens)),
      resetSeconds: Math.ceil((this.#burst - tokens) / this.#perMs / 1000),
      retryAfterSeconds: Math.max(1, Math.ceil((needed - tokens) / this.#perMs / 1000)),
    };
  }

  get #perMs(): number {
    return this.#perMinute / 60_000;
  }

  #forgetOldest(): void {
    for (const name of this.#buckets.keys()) {
      this.#buckets.delete(name);
      return;
    }
  }
}

/** A whole site may send this many times as much as one caller's network. */
const SITE_SHARE = 10;

/** Token buckets of addresses: one for each caller's network, and one with ten times as much for its site. */
export class AddressLimiter {
  readonly #own: RateLimiter;
  readonly #sites: RateLimiter;

  /** `perMinute` a minute with `burst` at once, for one IPv4 address or one IPv6 /64. */
  constructor(perMinute: number, burst: number) {
    this.#own = new RateLimiter(perMinute, burst);
    this.#sites = new RateLimiter(perMinute * SITE_SHARE, burst * SITE_SHARE);
  }

  /** Takes one token of an address and of its site, or of neither; `whose` names the separate count. */
  take(address: string, nowMs: number, whose = ""): Allowance {
    const { own, site } = namesOf(address, whose);
    const ofOwn = this.#own.take(own, nowMs);
    if (!ofOwn.isAllowed || site === null) return ofOwn;
    const ofSite = this.#sites.take(site, nowMs);
    if (!ofSite.isAllowed) this.#own.giveBack(own, nowMs);
    return ofSite.isAllowed ? ofOwn : ofSite;
  }

  /** Returns the tokens that {@link take} took. */
  giveBack(address: string, nowMs: number, whose = ""): void {
    const { own, site } = namesOf(address, whose);
    this.#own.giveBack(own, nowMs);
    if (site !== null) this.#sites.giveBack(site, nowMs);
  }
}

function namesOf(address: string, whose: string): { readonly own: string; readonly site: string | null } {
  const { own, site } = networksOf(address);
  return { own: `${own} ${whose}`, site: site === null ? null : `${site} ${whose}` };
}

/** The limits of a caller with a key; null: no limit. */
export interface Limiters {
  readonly keyLimiter: RateLimiter | null;
  /** Of all keys of an organization together. */
  readonly organizationLimiter?: RateLimiter | null;
}

interface Asker {
  readonly id: string;
  readonly orgId: string;
}

/** Takes a token of the key's bucket and of its organization's, or no token where one is empty. Returns the tighter. */
export function takeTokens(limiters: Limiters, { id, orgId }: Asker, nowMs: number): Allowance | null {
  const { keyLimiter, organizationLimiter } = limiters;
  const ofKey = keyLimiter?.take(id, nowMs) ?? null;
  if (ofKey?.isAllowed === false) return ofKey;
  const ofAll = organizationLimiter?.take(orgId, nowMs) ?? null;
  if (ofAll?.isAllowed === false) keyLimiter?.giveBack(id, nowMs);
  return tighter(ofKey, ofAll);
}

/** Takes the tokens of a request that is several: so many more of both buckets, or of neither. Returns the tighter. */
export function takeTokensMore(
  limiters: Limiters,
  { id, orgId }: Asker,
  nowMs: number,
  more: number,
): Allowance | null {
  const { keyLimiter, organizationLimiter } = limiters;
  const ofKey = keyLimiter?.takeMore(id, nowMs, more) ?? null;
  if (ofKey?.isAllowed === false) return ofKey;
  const ofAll = organizationLimiter?.takeMore(orgId, nowMs, more) ?? null;
  if (ofAll?.isAllowed === false) keyLimiter?.giveBackMore(id, nowMs, more);
  return tighter(ofKey, ofAll);
}

/** Takes the extra tokens for a read of a ledger of so many entries, of both buckets. */
export function chargeEntries(limiters: Limiters, { id, orgId }: Asker, nowMs: number, entries: number) {
  const { keyLimiter, organizationLimiter } = limiters;
  const tokens = Math.floor(entries / ENTRIES_A_TOKEN);
  const ofKey = keyLimiter?.charge(id, nowMs, tokens) ?? null;
  return tighter(ofKey, organizationLimiter?.charge(orgId, nowMs, tokens) ?? null);
}

function tighter(ofKey: Allowance | null, ofAll: Allowance | null): Allowance | null {
  if (ofKey === null || ofAll === null) return ofKey ?? ofAll;
  return !ofAll.isAllowed || ofAll.remaining < ofKey.remaining ? ofAll : ofKey;
}
