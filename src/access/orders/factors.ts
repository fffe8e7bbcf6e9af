// What goes for every factor: who may change one, what goes with the last, and that nobody locks himself out.
import type { Reader, Tx } from "../../database/sql.ts";
import { problem } from "../../kernel/problem.ts";
import { type Account, deleteRecoveryCodes, hasPasskey } from "../account-store.ts";

/**
 * Throws `403 second-factor-missing` where an account has a second factor that was not given in the session: whoever
 * has the password alone, or the provider's word, must not put a factor in place of it.
 */
export function requireFactor(tx: Tx, account: Account, hasSecondFactor: boolean): void {
  if (hasSecondFactor || !hasFactor(tx, account)) return;
  throw problem("second-factor-missing", "Confirm with a code or a passkey first: the account has a second factor.");
}

/** Whether an account has a second factor. */
export function hasFactor(db: Reader, { id, totpSecret }: Pick<Account, "id" | "totpSecret">): boolean {
  return totpSecret !== null || hasPasskey(db, { accountId: id });
}

/** Forgets recovery codes where no factor is left that they could stand in for; answers whether one is. */
export function forgetCodesOfNoFactor(tx: Tx, account: Pick<Account, "id" | "totpSecret">): boolean {
  if (hasFactor(tx, account)) return true;
  deleteRecoveryCodes(tx, { accountId: account.id });
  return false;
}
