// What an app shows for a secret.

import { systemRuntime } from "../../src/kernel/runtime.ts";
import { stepAt, totpCode } from "../../src/people/sign-in/totp.ts";

/** The code of now. */
export function matchingCode(secret: string): string {
  return totpCode(secret, stepAt(systemRuntime.nowMs()));
}
