// Sessions in answers: the account, its memberships, and when it ends.
import { Type } from "@sinclair/typebox";
import { id, nullable, oneOf, text } from "../kernel/fields.ts";
import { toTimestamp } from "../kernel/runtime.ts";
import { timestamp } from "../resources/present.ts";
import { MEMBER_ROLES } from "../storage/records/member.ts";
import type { Desk } from "./access-route.ts";
import { pendingEmailOf } from "./emails.ts";
import { CONFIRMED_MS, type Session } from "./principal.ts";
import { cookieOf } from "./sign-in/cookie.ts";
import { type Account, countRecoveryCodes, findAccount, hasAccounts, hasPasskey } from "./stores/account-store.ts";
import { findMailUrl } from "./stores/mail-store.ts";
import { countWaitingResets } from "./stores/member-store.ts";

/** An account as its owner sees it. */
const AccountShown = Type.Object({
  id: id({ description: "Identifies the account." }),
  email: text(254, { description: "As it was typed.", examples: ["ada@example.com"] }),
  pendingEmail: nullable(
    text(254, {
      description: "The address that was asked for, and does not count yet.",
      examples: ["ada@example.org"],
    }),
  ),
  name: text(200, { description: "The person's name.", examples: ["Ada Lovelace"] }),
  isOperator: Type.Boolean({ description: "Whether the account runs the instance." }),
  hasPassword: Type.Boolean({ description: "Whether one can sign in with a password." }),
  hasTotp: Type.Boolean({ description: "Whether an app makes codes for it." }),
  hasPasskey: Type.Boolean({ description: "Whether it has a passkey." }),
  recoveryCodesLeft: Type.Integer({ minimum: 0, description: "Recovery codes that were not used." }),
  createdAt: timestamp({ description: "When the account was made." }),
});

const METHODS = ["PASSWORD", "PASSKEY", "OIDC"] as const;

/** The answer of `GET /auth/session`. */
export const SessionShown = Type.Object({
  state: oneOf(["SETUP", "SIGNED_OUT", "SIGNED_IN"], {
    description: "`SETUP`: there is no account yet, and the first is made with the key in `admin.key`.",
  }),
  methods: Type.Array(oneOf(METHODS), { description: "How one can sign in here." }),
  providerName: nullable(
    Type.String({ description: "What the OpenID Connect provider is called.", examples: ["Acme Sign-in"] }),
  ),
  environment: oneOf(["production", "test"], { description: "Which keys the instance makes." }),
  canSignIn: Type.Boolean({ description: "False where the public address is without TLS and not this machine." }),
  sendsMail: Type.Boolean({ description: "Whether the server sends mail: links, and forgotten passwords." }),
  account: nullable(AccountShown),
  organizations: Type.Array(
    Type.Object({
      id: id({ description: "Identifies the organization." }),
      legalName: Type.String({ description: "The organization's full legal name.", examples: ["Acme, Inc."] }),
      role: oneOf(MEMBER_ROLES, { description: "What the person may do in the organization." }),
      stakeholderIds: Type.Array(id(), { description: "The stakeholders that the person is there." }),
      needsSecondFactor: Type.Boolean({ description: "Whether it wants a second factor and the session has none." }),
      operatorResets: Type.Integer({
        minimum: 0,
        description: "For an `ADMIN`: of how many members an operator's reset may be refused; see `GET /members`.",
      }),
    }),
    { description: "What the person is a member of, oldest first." },
  ),
  hasSecondFactor: Type.Boolean({ description: "Whether a second factor was given in this session." }),
  expiresAt: nullable(timestamp({ description: "When the session ends in any case." })),
  idleExpiresAt: nullable(timestamp({ description: "When it ends if nothing is asked until then." })),
  confirmedUntil: nullable(timestamp({ description: "Until when what needs a proof is allowed." })),
});

/** The session, or what a client without one needs to sign in. */
export function showSession(desk: Desk, session: Session | null): Record<string, unknown> {
  const { db, sessions, publicUrl, provider, instance } = desk;
  const methods = METHODS.filter((method) => {
    if (method === "PASSKEY") return canHavePasskeys(publicUrl());
    return method === "PASSWORD" || provider !== null;
  });
  const { environment } = instance;
  const canSignIn = cookieOf(publicUrl()) !== null;
  const sendsMail = findMailUrl(db) !== null;
  const common = { methods, providerName: provider?.name ?? null, environment, canSignIn, sendsMail };
  if (session === null) {
    const state = hasAccounts(db) ? "SIGNED_OUT" : "SETUP";
    const noAccount = { account: null, organizations: [], hasSecondFactor: false };
    return { state, ...common, ...noAccount, expiresAt: null, idleExpiresAt: null, confirmedUntil: null };
  }
  const account = findAccount(db, { id: session.accountId });
  const now = toTimestamp(desk.runtime.nowMs());
  return {
    state: "SIGNED_IN",
    ...common,
    account: account && showAccount(desk, account),
    organizations: session.memberships.map(({ orgId, orgName, role, stakeholderIds, needsSecondFactor }) => ({
      id: orgId,
      legalName: orgName,
      role,
      stakeholderIds,
      needsSecondFactor: needsSecondFactor && !session.hasSecondFactor,
      operatorResets: role === "ADMIN" ? Number(countWaitingResets(db, { orgId, at: now })) : 0,
    })),
    hasSecondFactor: session.hasSecondFactor,
    expiresAt: session.expiresAt,
    idleExpiresAt: toTimestamp(sessions.idleEndsMs(session)),
    confirmedUntil: toTimestamp(Date.parse(session.confirmedAt) + CONFIRMED_MS),
  };
}

/** An account as its owner sees it. */
function showAccount({ db, runtime }: Desk, account: Account): Record<string, unknown> {
  const { id: accountId, email, name, createdAt } = account;
  return {
    ...{ id: accountId, email, name, pendingEmail: pendingEmailOf(account, runtime.nowMs()) },
    isOperator: account.isOperator === 1,
    hasPassword: account.passwordHash !== null,
    hasTotp: account.totpSecret !== null,
    hasPasskey: hasPasskey(db, { accountId }),
    recoveryCodesLeft: Number(countRecoveryCodes(db, { accountId })),
    createdAt,
  };
}

/** Whether browsers make passkeys for an address: for a domain over TLS and for `localhost`, not for IP addresses. */
export function canHavePasskeys(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl);
  if (hostname === "localhost") return true;
  return protocol === "https:" && !/^(?:\d+\.){3}\d+$|^\[/.test(hostname);
}
