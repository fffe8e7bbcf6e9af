// In which ways one can sign in at this server, for those who decide whether an account has one left.

import type { Desk } from "../access-route.ts";
import type { Ways } from "../orders/way-orders.ts";
import { canHavePasskeys } from "../shown.ts";

/** What one can sign in with here, besides a password. */
export function waysOf({ publicUrl, provider }: Desk): Ways {
  return { hasPasskeys: canHavePasskeys(publicUrl()), issuer: provider?.issuer ?? null };
}
