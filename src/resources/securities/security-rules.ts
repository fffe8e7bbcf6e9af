// Required members of a security by its type. Pure.

import type { Finding } from "../../kernel/problem.ts";
import type { SecurityType } from "../../storage/database/schema.ts";

const NEEDED_BY = { stockClassId: "STOCK", stockPlanId: "STOCK_OPTION", optionType: "STOCK_OPTION" } as const;

/** The members that some types require and others do not. */
export const CONDITIONAL = ["stockClassId", "stockPlanId", "optionType"] as const;

/** The members under these rules. */
export type Conditional = { readonly type: SecurityType } & {
  readonly [Name in (typeof CONDITIONAL)[number]]?: string | null;
};

/** The finding for a missing member that the security's type requires. */
export function missingMember(security: Conditional, name: (typeof CONDITIONAL)[number]): readonly Finding[] {
  const isMissing = security.type === NEEDED_BY[name] && (security[name] ?? null) === null;
  return isMissing ? [[`#/${name}`, `is required for ${security.type}`]] : [];
}
