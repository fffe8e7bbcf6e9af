// What models compute with: a company at a moment, as plain data without SQL. It comes from the ledger
// (`read/read-company.ts`), from what a body adds, and from a round, whose answer holds the company after it. Pure.
//
// Everything has a key that is unique among its kind and that bodies name it by: its id where it is on record; what is
// hypothetical has a key of its own, and null for its id.

import type { CalendarDate } from "../../kernel/date.ts";
import {
  convertedBy,
  type Ratio,
  type RightRounding,
  wholeShares as wholeSharesOf,
} from "../../kernel/numbers/converted.ts";
import { type Decimal, ZERO } from "../../kernel/numbers/decimal.ts";
import type {
  ACCRUAL_PERIODS,
  COMPOUNDINGS,
  CONVERTIBLE_TYPES,
  DAY_COUNTS,
  INTEREST_PAYOUTS,
  TIMINGS,
} from "../../storage/records/convertible-terms.ts";
import { type Fraction, fraction, ofDecimal, ofPercent, roundTo, times } from "./fraction.ts";

/** What of a round adjusts a conversion price: convertibles that convert as well as new money, or new money alone. */
export type AntiDilutionCounts = "CONVERSIONS" | "NEW_MONEY_ONLY";
export type AntiDilution = "NONE" | "BROAD_BASED" | "BROAD_BASED_WITH_POOL" | "FULL_RATCHET";

/** What counts of a company as its capitalization, by the terms of a convertible. */
export interface CapitalizationRules {
  readonly includeOutstandingShares: boolean;
  readonly includeOutstandingOptions: boolean;
  readonly includeOutstandingUnissuedOptions: boolean;
  readonly includeThisSecurity: boolean;
  readonly includeOtherConvertingSecurities: boolean;
  readonly includeOptionPoolTopupForPromisedOptions: boolean;
  readonly includeAdditionalOptionPoolTopup: boolean;
  readonly includeNewMoney: boolean;
}

/** A rate of interest, from its first day to the last that bears it. */
export interface InterestRate {
  readonly ratePercent: Decimal;
  readonly startDate: CalendarDate;
  readonly endDate: CalendarDate | null;
}

export type AccrualPeriod = (typeof ACCRUAL_PERIODS)[number];

/** How a principal bears interest. */
export interface InterestTerms {
  readonly rates: readonly InterestRate[];
  readonly dayCount: (typeof DAY_COUNTS)[number];
  readonly payout: (typeof INTEREST_PAYOUTS)[number];
  readonly compounding: (typeof COMPOUNDINGS)[number];
  readonly accrualPeriod: AccrualPeriod;
}

/** A mechanism that looks at a price, and at a cap where there is one. */
export interface PricedMechanism {
  readonly type: "SAFE" | "NOTE";
  /** Null: no cap. */
  readonly cap: Decimal | null;
  /** 0 to below 100. */
  readonly discountPercent: Decimal;
  /** Of a SAFE; null if it is not on record. */
  readonly timing: (typeof TIMINGS)[number] | null;
  readonly isMfn: boolean;
  readonly exitMultiple: Decimal | null;
  readonly rules: CapitalizationRules;
}

/** A part of the capitalization. */
export interface PercentMechanism {
  readonly type: "PERCENT";
  readonly percent: Decimal;
  readonly rules: CapitalizationRules;
  /** What of it counts: the part that is left of the principal which the terms were made for; all where it is left out. */
  readonly part?: Fraction;
}

/** A number of shares. */
export interface FixedMechanism {
  readonly type: "FIXED";
  readonly quantity: Decimal;
  /** The same of the number; a day before a split counts it in the shares of then. */
  readonly part?: Fraction;
}

/** How a convertible becomes stock. */
export type Mechanism = PricedMechanism | PercentMechanism | FixedMechanism | { readonly type: "CUSTOM" };

