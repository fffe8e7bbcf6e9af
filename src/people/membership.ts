// Commands on members and invitations, each within one transaction, for the API and the command line alike.

import { present } from "../kernel/assert.ts";
import type { Call } from "../kernel/call.ts";
import { notFound, problem, refuse } from "../kernel/problem.ts";
import { toTimestamp } from "../kernel/runtime.ts";
import { foldEmail } from "../kernel/text/email.ts";
import { makerOf, readMaker } from "../resources/api-keys/maker.ts";
import { refuseMoreThanOwn } from "../resources/api-keys/own-scopes.ts";
import { tellOf } from "../storage/database/log/audit.ts";
import { findAny, requireRecord } from "../storage/database/records.ts";
import type { Row, Tx } from "../storage/database/sql.ts";
import { MEMBER_ROLES, type MemberRole, STAKEHOLDERS_OF_MEMBER_MAX } from "../storage/records/member.ts";
import { endCalendars } from "./calendars.ts";
import { type AccountCall, accountCall } from "./call.ts";
import { acceptEmail } from "./emails.ts";
import { makeLink, revokeOne, revokeRecoveries, revokeResetLinks } from "./links.ts";
import { keysMadeBy, type Resetter, type Right, revokeKeysMadeBy, revokeLinksAfter, rightToReset } from "./makers.ts";
import { endAll } from "./session-writes.ts";
import { hashToken, newToken } from "./sign-in/token.ts";
import { findAccount, findAccountByEmail } from "./stores/account-store.ts";
import {
  agreeToLink,
  findInvitation,
  findWaitingReset,
  type Link,
  listOpenInvitationsOf,
} from "./stores/link-store.ts";
import { reportEvent } from "./stores/log-store.ts";
import {
  changeMembership,
  countMemberships,
  isMember,
  isMemberBeyond,
  type Member,
  memberOfStakeholder,
  removeMembership,
} from "./stores/member-store.ts";
import { isWithSecondFactor } from "./stores/session-store.ts";

const INVITATION_MS = 7 * 86_400_000;
const RESET_MS = 86_400_000;

/** The person and the role of an invitation. */
export interface Invited {
  readonly email: string;
  readonly role: MemberRole;
  readonly stakeholderIds: readonly string[];
  /** Whether the person becomes an operator of the instance: the command line's invitations alone. */
  readonly isOperator: boolean;
}

/**
 * Invites a person; returns the link and its token, which is shown once. Throws `403` if a key calls that has fewer
 * rights than the person would get, `404`, `409`, `422`.
 */
export function invite(
  tx: Tx,
  call: Call,
  { email, role, stakeholderIds, isOperator }: Invited,
): { readonly link: Omit<Link, "seq">; readonly token: string } {
  const { orgId, at } = call;
  refuseMoreThanOwn(tx, call, role);
  const emailFolded = foldEmail(email);
  requireStakeholders(tx, orgId, role, stakeholderIds);
  const account = findAccountByEmail(tx, { emailFolded });
  if (account && isMember(tx, { orgId, accountId: account.id })) {
    throw problem("invalid-state", "A member with this e-mail address exists already.");
  }
  refuseTaken(tx, orgId, stakeholderIds, null);
  for (const { id } of listOpenInvitationsOf(tx, { orgId, emailFolded })) revoke(tx, call, id);
  const token = newToken();
  const link = {
    ...{ id: call.newId(), createdAt: at, kind: "INVITATION" as const, tokenHash: hashToken(token) },
    ...{ orgId, accountId: null, email, emailFolded, role, isOperator: isOperator ? (1 as const) : (0 as const) },
    ...{ stakeholderIds: JSON.stringify(stakeholderIds), madeBy: JSON.stringify(makerOf(tx, call)) },
    ...{ expiresAt: later(at, INVITATION_MS), usedAt: null, revokedAt: null, validFrom: null, agreedAt: null },
  };
  makeLink(tx, accountCall(call), link, call.sessionId);
  const { id, expiresAt } = link;
  tellOf(tx, call, "invitation", id, { email, role, stakeholderIds, isOperator, expiresAt });
  return { link, token };
}

/** Revokes an invitation; one that was used, revoked or has expired stays as it is. Throws `404`. */
export function revokeInvitation(tx: Tx, call: Call, id: string): void {
  const link = findInvitation(tx, { orgId: call.orgId, id });
  if (!link) throw notFound("invitation");
  revoke(tx, call, id);
}

function revoke(tx: Tx, call: Call, id: string): void {
  const isRevoked = revokeOne(tx, accountCall(call), { id, accountId: null });
  if (isRevoked) tellOf(tx, call, "invitation", id, { revokedAt: call.at });
}

/** The changes of a member. */
export interface MemberPatch {
  readonly role?: MemberRole | undefined;
  readonly stakeholderIds?: readonly string[] | undefined;
}

