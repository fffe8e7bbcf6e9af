// Opened links: an invitation makes a member, a reset sets a password. Each works once.

import { present } from "../../kernel/assert.ts";
import { type Problem, problem } from "../../kernel/problem.ts";
import { commitTo } from "../../storage/database/log/account-log.ts";
import { tellOf } from "../../storage/database/log/audit.ts";
import { findAny } from "../../storage/database/records.ts";
import type { Reader, Tx } from "../../storage/database/sql.ts";
import { makeAccount, makeOperator } from "../accounts.ts";
import { type AccountCall, personCall, type Writing } from "../call.ts";
import { consumeLink, digestLink, revokeResetLinks } from "../links.ts";
import { isStillMade } from "../makers.ts";
import { type Account, findAccount, findAccountByEmail, setPasswordHash } from "../stores/account-store.ts";
import { deleteIdentity, listIdentities } from "../stores/identity-store.ts";
import { findLink, type Link } from "../stores/link-store.ts";
import { provenCall, reportEvent } from "../stores/log-store.ts";
import { insertMembership, isMember, memberOfStakeholder } from "../stores/member-store.ts";
import { factorRequired, hasFactor } from "./factor-orders.ts";
import {
  type Asking,
  beginSession,
  endAll,
  type NewSession,
  requireSession,
  type UsedFactor,
  useFactor,
} from "./session-orders.ts";

/** The state of a link. */
export type LinkState = "OPEN" | "USED" | "REVOKED" | "EXPIRED";

const FAULTS: Readonly<Record<Exclude<LinkState, "OPEN">, string>> = {
  USED: "This link was used already; each works once.",
  REVOKED: "This link was revoked.",
  EXPIRED: "This link has expired.",
};
const ASK = "Ask its sender for a new one.";

/** The state of a link at an instant. */
export function linkState({ usedAt, revokedAt, expiresAt }: LinkTimes, now: string): LinkState {
  if (usedAt !== null) return "USED";
  if (revokedAt !== null) return "REVOKED";
  return expiresAt <= now ? "EXPIRED" : "OPEN";
}

type LinkTimes = Readonly<Pick<Link, "usedAt" | "revokedAt" | "expiresAt">>;

/** The link with this token, of any kind. Throws `404`, and `409 invalid-state` if it no longer works. */
export function requireAnyLink(db: Reader, tokenHash: string, now: string): Link {
  const link = findLink(db, { tokenHash });
  if (!link) throw noLink();
  const state = linkState(link, now);
  if (state !== "OPEN") throw problem("invalid-state", `${FAULTS[state]} ${ASK}`);
  if (isStillMade(db, link, now)) return link;
  throw problem("invalid-state", "The person who made this link can no longer make it. Ask for another.");
}

/** The same, of one kind. */
export function requireLink(db: Reader, tokenHash: string, kind: Link["kind"], now: string): Link {
  const link = requireAnyLink(db, tokenHash, now);
  if (link.kind !== kind) throw noLink();
  return link;
}

/** The reset link with this token, once it counts. Throws as {@link requireAnyLink}, and `409` while it waits. */
export function requireReset(db: Reader, tokenHash: string, now: string): Link {
  const link = requireLink(db, tokenHash, "RESET", now);
  if (link.validFrom === null || link.agreedAt !== null || link.validFrom <= now) return link;
  throw problem(
    "invalid-state",
    `This link works from ${link.validFrom} on: until then the person's organizations may refuse it.`,
  );
}

function noLink(): Problem {
  return problem("not-found", `There is no such link. ${ASK}`);
}

/** The person who accepts: a session of the account that has the e-mail address, or a new account. */
export interface Acceptance {
  readonly linkHash: string;
  readonly asking: Asking | null;
  readonly account: { readonly name: string; readonly passwordHash: string | null } | null;
  /** Begun for a new account; else the session exists. */
  readonly session: NewSession | null;
  /** The id of a session that the caller begins itself for a new account. */
  readonly sessionId?: string;
}

