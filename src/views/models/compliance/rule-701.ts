// What was sold to employees in twelve months against the limits of Rule 701 (17 CFR 230.701(d), (e)). Pure.
import { type Decimal, formatDecimal, ONE, ZERO } from "../../../kernel/numbers/decimal.ts";
import {
  add,
  compare,
  type Fraction,
  floor,
  fraction,
  NOTHING,
  ofDecimal,
  shown,
  times,
  toCents,
} from "../fraction.ts";

/** A sale: options at quantity × strike, stock at its price. */
export interface Sale {
  readonly stockClassId: string | null;
  readonly shares: Fraction;
  readonly price: Fraction;
}

const ONE_MILLION = ofDecimal(1_000_000n * ONE);
const DISCLOSURE = ofDecimal(10_000_000n * ONE);
const FIFTEEN = fraction(15n, 100n);

/** No class has shares to count 15 % of. */
const NO_CLASS: readonly [null, Decimal] = [null, ZERO];

/**
 * The tests of sales; `classes` has each class's outstanding shares, and what may become of it, on the balance sheet's
 * day.
 */
export function rule701(sales: readonly Sale[], totalAssets: Decimal | null, classes: ReadonlyMap<string, Decimal>) {
  const aggregate = sales.reduce((sum, { shares, price }) => add(sum, times(shares, price)), NOTHING);
  const money = (test: string, limit: Fraction) => ({
    test,
    limit: formatDecimal(toCents(limit)),
    used: formatDecimal(toCents(aggregate)),
    isMet: compare(aggregate, limit) <= 0,
  });
  const first = money("ONE_MILLION", ONE_MILLION);
  const second = totalAssets === null ? [] : [money("ASSETS_15_PERCENT", times(ofDecimal(totalAssets), FIFTEEN))];
  const third = [...classes, NO_CLASS].flatMap(([stockClassId, count]) => {
    const sold = sales.filter((sale) => sale.stockClassId === stockClassId);
    if (sold.length === 0) return [];
    const used = sold.reduce((sum, { shares }) => add(sum, shares), NOTHING);
    const limit = fraction(floor(times(ofDecimal(count), FIFTEEN)));
    const figures = { limit: formatDecimal(shown(limit)), used: formatDecimal(shown(used)) };
    const isMet = stockClassId !== null && compare(used, limit) <= 0;
    return [{ test: "CLASS_15_PERCENT", stockClassId, ...figures, isMet }];
  });
  return {
    aggregateSalesPrice: formatDecimal(toCents(aggregate)),
    tests: [first, ...second, ...third],
    isMet: first.isMet || second.some(({ isMet }) => isMet) || (third.length > 0 && third.every(({ isMet }) => isMet)),
    disclosureRequired: compare(aggregate, DISCLOSURE) > 0,
  };
}
