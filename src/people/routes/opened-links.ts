// Opened links: shown, an invitation accepted, a password reset. Each works once.

import { Type } from "@sinclair/typebox";
import { present } from "../../kernel/assert.ts";
import type { Call } from "../../kernel/call.ts";
import { body, email, id, nullable, oneOf, optional, text } from "../../kernel/fields.ts";
import { problem, refuse } from "../../kernel/problem.ts";
import { toTimestamp } from "../../kernel/runtime.ts";
import { foldEmail } from "../../kernel/text/email.ts";
import { findOrganization } from "../../resources/organization/store.ts";
import { timestamp } from "../../resources/present.ts";
import { commitTo } from "../../storage/database/log/account-log.ts";
import { tellOf } from "../../storage/database/log/audit.ts";
import type { Tx } from "../../storage/database/sql.ts";
import { MEMBER_ROLES } from "../../storage/records/member.ts";
import { type AccessReply, type AccessRequest, type AccessRoute, anybodysRoute, type Desk } from "../access-route.ts";
import { makeAccount, makeOperator } from "../accounts.ts";
import { type AccountCall, personCall, type Writing } from "../call.ts";
import { command } from "../command.ts";
import { acceptEmail } from "../emails.ts";
import { factorRequired, hasFactor } from "../factors.ts";
import { consumeLink, digestLink, revokeResetLinks } from "../links.ts";
import { refuseWithoutMail } from "../mail-queue.ts";
import { refuseTaken } from "../membership.ts";
import type { Session } from "../principal.ts";
import {
  type Asking,
  beginSession,
  endAll,
  type NewSession,
  requireSession,
  type UsedFactor,
  useFactor,
} from "../session-writes.ts";
import { membershipsOf } from "../sessions.ts";
import { showSession } from "../shown.ts";
import { requireCode } from "../sign-in/factor.ts";
import { hashNewPassword } from "../sign-in/new-password.ts";
import { hashToken } from "../sign-in/token.ts";
import { type Account, findAccount, findAccountByEmail, setPasswordHash } from "../stores/account-store.ts";
import { deleteIdentity, listIdentities } from "../stores/identity-store.ts";
import type { Link } from "../stores/link-store.ts";
import { provenCall, reportEvent } from "../stores/log-store.ts";
import { queueMail } from "../stores/mail-store.ts";
import { insertMembership, isMember, listOpenMemberships } from "../stores/member-store.ts";
import { requireAnyLink, requireLink, requireReset } from "../usable-links.ts";
import { GIVEN_CODE, GIVEN_PASSWORD, newSession, PERSON_NAME, SESSION_ANSWER, signedIn } from "./session-answer.ts";

const TOKEN = Type.String({
  maxLength: 100,
  description: "What stands after `#` in the link.",
  examples: ["0kq3…"],
});

const common = { tag: "Signing in", isExtension: true, who: "ANYBODY", method: "POST", problems: [404, 409] } as const;

const look = anybodysRoute({
  ...common,
  path: "/api/v1/auth/link",
  operationId: "getLink",
  summary: "Show what a link is for",
  description: "The link's secret stands in the body, so that no log of addresses keeps it.",
  status: 200,
  body: body({ token: TOKEN }),
  response: Type.Object({
    data: Type.Object({
      kind: oneOf(["INVITATION", "RESET", "EMAIL"], {
        description: "To an organization, of a password, or the proof of an e-mail address.",
      }),
      organization: nullable(
        Type.Object({
          id: id({ description: "Identifies the organization." }),
          legalName: Type.String({ description: "The organization's full legal name.", examples: ["Acme, Inc."] }),
        }),
      ),
      email: text(254, { description: "The email address that the link is for.", examples: ["grace@example.com"] }),
      role: nullable(
        oneOf(MEMBER_ROLES, { description: "What an invited person may do in the organization; null for a reset." }),
      ),
      hasAccount: nullable(
        Type.Boolean({ description: "`true` in a session of the account that the e-mail address has; else null." }),
      ),
      needsCode: Type.Boolean({ description: "Whether a second factor is asked for before the password is set." }),
      validFrom: nullable(
        timestamp({ description: "From when on a reset works that the person's organizations may refuse; null: now." }),
      ),
      expiresAt: timestamp({ description: "Until when the link works." }),
    }),
  }),
  run(desk, { body: { token }, session, nowMs }) {
    const link = requireAnyLink(desk.db, hashToken(token), toTimestamp(nowMs));
    const { kind, orgId, email, role, emailFolded, expiresAt, validFrom, agreedAt } = link;
    const organization = orgId !== null && kind === "INVITATION" ? findOrganization(desk.db, orgId) : null;
    const account = findAccountByEmail(desk.db, { emailFolded });
    const isOwn = session !== null && account?.id === session.accountId;
    const data = {
      ...{ kind, email, role, expiresAt, hasAccount: isOwn ? true : null },
      validFrom: agreedAt === null ? validFrom : null,
      organization: organization && { id: organization.id, legalName: organization.legalName },
      needsCode: kind === "RESET" && account !== null && hasFactor(desk.db, account),
    };
    return { status: 200, json: { data } };
  },
});

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
export const acceptInvitation = command("acceptInvitation", (tx, call, given: Acceptance): void => {
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
});

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

