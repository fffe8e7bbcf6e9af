// Operators' changes of accounts of the instance, independent of their organizations.

import { problem } from "../../kernel/problem.ts";
import { foldEmail } from "../../kernel/text/email.ts";
import { tellOf } from "../../storage/database/log/audit.ts";
import type { Tx } from "../../storage/database/sql.ts";
import { type AccountCall, personCall } from "../call.ts";
import { acceptEmail } from "../emails.ts";
import { mustWait } from "../makers.ts";
import { insertResetLink, type MadeReset, requireOperatorsFactor } from "../membership.ts";
import { findAccountByEmail } from "../stores/account-store.ts";
import { provenCall } from "../stores/log-store.ts";
import { listOpenMemberships } from "../stores/member-store.ts";
import { type Asking, requireSession } from "./session-orders.ts";

/** Gives an account its pending e-mail address. Throws `403`, `404`, and as {@link acceptEmail}. */
export function acceptEmailByOperator(
  tx: Tx,
  call: AccountCall,
  { email, expected, ...asking }: Asking & { readonly email: string; readonly expected: string | null },
): void {
  const operator = requireSession(tx, asking);
  const { sessionId } = asking;
  if (operator.isOperator === 0)
    throw problem("forbidden", "Only an operator accepts e-mail addresses of any account.");
  const account = findAccountByEmail(tx, { emailFolded: foldEmail(email) });
  if (!account) throw problem("not-found", "No account has this e-mail address.");
  const orgIds = listOpenMemberships(tx, { accountId: account.id }).map(({ orgId }) => orgId);
  const callIn = (orgId: string) => personCall(call, orgId, { ...operator, sessionId });
  acceptEmail(tx, provenCall(call, operator.id), { account, expected }, { orgIds, sessionId, callIn });
}

/**
 * Makes a link that resets an account's password. If the operator is in none of the account's organizations, these have
 * a day to refuse it. Throws `403`, also in a session without a second factor, and `404`.
 */
export function resetByOperator(
  tx: Tx,
  call: AccountCall,
  { email, ...asking }: Asking & { readonly email: string },
): Omit<MadeReset, "id"> {
  const operator = requireSession(tx, asking);
  const { sessionId } = asking;
  if (operator.isOperator === 0) throw problem("forbidden", "Only an operator resets accounts.");
  const account = findAccountByEmail(tx, { emailFolded: foldEmail(email) });
  if (!account) throw problem("not-found", "No account has this e-mail address.");
  requireOperatorsFactor(tx, sessionId);
  const waits = mustWait(tx, account.id, operator.id);
  const own = provenCall(call, operator.id);
  const maker = { actor: "person", accountId: operator.id, apiKeyId: null, name: operator.name } as const;
  const made = insertResetLink(tx, own, account, { maker, orgId: null, sessionId, waits });
  for (const { orgId } of listOpenMemberships(tx, { accountId: account.id })) {
    tellOf(tx, personCall(call, orgId, { ...operator, sessionId }), "account", account.id, {
      resetLinkMadeAt: call.at,
      validFrom: made.validFrom,
    });
  }
  const { token, validFrom, expiresAt } = made;
  return { token, validFrom, expiresAt };
}
