// Sessions in a transaction: begun by a proof of identity, given another token by the next proof, ended.

import { present } from "../kernel/assert.ts";
import { type Problem, problem } from "../kernel/problem.ts";
import { toTimestamp } from "../kernel/runtime.ts";
import type { NextToken, Proof } from "../storage/database/log/account-events.ts";
import { commitTo, sha256, toldColumns } from "../storage/database/log/account-log.ts";
import { tellOf } from "../storage/database/log/audit.ts";
import type { Tx } from "../storage/database/sql.ts";
import { type AccountCall, personCall } from "./call.ts";
import { minuteOf } from "./sessions.ts";
import { type Account, findAccount, setLastSignIn, setTotp, useRecoveryCode } from "./stores/account-store.ts";
import { wasResetByOperator } from "./stores/link-store.ts";
import { provenCall, reportEvent } from "./stores/log-store.ts";
import { listOpenMemberships } from "./stores/member-store.ts";
import {
  endSession,
  endSessionsOf,
  findSession,
  insertSession,
  isOpenSession,
  listOpenSessions,
  renewSession,
  setConfirmed,
} from "./stores/session-store.ts";

const TOLD_AFTER_RESET_MS = 7 * 86_400_000;

/** A session to begin: the hash of its token, since the database never gets the token itself. */
export interface NewSession {
  readonly tokenHash: string;
  readonly expiresAt: string;
  /** The current session of the browser that signs in, which ends with it; null without one. */
  readonly replaces: string | null;
}

/** A second factor that was verified but is not used up yet; it counts once. */
export type UsedFactor =
  /** With the sealed secret that the code was checked against: it may have been replaced since. */
  { readonly totpStep: number; readonly sealed: string } | { readonly recoveryHash: string };

/** The session of the caller, and its account. */
export interface Asking {
  readonly sessionId: string;
  readonly accountId: string;
}

type Method = "SETUP" | "PASSWORD" | "PASSKEY" | "OIDC" | "LINK";

/** The one text for every fault of a sign-in. */
export function signInFailed(): Problem {
  return problem("sign-in-failed", "E-mail, password or code is wrong.");
}

/** A session that begins, how the person signed in, and its proofs. */
interface SignedIn extends NewSession {
  readonly method: Method;
  readonly hasSecondFactor: boolean;
  readonly proof: Proof;
  /** The session's id, if earlier rows refer to it. */
  readonly id?: string;
}

/** Begins a session of an account and reports it; returns its id. */
export function beginSession(
  tx: Tx,
  call: AccountCall,
  accountId: string,
  { method, hasSecondFactor, tokenHash, expiresAt, replaces, proof, id = call.newId() }: SignedIn,
): string {
  const { at, address, userAgent } = call;
  const begun = {
    ...{ id, createdAt: at, accountId, tokenHash, method, hasSecondFactor: bit(hasSecondFactor) },
    ...{ confirmedAt: at, lastSeenAt: minuteOf(call.nowMs), expiresAt, endedAt: null, endedBy: null },
    ...{ address, userAgent },
  } as const;
  insertSession(tx, begun);
  const own = provenCall(call, accountId);
  const replaced = replaces === null ? null : findSession(tx, { id: replaces });
  if (replaced?.endedAt === null) {
    endOne(tx, own, replaced, { event: "session-ended", by: "signed-in-again" });
  }
  setLastSignIn(tx, { id: accountId, lastSignInAt: at });
  reportEvent(tx, own, { accountId, event: "signed-in", data: { ...toldColumns(begun), proof }, sessionId: id });
  tellAfterReset(tx, own, { accountId, sessionId: id });
  return id;
}

/** For a week after an operator's reset, the log of each of the account's organizations records its sign-ins. */
function tellAfterReset(tx: Tx, call: AccountCall, { accountId, sessionId }: Asking): void {
  const since = toTimestamp(call.nowMs - TOLD_AFTER_RESET_MS);
  if (!wasResetByOperator(tx, { accountId, since })) return;
  const { name } = present(findAccount(tx, { id: accountId }), "the account");
  for (const { orgId } of listOpenMemberships(tx, { accountId })) {
    const write = personCall(call, orgId, { id: accountId, name, sessionId });
    tellOf(tx, write, "account", accountId, { signedInAfterOperatorReset: call.at });
  }
}

