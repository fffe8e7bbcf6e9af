// Sessions: begun by a proof of who somebody is, given another token by the next proof, ended.
import { storeSetting } from "../../database/settings.ts";
import type { Tx } from "../../database/sql.ts";
import { type Problem, problem } from "../../kernel/problem.ts";
import {
  type Account,
  findAccount,
  setLastSignIn,
  setPasswordHash,
  setTotp,
  useRecoveryCode,
} from "../account-store.ts";
import type { AccountCall } from "../call.ts";
import { type AccountEvent, tellOfAccount } from "../log-store.ts";
import {
  endSession,
  endSessionsOf,
  insertSession,
  isOpenSession,
  renewSession,
  setConfirmed,
} from "../session-store.ts";
import { minuteOf } from "../sessions.ts";

/** A session to begin: its token's hash, which is all that the database gets of it. */
export interface NewSession {
  readonly tokenHash: string;
  readonly expiresAt: string;
  /** The session of the browser that signs in, which ends with it; null without one. */
  readonly replaces: string | null;
}

/** A second factor that was shown to be right, yet to be used up; it counts once. */
export type UsedFactor =
  /** With the sealed secret that the code was held against: another may stand in its place by now. */
  { readonly totpStep: number; readonly sealed: string } | { readonly recoveryHash: string };

/** Which session asks, and whose it is. */
export interface Asking {
  readonly sessionId: string;
  readonly accountId: string;
}

type Method = "SETUP" | "PASSWORD" | "PASSKEY" | "OIDC" | "LINK";

/** The one text for whatever is wrong with a sign-in. */
export function signInFailed(): Problem {
  return problem("sign-in-failed", "E-mail, password or code is wrong.");
}

/** A session that begins, and how somebody signed in. */
interface SignedIn extends NewSession {
  readonly method: Method;
  readonly hasSecondFactor: boolean;
}

/** Begins a session of an account and tells of it; returns its id. */
export function beginSession(
  tx: Tx,
  call: AccountCall,
  accountId: string,
  { method, hasSecondFactor, tokenHash, expiresAt, replaces }: SignedIn,
): string {
  const { at, address, userAgent } = call;
  const id = call.newId();
  insertSession(tx, {
    ...{ id, createdAt: at, accountId, tokenHash, method, hasSecondFactor: hasSecondFactor ? 1 : 0 },
    ...{
      confirmedAt: at,
      lastSeenAt: minuteOf(call.nowMs),
      expiresAt,
      endedAt: null,
      endedBy: null,
      address,
      userAgent,
    },
  });
  if (replaces !== null) endSession(tx, { id: replaces, at, by: "signed-in-again" });
  setLastSignIn(tx, { id: accountId, lastSignInAt: at });
  tellOfAccount(tx, call, accountId, "signed-in", id);
  return id;
}

/** Uses a second factor up. Throws `401 sign-in-failed` where another request was quicker. */
export function useFactor(tx: Tx, call: AccountCall, account: Account, factor: UsedFactor): void {
  if ("totpStep" in factor) {
    if (factor.sealed !== account.totpSecret || factor.totpStep <= (account.totpLastStep ?? -1)) throw signInFailed();
    setTotp(tx, { id: account.id, totpSecret: account.totpSecret, totpLastStep: factor.totpStep });
    return;
  }
  const { recoveryHash: codeHash } = factor;
  if (useRecoveryCode(tx, { accountId: account.id, codeHash, usedAt: call.at }) === 0) throw signInFailed();
  tellOfAccount(tx, call, account.id, "recovery-code-used");
}

/** The account, where it may sign in. Throws `401 sign-in-failed`. */
export function requireAccount(tx: Tx, accountId: string): Account {
  const account = findAccount(tx, { id: accountId });
  if (!account || account.suspendedAt !== null) throw signInFailed();
  return account;
}

/** The account of a session that is open still. Throws `401 unauthorized`: it was ended while the request was under way. */
export function requireSession(tx: Tx, { sessionId: id, accountId }: Asking): Account {
  const account = findAccount(tx, { id: accountId });
  if (account && account.suspendedAt === null && isOpenSession(tx, { id, accountId })) return account;
  throw problem("unauthorized", "The session has ended: sign in again.");
}