/** The part of the capitalization that counts. */
export function percentOf({ percent, part }: PercentMechanism): Fraction {
  return part ? times(ofPercent(percent), part) : ofPercent(percent);
}

/** The number of shares that counts. */
export function fixedShares({ quantity, part }: FixedMechanism): Fraction {
  return part ? times(ofDecimal(quantity), part) : ofDecimal(quantity);
}

/** What models know of a convertible's terms: those of its financing trigger. */
export interface ConvertibleTermsRead {
  readonly convertibleType: (typeof CONVERTIBLE_TYPES)[number];
  readonly seniority: number;
  readonly maturityDate: CalendarDate | null;
  /** The financing trigger's id, by which an export names it. */
  readonly triggerId: string | null;
  readonly minimumProceeds: Decimal | null;
  readonly mechanism: Mechanism;
  /** Null where it bears none. */
  readonly interest: InterestTerms | null;
}

interface SecurityBase {
  readonly key: string;
  readonly id: string | null;
  /** Its certificate number, else its id, else its key. */
  readonly name: string;
  /** The key of its holder. */
  readonly holder: string;
  readonly quantity: Decimal;
  /** The day of the grant of the first in its chain of transfers. */
  readonly grantDate: CalendarDate;
}

export interface StockHeld extends SecurityBase {
  readonly type: "STOCK";
  readonly classKey: string;
}

export interface OptionHeld extends SecurityBase {
  readonly type: "STOCK_OPTION";
  readonly planKey: string | null;
  readonly classKey: string | null;
  /** Null if it is not on record. */
  readonly strike: Decimal | null;
  readonly unvested: Decimal;
  readonly expirationDate: CalendarDate | null;
}

export interface WarrantHeld extends SecurityBase {
  readonly type: "WARRANT";
  readonly classKey: string | null;
  readonly strike: Decimal | null;
  readonly expirationDate: CalendarDate | null;
}

export interface ConvertibleHeld extends SecurityBase {
  readonly type: "CONVERTIBLE";
  readonly terms: ConvertibleTermsRead;
}

export type Held = StockHeld | OptionHeld | WarrantHeld | ConvertibleHeld;

/** A class of shares as it counts at the moment. */
export interface ModelClass {
  readonly key: string;
  readonly id: string | null;
  readonly name: string;
  readonly classType: "COMMON" | "PREFERRED";
  readonly seniority: number;
  /** The original issue price; null if it is not on record. */
  readonly price: Decimal | null;
  readonly preferenceMultiple: Decimal;
  readonly isParticipating: boolean;
  readonly participationCapMultiple: Decimal | null;
  readonly participationCapBasis: "BEYOND_PREFERENCE" | "TOTAL";
  readonly antiDilution: AntiDilution;
  /** Null if it is not on record; counts as `CONVERSIONS`. */
  readonly antiDilutionCounts: AntiDilutionCounts | null;
  readonly dividend: { readonly ratePercent: Decimal; readonly compounding: "SIMPLE" | "ANNUAL" } | null;
  /** Into common stock; 1:1 for common stock itself. */
  readonly ratio: Ratio;
  readonly rounding: RightRounding;
  /** That of the right; null where the right says none. */
  readonly rightPrice: Decimal | null;
  /** The class that it converts into; null for common stock, and without such a class. */
  readonly intoKey: string | null;
  /** Null: no limit, or not on record. */
  readonly authorized: Decimal | null;
}

/** An equity plan, and what of its reserve can still be granted. */
export interface ModelPlan {
  readonly key: string;
  readonly id: string | null;
  readonly available: Decimal;
  /** The class that its reserve is held for. */
  readonly classKey: string | null;
  /** Nothing can be granted under it any more; it counts on days of before. */
  readonly isDeleted?: boolean;
  /** What a plan that is not there yet has available from the first entry on that names it. */
  readonly waiting?: Decimal;
}

