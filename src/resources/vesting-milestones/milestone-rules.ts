// Milestone rules: its members, and when it may change. Pure.
import { formatDecimal, parseDecimal } from "../../kernel/numbers/decimal.ts";
import { type Finding, problem, refuse } from "../../kernel/problem.ts";

/** Throws `409 invalid-state` for a completed milestone: completion is final. */
export function requirePending(milestone: { readonly status: string }): void {
  if (milestone.status !== "PENDING") throw problem("invalid-state", "The milestone is already completed.");
}

/** The members that decide what vests. */
export interface Vesting {
  readonly securityId: string | null;
  readonly quantity: string | null;
}

/** The missing member: a security and a quantity need each other. */
export function halfFindings({ securityId = null, quantity = null }: Partial<Vesting>): readonly Finding[] {
  if (securityId !== null && quantity === null) return [["#/quantity", "is required with `securityId`"]];
  if (securityId === null && quantity !== null) return [["#/securityId", "is required with `quantity`"]];
  return [];
}

/** Throws `422` if more is to vest than `held`, the security's quantity. */
export function refuseExcess({ quantity }: Vesting, held: string | null): void {
  if (quantity === null || held === null || parseDecimal(quantity) <= parseDecimal(held)) return;
  const most = formatDecimal(parseDecimal(held));
  refuse([["#/quantity", `is more than the ${most} that the security holds`]]);
}
