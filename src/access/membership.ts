// What is done with members and invitations, each within one transaction, for the API and the command line alike.

import { tellOf } from "../database/audit.ts";
import { requireRecord } from "../database/records.ts";
import type { Row, Tx } from "../database/sql.ts";
import { present } from "../kernel/assert.ts";
import type { Call } from "../kernel/call.ts";
import { foldEmail } from "../kernel/email.ts";
import { notFound, problem, refuse } from "../kernel/problem.ts";
import { toTimestamp } from "../kernel/runtime.ts";
import { type MemberRole, STAKEHOLDERS_OF_MEMBER_MAX } from "../records/member.ts";
import { findAccount, findAccountByEmail } from "./account-store.ts";
import { type AccountCall, accountCall } from "./call.ts";
import { findInvitation, type Link, listOpenInvitationsOf } from "./link-store.ts";
import { makeLink, revokeOne, revokeResetLinks } from "./links.ts";
import { changeMembership, countMemberships, isMember, type Member, removeMembership } from "./member-store.ts";
import { type Maker, mayTakeOver, refuseTaken } from "./orders/links.ts";
import { endAll } from "./orders/sessions.ts";
import { hashToken, newToken } from "./token.ts";

const INVITATION_MS = 7 * 86_400_000;
const RESET_MS = 86_400_000;

/** Whom an invitation is for, and as what. */
export interface Invited {
  readonly email: string;
  readonly role: MemberRole;
  readonly stakeholderIds: readonly string[];
  /** Whether the person will run the instance: the command line's invitations alone. */
  readonly isOperator: boolean;
}

/** Invites somebody; returns the link, and its token this once. Throws `404`, `409`, `422`. */
export function invite(
  tx: Tx,
  call: Call,
  { email, role, stakeholderIds, isOperator }: Invited,
): { readonly link: Omit<Link, "seq">; readonly token: string } {
  const { orgId, at } = call;
  const emailFolded = foldEmail(email);
  requireStakeholders(tx, orgId, role, stakeholderIds);
  const account = findAccountByEmail(tx, { emailFolded });
  if (account && isMember(tx, { orgId, accountId: account.id })) {
    throw problem("invalid-state", "Somebody with this e-mail address is a member already.");
  }
  refuseTaken(tx, orgId, stakeholderIds, null);
  for (const { id } of listOpenInvitationsOf(tx, { orgId, emailFolded })) revoke(tx, call, id);
  const token = newToken();
  const link = {
    ...{ id: call.newId(), createdAt: at, kind: "INVITATION" as const, tokenHash: hashToken(token) },
    ...{ orgId, accountId: null, email, emailFolded, role, isOperator: isOperator ? (1 as const) : (0 as const) },
    ...{ stakeholderIds: JSON.stringify(stakeholderIds), madeBy: makerOf(call) },
    ...{ expiresAt: later(at, INVITATION_MS), usedAt: null, revokedAt: null },
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

/** What changes of a member. */
export interface MemberPatch {
  readonly role?: MemberRole | undefined;
  readonly stakeholderIds?: readonly string[] | undefined;
}

/** Changes a member. Throws `404`, `409`, `422`. */
export function patchMember(tx: Tx, call: Call, member: Member, patch: MemberPatch): void {
  const role = patch.role ?? member.role;
  const stakeholderIds = patch.stakeholderIds ?? (JSON.parse(member.stakeholderIds) as string[]);
  requireStakeholders(tx, call.orgId, role, stakeholderIds);
  refuseTaken(tx, call.orgId, stakeholderIds, member.id);
  changeMembership(tx, call, member.id, { role, stakeholderIds });
}

/** Throws where a role and stakeholders do not go together, or one of these is none of the organization's. */
function requireStakeholders(tx: Tx, orgId: string, role: MemberRole, stakeholderIds: readonly string[]): void {
  const isMissing = role === "STAKEHOLDER" && stakeholderIds.length === 0;
  const isTooMany = stakeholderIds.length > STAKEHOLDERS_OF_MEMBER_MAX;
  refuse([
    ...(isMissing ? [["#/stakeholderIds", "must name at least one for the role STAKEHOLDER"] as const] : []),
    ...(isTooMany ? [["#/stakeholderIds", `must name at most ${STAKEHOLDERS_OF_MEMBER_MAX}`] as const] : []),
  ]);
  for (const id of stakeholderIds) requireRecord(tx, "stakeholders", orgId, id);
}

/** Removes a member; where it was the account's only organization, its sessions end. */
export function removeMember(tx: Tx, call: Call, { id, accountId }: Member): void {
  removeMembership(tx, call, id);
  revokeResetLinks(tx, accountCall(call), accountId);
  if (Number(countMemberships(tx, { accountId })) > 0) return;
  endAll(tx, accountCall(call), accountId, { by: "member-removed" });
}

/** Makes a link that sets a member's password. Throws `403` where another organization trusts the person, too. */
export function makeResetLink(
  tx: Tx,
  call: Call,
  { accountId, email }: Pick<Member, "accountId" | "email">,
): { readonly token: string; readonly expiresAt: string } {
  const maker = refuseBeyond(tx, call, accountId);
  const { sessionId } = call;
  const link = insertResetLink(tx, accountCall(call), { id: accountId, email }, { ...maker, sessionId });
  tellOf(tx, call, "reset link", link.id, { accountId, expiresAt: link.expiresAt });
  return link;
}

/** Ends a member's sessions. Throws as {@link makeResetLink}. */
export function endMembersSessions(tx: Tx, call: Call, { accountId }: Pick<Member, "accountId">): void {
  refuseBeyond(tx, call, accountId);
  endAll(tx, accountCall(call), accountId, { by: "administrator" });
  tellOf(tx, call, "account", accountId, { sessionsEndedAt: call.at });
}

/** Stores a link that sets an account's password, and revokes those of before. */
export function insertResetLink(
  tx: Tx,
  call: AccountCall,
  { id: accountId, email }: Pick<Row<"accounts">, "id" | "email">,
  { madeBy, orgId, sessionId }: Maker & { readonly sessionId: string | null },
): { readonly id: string; readonly token: string; readonly expiresAt: string } {
  revokeResetLinks(tx, call, accountId);
  const token = newToken();
  const [id, expiresAt] = [call.newId(), later(call.at, RESET_MS)];
  const link = {
    ...{ id, createdAt: call.at, kind: "RESET" as const, tokenHash: hashToken(token), orgId, accountId, email },
    ...{ emailFolded: foldEmail(email), role: null, isOperator: 0 as const, stakeholderIds: "[]", madeBy, expiresAt },
    ...{ usedAt: null, revokedAt: null },
  };
  makeLink(tx, call, link, sessionId);
  return { id, token, expiresAt };
}

/** Throws `403` unless whoever calls may take over the account; returns who that is. */
function refuseBeyond(tx: Tx, call: Call, accountId: string): Maker {
  const maker = { madeBy: makerOf(call), orgId: call.orgId };
  if (mayTakeOver(tx, maker, present(findAccount(tx, { id: accountId }), "a member's account"))) return maker;
  throw problem("forbidden", "This person has rights beyond your organizations: ask whoever runs the server.");
}

function makerOf({ accountId, apiKeyId, actor }: Call): string {
  return accountId ?? apiKeyId ?? actor;
}

function later(at: string, ms: number): string {
  return toTimestamp(Date.parse(at) + ms);
}
