// What a security must have by its type. Pure.

import type { Finding } from "../../kernel/problem.ts";
import type { SecurityType } from "../../storage/database/schema.ts";

const NEEDED_BY = { stockClassId: "STOCK", stockPlanId: "STOCK_OPTION", optionType: "STOCK_OPTION" } as const;

/** The members that some types need and others do not. */
export const CONDITIONAL = ["stockClassId", "stockPlanId", "optionType"] as const;

/** The part of a security that says whether it has what its type needs. */
export type Conditional = { readonly type: SecurityType } & {
  readonly [Name in (typeof CONDITIONAL)[number]]?: string | null;
};

/** The finding for a member that a security as it would be needs by its type and lacks. */
export function missingMember(security: Conditional, name: (typeof CONDITIONAL)[number]): readonly Finding[] {
  const isMissing = security.type === NEEDED_BY[name] && (security[name] ?? null) === null;
  return isMissing ? [[`#/${name}`, `is required for ${security.type}`]] : [];
}
