// E-mail addresses of accounts. A new address is pending until an administrator or operator accepts it: until then the
// person signs in by the old one, and no answer reveals whether the new one is taken.

import type { Call } from "../kernel/call.ts";
import { problem } from "../kernel/problem.ts";
import { toTimestamp } from "../kernel/runtime.ts";
import { foldEmail } from "../kernel/text/email.ts";
import { tellOf } from "../storage/database/log/audit.ts";
import type { Tx } from "../storage/database/sql.ts";
import type { AccountCall } from "./call.ts";
import { makeLink, revokeResetLinks } from "./links.ts";
import { queueLinkMail } from "./mail-queue.ts";
import { hashToken, newToken } from "./sign-in/token.ts";
import { type Account, findAccount, findAccountByEmail, setEmail, setPendingEmail } from "./stores/account-store.ts";
import { queueSecurityMail, reportEvent } from "./stores/log-store.ts";
import { findMailUrl } from "./stores/mail-store.ts";

const WISH_MS = 7 * 86_400_000;

/** A person's pending e-mail address; null if there is no such address, or it was asked for more than 7 days ago. */
export function pendingEmailOf(
  { pendingEmail, pendingEmailAt }: Pick<Account, "pendingEmail" | "pendingEmailAt">,
  nowMs: number,
): string | null {
  return pendingEmailAt !== null && nowMs - Date.parse(pendingEmailAt) < WISH_MS ? pendingEmail : null;
}

/**
 * Records a person's pending e-mail address; sending the current address withdraws it. Another spelling of the current
 * address counts at once.
 */
export function askForEmail(tx: Tx, call: AccountCall, account: Account, email: string, sessionId: string): void {
  const { id } = account;
  if (email !== account.email && foldEmail(email) === account.emailFolded) {
    setEmail(tx, { id, email, emailFolded: account.emailFolded });
    reportEvent(tx, call, { accountId: id, event: "email-changed", data: { email }, sessionId });
    return;
  }
  const isTakenBack = email === account.email;
  if (isTakenBack && account.pendingEmail === null) return;
  setPendingEmail(tx, { id, pendingEmail: isTakenBack ? null : email, pendingEmailAt: isTakenBack ? null : call.at });
  reportEvent(tx, call, { accountId: id, event: "email-asked", data: { email }, sessionId });
  if (!isTakenBack) mailProof(tx, call, account, email, sessionId);
}

const PROOF_MS = 86_400_000;

/** Has the server send a link to the address asked for, which proves it, where it sends mail. */
function mailProof(
  tx: Tx,
  call: AccountCall,
  { id: accountId, name }: Account,
  email: string,
  sessionId: string,
): void {
  if (findMailUrl(tx) === null) return;
  const token = newToken();
  const [id, expiresAt] = [call.newId(), toTimestamp(call.nowMs + PROOF_MS)];
  const maker = { actor: "person", accountId, apiKeyId: null, name } as const;
  const link = {
    ...{ id, createdAt: call.at, kind: "EMAIL" as const, tokenHash: hashToken(token), orgId: null, accountId, email },
    ...{ emailFolded: foldEmail(email), role: null, isOperator: 0 as const, stakeholderIds: "[]" },
    ...{ madeBy: JSON.stringify(maker), expiresAt, usedAt: null, revokedAt: null, validFrom: null, agreedAt: null },
  };
  makeLink(tx, call, link, sessionId);
  queueLinkMail(tx, call, { kind: "email-change", to: email, about: id, accountId, token, expiresAt });
}

/** Where a change of an e-mail address is logged: the write in each of these organizations. */
export interface Telling {
  readonly orgIds: readonly string[];
  readonly sessionId: string | null;
  callIn(orgId: string): Call;
}

/**
 * Gives an account its pending e-mail address. Throws `409 invalid-state` if there is no such address, or it is another
 * than `expected` (null accepts any); and as {@link changeEmail}.
 */
export function acceptEmail(
  tx: Tx,
  call: AccountCall,
  { account, expected }: { readonly account: Account; readonly expected: string | null },
  telling: Telling,
): void {
  const email = pendingEmailOf(account, call.nowMs);
  if (email === null) throw problem("invalid-state", "This person has no pending e-mail address.");
  if (expected !== null && foldEmail(expected) !== foldEmail(email)) {
    throw problem("invalid-state", "This person has asked for another e-mail address since. Reload and check it.");
  }
  changeEmail(tx, call, { account, email }, telling);
}

/** Gives an account another e-mail address. Throws `409 conflict` if another account has it. */
export function changeEmail(
  tx: Tx,
  call: AccountCall,
  { account: { id }, email }: { readonly account: Pick<Account, "id">; readonly email: string },
  { orgIds, sessionId, callIn }: Telling,
): void {
  const emailFolded = foldEmail(email);
  const other = findAccountByEmail(tx, { emailFolded });
  if (other && other.id !== id) throw problem("conflict", "Another account has this e-mail address.");
  const before = findAccount(tx, { id });
  setEmail(tx, { id, email, emailFolded });
  if (before) queueSecurityMail(tx, call, { accountId: id, about: `${call.newId()}`, to: before.email });
  revokeResetLinks(tx, call, id);
  reportEvent(tx, call, { accountId: id, event: "email-changed", data: { email }, sessionId });
  for (const orgId of orgIds) tellOf(tx, callIn(orgId), "account", id, { email });
}
