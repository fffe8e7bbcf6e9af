// Authentication and authorization of a request. A key: key → rate limit → role → scope. A person: host → session →
// origin → rate limit → organization → membership → role; at a route about accounts, what it asks of the person. An
// `Authorization` header decides alone, even if a cookie comes with it, so that a key never acts as a person.

import { type Problem, problem } from "../../kernel/problem.ts";
import { type AddressLimiter, type Limiters, takeTokens, takeTokensMore } from "../../kernel/rate-limit.ts";
import type { Runtime } from "../../kernel/runtime.ts";
import type { AccessRoute } from "../../people/access-route.ts";
import type { Caller, Session } from "../../people/principal.ts";
import { LastUses, minuteOf, Sessions } from "../../people/sessions.ts";
import { cookieOf, readToken } from "../../people/sign-in/cookie.ts";
import { refuseForeignHost, refuseForeignOrigin } from "../../people/sign-in/origin.ts";
import type { KeyEnvironment } from "../../resources/api-keys/key.ts";
import { isReading, isWriting, type Route } from "../../resources/route.ts";
import { refuseClosed } from "../../storage/database/closed.ts";
import { dataVersion } from "../../storage/database/open.ts";
import type { Reader } from "../../storage/database/sql.ts";
import type { Changes, Use } from "../changes/task.ts";
import { Authenticator } from "./auth.ts";
import {
  type Asking,
  callerOf,
  ended,
  memberFor,
  organizationOf,
  refuseLackingScope,
  refuseLowRole,
  refuseUnproven,
  tooMany,
  unauthorized,
} from "./authorization.ts";
import type { Visit } from "./request-log.ts";

/** What admission needs. */
export interface AdmissionParts extends Limiters {
  readonly reader: Reader;
  /** A connection whose reads are never older than the last commit. */
  readonly keys: Reader;
  readonly changes: Changes;
  readonly environment: KeyEnvironment;
  readonly runtime: Runtime;
  readonly publicUrl: string;
  /** Null: people cannot sign in, and cookies are ignored. */
  readonly desk: { readonly sessionIdleMs: number } | null;
  /** Null: no limit. */
  readonly failureLimiter: AddressLimiter | null;
}

/**
 * A request before its caller is known; the client's `address` is asked for only when a key is refused or its use
 * noted.
 */
export interface Arrival {
  readonly request: Request;
  readonly visit: Visit;
  address(): string;
}

/** What a caller is in its organization. */
export type Standing = Pick<Caller, "role" | "stakeholderIds">;

/** Keys and sessions as one connection sees them. */
interface Known {
  readonly keys: Authenticator;
  readonly sessions: Sessions;
}

const MINUTE_MS = 60_000;
/** How many noted uses keep their last minute in memory. */
const NOTED_MAX = 10_000;

/** Admits callers. */
export class Admission {
  readonly #parts: AdmissionParts;
  readonly #uses = new LastUses();
  /** Callers of reads: as of the turn's snapshot. */
  readonly #reading: Known;
  /** Callers of writes: as of now. */
  readonly #writing: Known;
  /** The minute in which each key and session was last noted as used. */
  readonly #notedMinutes = new Map<string, number>();
  #versionOfOthers = -1;
  #hasAskedThisTurn = false;
  /** The organizations that were found open in this turn of the event loop. */
  readonly #openThisTurn = new Set<string>();

