// Stock split of one holding: which securities it concerns, and how shares are rounded. Writes, replays and the vesting
// history all use it. Pure.
import { type Decimal, floorDivide, ONE, scale, ZERO } from "../../kernel/numbers/decimal.ts";
import { roundingOf, type SplitRatio, splitPrice, splitQuantity } from "../../kernel/numbers/split-figures.ts";
import type { Metadata, SecurityState } from "../types.ts";

/** A split as its entry's metadata stores it. */
export interface Split extends SplitRatio {
  readonly stockClassId: string;
  /** True for an imported split: OCF's moves the class's stock only. */
  readonly isStockOnly: boolean;
  /** The plans whose reserve follows, which were for this class alone when the entry was written. */
  readonly equityPlanIds: readonly string[];
  /** Options and warrants without a class of their own that belonged to this one by their plan. */
  readonly inferredSecurityIds: readonly string[];
  /** The only securities that an imported split concerns; null if it concerns all that match. */
  readonly securityIds: readonly string[] | null;
  /** The securities whose charges an imported split multiplies; a split made here goes by `equityPlanIds`. */
  readonly chargedSecurityIds: readonly string[];
}

/** Reads a `STOCK_SPLIT`'s metadata. */
export function readSplit(metadata: Metadata): Split {
  const { stockClassId, numerator, denominator, rounding, isStockOnly, equityPlanIds, inferredSecurityIds } = metadata;
  const { securityIds, chargedSecurityIds } = metadata;
  return {
    stockClassId: String(stockClassId),
    numerator: BigInt(String(numerator)),
    denominator: BigInt(String(denominator)),
    rounding: roundingOf(rounding),
    isStockOnly: isStockOnly === true,
    equityPlanIds: Array.isArray(equityPlanIds) ? equityPlanIds : [],
    inferredSecurityIds: Array.isArray(inferredSecurityIds) ? inferredSecurityIds : [],
    securityIds: Array.isArray(securityIds) ? securityIds : null,
    chargedSecurityIds: Array.isArray(chargedSecurityIds) ? chargedSecurityIds : [],
  };
}

/** The members by which a split selects securities. */
export type SplitSubject = Pick<SecurityState, "id" | "type" | "status" | "quantity" | "stockClassId">;

/** Whether a security has open shares, which a split of its class multiplies. */
export function hasOpenShares({ type, status, quantity }: Omit<SplitSubject, "id" | "stockClassId">): boolean {
  return status === "ACTIVE" && quantity !== ZERO && type !== "CONVERTIBLE";
}

/** Selects a split's securities: open stock of the class, and open options and warrants into it. */
export function splitFilter(split: Split): (security: SplitSubject) => boolean {
  const inferred = new Set(split.inferredSecurityIds);
  const only = split.securityIds && new Set(split.securityIds);
  return (security) => {
    const { id, type, stockClassId } = security;
    if (!hasOpenShares(security)) return false;
    if (split.isStockOnly && type !== "STOCK") return false;
    if (only && !only.has(id)) return false;
    return stockClassId === split.stockClassId || inferred.has(id);
  };
}

/** Removed or withheld shares, counted after the split: whole ones stay whole, rounded down, if `isWhole`. */
export function splitCount(quantity: Decimal, { numerator, denominator }: SplitRatio, isWhole: boolean): Decimal {
  if (!isWhole) return scale(quantity, numerator, denominator);
  return floorDivide(quantity * numerator, denominator * ONE) * ONE;
}

/** The security after the split. One with no shares left is closed. An imported one keeps its issue price. */
export function splitSecurity(security: SecurityState, split: Split): SecurityState {
  const quantity = splitQuantity(security.quantity, split);
  const status = quantity === ZERO ? "CANCELLED" : security.status;
  if (split.isStockOnly) return { ...security, quantity, status };
  if (security.type === "STOCK") {
    return { ...security, quantity, status, pricePerShare: splitPrice(security.pricePerShare, split) };
  }
  return { ...security, quantity, status, exercisePrice: splitPrice(security.exercisePrice, split) };
}
