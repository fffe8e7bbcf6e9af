// What a split does to its securities, in sums: its decision and the totals of classes and plans need no more. Pure.
import { type Decimal, divideHalfEven, max, parseDecimal, ZERO } from "../../kernel/numbers/decimal.ts";
import { type SplitRatio, splitCharge, splitPrice, splitQuantity } from "../../kernel/numbers/split-figures.ts";
import { outstandingStock } from "../replay/state.ts";
import type { SecurityState } from "../types.ts";

/** The members of a security that a split's sums are made of. */
export type SplitSubject = Pick<SecurityState, "type" | "status" | "quantity" | "pricePerShare" | "exercisePrice">;

/** Sums over securities, which are given one by one. */
export class SplitSums {
  /** How many securities have other shares. */
  count = 0;
  /** What rounding takes, in parts of a share: counts times the numerator, less the results times the denominator. */
  readonly parts: { stock: bigint; options: bigint; warrants: bigint };
  /** The largest count of one security, and the largest price, after the split: of all that were ever added. */
  largestCount: Decimal = ZERO;
  largestPrice: Decimal = ZERO;
  /** By how much outstanding stock of the class grows. */
  issued: Decimal = ZERO;
  /** How many securities lose their last share, and how many charges become none. */
  closing = 0;
  readonly #ratio: SplitRatio;

  /** Empty, or a copy of other sums. */
  constructor(ratio: SplitRatio, other?: SplitSums) {
    this.#ratio = ratio;
    this.parts = { ...(other?.parts ?? { stock: 0n, options: 0n, warrants: 0n }) };
    if (other === undefined) return;
    this.count = other.count;
    this.largestCount = other.largestCount;
    this.largestPrice = other.largestPrice;
    this.issued = other.issued;
    this.closing = other.closing;
  }

  /**
   * Adds a security whose shares the split multiplies, or takes it away again (`by` is −1); returns its count after the
   * split.
   */
  add(security: SplitSubject, by: 1 | -1 = 1): Decimal {
    const { type, quantity } = security;
    const { numerator, denominator } = this.#ratio;
    const after = splitQuantity(quantity, this.#ratio);
    const sign = BigInt(by);
    const part = sign * (quantity * numerator - after * denominator);
    if (type === "STOCK") this.parts.stock += part;
    else if (type === "STOCK_OPTION") this.parts.options += part;
    else this.parts.warrants += part;
    this.count += by;
    if (after === ZERO) this.closing += by;
    this.issued += sign * (outstandingStock({ ...security, quantity: after }) - outstandingStock(security));
    if (by === 1) {
      this.largestCount = max(this.largestCount, after);
      const price = splitPrice(type === "STOCK" ? security.pricePerShare : security.exercisePrice, this.#ratio);
      if (price !== null) this.largestPrice = max(this.largestPrice, parseDecimal(price));
    }
    return after;
  }

  /** The same of a charge on a plan that the split multiplies. */
  addCharge(charge: Decimal, by: 1 | -1 = 1): void {
    if (splitCharge(charge, this.#ratio) === ZERO) this.closing += by;
  }
}

/** The shares that parts make, by the denominator of their split. */
export function sharesOfParts(parts: bigint, { denominator }: SplitRatio): Decimal {
  return divideHalfEven(parts, denominator);
}