/** Who holds securities. */
export interface Holder {
  readonly key: string;
  readonly id: string | null;
  readonly name: string | null;
  /** True if new securities cannot be given to the holder; earlier holdings are still theirs. */
  readonly isDeleted?: boolean;
}

/** A warning of a model. */
export interface ModelWarning {
  readonly code: ModelWarningCode;
  readonly detail: string;
  readonly securityId: string | null;
}

export const MODEL_WARNING_CODES = [
  "anti-dilution-counts-assumed",
  "coarse-price",
  "conversion-price-differs",
  "custom-terms",
  "deductions-exceed",
  "expired",
  "matured",
  "mfn-not-applied",
  "no-shares",
  "not-converted",
  "plan-overdrawn",
  "plan-undated",
  "preference-unknown",
  "quantity-unknown",
  "strike-unknown",
  "timing-assumed",
] as const;
export type ModelWarningCode = (typeof MODEL_WARNING_CODES)[number];

/** A company at a moment. Each list is in the order in which its members came to be. */
export interface Company {
  readonly classes: readonly ModelClass[];
  readonly plans: readonly ModelPlan[];
  readonly holders: readonly Holder[];
  /** What is open. */
  readonly held: readonly Held[];
  /** What was found odd in reading it. */
  readonly warnings: readonly ModelWarning[];
}

/** The ratio of a class as a fraction. */
export function ratioOf({ ratio }: ModelClass): Fraction {
  return reduce(ratio);
}

function reduce({ numerator, denominator }: Ratio): Fraction {
  return fraction(numerator, denominator);
}

/** Rounds shares to whole ones by a class's rule; `NORMAL` takes halves up. */
export function wholeShares({ n, d }: Fraction, rounding: RightRounding): Decimal {
  return wholeSharesOf(n, d, rounding);
}

/** What a quantity of a class counts as converted; 1:1 is the quantity itself. Null: a class that is not known. */
export function asConverted(quantity: Decimal, stockClass: ModelClass | null | undefined): Decimal {
  return convertedBy(quantity, stockClass);
}

/** The conversion price: that of the right, else the price by the ratio; null where there is no price. */
export function conversionPrice(stockClass: ModelClass): Fraction | null {
  if (stockClass.rightPrice !== null) return ofDecimal(stockClass.rightPrice);
  const { price, ratio } = stockClass;
  if (price === null || ratio.numerator === ZERO) return null;
  return times(ofDecimal(price), fraction(ratio.denominator, ratio.numerator));
}

/** Its price, as it is shown, to 10 places. */
export function shownPrice(value: Fraction): Decimal {
  return roundTo(value, 10);
}

/** A plan with more available, or less: what was there before its day is from now on. */
export function withMore(plan: ModelPlan, more: Decimal): ModelPlan {
  const { waiting = ZERO, ...there } = plan;
  return { ...there, available: plan.available + waiting + more };
}

/** What plans have available; one below zero counts 0. */
export function availableOf(company: Company): Decimal {
  let available = ZERO;
  for (const plan of company.plans) if (plan.available > ZERO) available += plan.available;
  return available;
}

/** Classes by key. */
export function classesByKey(company: Company): ReadonlyMap<string, ModelClass> {
  return new Map(company.classes.map((each) => [each.key, each]));
}

const byCode = (a: ModelWarning, b: ModelWarning) => (a.code < b.code ? -1 : a.code > b.code ? 1 : 0);

/** Warnings as answers show them: by code, then none first, then as the securities came to be. */
export function sortWarnings(warnings: readonly ModelWarning[], held: readonly Held[]): readonly ModelWarning[] {
  const order = new Map(held.map(({ key }, index) => [key, index + 1]));
  const place = ({ securityId }: ModelWarning) =>
    securityId === null ? 0 : (order.get(securityId) ?? held.length + 1);
  return [...warnings].sort((a, b) => byCode(a, b) || place(a) - place(b));
}