/** Changes a member. Throws `403` if a key calls that has fewer rights than it gives, `404`, `409`, `422`. */
export function patchMember(tx: Tx, call: Call, member: Member, patch: MemberPatch): void {
  const role = patch.role ?? member.role;
  const former = JSON.parse(member.stakeholderIds) as string[];
  const stakeholderIds = patch.stakeholderIds ?? former;
  const isMore = MEMBER_ROLES.indexOf(role) > MEMBER_ROLES.indexOf(member.role);
  if (isMore || stakeholderIds.some((id) => !former.includes(id))) refuseMoreThanOwn(tx, call, role);
  requireStakeholders(tx, call.orgId, role, stakeholderIds);
  refuseTaken(tx, call.orgId, stakeholderIds, member.id);
  changeMembership(tx, call, member.id, { role, stakeholderIds });
  if (role !== member.role) revokeLinksAfter(tx, call, { accountId: member.accountId });
}

/** Throws if a role and stakeholders do not go together, or a stakeholder is not in the organization. */
function requireStakeholders(tx: Tx, orgId: string, role: MemberRole, stakeholderIds: readonly string[]): void {
  const isMissing = role === "STAKEHOLDER" && stakeholderIds.length === 0;
  const isTooMany = stakeholderIds.length > STAKEHOLDERS_OF_MEMBER_MAX;
  refuse([
    ...(isMissing ? [["#/stakeholderIds", "must name at least one for the role STAKEHOLDER"] as const] : []),
    ...(isTooMany ? [["#/stakeholderIds", `must name at most ${STAKEHOLDERS_OF_MEMBER_MAX}`] as const] : []),
  ]);
  for (const id of stakeholderIds) requireRecord(tx, "stakeholders", orgId, id);
}

/**
 * Removes a member with its calendars, and revokes the links that it made; if it was the account's only organization,
 * its sessions end.
 * `withKeys` revokes the keys that it made, too, and disables its webhook endpoints.
 */
export function removeMember(tx: Tx, call: Call, { id, accountId }: Member, { withKeys = false } = {}): void {
  removeMembership(tx, call, id);
  endCalendars(tx, accountCall(call), { accountId, orgId: call.orgId, by: "member-removed" });
  revokeResetLinks(tx, accountCall(call), accountId);
  revokeLinksAfter(tx, call, { accountId });
  if (withKeys) revokeKeysMadeBy(tx, call, accountId);
  if (Number(countMemberships(tx, { accountId })) > 0) return;
  endAll(tx, accountCall(call), accountId, { by: "member-removed" });
}

/** A new reset link: its token, which is shown once, and when it works. */
export interface MadeReset {
  readonly id: string;
  readonly token: string;
  /** When it begins to work; null: at once. */
  readonly validFrom: string | null;
  readonly expiresAt: string;
}

/**
 * Makes a link that sets a member's password. Throws `403` if another organization trusts the person, too; an
 * operator's right suffices then, in a session with a second factor. Throws `403`, too, if a key calls that has fewer
 * rights than the member: the link gives the member's session.
 */
export function makeResetLink(
  tx: Tx,
  call: Call,
  { accountId, email, role }: Pick<Member, "accountId" | "email" | "role">,
): MadeReset {
  const { orgId, sessionId } = call;
  refuseMoreThanOwn(tx, call, role);
  if (rightBeyond(tx, call, accountId) === "OPERATOR") requireOperatorsFactor(tx, sessionId);
  const maker = { maker: makerOf(tx, call), orgId, sessionId, waits: false };
  const link = insertResetLink(tx, accountCall(call), { id: accountId, email }, maker);
  tellOf(tx, call, "reset link", link.id, { accountId, expiresAt: link.expiresAt });
  return link;
}

/** Throws `403 second-factor-missing` unless a second factor was given in the session. */
export function requireOperatorsFactor(tx: Tx, sessionId: string | null): void {
  if (sessionId !== null && isWithSecondFactor(tx, { id: sessionId })) return;
  const what =
    "To reset accounts, an operator needs a session with a second factor. Set one up, or confirm with yours.";
  throw problem("second-factor-missing", what);
}

/** Ends a member's sessions. Throws `403` if another organization trusts the person, too, except for an operator. */
export function endMembersSessions(tx: Tx, call: Call, { accountId }: Pick<Member, "accountId">): void {
  rightBeyond(tx, call, accountId);
  endAll(tx, accountCall(call), accountId, { by: "administrator" });
  tellOf(tx, call, "account", accountId, { sessionsEndedAt: call.at });
}

/** The maker of a reset link, its session, and whether the organizations of the account have time to refuse it. */
interface ResetMaker extends Resetter {
  readonly sessionId: string | null;
  readonly waits: boolean;
  /** How long the link works; a day by default. */
  readonly lastsMs?: number;
}

