// Finds the session of a cookie. Known sessions are cached until a commit that may have ended one, like keys: an end
// counts at once. The last use is known to the millisecond in this process, and to the minute in the database.

import { toTimestamp } from "../kernel/runtime.ts";
import type { Reader } from "../storage/database/sql.ts";
import type { Membership, Session } from "./principal.ts";
import { hashToken, isToken } from "./sign-in/token.ts";
import { findOpenSession, listMembershipsOf } from "./stores/session-store.ts";

const REMEMBERED_MAX = 1000;
const USES_MAX = 10_000;

/** When sessions were last used, to the millisecond. */
export class LastUses {
  readonly #atMs = new Map<string, number>();

  note(sessionId: string, nowMs: number): void {
    this.#atMs.delete(sessionId);
    this.#atMs.set(sessionId, nowMs);
    if (this.#atMs.size > USES_MAX) for (const oldest of this.#atMs.keys()) return void this.#atMs.delete(oldest);
  }

  /** When it was last used, as far as is known. */
  of({ id, lastSeenAt }: Pick<Session, "id" | "lastSeenAt">): number {
    return Math.max(this.#atMs.get(id) ?? 0, Date.parse(lastSeenAt));
  }
}

/** What finding sessions needs. */
export interface SessionsParts {
  readonly db: Reader;
  readonly uses: LastUses;
  /** How long a session lives without a request. */
  readonly idleMs: number;
}

/** Finds live sessions. */
export class Sessions {
  readonly #parts: SessionsParts;
  readonly #remembered = new Map<string, Session>();

  constructor(parts: SessionsParts) {
    this.#parts = parts;
  }

  /** The live session of a token; null if it is unknown, has ended or was idle for too long. */
  find(token: string, nowMs: number): Session | null {
    if (!isToken(token)) return null;
    const session = this.#find(hashToken(token));
    return session !== null && nowMs < this.endsMs(session) ? session : null;
  }

  /** When a session expires, without further requests. */
  endsMs(session: Session): number {
    return Math.min(this.idleEndsMs(session), Date.parse(session.expiresAt));
  }

  /** When a session ends for lack of requests. */
  idleEndsMs(session: Pick<Session, "id" | "lastSeenAt">): number {
    return this.#parts.uses.of(session) + this.#parts.idleMs;
  }

  /** Forgets the known sessions: to be called after a commit that may have ended one, or changed a member. */
  forget(): void {
    this.#remembered.clear();
  }

  #find(tokenHash: string): Session | null {
    const known = this.#remembered.get(tokenHash);
    if (known) return known;
    const { db } = this.#parts;
    const row = findOpenSession(db, { tokenHash });
    if (row === null) return null;
    const memberships = membershipsOf(db, row.accountId);
    const { isOperator, hasSecondFactor } = row;
    const session = { ...row, isOperator: isOperator === 1, hasSecondFactor: hasSecondFactor === 1, memberships };
    if (this.#remembered.size >= REMEMBERED_MAX) this.#remembered.clear();
    this.#remembered.set(tokenHash, session);
    return session;
  }
}

/** An account's current memberships, oldest first. */
export function membershipsOf(db: Reader, accountId: string): Membership[] {
  return listMembershipsOf(db, { accountId }).map(membershipOf);
}

function membershipOf(row: ReturnType<typeof listMembershipsOf>[number]): Membership {
  const { id, orgId, legalName: orgName, role, stakeholderIds, requireSecondFactor } = row;
  const needsSecondFactor = requireSecondFactor === 1;
  return { id, orgId, orgName, role, stakeholderIds: JSON.parse(stakeholderIds), needsSecondFactor };
}

const MINUTE_MS = 60_000;

/** The minute of an instant, as it is stored. */
export function minuteOf(nowMs: number): string {
  return toTimestamp(Math.floor(nowMs / MINUTE_MS) * MINUTE_MS);
}
