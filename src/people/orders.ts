// The table of account changes by name: the edge asks for them and the writer executes them, each in one transaction.
import type { Tx } from "../storage/database/sql.ts";
import type { AccountCall } from "./call.ts";
import { addTotp, changeAccount, changePassword, makeRecoveryCodes, removeTotp } from "./orders/account-orders.ts";
import {
  acceptByIdentity,
  confirmByIdentity,
  linkIdentity,
  removeIdentity,
  signInByIdentity,
} from "./orders/identity-orders.ts";
import { acceptInvitation, resetPassword } from "./orders/link-orders.ts";
import { acceptEmailByOperator, resetByOperator } from "./orders/operator-orders.ts";
import { addPasskey, confirmByPasskey, removePasskey, signInByPasskey } from "./orders/passkey-orders.ts";
import { confirm, endOther, endOthers, signIn, signOut, tell } from "./orders/session-orders.ts";
import { makeOrganization, setUp } from "./orders/setup-orders.ts";

/** The changes. Their input and output are plain data. */
export const ORDERS = {
  setUp,
  signIn,
  signOut,
  tell,
  confirm,
  endOther,
  endOthers,
  changeAccount,
  changePassword,
  addTotp,
  removeTotp,
  makeRecoveryCodes,
  signInByPasskey,
  confirmByPasskey,
  addPasskey,
  removePasskey,
  signInByIdentity,
  acceptByIdentity,
  linkIdentity,
  confirmByIdentity,
  removeIdentity,
  acceptInvitation,
  resetPassword,
  makeOrganization,
  resetByOperator,
  acceptEmailByOperator,
};

export type OrderName = keyof typeof ORDERS;
/** The input of an order. */
export type OrderData<N extends OrderName> = Parameters<(typeof ORDERS)[N]>[2];
/** The output of an order. */
export type OrderResult<N extends OrderName> = ReturnType<(typeof ORDERS)[N]>;

/** An order whose name came from another thread. */
export type AnyOrder = (tx: Tx, call: AccountCall, data: never) => unknown;