/** Stores a link that sets an account's password, and revokes earlier ones; one that a job makes, those of jobs alone. */
export function insertResetLink(
  tx: Tx,
  call: AccountCall,
  { id: accountId, email }: Pick<Row<"accounts">, "id" | "email">,
  { maker, orgId, sessionId, waits, lastsMs = RESET_MS }: ResetMaker,
): MadeReset {
  const revokeEarlier = maker.actor === "job" ? revokeRecoveries : revokeResetLinks;
  revokeEarlier(tx, call, accountId);
  const token = newToken();
  const id = call.newId();
  const validFrom = waits ? later(call.at, RESET_MS) : null;
  const expiresAt = later(validFrom ?? call.at, lastsMs);
  const link = {
    ...{ id, createdAt: call.at, kind: "RESET" as const, tokenHash: hashToken(token), orgId, accountId, email },
    ...{ emailFolded: foldEmail(email), role: null, isOperator: 0 as const, stakeholderIds: "[]" },
    ...{ madeBy: JSON.stringify(maker), expiresAt, usedAt: null, revokedAt: null, validFrom, agreedAt: null },
  };
  makeLink(tx, call, link, sessionId);
  return { id, token, validFrom, expiresAt };
}

/** The right by which the caller may take over the account. Throws `403` without one. */
function rightBeyond(tx: Tx, call: Call, accountId: string): Right {
  const resetter = { maker: makerOf(tx, call), orgId: call.orgId };
  const account = present(findAccount(tx, { id: accountId }), "a member's account");
  const right = rightToReset(tx, resetter, account, call.at);
  if (right !== null) return right;
  throw problem("forbidden", "This person has rights beyond your organizations. Ask the operator of the server.");
}

/** An administrator's decision about an operator's reset of a member. */
export type ResetDecision = "ALLOW" | "REFUSE";

/**
 * Makes an operator's reset of a member count at once, or revokes it. Throws `409` if there is no such reset, and `403`
 * for the person, for the operator, for keys that one of the two made, and for an administrator who would allow it
 * although another organization trusts the person, too: each of these organizations may refuse it.
 */
export function decideReset(
  tx: Tx,
  call: Call,
  { accountId, role }: Pick<Member, "accountId" | "role">,
  decision: ResetDecision,
): void {
  const { at } = call;
  const link = findWaitingReset(tx, { accountId, at });
  if (link === null) throw problem("invalid-state", "There is no pending operator's reset of this person.");
  const operatorId = present(readMaker(link.madeBy).accountId, "the operator");
  for (const each of [accountId, operatorId]) refuseOf(tx, call, each);
  if (decision === "REFUSE") revokeOne(tx, accountCall(call), link);
  else {
    if (isTrustedBeyond(tx, call, accountId)) {
      throw problem(
        "forbidden",
        "Another organization trusts this person, too: the reset waits, and you may refuse it.",
      );
    }
    refuseMoreThanOwn(tx, call, role);
    agreeToLink(tx, { id: link.id, at });
    reportEvent(tx, accountCall(call), { accountId, event: "link-agreed", data: { id: link.id } });
  }
  tellOf(tx, call, "account", accountId, { operatorReset: decision === "ALLOW" ? "ALLOWED" : "REFUSED" });
}

/**
 * Gives a member its pending e-mail address. Throws `403` for the person and keys that it made, `409 conflict` if
 * another account has the address, and `409 invalid-state` if no such address is pending.
 */
export function acceptMembersEmail(
  tx: Tx,
  call: Call,
  { accountId }: Pick<Member, "accountId">,
  expected: string | null,
): void {
  refuseOf(tx, call, accountId);
  const account = present(findAccount(tx, { id: accountId }), "a member's account");
  const { orgId, sessionId } = call;
  acceptEmail(tx, accountCall(call), { account, expected }, { orgIds: [orgId], sessionId, callIn: () => call });
}

/** Throws `403` if the person or a key that it made calls. */
function refuseOf(tx: Tx, call: Call, accountId: string): void {
  const { orgId, at, apiKeyId } = call;
  const isOwn = call.accountId === accountId;
  if (!isOwn && !keysMadeBy(tx, { orgId, accountId, at }).some(({ id }) => id === apiKeyId)) return;
  throw problem("forbidden", "The person and the operator concerned cannot do this. Ask another administrator.");
}

function isTrustedBeyond(tx: Tx, call: Call, accountId: string): boolean {
  if (call.accountId !== null) return isMemberBeyond(tx, { accountId, adminId: call.accountId });
  return Number(countMemberships(tx, { accountId })) > 1;
}

function later(at: string, ms: number): string {
  return toTimestamp(Date.parse(at) + ms);
}

/** Throws `409` if a stakeholder was deleted, or belongs to another member than `membershipId`. */
export function refuseTaken(
  tx: Tx,
  orgId: string,
  stakeholderIds: readonly string[],
  membershipId: string | null,
): void {
  for (const stakeholderId of stakeholderIds) {
    const record = findAny(tx, "stakeholders", orgId, stakeholderId);
    if (!record || record.deletedAt !== null) {
      throw problem(
        "invalid-state",
        "A stakeholder of this invitation was deleted meanwhile. Ask for a new invitation.",
      );
    }
    const taken = memberOfStakeholder(tx, { orgId, stakeholderId });
    if (taken !== null && taken !== membershipId) {
      throw problem("conflict", `The stakeholder ${stakeholderId} is linked to another member already.`);
    }
  }
}