const accept = anybodysRoute({
  ...common,
  path: "/api/v1/auth/accept",
  operationId: "acceptInvitation",
  summary: "Accept an invitation",
  description:
    "Makes the account, and signs in. Where the e-mail address has an account, only a session of that account may " +
    "accept: `401` without one.",
  status: 200,
  body: body({
    token: TOKEN,
    name: optional({ ...PERSON_NAME, description: "The person's name, for a new account." }),
    password: optional(GIVEN_PASSWORD),
  }),
  bodyExample: { token: "…", name: "Grace Hopper", password: "a long sentence of yours" },
  response: SESSION_ANSWER,
  async run(desk, request) {
    const link = requireLink(desk.db, hashToken(request.body.token), "INVITATION", toTimestamp(request.nowMs));
    const hasAccount = findAccountByEmail(desk.db, { emailFolded: link.emailFolded }) !== null;
    return hasAccount ? acceptSignedIn(desk, request) : acceptAnew(desk, request, link);
  },
});

interface Accepting {
  readonly token: string;
  readonly name?: string | null | undefined;
  readonly password?: string | null | undefined;
}

type AcceptRequest = AccessRequest<Accepting, Session | null>;

/** Accepts for the account of the session. */
async function acceptSignedIn(desk: Desk, { body: { token }, session, visitor }: AcceptRequest): Promise<AccessReply> {
  const asking = session && { sessionId: session.id, accountId: session.accountId };
  const given = { linkHash: hashToken(token), asking, account: null, session: null };
  await desk.execute(acceptInvitation, given, visitor);
  desk.sessions.forget();
  const joined = session && { ...session, memberships: membershipsOf(desk.db, session.accountId) };
  return { status: 200, json: { data: showSession(desk, joined) } };
}

/** Makes the account, and signs in. */
async function acceptAnew(desk: Desk, request: AcceptRequest, link: Link): Promise<AccessReply> {
  const { body: given, visitor, address, nowMs } = request;
  const [name, password] = [given.name ?? "", given.password ?? ""];
  refuse([
    ...(name ? [] : [["#/name", "is needed: the invitation makes an account"] as const]),
    ...(password ? [] : [["#/password", "is needed: the invitation makes an account"] as const]),
  ]);
  const organization = findOrganization(desk.db, present(link.orgId, "the organization"));
  const known = { email: link.email, names: [name, organization?.legalName ?? ""], address };
  const passwordHash = await hashNewPassword(desk, password, known);
  const { token, session } = newSession(desk, nowMs, request.session);
  const account = { name, passwordHash };
  await desk.execute(acceptInvitation, { linkHash: hashToken(given.token), asking: null, account, session }, visitor);
  return signedIn(desk, token, nowMs);
}

/** A new password by a reset link. */
export interface Reset {
  readonly linkHash: string;
  readonly passwordHash: string;
  readonly factor: UsedFactor | null;
}

/** Sets a password by a link, and ends all sessions. */
export const resetPassword = command("resetPassword", (tx, call, { linkHash, passwordHash, factor }: Reset): void => {
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
  // Another link, made before this one was used, would undo it.
  revokeResetLinks(tx, own, accountId);
  endAll(tx, own, accountId, { by: "password-reset" });
  const data = { password: commitTo(account.salt, passwordHash), proof };
  reportEvent(tx, own, { accountId, event: "password-reset", data });
});