/** What a sign-in by password brings. */
export interface SignIn {
  readonly accountId: string;
  /** The hash that the password was checked against: it may have changed meanwhile. */
  readonly passwordHash: string;
  readonly factor: UsedFactor | null;
  /** The hash to keep from now on, where that one costs too little; else null. */
  readonly newHash: string | null;
  readonly session: NewSession;
}

/** Signs in by a password that was found to be right. */
export function signIn(tx: Tx, call: AccountCall, { accountId, passwordHash, factor, newHash, session }: SignIn): void {
  const account = requireAccount(tx, accountId);
  if (account.passwordHash !== passwordHash) throw signInFailed();
  // A factor may have been set up since it was asked for.
  if (account.totpSecret !== null && factor === null) throw signInFailed();
  if (factor) useFactor(tx, call, account, factor);
  if (newHash !== null) setPasswordHash(tx, { id: accountId, passwordHash: newHash });
  beginSession(tx, call, accountId, { ...session, method: "PASSWORD", hasSecondFactor: factor !== null });
}

/** What is told of an account; null stands for an e-mail address that has none. */
interface Told {
  readonly accountId: string | null;
  readonly event: AccountEvent;
  readonly sessionId: string | null;
}

/** Tells of something that came to nothing, as a wrong password. */
export function tell(tx: Tx, call: AccountCall, { accountId, event, sessionId }: Told): void {
  if (accountId !== null) tellOfAccount(tx, call, accountId, event, sessionId);
  // The write takes as long for an address without an account: time must not tell which have one.
  else storeSetting(tx, "lastFailedSignIn", call.at);
}

/** A session's proof, and its next token. */
export interface Proof extends Asking {
  readonly tokenHash: string;
  /** The second factor that was given; null where it was the password. */
  readonly factor: UsedFactor | null;
}

/** Confirms who somebody is. */
export function confirm(tx: Tx, call: AccountCall, { factor, tokenHash, ...asking }: Proof): void {
  const account = requireSession(tx, asking);
  if (factor) useFactor(tx, call, account, factor);
  renewByProof(tx, call, asking, { tokenHash, givesFactor: factor !== null });
  tellOfAccount(tx, call, account.id, "confirmed", asking.sessionId);
}

interface Renewal {
  readonly tokenHash: string;
  /** Whether a second factor was given with it; one that was given before stays so. */
  readonly givesFactor: boolean;
}

/** Gives a session its next token: the one of before ends at once. It proves nothing, and allows nothing for longer. */
export function renew(tx: Tx, { sessionId: id }: Asking, { tokenHash, givesFactor }: Renewal): void {
  renewSession(tx, { id, tokenHash, gives: givesFactor ? 1 : 0 });
}

/** The same by a proof of who the person is: what needs one is allowed from now on. */
export function renewByProof(tx: Tx, { at }: AccountCall, asking: Asking, renewal: Renewal): void {
  renew(tx, asking, renewal);
  setConfirmed(tx, { id: asking.sessionId, confirmedAt: at });
}

/** Signs out. */
export function signOut(tx: Tx, call: AccountCall, { sessionId, accountId }: Asking): void {
  if (endSession(tx, { id: sessionId, at: call.at, by: "signed-out" }) === 0) return;
  tellOfAccount(tx, call, accountId, "signed-out", sessionId);
}

/** Ends another session of the same account. Throws `404`. */
export function endOther(tx: Tx, call: AccountCall, { endedId, ...asking }: Asking & { endedId: string }): void {
  requireSession(tx, asking);
  if (!isOpenSession(tx, { id: endedId, accountId: asking.accountId })) {
    throw problem("not-found", "You have no open session with this id.");
  }
  endSession(tx, { id: endedId, at: call.at, by: "account" });
  tellOfAccount(tx, call, asking.accountId, "session-ended", endedId);
}

/** Ends all sessions of an account but the one that asks. */
export function endOthers(tx: Tx, call: AccountCall, asking: Asking): void {
  requireSession(tx, asking);
  endAll(tx, call, asking.accountId, { by: "account", except: asking.sessionId });
}

/** Ends the sessions of an account, but for `except`, and tells of it where there were any. */
export function endAll(
  tx: Tx,
  call: AccountCall,
  accountId: string,
  { by, except = "" }: { readonly by: string; readonly except?: string },
): void {
  if (endSessionsOf(tx, { accountId, except, at: call.at, by }) > 0)
    tellOfAccount(tx, call, accountId, "sessions-ended");
}
