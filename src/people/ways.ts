// Ways to sign in: an account must keep at least one.
import { problem } from "../kernel/problem.ts";
import type { Tx } from "../storage/database/sql.ts";
import { type Account, hasPasskey } from "./stores/account-store.ts";
import { listIdentities } from "./stores/identity-store.ts";

/** This server's ways to sign in, besides a password. */
export interface Ways {
  readonly hasPasskeys: boolean;
  /** The configured provider; null without one. */
  readonly issuer: string | null;
}

/** Throws `409 invalid-state` if an account could not sign in any more. */
export function requireOtherWay(
  tx: Tx,
  { id: accountId, passwordHash }: Pick<Account, "id" | "passwordHash">,
  { hasPasskeys, issuer }: Ways,
): void {
  if (passwordHash !== null) return;
  if (hasPasskeys && hasPasskey(tx, { accountId })) return;
  if (issuer !== null && listIdentities(tx, { accountId }).some((each) => isSame(each.issuer, issuer))) return;
  throw problem("invalid-state", "This is your only way to sign in. Set a password first.");
}

function isSame(one: string, other: string): boolean {
  return new URL(one).href === new URL(other).href;
}
