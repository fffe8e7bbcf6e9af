// What takes part in the residual, as ramps: nothing up to a price of common, then so much for each further unit of it,
// up to a price where that ends. Ramps that are always there are summed once, so that asking for their sum at a price
// is a search. Pure.
import { firstPlaceIn } from "../../../kernel/text/search.ts";
import { add, compare, type Fraction, least, NOTHING, subtract, times } from "../fraction.ts";

/** Pays `slope × (p − from)` between two prices; `to` null: without an end. */
export interface Ramp {
  readonly unit: number;
  readonly from: Fraction;
  readonly to: Fraction | null;
  readonly slope: Fraction;
}

/** What a ramp pays at a price. */
export function paidBy({ from, to, slope }: Ramp, p: Fraction): Fraction {
  if (compare(p, from) <= 0) return NOTHING;
  return times(slope, subtract(to === null ? p : least(p, to), from));
}

/** A price from which the sum of ramps grows otherwise: its slope from there on, and what it is there. */
export interface Knot {
  readonly p: Fraction;
  readonly slope: Fraction;
  readonly value: Fraction;
}

/** The sum of ramps. */
export class Ramps {
  readonly knots: readonly Knot[];

  constructor(readonly ramps: readonly Ramp[]) {
    const changes = ramps.flatMap(({ from, to, slope }) => [
      { p: from, by: slope },
      ...(to === null ? [] : [{ p: to, by: { n: -slope.n, d: slope.d } }]),
    ]);
    changes.sort((a, b) => compare(a.p, b.p));
    const knots: Knot[] = [];
    let [p, slope, value] = [NOTHING, NOTHING, NOTHING];
    for (const change of changes) {
      value = add(value, times(slope, subtract(change.p, p)));
      slope = add(slope, change.by);
      p = change.p;
      const last = knots.at(-1);
      if (last && compare(last.p, p) === 0) knots.pop();
      knots.push({ p, slope, value });
    }
    this.knots = knots;
  }

  /** Where they change together, rising. */
  get points(): readonly Fraction[] {
    return this.knots.map(({ p }) => p);
  }

  /** What they pay together about a price, from it on: `fixed + slope × p`. */
  lineAbout(p: Fraction): { readonly fixed: Fraction; readonly slope: Fraction } {
    const knot = this.#knotAt(p);
    if (!knot) return { fixed: NOTHING, slope: NOTHING };
    return { fixed: subtract(knot.value, times(knot.slope, knot.p)), slope: knot.slope };
  }

  #knotAt(p: Fraction): Knot | undefined {
    return this.knots[firstPlaceIn(this.knots, (knot) => compare(knot.p, p) > 0) - 1];
  }
}
