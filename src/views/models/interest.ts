// Interest on the principal of a convertible. Each rate r bears from its first day s to its end e (the day after its
// last, the next rate's first, or the day asked for, the earliest of them), and `fraction(a, b)` is the part of a year
// between days:
//
//   SIMPLE        principal × Σ r·fraction(s, e)
//   COMPOUNDING   balance × Π (1 + r·k/12)^m · (1 + r·fraction(s + m·k months, e)), m the full periods
//                 of k months from s
//
// and the difference is rounded once, to the cent. A product of thousands of daily factors has more digits than a
// request can wait for, so it is enclosed between two bounds, which are brought together until both round to the same
// cent. Pure.
import { addDays, addMonths, type CalendarDate, dayNumber } from "../../kernel/date.ts";
import type { Decimal } from "../../kernel/numbers/decimal.ts";
import {
  add,
  type Fraction,
  fraction,
  NOTHING,
  ofDecimal,
  ofPercent,
  reduced,
  times,
  toCents,
  WHOLE,
} from "./fraction.ts";
import type { AccrualPeriod, InterestRate, InterestTerms } from "./model-company.ts";

const MONTHS: Readonly<Record<Exclude<AccrualPeriod, "DAILY">, number>> = {
  MONTHLY: 1,
  QUARTERLY: 3,
  SEMI_ANNUAL: 6,
  ANNUAL: 12,
};

/** From so many bits on, a power is enclosed instead of written out. */
const EXACT_BITS_MAX = 20_000;
const FIRST_BITS = 256;
const BITS_MAX = 1 << 22;

/** The part of a year between two days, the first included. `30_360` is ISDA's 2006 bond basis. */
export function yearFraction(from: CalendarDate, to: CalendarDate, dayCount: InterestTerms["dayCount"]): Fraction {
  if (dayCount === "ACTUAL_365") return fraction(BigInt(dayNumber(to) - dayNumber(from)), 365n);
  const [y1, m1, day1] = partsOf(from);
  const [y2, m2, day2] = partsOf(to);
  const d1 = day1 === 31 ? 30 : day1;
  const d2 = day2 === 31 && d1 === 30 ? 30 : day2;
  return fraction(BigInt(360 * (y2 - y1) + 30 * (m2 - m1) + (d2 - d1)), 360n);
}

function partsOf(date: CalendarDate): [year: number, month: number, day: number] {
  return [Number(date.slice(0, 4)), Number(date.slice(5, 7)), Number(date.slice(8, 10))];
}

interface Span {
  readonly rate: Fraction;
  readonly from: CalendarDate;
  /** The first day that bears no more. */
  readonly to: CalendarDate;
}

/** When each rate bears, up to a day. */
function spansOf(rates: readonly InterestRate[], until: CalendarDate): readonly Span[] {
  const sorted = [...rates].sort((a, b) => (a.startDate < b.startDate ? -1 : 1));
  return sorted.flatMap(({ ratePercent, startDate, endDate }, index) => {
    const ends = [until, endDate === null ? until : addDays(endDate, 1), sorted[index + 1]?.startDate ?? until];
    const to = ends.reduce((a, b) => (b < a ? b : a));
    return startDate < to && ratePercent > 0n ? [{ rate: ofPercent(ratePercent), from: startDate, to }] : [];
  });
}

/** `base` to the power of `exponent`, and how the balance grows in a span is the product of a few of these. */
interface Power {
  readonly base: Fraction;
  readonly exponent: number;
}

function powersOf({ rate, from, to }: Span, { dayCount, accrualPeriod }: InterestTerms): readonly Power[] {
  if (accrualPeriod === "DAILY") {
    const perDay = times(rate, fraction(1n, dayCount === "30_360" ? 360n : 365n));
    return [{ base: add(WHOLE, perDay), exponent: dayNumber(to) - dayNumber(from) }];
  }
  const months = MONTHS[accrualPeriod];
  const periods = fullPeriods(from, to, months);
  const rest = yearFraction(addMonths(from, months * periods), to, dayCount);
  return [
    { base: add(WHOLE, times(rate, fraction(BigInt(months), 12n))), exponent: periods },
    { base: add(WHOLE, times(rate, rest)), exponent: 1 },
  ];
}

