// Rules for every second factor: who may change one, what ends with the last, and that no user locks himself out.
import { Problem, problem } from "../kernel/problem.ts";
import type { Reader, Tx } from "../storage/database/sql.ts";
import { type Account, countRecoveryCodes, deleteRecoveryCodes, hasPasskey } from "./stores/account-store.ts";
import { clearSecondFactors, isWithSecondFactor } from "./stores/session-store.ts";

/**
 * Throws `403 second-factor-missing` if an account has a second factor that was not given in the session: a caller that
 * has the password alone, or the provider's word, must not replace it.
 */
export function requireFactor(tx: Tx, account: Account, sessionId: string): void {
  if (!hasFactor(tx, account) || isWithSecondFactor(tx, { id: sessionId })) return;
  throw problem("second-factor-missing", "Confirm with a code or a passkey first: the account has a second factor.");
}

/** The factors that complete a sign-in whose password was right. */
export const FACTOR_WAYS = ["TOTP", "RECOVERY_CODE", "PASSKEY"] as const;

type FactorWay = (typeof FACTOR_WAYS)[number];

/** The refusal of a right password without the account's second factor; `PASSKEY` only if one can be used. */
export function factorRequired(
  db: Reader,
  { id: accountId, totpSecret }: Pick<Account, "id" | "totpSecret">,
  { takesPasskeys }: { readonly takesPasskeys: boolean },
): Problem {
  const has: Readonly<Record<FactorWay, boolean>> = {
    TOTP: totpSecret !== null,
    RECOVERY_CODE: Number(countRecoveryCodes(db, { accountId })) > 0,
    PASSKEY: takesPasskeys && hasPasskey(db, { accountId }),
  };
  const ways = FACTOR_WAYS.filter((way) => has[way]);
  const how = [
    ...(has.TOTP ? ["the app's digits in `code`"] : []),
    ...(has.RECOVERY_CODE ? ["a recovery code in `code`"] : []),
    ...(has.PASSKEY ? ["the passkey"] : []),
  ];
  const detail = `The account has a second factor: ${how.join(", or ") || "ask an administrator or the operator of the server for a reset"}.`;
  return new Problem("second-factor-required", detail, undefined, { members: { ways } });
}

/** Whether an account has a second factor. */
export function hasFactor(db: Reader, { id, totpSecret }: Pick<Account, "id" | "totpSecret">): boolean {
  return totpSecret !== null || hasPasskey(db, { accountId: id });
}

/** If an account has no second factor left: removes its recovery codes, and the mark of sessions that one was given. */
export function forgetNoFactor(tx: Tx, account: Pick<Account, "id" | "totpSecret">): void {
  if (hasFactor(tx, account)) return;
  deleteRecoveryCodes(tx, { accountId: account.id });
  clearSecondFactors(tx, { accountId: account.id });
}
