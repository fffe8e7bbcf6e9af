// Who is let in: a key of an organization, or a person who signed in and is a member of it. Everything behind the edge is
// told the same of both.
import type { Principal } from "../kernel/call.ts";
import type { Scope } from "../storage/records/api-key.ts";
import type { MemberRole } from "../storage/records/member.ts";

/** Whoever asks for something in an organization. */
export interface Caller extends Principal {
  readonly orgId: string;
  /** The key's or the session's: what is counted is counted by it. */
  readonly id: string;
  readonly role: MemberRole;
  /** What a key is limited to; null for people, who have no scopes. */
  readonly scopes: readonly Scope[] | null;
  /** The stakeholders that a person is there; empty for keys. */
  readonly stakeholderIds: readonly string[];
}

/** What a person is in one organization. */
export interface Membership {
  readonly id: string;
  readonly orgId: string;
  readonly orgName: string;
  readonly role: MemberRole;
  readonly stakeholderIds: readonly string[];
  /** Whether the organization wants a second factor of its members. */
  readonly needsSecondFactor: boolean;
}

/** A living session: whose it is, what was proved in it, and what the person is a member of. */
export interface Session {
  readonly id: string;
  readonly accountId: string;
  readonly email: string;
  readonly name: string;
  readonly isOperator: boolean;
  readonly hasSecondFactor: boolean;
  readonly createdAt: string;
  /** When the person last proved who it is. */
  readonly confirmedAt: string;
  readonly expiresAt: string;
  /** To the minute, as it is stored. */
  readonly lastSeenAt: string;
  readonly memberships: readonly Membership[];
}

/** For how long a proof allows what needs one. */
export const CONFIRMED_MS = 10 * 60_000;

/** Whether what needs a proof is allowed in the session. */
export function isConfirmed({ confirmedAt }: Pick<Session, "confirmedAt">, nowMs: number): boolean {
  return nowMs - Date.parse(confirmedAt) < CONFIRMED_MS;
}
