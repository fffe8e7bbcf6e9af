// Whether a code that somebody gave is right for its account: of an app, or a recovery code.
import { problem } from "../kernel/problem.ts";
import { type Account, hasRecoveryCode } from "./account-store.ts";
import { hasFactor } from "./orders/factors.ts";
import { signInFailed, type UsedFactor } from "./orders/sessions.ts";
import type { AccessRequest, Desk } from "./route.ts";
import { hashRecoveryCode, isAppCode, matchingStep } from "./totp.ts";

type Asked = Pick<AccessRequest<unknown, unknown>, "visitor" | "nowMs"> & {
  /** The account's device from which it comes, by which failures count; without one by the account. */
  readonly deviceId?: string | null;
};

/**
 * The second factor that a code shows; null where the account has none and needs none. Throws `401
 * second-factor-required` without a code, `sign-in-failed` for a wrong one, and `429` after too many.
 */
export async function checkFactor(
  desk: Desk,
  account: Account,
  code: string | null | undefined,
  asked: Asked,
): Promise<UsedFactor | null> {
  const isOwed = account.totpSecret !== null;
  // A passkey stands beside the password; a code that is given all the same has to be right.
  const isGiven = code !== null && code !== undefined && hasFactor(desk.db, account);
  return isOwed || isGiven ? requireCode(desk, account, code, asked) : null;
}

/** The same where a code is asked for in any case. */
export function requireCode(
  desk: Desk,
  account: Account,
  code: string | null | undefined,
  asked: Asked,
): Promise<UsedFactor> {
  if (code !== null && code !== undefined) return proveByCode(desk, account, code, asked);
  throw problem("second-factor-required", "The account has a second factor: send `code`.");
}

/** The second factor that a code shows. Throws as {@link checkFactor}. */
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
    await desk.order("tell", { accountId: account.id, ...failed }, visitor);
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