const reset = anybodysRoute({
  ...common,
  path: "/api/v1/auth/reset",
  operationId: "resetPassword",
  summary: "Set a password by a reset link",
  description: "Ends all sessions of the account. Where it has a second factor, `code` is asked for first.",
  status: 204,
  body: body({ token: TOKEN, password: GIVEN_PASSWORD, code: GIVEN_CODE }),
  bodyExample: { token: "…", password: "another sentence of yours" },
  async run(desk, request) {
    const { body: given, visitor, address, nowMs } = request;
    const link = requireReset(desk.db, hashToken(given.token), toTimestamp(nowMs));
    const account = findAccount(desk.db, { id: present(link.accountId, "whose password") });
    if (!account) throw problem("not-found", "There is no such link.");
    // A person who has only a passkey gives a recovery code: a link must not replace the protection of a passkey.
    const asked = { visitor, nowMs, takesPasskeys: false };
    const factor = hasFactor(desk.db, account) ? await requireCode(desk, account, given.code, asked) : null;
    const names = [account.name, ...membershipsOf(desk.db, account.id).map(({ orgName }) => orgName)];
    const passwordHash = await hashNewPassword(desk, given.password, { email: account.email, names, address });
    await desk.execute(resetPassword, { linkHash: hashToken(given.token), passwordHash, factor }, visitor);
    return { status: 204 };
  },
});

/** Gives an account the address that it asked for, which the link proves. Throws `409 conflict` where it is taken. */
export const confirmEmail = command("confirmEmail", (tx, call, { linkHash }: { readonly linkHash: string }): void => {
  const link = requireLink(tx, linkHash, "EMAIL", call.at);
  const account = present(findAccount(tx, { id: present(link.accountId, "whose address") }), "the account");
  const own = provenCall(call, account.id);
  consumeLink(tx, own, link, account.id);
  const orgIds = listOpenMemberships(tx, { accountId: account.id }).map(({ orgId }) => orgId);
  const callIn = (orgId: string) => linkCall(call, orgId);
  acceptEmail(tx, own, { account, expected: link.email }, { orgIds, sessionId: null, callIn });
});

/** A write in an organization that a link proves, and no session. */
function linkCall({ requestId, method, path, at, today, newId }: AccountCall, orgId: string): Call {
  const who = { actor: "job", apiKeyId: null, accountId: null, actorName: null, sessionId: null } as const;
  return { orgId, ...who, requestId, method, path, at, today, newId };
}

const confirmEmailRoute = anybodysRoute({
  ...common,
  path: "/api/v1/auth/confirm-email",
  operationId: "confirmEmail",
  summary: "Prove an e-mail address by its link",
  description: "The account that asked for the address has it from now on, and signs in by it.",
  status: 204,
  body: body({ token: TOKEN }),
  async run(desk, { body: { token }, visitor }) {
    await desk.execute(confirmEmail, { linkHash: hashToken(token) }, visitor);
    desk.sessions.forget();
    return { status: 204 };
  },
});

/** Queues the look for an account whose person forgot the password: one row, whether there is such an account or not. */
export const askRecovery = command("askRecovery", (tx, call, { email }: { readonly email: string }): void => {
  queueMail(tx, call, { kind: "recovery", to: email, about: call.newId() });
});

const recover = anybodysRoute({
  ...common,
  path: "/api/v1/auth/recover",
  operationId: "recoverAccount",
  summary: "Ask for a link that sets a forgotten password",
  description:
    "Sent to the address if an account has it; the answer is the same whether one does. The link works once, for an " +
    "hour. `404` where the server sends no mail.",
  status: 204,
  problems: [404],
  body: body({ email: email({ description: "Of the account." }) }),
  bodyExample: { email: "grace@example.com" },
  async run(desk, { body: { email: address }, visitor, address: from, nowMs }) {
    refuseWithoutMail(desk.db);
    desk.failures.recover(foldEmail(address), from, nowMs);
    await desk.execute(askRecovery, { email: address }, visitor);
    return { status: 204 };
  },
});

/** The routes of links. */
export const linkRoutes: readonly AccessRoute[] = [look, accept, reset, confirmEmailRoute, recover];
