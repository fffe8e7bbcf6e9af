// Sign-in by an OpenID Connect provider: signs in, accepts an invitation, confirms, links and removes identities.

import { present } from "../../kernel/assert.ts";
import { problem } from "../../kernel/problem.ts";
import { foldEmail } from "../../kernel/text/email.ts";
import type { NextToken, Proof } from "../../storage/database/log/account-events.ts";
import { commitTo } from "../../storage/database/log/account-log.ts";
import type { Tx } from "../../storage/database/sql.ts";
import type { AccountCall } from "../call.ts";
import { type Account, findAccountByEmail } from "../stores/account-store.ts";
import {
  deleteIdentity,
  findIdentity,
  findIdentityBySubject,
  type Identity,
  insertIdentity,
  listIdentities,
} from "../stores/identity-store.ts";
import { provenCall, reportEvent } from "../stores/log-store.ts";
import type { Renewing } from "./account-orders.ts";
import { requireFactor } from "./factor-orders.ts";
import { acceptInvitation, requireLink } from "./link-orders.ts";
import {
  type Asking,
  beginSession,
  type NewSession,
  renew,
  renewByProof,
  requireAccount,
  requireSession,
} from "./session-orders.ts";
import { requireOtherWay, type Ways } from "./way-orders.ts";

const IDENTITIES_MAX = 20;

/** Why a sign-in by a provider fails; the person sees each, from a closed list of words. */
export type Refusal = "no-account" | "other-account" | "email-differs";

/** The outcome: null if it succeeded. */
export interface IdentityOutcome {
  readonly refusal: Refusal | null;
}

/** The person that the provider authenticated, and whether with a second factor that counts. */
export interface Word {
  readonly issuer: string;
  readonly subject: string;
  readonly hasSecondFactor: boolean;
}

const DONE: IdentityOutcome = { refusal: null };

/** Signs in the account that has this identity. Throws `401 sign-in-failed` for a suspended account. */
export function signInByIdentity(
  tx: Tx,
  call: AccountCall,
  { word, session }: { readonly word: Word; readonly session: NewSession },
): IdentityOutcome {
  const identity = findIdentityBySubject(tx, word);
  if (identity === null) return { refusal: "no-account" };
  const account = requireAccount(tx, identity.accountId);
  const proof = identityProof(account, identity);
  beginSession(tx, call, account.id, { ...session, method: "OIDC", hasSecondFactor: word.hasSecondFactor, proof });
  return DONE;
}

/** The proof of identity by the provider. */
function identityProof({ salt }: Pick<Account, "salt">, { id, issuer, subject }: Omit<Identity, "seq">): Proof {
  return { identityId: id, identity: commitTo(salt, `${issuer} ${subject}`) };
}

/** An invitation, and the person who accepts it: by an e-mail address that the provider has verified. */
export interface AcceptanceByIdentity {
  readonly linkHash: string;
  readonly word: Word;
  readonly email: string;
  /** For a new account. */
  readonly name: string;
  /** The session from which it was begun, if any. */
  readonly asking: Asking | null;
  readonly session: NewSession;
}

/** Accepts an invitation; returns whether a session was begun. */
export function acceptByIdentity(
  tx: Tx,
  call: AccountCall,
  { linkHash, word, email, name, asking, session }: AcceptanceByIdentity,
): IdentityOutcome & { readonly isBegun: boolean } {
  const { emailFolded } = requireLink(tx, linkHash, "INVITATION", call.at);
  const refused = (refusal: Refusal) => ({ refusal, isBegun: false });
  if (foldEmail(email) !== emailFolded) return refused("email-differs");
  const identity = findIdentityBySubject(tx, word);
  const existing = findAccountByEmail(tx, { emailFolded });
  const begun = { ...session, method: "OIDC", hasSecondFactor: word.hasSecondFactor } as const;
  const ofLink = { linkHash, account: null, session: null };
  if (existing && identity?.accountId === existing.id) {
    const account = requireAccount(tx, existing.id);
    const accountId = account.id;
    const sessionId = beginSession(tx, call, accountId, { ...begun, proof: identityProof(account, identity) });
    acceptInvitation(tx, call, { ...ofLink, asking: { sessionId, accountId } });
    return { ...DONE, isBegun: true };
  }
  if (existing) {
    acceptInvitation(tx, call, { ...ofLink, asking });
    return { ...DONE, isBegun: false };
  }
  if (identity) return refused("other-account");
  const sessionId = call.newId();
  acceptInvitation(tx, call, { ...ofLink, account: { name, passwordHash: null }, asking: null, sessionId });
  const account = present(findAccountByEmail(tx, { emailFolded }), "the account that accepted");
  const kept = keep(tx, call, account.id, word);
  reportKept(tx, call, kept);
  beginSession(tx, call, account.id, { ...begun, id: sessionId, proof: identityProof(account, kept) });
  return { ...DONE, isBegun: true };
}