function bit(isSo: boolean): 0 | 1 {
  return isSo ? 1 : 0;
}

/** Uses a second factor up; returns its proof. Throws `401 sign-in-failed` if another request was quicker. */
export function useFactor(tx: Tx, call: AccountCall, account: Account, factor: UsedFactor): Proof {
  if ("totpStep" in factor) {
    if (factor.sealed !== account.totpSecret || factor.totpStep <= (account.totpLastStep ?? -1)) throw signInFailed();
    setTotp(tx, { id: account.id, totpSecret: account.totpSecret, totpLastStep: factor.totpStep });
    return { totp: commitTo(account.salt, factor.sealed) };
  }
  const { recoveryHash: codeHash } = factor;
  if (useRecoveryCode(tx, { accountId: account.id, codeHash, usedAt: call.at }) === 0) throw signInFailed();
  const data = { code: commitTo(account.salt, codeHash) };
  reportEvent(tx, provenCall(call, account.id), { accountId: account.id, event: "recovery-code-used", data });
  return data;
}

/** The proof that the account's password was given; none if it has no password. */
export function passwordProof({ salt, passwordHash }: Account): Proof {
  return passwordHash === null ? {} : { password: commitTo(salt, passwordHash) };
}

/** The account, if it may sign in. Throws `401 sign-in-failed`. */
export function requireAccount(tx: Tx, accountId: string): Account {
  const account = findAccount(tx, { id: accountId });
  if (!account || account.suspendedAt !== null) throw signInFailed();
  return account;
}

/**
 * The account of a session that is still open. Throws `401 unauthorized` if it ended while the request was under way.
 */
export function requireSession(tx: Tx, { sessionId: id, accountId }: Asking): Account {
  const account = findAccount(tx, { id: accountId });
  if (account && account.suspendedAt === null && isOpenSession(tx, { id, accountId })) return account;
  throw problem("unauthorized", "The session has ended: sign in again.");
}

interface Renewal {
  readonly tokenHash: string;
  /** Whether a second factor was given with it; an earlier one keeps counting. */
  readonly givesFactor: boolean;
  /** The proof, if there was one. */
  readonly proof?: Proof | null;
}

/**
 * Gives a session its next token: the earlier one ends at once. It allows nothing for longer. Returns what the event
 * that reports the change says of it.
 */
export function renew(tx: Tx, { sessionId: id }: Asking, { tokenHash, givesFactor, proof = null }: Renewal): NextToken {
  renewSession(tx, { id, tokenHash, gives: bit(givesFactor) });
  const { hasSecondFactor } = present(findSession(tx, { id }), "the session");
  return { tokenHash: sha256(tokenHash), hasSecondFactor, proof };
}

/** The same by a proof of identity, which is logged: operations that need one are allowed from now on. */
export function renewByProof(
  tx: Tx,
  call: AccountCall,
  asking: Asking,
  renewal: Renewal & { readonly proof: Proof },
): void {
  const { sessionId, accountId } = asking;
  const data = renew(tx, asking, renewal);
  setConfirmed(tx, { id: sessionId, confirmedAt: call.at });
  reportEvent(tx, provenCall(call, accountId), { accountId, event: "confirmed", data, sessionId });
}

/** Ends one open session and logs it. */
export function endOne(
  tx: Tx,
  call: AccountCall,
  { id, accountId }: { readonly id: string; readonly accountId: string },
  { event, by }: { readonly event: "signed-out" | "session-ended"; readonly by: string },
): void {
  if (endSession(tx, { id, at: call.at, by }) === 0) return;
  reportEvent(tx, call, { accountId, event, data: { ids: [id], endedBy: by }, sessionId: id });
}

/** Ends the sessions of an account, except `except`, and logs it if there were any. */
export function endAll(
  tx: Tx,
  call: AccountCall,
  accountId: string,
  { by, except = "" }: { readonly by: string; readonly except?: string },
): void {
  const open = listOpenSessions(tx, { accountId }).map(({ id }) => id);
  const ids = open.filter((id) => id !== except).toReversed();
  if (ids.length === 0) return;
  endSessionsOf(tx, { accountId, except, at: call.at, by });
  reportEvent(tx, call, { accountId, event: "sessions-ended", data: { ids, endedBy: by } });
}
