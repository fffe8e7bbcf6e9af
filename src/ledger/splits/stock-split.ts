// What a stock split does to one holding: which securities it concerns, and how shares are rounded. The write, the
// replay and the vesting history all ask here. Pure.
import {
  type Decimal,
  floorDivide,
  formatDecimal,
  ONE,
  parseDecimal,
  scale,
  ZERO,
} from "../../kernel/numbers/decimal.ts";
import type { Metadata, SecurityState } from "../types.ts";

/** How a split makes whole shares: towards zero, away from it, to the nearest with halves up, or 10 places half even. */
export const ROUNDINGS = ["DOWN", "UP", "NEAREST", "FRACTIONAL"] as const;
type Rounding = (typeof ROUNDINGS)[number];

/** Every `denominator` shares become `numerator`. */
export interface SplitRatio {
  readonly numerator: bigint;
  readonly denominator: bigint;
  readonly rounding: Rounding;
}

/** A split as its entry's metadata tells it. */
export interface Split extends SplitRatio {
  readonly stockClassId: string;
  /** True for an imported split: OCF's moves the class's stock only. */
  readonly isStockOnly: boolean;
  /** The plans whose reserve follows, as they were for this class alone when it was written. */
  readonly equityPlanIds: readonly string[];
  /** Options and warrants that name no class of their own, and were of this one by their plan. */
  readonly inferredSecurityIds: readonly string[];
  /** The only securities that an imported split concerns; null where it is all that fit. */
  readonly securityIds: readonly string[] | null;
  /** The securities whose charges an imported split multiplies; one that was made here goes by `equityPlanIds`. */
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
    rounding: ROUNDINGS.find((word) => word === rounding) ?? "DOWN",
    isStockOnly: isStockOnly === true,
    equityPlanIds: Array.isArray(equityPlanIds) ? equityPlanIds : [],
    inferredSecurityIds: Array.isArray(inferredSecurityIds) ? inferredSecurityIds : [],
    securityIds: Array.isArray(securityIds) ? securityIds : null,
    chargedSecurityIds: Array.isArray(chargedSecurityIds) ? chargedSecurityIds : [],
  };
}

/** What decides whether a split concerns a security. */
export type SplitSubject = Pick<SecurityState, "id" | "type" | "status" | "quantity" | "stockClassId">;

/** Tells which securities a split concerns: open stock of the class, and open options and warrants into it. */
export function splitFilter(split: Split): (security: SplitSubject) => boolean {
  const inferred = new Set(split.inferredSecurityIds);
  const only = split.securityIds && new Set(split.securityIds);
  return ({ id, type, status, quantity, stockClassId }) => {
    if (status !== "ACTIVE" || quantity === ZERO || type === "CONVERTIBLE") return false;
    if (split.isStockOnly && type !== "STOCK") return false;
    if (only && !only.has(id)) return false;
    return stockClassId === split.stockClassId || inferred.has(id);
  };
}

/** What a count of shares becomes. */
export function splitQuantity(quantity: Decimal, { numerator, denominator, rounding }: SplitRatio): Decimal {
  const [shares, whole] = [quantity * numerator, denominator * ONE];
  switch (rounding) {
    case "DOWN":
      return floorDivide(shares, whole) * ONE;
    case "UP":
      return -floorDivide(-shares, whole) * ONE;
    case "NEAREST":
      return floorDivide(2n * shares + whole, 2n * whole) * ONE;
    case "FRACTIONAL":
      return scale(quantity, numerator, denominator);
  }
}

/** What a price per share becomes, to 10 places half even; text that stands for the same number stays as it is. */
export function splitPrice(price: string | null, { numerator, denominator }: SplitRatio): string | null {
  if (price === null) return null;
  const before = parseDecimal(price);
  const after = scale(before, denominator, numerator);
  return after === before ? price : formatDecimal(after);
}

/** The security after the split. One that is left without a share is closed. An import's keeps the price it was issued at. */
export function splitSecurity(security: SecurityState, split: Split): SecurityState {
  const quantity = splitQuantity(security.quantity, split);
  const status = quantity === ZERO ? "CANCELLED" : security.status;
  if (split.isStockOnly) return { ...security, quantity, status };
  if (security.type === "STOCK") {
    return { ...security, quantity, status, pricePerShare: splitPrice(security.pricePerShare, split) };
  }
  return { ...security, quantity, status, exercisePrice: splitPrice(security.exercisePrice, split) };
}