/** How many periods of so many months from `from` end by `to`. */
function fullPeriods(from: CalendarDate, to: CalendarDate, months: number): number {
  const [y1, m1] = partsOf(from);
  const [y2, m2] = partsOf(to);
  let periods = Math.floor((12 * (y2 - y1) + (m2 - m1)) / months);
  while (periods > 0 && addMonths(from, months * periods) > to) periods -= 1;
  return Math.max(0, periods);
}

/**
 * What a principal has earned by a day, that day excluded; to the cent, half even. Interest that is paid out counts 0.
 */
export function interestOn(principal: Decimal, terms: InterestTerms | null, until: CalendarDate): Decimal {
  if (terms === null || terms.payout === "CASH") return 0n;
  const spans = spansOf(terms.rates, until);
  if (spans.length === 0) return 0n;
  if (terms.compounding === "SIMPLE") {
    const year = spans.reduce(
      (sum, { rate, from, to }) => add(sum, times(rate, yearFraction(from, to, terms.dayCount))),
      NOTHING,
    );
    return toCents(times(ofDecimal(principal), year));
  }
  const powers = spans.flatMap((span) => powersOf(span, terms)).filter(({ exponent }) => exponent > 0);
  return grown(ofDecimal(principal), powers);
}

/** `principal × (Π powers − 1)` to the cent. */
function grown(principal: Fraction, powers: readonly Power[]): Decimal {
  const short = powers.map(({ base, exponent }) => ({ base: reduced(base), exponent }));
  const size = short.reduce((bits, { base, exponent }) => bits + exponent * base.d.toString(2).length, 0);
  const less = { n: -principal.n, d: principal.d };
  for (let bits = FIRST_BITS; size > EXACT_BITS_MAX && bits <= BITS_MAX; bits *= 4) {
    const [low, high] = enclosed(short, bits);
    const [a, b] = [low, high].map((growth) => toCents(add(times(principal, growth), less)));
    if (a !== undefined && a === b) return a;
  }
  const growth = short.reduce((product, { base, exponent }) => times(product, power(base, exponent)), WHOLE);
  return toCents(add(times(principal, growth), less));
}

/** A fraction to a whole power, exactly. */
export function power({ n, d }: Fraction, exponent: number): Fraction {
  return { n: n ** BigInt(exponent), d: d ** BigInt(exponent) };
}

/** The product of powers between two bounds, each a whole count of 2^−bits. */
function enclosed(powers: readonly Power[], bits: number): [low: Fraction, high: Fraction] {
  const shift = BigInt(bits);
  const one = 1n << shift;
  let [low, high] = [one, one];
  for (const { base, exponent } of powers) {
    let [stepLow, stepHigh] = [(base.n << shift) / base.d, (base.n << shift) / base.d + 1n];
    for (let left = exponent; left > 0; left = Math.floor(left / 2)) {
      if (left % 2 === 1) [low, high] = [(low * stepLow) >> shift, ((high * stepHigh) >> shift) + 1n];
      [stepLow, stepHigh] = [(stepLow * stepLow) >> shift, ((stepHigh * stepHigh) >> shift) + 1n];
    }
  }
  return [
    { n: low, d: one },
    { n: high, d: one },
  ];
}

/** What a dividend has accrued on 1 since a day: exactly, for it is multiplied by shares before it is rounded. */
export function dividendOn(
  { ratePercent, compounding }: { readonly ratePercent: Decimal; readonly compounding: "SIMPLE" | "ANNUAL" },
  from: CalendarDate,
  to: CalendarDate,
): Fraction {
  if (to <= from) return NOTHING;
  const rate = ofPercent(ratePercent);
  if (compounding === "SIMPLE") return reduced(times(rate, yearFraction(from, to, "ACTUAL_365")));
  const terms = {
    rates: [],
    dayCount: "ACTUAL_365",
    payout: "DEFERRED",
    compounding: "COMPOUNDING",
    accrualPeriod: "ANNUAL",
  } as const;
  const growth = powersOf({ rate, from, to }, terms).reduce(
    (product, { base, exponent }) => times(product, power(reduced(base), exponent)),
    WHOLE,
  );
  return reduced(add(growth, { n: -1n, d: 1n }));
}
