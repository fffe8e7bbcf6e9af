// Anti-dilution of a round: the protected classes, and what each conversion price becomes by what was sold, when all is
// rounded. Pure.
import { differingPrice, differingWords } from "../../../kernel/numbers/conversion-price.ts";
import { type Decimal, min, ZERO } from "../../../kernel/numbers/decimal.ts";
import { add, compare, type Fraction, fraction, ofDecimal, over, roundTo, times } from "../fraction.ts";
import { type Company, conversionPrice, type ModelClass, type ModelWarning } from "../model-company.ts";
import { type Figures, figuresOf } from "../table-model.ts";
import type { Equations, ProtectedClass } from "./known.ts";
import type { RoundPlan } from "./plan.ts";
import { type Conversion, type Investment, roundPrice } from "./prices.ts";
import { companyFor } from "./protection.ts";

/** A class whose conversion price falls. */
export interface Adjustment {
  readonly before: ModelClass;
  readonly after: ModelClass;
  readonly priceBefore: Fraction;
  readonly price: Decimal;
  readonly additionalShares: Decimal;
}

/** A protected class with what the equations and its adjustment need. */
export interface Guarded extends ProtectedClass {
  readonly class: ModelClass;
}

/** The classes of a company that are protected, with a price and shares. */
export function protectedClasses(company: Company, figures: Figures): readonly Guarded[] {
  return company.classes.flatMap((each) => {
    const [price, own] = [each.price, conversionPrice(each)];
    const sum = figures.stockOf(each.key);
    if (each.antiDilution === "NONE" || price === null || price === ZERO || own === null || own.n === 0n || !sum)
      return [];
    return [
      {
        class: each,
        method: each.antiDilution,
        price: ofDecimal(price),
        conversionPrice: own,
        shares: ofDecimal(sum.quantity),
        countsNow: ofDecimal(sum.asConverted),
        countsConversions: each.antiDilutionCounts !== "NEW_MONEY_ONLY",
      },
    ];
  });
}

/** Shares for what is paid for them, at a price. */
interface Sold {
  readonly price: Decimal;
  readonly shares: Decimal;
  readonly paid: Decimal;
}

/** What a round sells for new money, and what it converts, the cheapest first. */
export interface Sale extends Pick<RoundPlan, "pricePlaces"> {
  readonly money: Sold;
  readonly conversions: readonly Sold[];
}

/** What a round sells, rounded. `conversions` are those that give shares. */
export function saleOf(
  price: Decimal,
  investments: readonly Investment[],
  conversions: readonly Conversion[],
  pricePlaces: number,
): Sale {
  const shares = investments.reduce((sum, each) => sum + each.shares, ZERO);
  const paid = investments.reduce((sum, { cost }) => sum + cost, ZERO);
  return {
    pricePlaces,
    money: { price, shares, paid },
    conversions: conversions.map((each) => ({
      price: each.price,
      shares: each.shares,
      paid: each.amount - each.cashInLieu,
    })),
  };
}

/** The new conversion price of a class by what was sold; nothing where its ratio would not rise. */
export function adjust(company: Company, guarded: Guarded, sale: Sale, equations: Equations): readonly Adjustment[] {
  const { class: before, price, conversionPrice: own } = guarded;
  const sold = guarded.countsConversions ? [sale.money, ...sale.conversions] : [sale.money];
  const next =
    guarded.method === "FULL_RATCHET"
      ? sold.map((each) => each.price).reduce(min)
      : averagePrice(own, sold, companyFor(guarded, equations), sale.pricePlaces);
  if (next === null) return [];
  const ratio = over(price, ofDecimal(next));
  const now = fraction(before.ratio.numerator, before.ratio.denominator);
  if (compare(ratio, now) <= 0) return [];
  const after: ModelClass = {
    ...before,
    ratio: { numerator: roundTo(price, 10), denominator: next },
    rightPrice: next,
  };
  const additionalShares = stockOf(company, after) - stockOf(company, before);
  return [{ before, after, priceBefore: own, price: next, additionalShares }];
}

/**
 * The lowest that any of the sales, with those cheaper than it, make of a conversion price; null where none lowers it.
 */
function averagePrice(own: Fraction, sold: readonly Sold[], before: Fraction, places: number): Decimal | null {
  const priced = sold.flatMap(({ shares, paid }) =>
    shares === ZERO ? [] : [{ shares: ofDecimal(shares), paid: ofDecimal(paid) }],
  );
  priced.sort((a, b) => compare(times(a.paid, b.shares), times(b.paid, a.shares)));
  let [lowest, worth, count] = [own, times(own, before), before];
  for (const { shares, paid } of priced) {
    if (compare(over(paid, shares), lowest) >= 0) break;
    [worth, count] = [add(worth, paid), add(count, shares)];
    lowest = over(worth, count);
  }
  return compare(lowest, own) < 0 ? roundPrice(lowest, places) : null;
}

/**
 * Charters differ in whether conversions adjust a price: a class that does not say it, where it matters, gets a
 * warning.
 */
export function assumed(guarded: readonly Guarded[], converted: readonly Conversion[]): readonly ModelWarning[] {
  return guarded.flatMap(({ class: { name, antiDilutionCounts }, conversionPrice: own }) => {
    if (antiDilutionCounts !== null || !converted.some(({ price }) => compare(ofDecimal(price), own) < 0)) return [];
    const detail =
      `${name} does not say whether convertibles that convert adjust its conversion price; they are counted, as if it ` +
      "said CONVERSIONS.";
    return [{ code: "anti-dilution-counts-assumed" as const, detail, securityId: null }];
  });
}

/** A protected class whose conversion price its ratio does not come to: an adjustment goes on from that price. */
export function differing(guarded: readonly Guarded[]): readonly ModelWarning[] {
  return guarded.flatMap(({ class: { name, price, ratio, rightPrice: conversionPrice } }) => {
    if (price === null || conversionPrice === null) return [];
    const right = { price, ratio, conversionPrice };
    const exact = differingPrice(right);
    if (exact === null) return [];
    return [
      { code: "conversion-price-differs" as const, detail: differingWords(name, right, exact), securityId: null },
    ];
  });
}

function stockOf(company: Company, stockClass: ModelClass): Decimal {
  return figuresOf({
    ...company,
    classes: [stockClass],
    held: company.held.filter((held) => held.type === "STOCK" && held.classKey === stockClass.key),
    plans: [],
  }).outstanding;
}
