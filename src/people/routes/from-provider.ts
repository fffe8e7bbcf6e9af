// Sign-in by an OpenID Connect provider, back from it: its word signs in, accepts an invitation, links an identity, or
// confirms.

import { timingSafeEqual } from "node:crypto";
import { Type } from "@sinclair/typebox";
import { present } from "../../kernel/assert.ts";
import { findFaults } from "../../kernel/check.ts";
import { body } from "../../kernel/fields.ts";
import { problem } from "../../kernel/problem.ts";
import { foldEmail } from "../../kernel/text/email.ts";
import type { NextToken, Proof } from "../../storage/database/log/account-events.ts";
import { commitTo } from "../../storage/database/log/account-log.ts";
import type { Tx } from "../../storage/database/sql.ts";
import type { AccessReply, AnybodysRoute, Desk } from "../access-route.ts";
import type { AccountCall } from "../call.ts";
import { command } from "../command.ts";
import { requireFactor } from "../factors.ts";
import { reportFailure } from "../failed-proofs.ts";
import {
  type Asking,
  beginSession,
  type NewSession,
  renew,
  renewByProof,
  requireAccount,
  requireSession,
} from "../session-writes.ts";
import { handshakeCookieOf, readToken } from "../sign-in/cookie.ts";
import type { Handshake, Purpose } from "../sign-in/handshake.ts";
import type { ProviderWord } from "../sign-in/oidc.ts";
import { hashToken, newToken } from "../sign-in/token.ts";
import { type Account, findAccount, findAccountByEmail } from "../stores/account-store.ts";
import { findIdentityBySubject, type Identity, insertIdentity, listIdentities } from "../stores/identity-store.ts";
import { provenCall, reportEvent } from "../stores/log-store.ts";
import { requireLink } from "../usable-links.ts";
import { acceptInvitation } from "./opened-links.ts";
import { deviceOf, newSession, PERSON_NAME } from "./session-answer.ts";
import { type Asked, back, backFrom, CALLBACK_PATH, common, type Refusal, requireProvider } from "./to-provider.ts";

/** How far the provider's clock may differ. */
const CLOCKS_APART_MS = 60_000;

const IDENTITIES_MAX = 20;

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

/** The route by which a browser comes back. */
export const fromProvider: AnybodysRoute = {
  ...common,
  path: CALLBACK_PATH,
  operationId: "finishOidc",
  summary: "Come back from the OpenID Connect provider",
  description:
    "For the browser that the provider sends back. It leads to `/`, or to `/sign-in` with `problem`, `for` and `reason`.",
  problems: [404],
  isFromElsewhere: true,
  query: body({
    state: Type.Optional(Type.String({ description: "As it was sent to the provider.", examples: ["t0Xy…"] })),
    code: Type.Optional(Type.String({ description: "What the provider gives for whom it saw.", examples: ["Zm9v…"] })),
    error: Type.Optional(Type.String({ description: "Why it gives none.", examples: ["access_denied"] })),
  }),
  async run(desk, request) {
    const provider = requireProvider(desk);
    const handshake = handshakeOf(desk, request);
    if (handshake === null) return back(desk, { problem: "sign-in-failed", reason: "begin-again" });
    const { purpose, question } = handshake;
    const { search, nowMs } = request;
    try {
      const address = new URL(desk.publicUrl() + CALLBACK_PATH + search);
      const word = await provider.answer(address, question, { needsEmail: purpose === "accept", nowMs });
      return await ACTS[purpose](desk, request, handshake, word);
    } catch (thrown) {
      return backFrom(desk, purpose, thrown);
    }
  },
};

/** The sign-in that this browser began under the address's `state`; it continues once. */
function handshakeOf(desk: Desk, { search, headers, nowMs }: Asked): Handshake | null {
  const state = new URLSearchParams(search).get("state") ?? "";
  const handshake = desk.handshakes.find(state, nowMs);
  const cookie = handshakeCookieOf(desk.publicUrl());
  const browser = cookie && readToken(headers.get("cookie"), cookie.name);
  if (handshake === null || browser === null) return null;
  if (!timingSafeEqual(Buffer.from(hashToken(browser)), Buffer.from(handshake.browserHash))) return null;
  return desk.handshakes.take(state, nowMs);
}

type Act = (desk: Desk, request: Asked, handshake: Handshake, word: ProviderWord) => Promise<AccessReply>;

/** How each purpose uses the provider's word. */
const ACTS: Readonly<Record<Purpose, Act>> = { "sign-in": signIn, accept, link, confirm };

/** Redirects, signed in with a token; or shows the failure. */
function home(desk: Desk, purpose: Purpose, { refusal }: IdentityOutcome, token: string | null): AccessReply {
  if (refusal !== null) return back(desk, { problem: "sign-in-failed", for: purpose, reason: refusal });
  desk.sessions.forget();
  return { status: 303, location: `${desk.publicUrl()}/`, ...(token !== null && { token }) };
}

