// This server's ways to sign in, for the check whether an account has one left.

import type { Desk } from "../access-route.ts";
import { canHavePasskeys } from "../shown.ts";
import type { Ways } from "../ways.ts";

/** This server's ways to sign in, besides a password. */
export function waysOf({ publicUrl, provider }: Desk): Ways {
  return { hasPasskeys: canHavePasskeys(publicUrl()), issuer: provider?.issuer ?? null };
}
