// Deductions from an exit value: costs and bonuses that are paid before all holders of securities. Pure.
import {
  type Decimal,
  divideHalfEven,
  formatDecimal,
  min,
  ONE,
  parseDecimal,
  ZERO,
} from "../../../kernel/numbers/decimal.ts";
import { centsOf } from "../answer-columns.ts";
import type { ModelWarning } from "../model-company.ts";
import type { Deduction, Slice } from "./exit-body.ts";

/** One without bounds is a single slice. */
function slicesOf({ percent, slices }: Deduction): readonly Slice[] {
  return slices ?? [{ upTo: null, percent: percent ?? "0" }];
}

/** What is deducted at a value, in order, each at most what is left; all in cents. */
export function deduct(value: bigint, deductions: readonly Deduction[]): { name: string; cents: bigint }[] {
  let left = value;
  return deductions.map((deduction) => {
    const { name, amount, of } = deduction;
    const base = of === "REMAINDER" ? left : value;
    const isAmount = amount !== undefined && amount !== null;
    const asked = isAmount ? centsOf(parseDecimal(amount)) : partsOf(base, slicesOf(deduction));
    const cents = min(asked, left);
    left -= cents;
    return { name, cents };
  });
}

/** Each part between bounds by its percent; the sum is rounded to the cent, half even. */
function partsOf(base: bigint, slices: readonly Slice[]): bigint {
  let [sum, from] = [0n, 0n];
  for (const { upTo, percent } of slices) {
    const to = upTo === null ? base : min(base, centsOf(parseDecimal(upTo)));
    if (to > from) sum += (to - from) * parseDecimal(percent);
    from = to;
  }
  return divideHalfEven(sum, 100n * ONE);
}

/** Percentages that take more than all of it do so at every exit value; an amount may at a small one. */
export function exceeding(deductions: readonly Deduction[]): readonly ModelWarning[] {
  const leastOf = (deduction: Deduction): Decimal =>
    slicesOf(deduction)
      .map(({ percent }) => parseDecimal(percent))
      .reduce(min);
  const ofRest = deductions.filter(({ of }) => of === "REMAINDER").map(leastOf);
  const ofValue = deductions.filter(({ of }) => of !== "REMAINDER").map(leastOf);
  const most = [ofValue.reduce((sum, each) => sum + each, ZERO), ...ofRest].find((percent) => percent > 100n * ONE);
  if (most === undefined) return [];
  const detail = `The deductions take ${formatDecimal(most)} % of an exit value; they are cut to what is left of it.`;
  return [{ code: "deductions-exceed", detail, securityId: null }];
}
