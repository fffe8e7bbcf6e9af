// What an operator does to accounts of the instance, whoever's members they are.

import { tellOf } from "../../database/audit.ts";
import type { Tx } from "../../database/sql.ts";
import { foldEmail } from "../../kernel/email.ts";
import { problem } from "../../kernel/problem.ts";
import { findAccountByEmail } from "../account-store.ts";
import { type AccountCall, personCall } from "../call.ts";
import { provenCall } from "../log-store.ts";
import { listOpenMemberships } from "../member-store.ts";
import { insertResetLink } from "../membership.ts";
import { type Asking, requireSession } from "./sessions.ts";

/** Makes a link that sets an account's password anew; returns its token, this once. Throws `403`, and `404`. */
export function resetByOperator(
  tx: Tx,
  call: AccountCall,
  { email, ...asking }: Asking & { readonly email: string },
): { readonly token: string; readonly expiresAt: string } {
  const operator = requireSession(tx, asking);
  const { sessionId } = asking;
  if (operator.isOperator === 0) throw problem("forbidden", "Only an operator resets accounts.");
  const account = findAccountByEmail(tx, { emailFolded: foldEmail(email) });
  if (!account) throw problem("not-found", "No account has this e-mail address.");
  for (const { orgId } of listOpenMemberships(tx, { accountId: account.id })) {
    tellOf(tx, personCall(call, orgId, { ...operator, sessionId }), "account", account.id, {
      resetLinkMadeAt: call.at,
    });
  }
  const maker = { madeBy: operator.id, orgId: null, sessionId };
  const { token, expiresAt } = insertResetLink(tx, provenCall(call, operator.id), account, maker);
  return { token, expiresAt };
}