/** Accepts an invitation. */
export function acceptInvitation(tx: Tx, call: AccountCall, given: Acceptance): void {
  const link = requireLink(tx, given.linkHash, "INVITATION", call.at);
  const existing = findAccountByEmail(tx, { emailFolded: link.emailFolded });
  const account = existing ? requireOwn(tx, existing, given.asking) : makeInvited(tx, call, link, given);
  const own = provenCall(call, account.id);
  const sessionId = (existing ? given.asking?.sessionId : given.sessionId) ?? call.newId();
  join(tx, own, { ...account, sessionId }, link);
  consumeLink(tx, own, link, account.id);
  if (link.isOperator === 1 && account.isOperator === 0) makeOperator(tx, own, account.id);
  if (existing === null && given.session) {
    const proof = { linkId: link.id, link: digestLink(link) };
    const begun = { ...given.session, method: "LINK", hasSecondFactor: false, proof, id: sessionId } as const;
    beginSession(tx, own, account.id, begun);
  }
}

/** Throws `401` if the e-mail address has an account and the session is not of that account. */
function requireOwn(tx: Tx, existing: Account, asking: Asking | null): Account {
  if (asking === null || asking.accountId !== existing.id) {
    throw problem("unauthorized", "This e-mail address has an account: sign in with it, then accept.");
  }
  return requireSession(tx, asking);
}

function makeInvited(tx: Tx, call: AccountCall, link: Link, { account }: Acceptance): Account {
  // The account that had the e-mail address has given it up just now.
  if (account === null) throw problem("conflict", "No account has this e-mail address any more: open the link again.");
  const { name, passwordHash } = account;
  const id = call.newId();
  return makeAccount(tx, provenCall(call, id), { id, email: link.email, name, passwordHash, isOperator: 0 });
}

/** Makes an account a member as the invitation says. Throws `409` if that is no longer possible. */
function join(tx: Tx, call: AccountCall, account: Writing, link: Link): void {
  const orgId = present(link.orgId, "the organization of an invitation");
  if (isMember(tx, { orgId, accountId: account.id })) {
    throw problem("invalid-state", "You are a member of this organization already.");
  }
  const stakeholderIds: string[] = JSON.parse(link.stakeholderIds);
  refuseTaken(tx, orgId, stakeholderIds, null);
  const write = personCall(call, orgId, account);
  // A reset link's maker may not take over a person whom another organization trusts from now on.
  revokeResetLinks(tx, call, account.id);
  insertMembership(tx, write, {
    id: call.newId(),
    accountId: account.id,
    role: present(link.role, "the role of an invitation"),
    stakeholderIds,
  });
  tellOf(tx, write, "invitation", link.id, { usedAt: call.at });
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

/** A new password by a reset link. */
export interface Reset {
  readonly linkHash: string;
  readonly passwordHash: string;
  readonly factor: UsedFactor | null;
}

/** Sets a password by a link, and ends all sessions. */
export function resetPassword(tx: Tx, call: AccountCall, { linkHash, passwordHash, factor }: Reset): void {
  const link = requireReset(tx, linkHash, call.at);
  const account = present(findAccount(tx, { id: present(link.accountId, "whose password") }), "the account");
  if (factor === null && hasFactor(tx, account)) {
    throw factorRequired(tx, account, { takesPasskeys: false });
  }
  const { id: accountId } = account;
  const own = provenCall(call, accountId);
  const proof = { linkId: link.id, link: digestLink(link), ...(factor && useFactor(tx, own, account, factor)) };
  consumeLink(tx, own, link, accountId);
  // The person who had the account before may have linked an identity of its own.
  for (const { id } of listIdentities(tx, { accountId })) {
    deleteIdentity(tx, { id });
    reportEvent(tx, own, { accountId, event: "identity-removed", data: { id } });
  }
  setPasswordHash(tx, { id: accountId, passwordHash });
  endAll(tx, own, accountId, { by: "password-reset" });
  const data = { password: commitTo(account.salt, passwordHash), proof };
  reportEvent(tx, own, { accountId, event: "password-reset", data });
}