/** The same if a session has begun: the device is known from now on. */
function homeSignedIn(
  desk: Desk,
  purpose: Purpose,
  outcome: IdentityOutcome,
  { token, nowMs }: { readonly token: string; readonly nowMs: number },
): AccessReply {
  const reply = home(desk, purpose, outcome, token);
  return outcome.refusal === null ? { ...reply, device: deviceOf(desk, token, nowMs) } : reply;
}

/** Signs in the account that has this identity. Throws `401 sign-in-failed` for a suspended account. */
export const signInByIdentity = command(
  "signInByIdentity",
  (tx, call, { word, session }: { readonly word: Word; readonly session: NewSession }): IdentityOutcome => {
    const identity = findIdentityBySubject(tx, word);
    if (identity === null) return { refusal: "no-account" };
    const account = requireAccount(tx, identity.accountId);
    const proof = identityProof(account, identity);
    beginSession(tx, call, account.id, { ...session, method: "OIDC", hasSecondFactor: word.hasSecondFactor, proof });
    return DONE;
  },
);

async function signIn(
  desk: Desk,
  { visitor, nowMs }: Asked,
  { asking }: Handshake,
  word: ProviderWord,
): Promise<AccessReply> {
  const { token, session } = newSession(desk, nowMs, asking && { id: asking.sessionId });
  try {
    const outcome = await desk.execute(signInByIdentity, { word: told(word), session }, visitor);
    return homeSignedIn(desk, "sign-in", outcome, { token, nowMs });
  } catch (thrown) {
    const identity = findIdentityBySubject(desk.db, word);
    const account = identity && findAccount(desk.db, { id: identity.accountId });
    const reason = account?.suspendedAt ? "SUSPENDED" : "PROVIDER";
    const failed = { event: "sign-in-failed", reason, sessionId: null } as const;
    if (identity) await desk.execute(reportFailure, { ...failed, accountId: identity.accountId }, visitor);
    throw thrown;
  }
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
export const acceptByIdentity = command(
  "acceptByIdentity",
  (
    tx,
    call,
    { linkHash, word, email, name, asking, session }: AcceptanceByIdentity,
  ): IdentityOutcome & { readonly isBegun: boolean } => {
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
  },
);

async function accept(
  desk: Desk,
  { visitor, nowMs }: Asked,
  { linkHash, asking }: Handshake,
  word: ProviderWord,
): Promise<AccessReply> {
  const { email, isEmailVerified } = word;
  if (linkHash === null || email === null || !isEmailVerified) {
    return back(desk, { problem: "sign-in-failed", for: "accept", reason: "email-unverified" });
  }
  const { token, session } = newSession(desk, nowMs, asking && { id: asking.sessionId });
  const name = word.name !== null && findFaults(PERSON_NAME, word.name).length === 0 ? word.name : email;
  const acceptance = { linkHash, word: told(word), email, name, asking, session };
  const outcome = await desk.execute(acceptByIdentity, acceptance, visitor);
  return outcome.isBegun
    ? homeSignedIn(desk, "accept", outcome, { token, nowMs })
    : home(desk, "accept", outcome, null);
}

/** The session that began the sign-in at the provider, with its next token. */
export interface ComingBack extends Asking {
  readonly word: Word;
  readonly tokenHash: string;
}

/** Links an identity to the account of a session. */
export const linkIdentity = command(
  "linkIdentity",
  (tx, call, { word, tokenHash, ...asking }: ComingBack): IdentityOutcome => {
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
  },
);

async function link(desk: Desk, { visitor }: Asked, { asking }: Handshake, word: ProviderWord): Promise<AccessReply> {
  if (asking === null) throw problem("unauthorized", "You are not signed in.");
  const token = newToken();
  const coming = { ...asking, word: told(word), tokenHash: hashToken(token) };
  return home(desk, "link", await desk.execute(linkIdentity, coming, visitor), token);
}

/** Confirms a person's identity by the provider's word. */
export const confirmByIdentity = command(
  "confirmByIdentity",
  (tx, call, { word, tokenHash, ...asking }: ComingBack): IdentityOutcome => {
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
  },
);

async function confirm(
  desk: Desk,
  { visitor }: Asked,
  { asking, begunMs }: Handshake,
  word: ProviderWord,
): Promise<AccessReply> {
  if (asking === null) throw problem("unauthorized", "You are not signed in.");
  if (word.provedAtMs === null || word.provedAtMs < begunMs - CLOCKS_APART_MS) {
    return back(desk, { problem: "sign-in-failed", for: "confirm", reason: "too-old" });
  }
  const token = newToken();
  const coming = { ...asking, word: told(word), tokenHash: hashToken(token) };
  return home(desk, "confirm", await desk.execute(confirmByIdentity, coming, visitor), token);
}

/** The input of a change of accounts. */
function told({ issuer, subject, hasSecondFactor }: ProviderWord) {
  return { issuer, subject, hasSecondFactor };
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
