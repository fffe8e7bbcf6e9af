// Who may come in: key → rate limit → role (DECISIONS section 1).
import type { Changes } from "../changes/task.ts";
import { dataVersion } from "../database/open.ts";
import type { Reader } from "../database/sql.ts";
import { Problem, problem } from "../kernel/problem.ts";
import { type Runtime, toTimestamp } from "../kernel/runtime.ts";
import { ROLES } from "../records/api-key.ts";
import type { KeyEnvironment } from "../resources/api-keys/key.ts";
import { isReading, type Route } from "../route.ts";
import { Authenticator, type Caller } from "./auth.ts";
import type { Allowance, RateLimiter } from "./rate-limit.ts";
import type { Visit } from "./visit.ts";

/** What admission is made of. */
export interface AdmissionParts {
  readonly reader: Reader;
  /** A connection on which what is read is never older than the last commit. */
  readonly keys: Reader;
  readonly changes: Changes;
  readonly environment: KeyEnvironment;
  readonly runtime: Runtime;
  /** Null: no limit. */
  readonly keyLimiter: RateLimiter | null;
  readonly failureLimiter: RateLimiter | null;
}

/** Somebody at the door; `address` tells the client's, and is asked only when a key is refused. */
export interface Arrival {
  readonly request: Request;
  readonly visit: Visit;
  address(): string;
}

const MINUTE_MS = 60_000;
/** Keys whose last minute of use is remembered. */
const NOTED_MAX = 10_000;

/** Lets callers in. */
export class Admission {
  readonly #parts: AdmissionParts;
  /** The keys of reads, known as of the turn's snapshot. */
  readonly #readKeys: Authenticator;
  /** The keys of writes, known as of now. */
  readonly #writeKeys: Authenticator;
  /** The minute in which each key was last noted as used. */
  readonly #notedMinutes = new Map<string, number>();
  #versionOfOthers = -1;
  #hasAskedThisTurn = false;

  constructor(parts: AdmissionParts) {
    this.#parts = parts;
    this.#readKeys = new Authenticator(parts.reader, parts.environment);
    this.#writeKeys = new Authenticator(parts.keys, parts.environment);
  }

  /** Who is calling, where the key, its rate and its role allow this operation. Throws `401`, `429` or `403`. */
  admit(route: Route, arrival: Arrival): Caller {
    const { visit } = arrival;
    if (!isReading(route)) this.#forgetKeysAfterOtherCommits();
    const caller = this.#authenticate(isReading(route) ? this.#readKeys : this.#writeKeys, arrival);
    visit.caller = caller;
    visit.allowance = this.#parts.keyLimiter?.take(caller.id, visit.startedMs) ?? null;
    if (visit.allowance && !visit.allowance.isAllowed) throw tooMany(visit.allowance);
    if (ROLES.indexOf(caller.role) < ROLES.indexOf(route.role)) {
      throw problem("forbidden", `This operation needs the role ${route.role}; the key has ${caller.role}.`);
    }
    this.#noteUse(caller, visit.startedMs);
    return caller;
  }

  /** Throws `401` where the key of a read that waited does not count any more. */
  admitAgain(request: Request, nowMs: number): void {
    if (!this.#readKeys.find(request.headers.get("authorization"), nowMs)) throw unauthorized();
  }

  /** Forgets the keys of reads: somebody has committed, who may have revoked one. */
  forgetReadKeys(): void {
    this.#readKeys.forget();
  }

  /** The same of writes. */
  forgetWriteKeys(): void {
    this.#writeKeys.forget();
  }

  /** Another process, as `captable keys revoke`, may have committed: asked once in a turn of the event loop. */
  #forgetKeysAfterOtherCommits(): void {
    if (this.#hasAskedThisTurn) return;
    this.#hasAskedThisTurn = true;
    setImmediate(() => {
      this.#hasAskedThisTurn = false;
    });
    const version = dataVersion(this.#parts.keys);
    if (version !== this.#versionOfOthers) this.#writeKeys.forget();
    this.#versionOfOthers = version;
  }

  #authenticate(keys: Authenticator, { request, address }: Arrival): Caller {
    const caller = keys.find(request.headers.get("authorization"), this.#parts.runtime.nowMs());
    if (caller) return caller;
    const allowance = this.#parts.failureLimiter?.take(address(), this.#parts.runtime.nowMs());
    if (allowance && !allowance.isAllowed) throw tooMany(allowance);
    throw unauthorized();
  }

  /** Notes once a minute that a key is in use. */
  #noteUse(caller: Caller, nowMs: number): void {
    const minute = Math.floor(nowMs / MINUTE_MS);
    if (this.#notedMinutes.get(caller.id) === minute) return;
    if (this.#notedMinutes.size > NOTED_MAX) this.#notedMinutes.clear();
    this.#notedMinutes.set(caller.id, minute);
    const at = toTimestamp(minute * MINUTE_MS);
    this.#parts.changes.noteUse(caller, at);
  }
}

function unauthorized(): Problem {
  return problem("unauthorized", "Authentication is required: send a valid API key as a Bearer token.");
}

function tooMany(allowance: Allowance): Problem {
  const seconds = allowance.retryAfterSeconds;
  return new Problem("rate-limited", `Too many requests; try again in ${seconds} s.`, undefined, seconds);
}
