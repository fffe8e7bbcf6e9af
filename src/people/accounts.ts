// Creates and changes accounts: each row together with its event in the log of accounts.

import { present } from "../kernel/assert.ts";
import { commitTo } from "../storage/database/log/account-log.ts";
import type { Tx } from "../storage/database/sql.ts";
import { endCalendars } from "./calendars.ts";
import type { AccountCall } from "./call.ts";
import { revokeResetLinks } from "./links.ts";
import { newSalt } from "./sign-in/token.ts";
import {
  type Account,
  deletePasskeys,
  deleteRecoveryCodes,
  findAccount,
  insertAccount,
  setOperator,
  setSuspended,
  setTotp,
} from "./stores/account-store.ts";
import { deleteIdentitiesOf } from "./stores/identity-store.ts";
import { reportEvent } from "./stores/log-store.ts";

/** An account to make. */
export type NewAccount = Pick<Account, "id" | "email" | "name" | "passwordHash" | "isOperator">;

/** Makes an account. */
export function makeAccount(tx: Tx, call: AccountCall, account: NewAccount): Account {
  const { id, email, name, passwordHash, isOperator } = account;
  const salt = newSalt();
  insertAccount(tx, { ...account, createdAt: call.at, salt });
  const password = passwordHash === null ? null : commitTo(salt, passwordHash);
  const data = { email, name, isOperator, suspendedAt: null, salt, password };
  reportEvent(tx, call, { accountId: id, event: "account-made", data });
  return present(findAccount(tx, { id }), "the account");
}

/** Makes an account an operator of the instance. */
export function makeOperator(tx: Tx, call: AccountCall, id: string): void {
  setOperator(tx, { id });
  revokeResetLinks(tx, call, id);
  reportEvent(tx, call, { accountId: id, event: "made-operator", data: {} });
}

/** Suspends an account, which ends its calendars, or lifts the suspension. */
export function suspend(tx: Tx, call: AccountCall, id: string, isSuspended: boolean): void {
  setSuspended(tx, { id, suspendedAt: isSuspended ? call.at : null });
  reportEvent(tx, call, { accountId: id, event: isSuspended ? "suspended" : "suspension-lifted", data: {} });
  if (isSuspended) endCalendars(tx, call, { accountId: id, by: "suspended" });
}

/** Removes every second factor and identity of an account, and its recovery codes. */
export function removeFactors(tx: Tx, call: AccountCall, accountId: string): void {
  setTotp(tx, { id: accountId, totpSecret: null, totpLastStep: null });
  deleteRecoveryCodes(tx, { accountId });
  deletePasskeys(tx, { accountId });
  deleteIdentitiesOf(tx, { accountId });
  reportEvent(tx, call, { accountId, event: "second-factors-removed", data: {} });
}
