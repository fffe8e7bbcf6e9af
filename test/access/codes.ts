// What an app shows for a secret.

import { stepAt, totpCode } from "../../src/access/totp.ts";
import { systemRuntime } from "../../src/kernel/runtime.ts";

/** The code of now. */
export function matchingCode(secret: string): string {
  return totpCode(secret, stepAt(systemRuntime.nowMs()));
}
