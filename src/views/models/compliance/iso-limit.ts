// The $100,000 limit on incentive stock options (26 USC 422(d), 26 CFR 1.422-4): in each calendar year what first
// becomes exercisable counts by its value at the grant, grants in the order in which they were made; beyond the limit
// options are treated as non-qualified. What was exercised before an acceleration stays what it was without it; all else
// of that year counts anew with what was accelerated (1.422-4(b)(3), (b)(4)). Pure.
import type { CalendarDate } from "../../../kernel/date.ts";
import { type Decimal, formatDecimal, ONE, ZERO } from "../../../kernel/numbers/decimal.ts";
import {
  add,
  compare,
  type Fraction,
  floor,
  greatest,
  isPositive,
  least,
  NOTHING,
  ofDecimal,
  over,
  shown,
  subtract,
  times,
  toCents,
} from "../fraction.ts";

export const ISO_LIMIT: Decimal = 100_000n * ONE;

/** Shares that first become exercisable on a day, as granted. */
export interface Exercisable {
  readonly date: CalendarDate;
  readonly quantity: Fraction;
  readonly isAccelerated: boolean;
}

/** Where a value comes from: the grant's own valuation, the 409A in force on its day, its strike. */
export const VALUE_FROM = ["NAMED", "IN_FORCE", "STRIKE"] as const;
export type ValueFrom = (typeof VALUE_FROM)[number];

/** An incentive grant. */
export interface IsoGrant {
  readonly securityId: string;
  /** The value of a share at the grant. */
  readonly value: Fraction;
  readonly valueFrom: ValueFrom;
  /**
   * What becomes exercisable in a year, as what was cancelled before it has left it; with a day, without the
   * accelerations of that day and later ones.
   */
  inYear(year: number, before?: CalendarDate): readonly Exercisable[];
  readonly years: readonly number[];
  /** What was exercised before a day. */
  exercisedBefore(day: CalendarDate): Fraction;
}

/** The rows of one holder's grants, which come by grant date, then as they were made. */
export function isoRows(grants: readonly IsoGrant[]) {
  const years = [...new Set(grants.flatMap((grant) => grant.years))].sort((a, b) => a - b);
  const rows = years.flatMap((year) => rowsOf(grants, year));
  const sum = (name: "iso" | "nso") => formatDecimal(shown(rows.reduce((all, row) => add(all, row[name]), NOTHING)));
  return {
    rows: rows.map((row) => ({
      year: row.year,
      securityId: row.securityId,
      quantity: formatDecimal(shown(row.quantity)),
      fairMarketValue: formatDecimal(shown(row.value)),
      valueFrom: row.valueFrom,
      value: formatDecimal(toCents(times(row.quantity, row.value))),
      iso: formatDecimal(shown(row.iso)),
      nso: formatDecimal(shown(row.nso)),
    })),
    totals: { iso: sum("iso"), nso: sum("nso") },
  };
}

interface Row extends Parts {
  readonly year: number;
  readonly securityId: string;
  readonly value: Fraction;
  readonly valueFrom: ValueFrom;
  readonly quantity: Fraction;
}

/** Shares of a grant in a year that are incentive options, and those that are not. */
interface Parts {
  readonly iso: Fraction;
  readonly nso: Fraction;
}

const NEITHER: Parts = { iso: NOTHING, nso: NOTHING };

function rowsOf(grants: readonly IsoGrant[], year: number): readonly Row[] {
  const days = new Set(grants.flatMap((grant) => accelerationDays(grant, year)));
  let kept: readonly Parts[] = grants.map(() => NEITHER);
  for (const day of [...days].sort()) kept = keptOn(grants, year, day, kept);
  const quantities = grants.map((grant) => quantityIn(grant, year));
  const parts = divided(grants, quantities, kept);
  return grants.flatMap(({ securityId, value, valueFrom }, place) => {
    const [quantity, { iso, nso }] = [quantities[place] ?? NOTHING, parts[place] ?? NEITHER];
    return isPositive(quantity) ? [{ year, securityId, value, valueFrom, quantity, iso, nso }] : [];
  });
}

function accelerationDays(grant: IsoGrant, year: number): readonly CalendarDate[] {
  return grant.inYear(year).flatMap(({ date, isAccelerated }) => (isAccelerated ? [date] : []));
}

function quantityIn(grant: IsoGrant, year: number, before?: CalendarDate): Fraction {
  return grant.inYear(year, before).reduce((sum, { quantity }) => add(sum, quantity), NOTHING);
}

/**
 * Divides what becomes exercisable in a year, by place: what is kept stays what it is, and its incentive options use up
 * their value of the limit; all else fills the rest in the order of the grants.
 */
function divided(
  grants: readonly IsoGrant[],
  quantities: readonly Fraction[],
  kept: readonly Parts[],
): readonly Parts[] {
  let left: Fraction = ofDecimal(ISO_LIMIT);
  for (const [place, { value }] of grants.entries()) left = subtract(left, times((kept[place] ?? NEITHER).iso, value));
  let isFull = false;
  return grants.map(({ value }, place) => {
    const { iso, nso } = kept[place] ?? NEITHER;
    const open = subtract(quantities[place] ?? NOTHING, add(iso, nso));
    const fits = isFull ? NOTHING : fitting(open, value, left);
    if (compare(fits, open) < 0) isFull = true;
    left = subtract(left, times(fits, value));
    return { iso: add(iso, fits), nso: add(nso, subtract(open, fits)) };
  });
}

/**
 * What an acceleration does not change, by place: what was exercised before its day stays what it is by the count
 * without it. An exercise takes what became exercisable first, and of that the incentive options first.
 */
function keptOn(
  grants: readonly IsoGrant[],
  year: number,
  day: CalendarDate,
  kept: readonly Parts[],
): readonly Parts[] {
  const quantities = grants.map((grant) => quantityIn(grant, year, day));
  const parts = divided(grants, quantities, kept);
  return grants.map((grant, place) => {
    const [{ iso, nso }, before] = [parts[place] ?? NEITHER, kept[place] ?? NEITHER];
    const earlier = grant.years.filter((each) => each < year).map((each) => quantityIn(grant, each));
    const exercised = subtract(grant.exercisedBefore(day), earlier.reduce(add, NOTHING));
    const more = greatest(NOTHING, subtract(exercised, add(before.iso, before.nso)));
    const ofIso = least(more, subtract(iso, before.iso));
    const ofNso = least(subtract(more, ofIso), subtract(nso, before.nso));
    return { iso: add(before.iso, ofIso), nso: add(before.nso, ofNso) };
  });
}

/** Whole shares that fit into what is left of a year's limit. */
function fitting(quantity: Fraction, value: Fraction, left: Fraction): Fraction {
  if (value.n === ZERO || compare(times(quantity, value), left) <= 0) return quantity;
  return { n: floor(over(left, value)), d: 1n };
}