  constructor(parts: AdmissionParts) {
    this.#parts = parts;
    const { environment, desk } = parts;
    const know = (db: Reader): Known => ({
      keys: new Authenticator(db, environment),
      sessions: new Sessions({ db, uses: this.#uses, idleMs: desk?.sessionIdleMs ?? 0 }),
    });
    this.#reading = know(parts.reader);
    this.#writing = know(parts.keys);
  }

  /** The sessions as of now. */
  get sessions(): Sessions {
    return this.#writing.sessions;
  }

  /** The caller, if key or session, rate and role allow this operation. Throws `401`, `403`, `409`, `422` or `429`. */
  admit(route: Route, arrival: Arrival): Caller {
    const { visit, request } = arrival;
    const isRead = isReading(route);
    if (!isRead) this.#forgetAfterOtherCommits();
    const known = isRead ? this.#reading : this.#writing;
    const token = this.#tokenIn(request);
    if (token !== null) return this.#admitPerson(known, route, arrival, token);
    const caller = this.#authenticate(known, arrival);
    visit.caller = caller;
    this.#take(visit, caller);
    refuseLowRole(route, caller.role, "key");
    refuseLackingScope(route, caller.scopes);
    this.#noteUse(caller, visit.startedMs, arrival.address);
    this.#refuseClosed(route, caller);
    return caller;
  }

  /**
   * Throws `403` if a caller's role or scopes do not suffice for each of these routes, and `429` if its bucket or its
   * organization's has no token for each of them, at most a full bucket, besides the one that was taken.
   */
  admitAll(routes: readonly Route[], { caller, visit }: { readonly caller: Caller; readonly visit: Visit }): void {
    for (const route of new Set(routes)) {
      refuseLowRole(route, caller.role, caller.actor === "person" ? "member" : "key");
      refuseLackingScope(route, caller.scopes);
    }
    const allowance = takeTokensMore(this.#parts, caller, visit.startedMs, routes.length - 1);
    if (allowance) visit.allowance = allowance;
    if (allowance?.isAllowed === false) throw tooMany(allowance);
  }

  /**
   * Throws as {@link admit} if a caller whose body came slowly may not write any more: it was admitted by its head, and
   * its key or its role may have been revoked since.
   */
  admitWriterAgain(route: Asking, request: Request): void {
    this.#forgetAfterOtherCommits();
    this.#mayStill(this.#writing, route, request);
  }

  /** The same for a read that waited. Returns the role that the caller now has, and the stakeholders that it is. */
  admitAgain(route: Asking, request: Request): Standing {
    return this.#mayStill(this.#reading, route, request);
  }

  /**
   * The person at a route about accounts and sessions, as of now; null at one for any client where no session is open
   * or a key is sent. Throws `401`, `403` or `429`; `403` also for a key where a person is needed.
   */
  admitPerson(route: AccessRoute, arrival: Arrival): Session | null {
    const { request, visit } = arrival;
    const { publicUrl, runtime } = this.#parts;
    const isNeeded = route.who !== "ANYBODY";
    const isFromElsewhere = route.isFromElsewhere === true;
    this.#forgetAfterOtherCommits();
    if (isNeeded && request.headers.has("authorization")) this.#refuseKey(arrival);
    if (!isFromElsewhere) refuseForeignHost(request, publicUrl);
    // A person whom a provider sends back has none of our cookies: the sign-in that was begun is identified otherwise.
    const token = isFromElsewhere ? null : this.#tokenIn(request);
    const session = token === null ? null : this.sessions.find(token, runtime.nowMs());
    if (session === null && isNeeded) throw token === null ? this.#refused(arrival) : ended();
    if (!isFromElsewhere) refuseForeignOrigin(request, publicUrl);
    if (session === null) return null;
    visit.person = session;
    this.#take(visit, { id: session.id, orgId: null });
    this.#noteSession(session, request, visit.startedMs);
    refuseUnproven(route, session, visit.startedMs);
    return session;
  }

  #mayStill({ keys, sessions }: Known, route: Asking, request: Request): Standing {
    const nowMs = this.#parts.runtime.nowMs();
    const token = this.#tokenIn(request);
    if (token === null) {
      const caller = keys.find(request.headers.get("authorization"), nowMs);
      if (!caller) throw unauthorized();
      return caller;
    }
    const session = sessions.find(token, nowMs);
    if (!session) throw ended();
    return memberFor(route, session, request, nowMs);
  }

  /** Forgets the callers of reads: another commit may have revoked a key or ended a session. */
  forgetReaders(): void {
    forget(this.#reading);
  }

  /** Forgets the callers of writes likewise. */
  forgetWriters(): void {
    forget(this.#writing);
  }

  /** The session's token; null if a key is sent, or neither. */
  #tokenIn({ headers }: Request): string | null {
    const { desk, publicUrl } = this.#parts;
    if (desk === null || headers.has("authorization") || !headers.has("cookie")) return null;
    const cookie = cookieOf(publicUrl);
    return cookie && readToken(headers.get("cookie"), cookie.name);
  }

  #admitPerson(known: Known, route: Route, { request, visit }: Arrival, token: string): Caller {
    const { publicUrl, runtime } = this.#parts;
    refuseForeignHost(request, publicUrl);
    const session = known.sessions.find(token, runtime.nowMs());
    if (!session) throw ended();
    refuseForeignOrigin(request, publicUrl);
    visit.person = session;
    // One token in all: the bucket of an organization that the person is not a member of must not be emptied by that
    // person.
    this.#take(visit, { id: session.id, orgId: organizationOf(session, request) });
    visit.caller = callerOf(session, memberFor(route, session, request, visit.startedMs));
    this.#noteSession(session, request, visit.startedMs);
    this.#refuseClosed(route, visit.caller);
    return visit.caller;
  }

  /** Before a body is read: the transaction asks once more. */
  #refuseClosed(route: Route, { orgId }: Caller): void {
    if (!isWriting(route) || this.#openThisTurn.has(orgId)) return;
    refuseClosed(this.#parts.keys, orgId);
    this.#openThisTurn.add(orgId);
  }

  /** Takes a token of the key's or session's bucket, and of the organization's where it is known. Throws `429`. */
  #take(visit: Visit, { id, orgId }: { readonly id: string; readonly orgId: string | null }): void {
    const { keyLimiter, organizationLimiter = null } = this.#parts;
    const limiters = { keyLimiter, organizationLimiter: orgId === null ? null : organizationLimiter };
    visit.allowance = takeTokens(limiters, { id, orgId: orgId ?? "" }, visit.startedMs);
    if (visit.allowance && !visit.allowance.isAllowed) throw tooMany(visit.allowance);
  }

  /** Another process, such as `captable keys revoke`, may have committed: checked once in a turn of the event loop. */
  #forgetAfterOtherCommits(): void {
    if (this.#hasAskedThisTurn) return;
    this.#hasAskedThisTurn = true;
    this.#openThisTurn.clear();
    setImmediate(() => {
      this.#hasAskedThisTurn = false;
    });
    const version = dataVersion(this.#parts.keys);
    if (version !== this.#versionOfOthers) this.forgetWriters();
    this.#versionOfOthers = version;
  }

  #authenticate({ keys }: Known, arrival: Arrival): Caller {
    const caller = keys.find(arrival.request.headers.get("authorization"), this.#parts.runtime.nowMs());
    if (caller) return caller;
    throw this.#refused(arrival);
  }

  /** The refusal of a caller with neither a key nor a session: `401`, or `429` if that happens too often. */
  #refused({ address }: Arrival): Problem {
    const allowance = this.#parts.failureLimiter?.take(address(), this.#parts.runtime.nowMs());
    return allowance && !allowance.isAllowed ? tooMany(allowance) : unauthorized();
  }

  /** Refuses a caller that sends a key to a route for people: `403` for a valid key, else `401`. */
  #refuseKey(arrival: Arrival): never {
    this.#authenticate(this.#writing, arrival);
    throw problem("forbidden", "This is for people who signed in: a key never acts as a person.");
  }

  #noteSession({ id }: Session, { headers }: Request, nowMs: number): void {
    // Requests that a page sends by itself keep no session alive.
    if (headers.get("captable-background") === "1") return;
    this.#uses.note(id, nowMs);
    this.#noteUse({ orgId: null, id }, nowMs, null);
  }

  /** Notes once a minute that a key or a session is in use; for a key, also the client's address. */
  #noteUse({ orgId, id }: Omit<Use, "address">, nowMs: number, address: Arrival["address"] | null): void {
    const minute = Math.floor(nowMs / MINUTE_MS);
    if (this.#notedMinutes.get(id) === minute) return;
    if (this.#notedMinutes.size > NOTED_MAX) this.#notedMinutes.clear();
    this.#notedMinutes.set(id, minute);
    this.#parts.changes.noteUse({ orgId, id, address: address?.() ?? null }, minuteOf(nowMs));
  }
}

function forget({ keys, sessions }: Known): void {
  keys.forget();
  sessions.forget();
}