/** The session that began the sign-in at the provider, with its next token. */
export interface ComingBack extends Asking {
  readonly word: Word;
  readonly tokenHash: string;
}

/** Links an identity to the account of a session. */
export function linkIdentity(tx: Tx, call: AccountCall, { word, tokenHash, ...asking }: ComingBack): IdentityOutcome {
  const account = requireSession(tx, asking);
  requireFactor(tx, account, asking.sessionId);
  const identity = findIdentityBySubject(tx, word);
  if (identity && identity.accountId !== account.id) return { refusal: "other-account" };
  if (listIdentities(tx, { accountId: account.id }).length >= IDENTITIES_MAX) {
    throw problem("invalid-state", `An account has at most ${IDENTITIES_MAX} identities: remove one first.`);
  }
  const kept = identity ?? keep(tx, call, account.id, word);
  const renewed = renew(tx, asking, { tokenHash, givesFactor: false, proof: identityProof(account, kept) });
  const { sessionId } = asking;
  if (identity === null) reportKept(tx, call, kept, { renewed, sessionId });
  else {
    const known = { accountId: account.id, event: "token-renewed", data: renewed, sessionId } as const;
    reportEvent(tx, provenCall(call, account.id), known);
  }
  return DONE;
}

/** Confirms a person's identity by the provider's word. */
export function confirmByIdentity(
  tx: Tx,
  call: AccountCall,
  { word, tokenHash, ...asking }: ComingBack,
): IdentityOutcome {
  const account = requireSession(tx, asking);
  const identity = findIdentityBySubject(tx, word);
  if (identity?.accountId !== account.id) {
    const { sessionId } = asking;
    const failed = { accountId: account.id, event: "confirmation-failed", data: { reason: "PROVIDER" } } as const;
    reportEvent(tx, provenCall(call, account.id), { ...failed, sessionId });
    return { refusal: "other-account" };
  }
  const proof = identityProof(account, identity);
  renewByProof(tx, call, asking, { tokenHash, givesFactor: word.hasSecondFactor, proof });
  return DONE;
}

type Kept = Omit<Identity, "seq">;

function keep(tx: Tx, call: AccountCall, accountId: string, { issuer, subject }: Word): Kept {
  const kept = { id: call.newId(), createdAt: call.at, accountId, issuer, subject };
  insertIdentity(tx, kept);
  return kept;
}

function reportKept(
  tx: Tx,
  call: AccountCall,
  { id, accountId, issuer, subject }: Kept,
  { renewed, sessionId }: { readonly renewed?: NextToken; readonly sessionId?: string } = {},
): void {
  const data = { id, issuer, subject, ...renewed };
  const added = { accountId, event: "identity-added", data, sessionId: sessionId ?? null } as const;
  reportEvent(tx, provenCall(call, accountId), added);
}

/** Removes an identity. Throws `404`, and `409` for the last way to sign in. */
export function removeIdentity(
  tx: Tx,
  call: AccountCall,
  { identityId, ways, tokenHash, ...asking }: Renewing & { identityId: string; ways: Ways },
): void {
  const account: Account = requireSession(tx, asking);
  const identity = findIdentity(tx, { id: identityId });
  if (identity?.accountId !== account.id) throw problem("not-found", "You have no identity with this id.");
  deleteIdentity(tx, { id: identityId });
  requireOtherWay(tx, account, ways);
  const data = { id: identityId, ...renew(tx, asking, { tokenHash, givesFactor: false }) };
  const removed = { accountId: account.id, event: "identity-removed", data, sessionId: asking.sessionId } as const;
  reportEvent(tx, provenCall(call, account.id), removed);
}
