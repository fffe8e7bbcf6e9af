// What a person changes about its own account: name, e-mail, password, one-time codes, recovery codes.
import type { Tx } from "../../database/sql.ts";
import { insertRow } from "../../database/sql.ts";
import { problem } from "../../kernel/problem.ts";
import {
  deleteRecoveryCodes,
  findAccountByEmail,
  foldEmail,
  setNameAndEmail,
  setPasswordHash,
  setTotp,
} from "../account-store.ts";
import type { AccountCall } from "../call.ts";
import { revokeResetLinks } from "../link-store.ts";
import { tellOfAccount } from "../log-store.ts";
import { forgetCodesOfNoFactor, hasFactor, requireFactor } from "./factors.ts";
import { type Asking, endAll, renew, requireSession } from "./sessions.ts";

/** Changes name and e-mail address. Throws `409 conflict` where another account has the address. */
export function changeAccount(
  tx: Tx,
  call: AccountCall,
  { name, email, ...asking }: Asking & { readonly name?: string | undefined; readonly email?: string | undefined },
): void {
  const account = requireSession(tx, asking);
  const next = { name: name ?? account.name, email: email ?? account.email };
  const emailFolded = foldEmail(next.email);
  const other = findAccountByEmail(tx, { emailFolded });
  if (other && other.id !== account.id) throw problem("conflict", "Another account has this e-mail address.");
  setNameAndEmail(tx, { id: account.id, ...next, emailFolded });
  if (next.name !== account.name) tellOfAccount(tx, call, account.id, "name-changed", asking.sessionId);
  if (next.email !== account.email) {
    revokeResetLinks(tx, { accountId: account.id, at: call.at });
    tellOfAccount(tx, call, account.id, "email-changed", asking.sessionId);
  }
}

/** What is said with a change of a factor: the session's next token, and whether it had a second factor. */
export interface Renewing extends Asking {
  readonly tokenHash: string;
  readonly hadSecondFactor: boolean;
}

/** Sets the password; ends all other sessions. */
export function changePassword(
  tx: Tx,
  call: AccountCall,
  { passwordHash, tokenHash, hadSecondFactor, ...asking }: Renewing & { readonly passwordHash: string },
): void {
  const { id } = requireSession(tx, asking);
  setPasswordHash(tx, { id, passwordHash });
  revokeResetLinks(tx, { accountId: id, at: call.at });
  endAll(tx, call, id, { by: "password-changed", except: asking.sessionId });
  renew(tx, call, asking, { tokenHash, hasSecondFactor: hadSecondFactor });
  tellOfAccount(tx, call, id, "password-changed", asking.sessionId);
}

/** A secret whose code was right, sealed, and the recovery codes that go with it where there are none yet. */
export interface NewTotp extends Renewing {
  readonly sealed: string;
  readonly step: number;
  readonly codeHashes: readonly string[];
}

/** Sets up one-time codes. */
export function addTotp(
  tx: Tx,
  call: AccountCall,
  { sealed, step, codeHashes, tokenHash, hadSecondFactor, ...asking }: NewTotp,
): void {
  const account = requireSession(tx, asking);
  requireFactor(tx, account, hadSecondFactor);
  const { id } = account;
  setTotp(tx, { id, totpSecret: sealed, totpLastStep: step });
  keepRecoveryCodes(tx, call, id, codeHashes);
  renew(tx, call, asking, { tokenHash, hasSecondFactor: true });
  tellOfAccount(tx, call, id, "totp-added", asking.sessionId);
}

/** Removes one-time codes, and the recovery codes where no other factor is left. */
export function removeTotp(tx: Tx, call: AccountCall, { tokenHash, hadSecondFactor, ...asking }: Renewing): void {
  const account = requireSession(tx, asking);
  if (account.totpSecret === null) throw problem("not-found", "There are no one-time codes to remove.");
  requireFactor(tx, account, hadSecondFactor);
  setTotp(tx, { id: account.id, totpSecret: null, totpLastStep: null });
  const isFactorLeft = forgetCodesOfNoFactor(tx, { ...account, totpSecret: null });
  renew(tx, call, asking, { tokenHash, hasSecondFactor: hadSecondFactor && isFactorLeft });
  tellOfAccount(tx, call, account.id, "totp-removed", asking.sessionId);
}

/** Gives an account new recovery codes in place of all it had. Throws `409` where it has no second factor. */
export function makeRecoveryCodes(
  tx: Tx,
  call: AccountCall,
  { codeHashes, tokenHash, hadSecondFactor, ...asking }: Renewing & { readonly codeHashes: readonly string[] },
): void {
  const account = requireSession(tx, asking);
  if (!hasFactor(tx, account)) {
    throw problem("invalid-state", "Recovery codes stand in for a second factor: set one up first.");
  }
  requireFactor(tx, account, hadSecondFactor);
  keepRecoveryCodes(tx, call, account.id, codeHashes);
  renew(tx, call, asking, { tokenHash, hasSecondFactor: hadSecondFactor });
}

/** Keeps new recovery codes in place of all of before; none leaves those that are there. */
export function keepRecoveryCodes(tx: Tx, call: AccountCall, accountId: string, codeHashes: readonly string[]): void {
  if (codeHashes.length === 0) return;
  deleteRecoveryCodes(tx, { accountId });
  for (const codeHash of codeHashes) {
    insertRow(tx, "recovery_codes", { id: call.newId(), createdAt: call.at, accountId, codeHash });
  }
  tellOfAccount(tx, call, accountId, "recovery-codes-made");
}
