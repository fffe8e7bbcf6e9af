// The $100,000 limit on incentive stock options (26 USC 422(d), 26 CFR 1.422-4): in each calendar year what first
// becomes exercisable counts by its value at the grant, grants in the order in which they were made; beyond the limit
// options are treated as non-qualified. Pure.
import type { CalendarDate } from "../../kernel/date.ts";
import { type Decimal, formatDecimal, ONE, ZERO } from "../../kernel/decimal.ts";
import {
  add,
  compare,
  type Fraction,
  floor,
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

/** An incentive grant. */
export interface IsoGrant {
  readonly securityId: string;
  /** The value of a share at the grant. */
  readonly value: Fraction;
  /** What becomes exercisable in a year, as what was cancelled before it has left it. */
  inYear(year: number): readonly Exercisable[];
  readonly years: readonly number[];
}

interface Chunk {
  readonly place: number;
  readonly date: CalendarDate;
  readonly quantity: Fraction;
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
      value: formatDecimal(toCents(times(row.quantity, row.value))),
      iso: formatDecimal(shown(row.iso)),
      nso: formatDecimal(shown(row.nso)),
    })),
    totals: { iso: sum("iso"), nso: sum("nso") },
  };
}

interface Row {
  readonly year: number;
  readonly securityId: string;
  readonly value: Fraction;
  quantity: Fraction;
  iso: Fraction;
  nso: Fraction;
}

function rowsOf(grants: readonly IsoGrant[], year: number): readonly Row[] {
  const rows = new Map<number, Row>();
  let left: Fraction = ofDecimal(ISO_LIMIT);
  let isFull = false;
  for (const { place, quantity } of inOrder(grants, year)) {
    const grant = grants[place];
    if (!grant) continue;
    const fits = isFull ? NOTHING : fitting(quantity, grant.value, left);
    if (compare(fits, quantity) < 0) isFull = true;
    left = subtract(left, times(fits, grant.value));
    const row = rows.get(place) ?? {
      year,
      securityId: grant.securityId,
      value: grant.value,
      quantity: NOTHING,
      iso: NOTHING,
      nso: NOTHING,
    };
    row.quantity = add(row.quantity, quantity);
    row.iso = add(row.iso, fits);
    row.nso = add(row.nso, subtract(quantity, fits));
    rows.set(place, row);
  }
  return [...rows].sort(([a], [b]) => a - b).map(([, row]) => row);
}

/** What becomes exercisable in a year by the grants' order; what was accelerated comes after it, by the day of that. */
function inOrder(grants: readonly IsoGrant[], year: number): readonly Chunk[] {
  const ordinary: Chunk[] = [];
  const accelerated: Chunk[] = [];
  for (const [place, grant] of grants.entries()) {
    for (const { date, quantity, isAccelerated } of grant.inYear(year)) {
      (isAccelerated ? accelerated : ordinary).push({ place, date, quantity });
    }
  }
  accelerated.sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : a.place - b.place));
  return [...merged(ordinary), ...accelerated];
}

/** One chunk a grant. */
function merged(chunks: readonly Chunk[]): readonly Chunk[] {
  const byPlace = new Map<number, Chunk>();
  for (const chunk of chunks) {
    const known = byPlace.get(chunk.place);
    byPlace.set(chunk.place, known ? { ...known, quantity: add(known.quantity, chunk.quantity) } : chunk);
  }
  return [...byPlace.values()];
}

/** Whole shares that fit into what is left of a year's limit. */
function fitting(quantity: Fraction, value: Fraction, left: Fraction): Fraction {
  if (value.n === ZERO || compare(times(quantity, value), left) <= 0) return quantity;
  return { n: floor(over(left, value)), d: 1n };
}
