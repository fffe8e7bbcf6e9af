// Checks second-factor codes: an app's, or a recovery code.

import type { AccessRequest, Desk } from "../access-route.ts";
import { factorRequired, hasFactor } from "../factors.ts";
import { reportFailure } from "../failed-proofs.ts";
import { signInFailed, type UsedFactor } from "../session-writes.ts";
import { canHavePasskeys } from "../shown.ts";
import { type Account, hasRecoveryCode } from "../stores/account-store.ts";
import { hashRecoveryCode, isAppCode, matchingStep } from "./totp.ts";

type Asked = Pick<AccessRequest<unknown, unknown>, "visitor" | "nowMs"> & {
  /** The account's device that sends it, for which failures count; without one they count for the account. */
  readonly deviceId?: string | null;
};

/**
 * The second factor that goes with a password; null if the account has none. Throws `401 second-factor-required`
 * without a code, also if the account has only a passkey: that, or a recovery code, completes the sign-in. Throws
 * `sign-in-failed` for a wrong code, and `429` after too many.
 */
export async function checkFactor(
  desk: Desk,
  account: Account,
  code: string | null | undefined,
  asked: Asked,
): Promise<UsedFactor | null> {
  if (!hasFactor(desk.db, account)) return null;
  return requireCode(desk, account, code, { ...asked, takesPasskeys: canHavePasskeys(desk.publicUrl()) });
}

/** The same for an account that has one; `takesPasskeys` if a passkey may replace a code. */
export function requireCode(
  desk: Desk,
  account: Account,
  code: string | null | undefined,
  asked: Asked & { readonly takesPasskeys: boolean },
): Promise<UsedFactor> {
  if (code !== null && code !== undefined) return proveByCode(desk, account, code, asked);
  throw factorRequired(desk.db, account, asked);
}

/** The second factor that a code proves. Throws as {@link checkFactor}. */
export async function proveByCode(
  desk: Desk,
  account: Account,
  code: string,
  { visitor, nowMs, deviceId = null }: Asked,
): Promise<UsedFactor> {
  const giveBack = desk.failures.attemptCode(account.id, nowMs, deviceId);
  const factor = factorOf(desk, account, code, nowMs);
  if (factor === null) {
    const failed = { event: "second-factor-failed", reason: "CODE", sessionId: null } as const;
    await desk.execute(reportFailure, { accountId: account.id, ...failed }, visitor);
    throw signInFailed();
  }
  giveBack();
  return factor;
}

function factorOf(desk: Desk, account: Account, code: string, nowMs: number): UsedFactor | null {
  const typed = code.replace(/\s/g, "");
  if (isAppCode(typed)) {
    const secret = account.totpSecret === null ? null : desk.seal.open(account.totpSecret, account.id);
    const step = secret === null ? null : matchingStep(secret, typed, nowMs, account.totpLastStep);
    return step === null || account.totpSecret === null ? null : { totpStep: step, sealed: account.totpSecret };
  }
  const recoveryHash = hashRecoveryCode(code);
  return hasRecoveryCode(desk.db, { accountId: account.id, codeHash: recoveryHash }) ? { recoveryHash } : null;
}
