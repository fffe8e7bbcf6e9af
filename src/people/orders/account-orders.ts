// Changes of a person's own account: name, e-mail, password, one-time codes, recovery codes.

import { problem } from "../../kernel/problem.ts";
import type { NextToken } from "../../storage/database/log/account-events.ts";
import { commitTo } from "../../storage/database/log/account-log.ts";
import { tellOf } from "../../storage/database/log/audit.ts";
import type { Tx } from "../../storage/database/sql.ts";
import { insertRow } from "../../storage/database/sql.ts";
import { type AccountCall, personCall } from "../call.ts";
import { askForEmail } from "../emails.ts";
import { revokeResetLinks } from "../links.ts";
import { type Account, deleteRecoveryCodes, setName, setPasswordHash, setTotp } from "../stores/account-store.ts";
import { provenCall, reportEvent } from "../stores/log-store.ts";
import { listOpenMemberships } from "../stores/member-store.ts";
import { forgetNoFactor, hasFactor, requireFactor } from "./factor-orders.ts";
import { type Asking, endAll, renew, requireSession } from "./session-orders.ts";

/** Changes the name, and records a pending e-mail address: it counts once it is accepted. */
export function changeAccount(
  tx: Tx,
  call: AccountCall,
  { name, email, ...asking }: Asking & { readonly name?: string | undefined; readonly email?: string | undefined },
): void {
  const account = requireSession(tx, asking);
  const own = provenCall(call, account.id);
  const { sessionId } = asking;
  if (name !== undefined && name !== account.name) {
    setName(tx, { id: account.id, name });
    reportEvent(tx, own, { accountId: account.id, event: "name-changed", data: { name }, sessionId });
    // The log of each organization shows names, so it records whose name changed.
    for (const { orgId } of listOpenMemberships(tx, { accountId: account.id })) {
      tellOf(tx, personCall(call, orgId, { ...account, sessionId }), "account", account.id, { name });
    }
  }
  if (email !== undefined) askForEmail(tx, own, account, email, sessionId);
}

/** Input of every change of a factor: the session's next token. */
export interface Renewing extends Asking {
  readonly tokenHash: string;
}

/** Sets the password; ends all other sessions. */
export function changePassword(
  tx: Tx,
  call: AccountCall,
  { passwordHash, tokenHash, ...asking }: Renewing & { readonly passwordHash: string },
): void {
  const { id, salt } = requireSession(tx, asking);
  const own = provenCall(call, id);
  setPasswordHash(tx, { id, passwordHash });
  revokeResetLinks(tx, own, id);
  endAll(tx, own, id, { by: "password-changed", except: asking.sessionId });
  const renewed = renew(tx, asking, { tokenHash, givesFactor: false });
  const data = { password: commitTo(salt, passwordHash), ...renewed };
  reportEvent(tx, own, { accountId: id, event: "password-changed", data, sessionId: asking.sessionId });
}

/** A sealed secret whose code was right, and recovery codes if the account has none yet. */
export interface NewTotp extends Renewing {
  readonly sealed: string;
  readonly step: number;
  readonly codeHashes: readonly string[];
}

/** Sets up one-time codes. */
export function addTotp(tx: Tx, call: AccountCall, { sealed, step, codeHashes, tokenHash, ...asking }: NewTotp): void {
  const account = requireSession(tx, asking);
  requireFactor(tx, account, asking.sessionId);
  const { id, salt } = account;
  const own = provenCall(call, id);
  setTotp(tx, { id, totpSecret: sealed, totpLastStep: step });
  keepRecoveryCodes(tx, own, account, { codeHashes });
  const totp = commitTo(salt, sealed);
  const data = { totp, ...renew(tx, asking, { tokenHash, givesFactor: true, proof: { totp } }) };
  reportEvent(tx, own, { accountId: id, event: "totp-added", data, sessionId: asking.sessionId });
}

/** Removes one-time codes, and the recovery codes if no other factor is left. */
export function removeTotp(tx: Tx, call: AccountCall, { tokenHash, ...asking }: Renewing): void {
  const account = requireSession(tx, asking);
  if (account.totpSecret === null) throw problem("not-found", "The account has no one-time codes.");
  requireFactor(tx, account, asking.sessionId);
  setTotp(tx, { id: account.id, totpSecret: null, totpLastStep: null });
  forgetNoFactor(tx, { ...account, totpSecret: null });
  const data = renew(tx, asking, { tokenHash, givesFactor: false });
  const removed = { accountId: account.id, event: "totp-removed", data, sessionId: asking.sessionId } as const;
  reportEvent(tx, provenCall(call, account.id), removed);
}

/** Replaces an account's recovery codes. Throws `409` if it has no second factor. */
export function makeRecoveryCodes(
  tx: Tx,
  call: AccountCall,
  { codeHashes, tokenHash, ...asking }: Renewing & { readonly codeHashes: readonly string[] },
): void {
  const account = requireSession(tx, asking);
  if (!hasFactor(tx, account)) {
    throw problem("invalid-state", "Recovery codes replace a lost second factor. Set up a second factor first.");
  }
  requireFactor(tx, account, asking.sessionId);
  const renewed = renew(tx, asking, { tokenHash, givesFactor: false });
  keepRecoveryCodes(tx, provenCall(call, account.id), account, { codeHashes, renewed, sessionId: asking.sessionId });
}

/** New recovery codes, and the session's next token if they come with one. */
interface CodesToKeep {
  readonly codeHashes: readonly string[];
  readonly renewed?: NextToken;
  readonly sessionId?: string;
}

/** Stores new recovery codes in place of earlier ones; an empty list leaves the existing ones. */
export function keepRecoveryCodes(
  tx: Tx,
  call: AccountCall,
  { id: accountId, salt }: Pick<Account, "id" | "salt">,
  { codeHashes, renewed, sessionId }: CodesToKeep,
): void {
  if (codeHashes.length === 0) return;
  deleteRecoveryCodes(tx, { accountId });
  const ids = codeHashes.map(() => call.newId());
  for (const [at, codeHash] of codeHashes.entries()) {
    insertRow(tx, "recovery_codes", { id: ids[at] ?? "", createdAt: call.at, accountId, codeHash });
  }
  const data = { codes: codeHashes.map((codeHash) => commitTo(salt, codeHash)), ids, ...renewed };
  reportEvent(tx, call, { accountId, event: "recovery-codes-made", data, sessionId: sessionId ?? null });
}
