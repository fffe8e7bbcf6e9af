// Principals: a key of an organization, or a person who signed in and is a member of it. Code behind the edge treats
// both alike.
import type { Principal } from "../kernel/call.ts";
import type { Scope } from "../storage/records/api-key.ts";
import type { MemberRole } from "../storage/records/member.ts";

/** The caller of an operation in an organization. */
export interface Caller extends Principal {
  readonly orgId: string;
  /** The id of the key or session, by which rate limits count. */
  readonly id: string;
  readonly role: MemberRole;
  /** The scopes of a key; null for people, who have no scopes. */
  readonly scopes: readonly Scope[] | null;
  /** The stakeholders that a person is there; empty for keys. */
  readonly stakeholderIds: readonly string[];
}

/** A person's membership of one organization. */
export interface Membership {
  readonly id: string;
  readonly orgId: string;
  readonly orgName: string;
  readonly role: MemberRole;
  readonly stakeholderIds: readonly string[];
  /** Whether the organization requires a second factor of its members. */
  readonly needsSecondFactor: boolean;
}

/** A live session: its account, its proofs, and the person's memberships. */
export interface Session {
  readonly id: string;
  readonly accountId: string;
  readonly email: string;
  readonly name: string;
  readonly isOperator: boolean;
  readonly hasSecondFactor: boolean;
  readonly createdAt: string;
  /** When the person last proved its identity. */
  readonly confirmedAt: string;
  readonly expiresAt: string;
  /** To the minute, as it is stored. */
  readonly lastSeenAt: string;
  readonly memberships: readonly Membership[];
}

/** How long a proof of identity counts. */
export const CONFIRMED_MS = 10 * 60_000;

/** Whether the session's proof of identity still counts. */
export function isConfirmed({ confirmedAt }: Pick<Session, "confirmedAt">, nowMs: number): boolean {
  return nowMs - Date.parse(confirmedAt) < CONFIRMED_MS;
}
