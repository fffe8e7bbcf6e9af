// What a link does that somebody opened: an invitation makes a member, a reset sets a password. Each once.

import { tellOf } from "../../database/audit.ts";
import { findAny } from "../../database/records.ts";
import type { Tx } from "../../database/sql.ts";
import { present } from "../../kernel/assert.ts";
import { problem } from "../../kernel/problem.ts";
import {
  type Account,
  findAccount,
  findAccountByEmail,
  insertAccount,
  setOperator,
  setPasswordHash,
} from "../account-store.ts";
import { type AccountCall, personCall } from "../call.ts";
import { findLink, type Link, useLink } from "../link-store.ts";
import { tellOfAccount } from "../log-store.ts";
import { insertMembership, isMember, memberOfStakeholder } from "../member-store.ts";
import { hasFactor } from "./factors.ts";
import {
  type Asking,
  beginSession,
  endAll,
  type NewSession,
  requireSession,
  type UsedFactor,
  useFactor,
} from "./sessions.ts";

/** Why a link does nothing (any more), in words; null where it does. */
export function linkFault(link: Link, now: string): string | null {
  if (link.usedAt !== null) return "This link was used already; each works once.";
  if (link.revokedAt !== null) return "This link was revoked.";
  if (link.expiresAt <= now) return "This link has expired.";
  return null;
}

/** The link with this token. Throws `404`, and `409 invalid-state` where it does nothing any more. */
export function requireLink(tx: Tx, tokenHash: string, kind: Link["kind"], now: string): Link {
  const link = findLink(tx, { tokenHash });
  if (!link || link.kind !== kind) throw problem("not-found", "There is no such link.");
  const fault = linkFault(link, now);
  if (fault !== null) throw problem("invalid-state", fault);
  return link;
}

/** Whoever accepts: a session of the account that has the e-mail address, or a new account. */
export interface Acceptance {
  readonly linkHash: string;
  readonly asking: Asking | null;
  readonly account: { readonly name: string; readonly passwordHash: string | null } | null;
  /** Begun where a new account is made; else there is one. */
  readonly session: NewSession | null;
}

/** Accepts an invitation. */
export function acceptInvitation(tx: Tx, call: AccountCall, given: Acceptance): void {
  const link = requireLink(tx, given.linkHash, "INVITATION", call.at);
  const existing = findAccountByEmail(tx, { emailFolded: link.emailFolded });
  const account = existing ? requireOwn(tx, existing, given.asking) : makeAccount(tx, call, link, given);
  join(tx, call, account, link);
  useLink(tx, { id: link.id, at: call.at });
  if (link.isOperator === 1 && account.isOperator === 0) {
    setOperator(tx, { id: account.id });
    tellOfAccount(tx, call, account.id, "made-operator");
  }
  if (existing === null && given.session) {
    beginSession(tx, call, account.id, "LINK", { ...given.session, hasSecondFactor: false });
  }
}

/** Throws `401` where the e-mail address has an account and no session of that asks. */
function requireOwn(tx: Tx, existing: Account, asking: Asking | null): Account {
  if (asking === null || asking.accountId !== existing.id) {
    throw problem("unauthorized", "This e-mail address has an account: sign in with it, then accept.");
  }
  return requireSession(tx, asking);
}

function makeAccount(tx: Tx, call: AccountCall, link: Link, { account }: Acceptance): Account {
  // The account that had the e-mail address has given it up in this moment.
  if (account === null) throw problem("conflict", "No account has this e-mail address any more: open the link again.");
  const { name, passwordHash } = account;
  const id = call.newId();
  insertAccount(tx, { id, createdAt: call.at, email: link.email, name, passwordHash, isOperator: 0 });
  tellOfAccount(tx, call, id, "account-made");
  return present(findAccount(tx, { id }), "the account");
}

/** Makes an account a member as the invitation says. Throws `409` where that cannot be any more. */
function join(tx: Tx, call: AccountCall, account: Account, link: Link): void {
  const orgId = present(link.orgId, "the organization of an invitation");
  if (isMember(tx, { orgId, accountId: account.id })) {
    throw problem("invalid-state", "You are a member of this organization already.");
  }
  const stakeholderIds: string[] = JSON.parse(link.stakeholderIds);
  refuseTaken(tx, orgId, stakeholderIds, null);
  const write = personCall(call, orgId, account);
  insertMembership(tx, write, {
    id: call.newId(),
    accountId: account.id,
    role: present(link.role, "the role of an invitation"),
    stakeholderIds,
  });
  tellOf(tx, write, "invitation", link.id, { usedAt: call.at });
}

/** Throws `409` where a stakeholder is gone, or is another member's than `membershipId`. */
export function refuseTaken(
  tx: Tx,
  orgId: string,
  stakeholderIds: readonly string[],
  membershipId: string | null,
): void {
  for (const stakeholderId of stakeholderIds) {
    const record = findAny(tx, "stakeholders", orgId, stakeholderId);
    if (!record || record.deletedAt !== null) {
      throw problem("invalid-state", "A stakeholder that is named was deleted meanwhile: ask for another invitation.");
    }
    const taken = memberOfStakeholder(tx, { orgId, stakeholderId });
    if (taken !== null && taken !== membershipId) {
      throw problem("conflict", `The stakeholder ${stakeholderId} is another member's already.`);
    }
  }
}

/** A new password by a reset link. */
export interface Reset {
  readonly linkHash: string;
  readonly passwordHash: string;
  readonly factor: UsedFactor | null;
}

/** Sets a password by a link, and ends all sessions. */
export function resetPassword(tx: Tx, call: AccountCall, { linkHash, passwordHash, factor }: Reset): void {
  const link = requireLink(tx, linkHash, "RESET", call.at);
  const account = present(findAccount(tx, { id: present(link.accountId, "whose password") }), "the account");
  if (factor === null && hasFactor(tx, account)) {
    throw problem("second-factor-required", "The account has a second factor: send `code`.");
  }
  if (factor) useFactor(tx, call, account, factor);
  useLink(tx, { id: link.id, at: call.at });
  setPasswordHash(tx, { id: account.id, passwordHash });
  endAll(tx, call, account.id, { by: "password-reset" });
  tellOfAccount(tx, call, account.id, "password-reset");
}
