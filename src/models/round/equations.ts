// The equations of a round (MODELLING section 5.1), solved exactly.
//
// Known: O stock as converted, G options and warrants, E the available reserve, R shares promised, U = max(0, R − E),
// N new money, I the amount of each convertible. Unknown: y, shares for one unit of money (the price is 1/y); D, the
// pool's increase; S of each convertible, X = ΣS. With T = O + G + E + D + X + N·y:
//
//   price        W·y = T − (D, a pool made after the money) − (X, convertibles outside the price); or y = 1 ÷ price
//   pool         D = increase; or D = max(0, t·T + R − E); or D = max(0, t·T − E − options)
//   convertible  S = max( I·y ÷ (1 − discount), (I ÷ cap)·C ), percent·C, or a quantity
//                C = O + G + E + U + (D − U) + S + (X − S) + N·y, each part where its own rules count it
//   protected    its n shares count max( what they do now, n·(o/p)·(A + N·y) ÷ (A + N/p) ) in O while 1/y < p;
//                or max( now, n·o·y )
//
// C holds S itself: S = f·(C' + k·S) is S = f·C' ÷ (1 − f·k), so that each S is a line in y, D and X with slopes not
// below zero. A system of maxima of such lines has a smallest solution, and this finds it: it begins with the lowest
// line of each, solves the three linear equations, takes for each unknown the line that is highest at the solution
// where that is strictly higher, and repeats. Each step only raises lines, so every solution on the way lies at or
// below the smallest one of the whole; where no line is higher any more it is that one. Seen as a matrix, I − A has
// nothing above zero beside its diagonal, and has a solution that is nowhere negative just where its pivots are
// positive; one that is not means that no price solves it. Pure.
import { Budget } from "../budget.ts";
import type { CapitalizationRules } from "../company.ts";
import {
  add,
  compare,
  type Fraction,
  isPositive,
  NOTHING,
  over,
  reduced,
  subtract,
  times,
  total,
  WHOLE,
} from "../fraction.ts";
import type { Equations, ProtectedClass, Solution, Way } from "./known.ts";
import { at, eliminated, FLAT, type Line, type Point, scaled, substituted, tooMuch } from "./line.ts";

/** Solves the equations. Throws `409 unsolvable-model` where nothing does. */
export function solve(equations: Equations, budget = new Budget()): Solution {
  return new Solver(equations).solve(budget);
}

class Solver {
  readonly #known: Equations;
  /**
   * Which line of each convertible counts, as way and line; which protected classes are adjusted; whether the target
   * binds.
   */
  readonly #lines: Line[];
  readonly #isAdjusted: boolean[];
  #bindsTarget = false;

  constructor(known: Equations) {
    this.#known = known;
    this.#isAdjusted = known.protected.map(() => false);
    this.#lines = known.convertibles.map(({ amount, ways }) => this.#firstLine(ways[0], amount));
  }

  solve(budget: Budget): Solution {
    for (;;) {
      for (const _each of this.#known.convertibles) budget.step();
      const point = this.#point();
      if (this.#raise(point)) continue;
      if (!isPositive(point.y) || point.d.n < 0n || point.x.n < 0n) throw tooMuch();
      return this.#told(point);
    }
  }

  #firstLine(way: Way, amount: Fraction): Line {
    if (way.kind === "FIXED") return { ...FLAT, constant: way.quantity };
    if (way.kind === "PRICED") return { ...FLAT, y: over(amount, way.factor) };
    return this.#capLine(way.percent, way.rules) ?? FLAT;
  }

  /** O as a line in y. */
  #stock(): Line {
    let line: Line = { ...FLAT, constant: this.#known.stock };
    for (const [index, each] of this.#known.protected.entries()) {
      if (!this.#isAdjusted[index]) continue;
      const { constant, y } = this.#adjustedLine(each);
      line = { ...line, constant: add(line.constant, subtract(constant, each.countsNow)), y: add(line.y, y) };
    }
    return line;
  }

  #adjustedLine({ method, price, conversionPrice, shares }: ProtectedClass): Line {
    if (method === "FULL_RATCHET") return { ...FLAT, y: times(shares, price) };
    const { stock, granted, available, money } = this.#known;
    const before = add(stock, granted);
    const a = method === "BROAD_BASED_WITH_POOL" ? add(before, available) : before;
    const count = times(shares, over(price, conversionPrice));
    const share = over(count, add(a, over(money, conversionPrice)));
    return { ...FLAT, constant: times(share, a), y: times(share, money) };
  }

  /** C by some rules without the part of S itself: C = C' + k·S. */
  #capitalization(rules: CapitalizationRules): Line {
    const { granted, available, promised, money } = this.#known;
    const top = subtract(promised, available);
    const u = isPositive(top) ? top : NOTHING;
    const stock = rules.includeOutstandingShares ? this.#stock() : FLAT;
    const constants = [stock.constant];
    if (rules.includeOutstandingOptions) constants.push(granted);
    if (rules.includeOutstandingUnissuedOptions) constants.push(available);
    if (rules.includeOptionPoolTopupForPromisedOptions) constants.push(u);
    if (rules.includeAdditionalOptionPoolTopup) constants.push({ n: -u.n, d: u.d });
    return {
      constant: total(constants),
      y: rules.includeNewMoney ? add(stock.y, money) : stock.y,
      d: rules.includeAdditionalOptionPoolTopup ? WHOLE : NOTHING,
      x: rules.includeOtherConvertingSecurities ? WHOLE : NOTHING,
    };
  }

  /** S = f·C, solved for S; null where no S does. */
  #capLine(part: Fraction, rules: CapitalizationRules): Line | null {
    const own = ownPart(rules);
    if (own === 0n) return scaled(this.#capitalization(rules), part);
    const rest = subtract(WHOLE, { n: part.n * own, d: part.d });
    return isPositive(rest) ? scaled(this.#capitalization(rules), over(part, rest)) : null;
  }

  /** T as a line in y, D and X. */
  #whole(): Line {
    const { granted, available, money } = this.#known;
    const stock = this.#stock();
    return { constant: total([stock.constant, granted, available]), y: add(stock.y, money), d: WHOLE, x: WHOLE };
  }

  #increaseLine(): Line {
    const { pool } = this.#known;
    if (pool.kind === "INCREASE") return { ...FLAT, constant: pool.increase };
    return this.#bindsTarget ? this.#targetLine(pool.part, pool.measure) : FLAT;
  }

  #targetLine(part: Fraction, measure: "AVAILABLE" | "GRANTED_AND_AVAILABLE"): Line {
    const { promised, available, options } = this.#known;
    const less = measure === "AVAILABLE" ? subtract(promised, available) : subtract(NOTHING, add(available, options));
    const line = scaled(this.#whole(), part);
    return { ...line, constant: add(line.constant, less) };
  }

  /** Solves the three linear equations by elimination, X first, then D, then y. */
  #point(): Point {
    const sum = {
      constant: total(this.#lines.map(({ constant }) => constant)),
      y: total(this.#lines.map(({ y }) => y)),
      d: total(this.#lines.map(({ d }) => d)),
      x: total(this.#lines.map(({ x }) => x)),
    };
    const lineOfX = eliminated(sum, "x");
    const lineOfD = eliminated(substituted(this.#increaseLine(), "x", lineOfX), "d");
    const y = this.#y(lineOfX, lineOfD);
    const d = reduced(at(lineOfD, { y, d: NOTHING, x: NOTHING }));
    const x = reduced(at(lineOfX, { y, d, x: NOTHING }));
    return { y, d, x };
  }

  #y(lineOfX: Line, lineOfD: Line): Fraction {
    const { price } = this.#known;
    if (price.kind === "GIVEN") return over(WHOLE, price.price);
    const whole = this.#whole();
    const counted = {
      ...whole,
      d: price.countsIncrease ? WHOLE : NOTHING,
      x: price.countsConvertibles ? WHOLE : NOTHING,
    };
    const { constant, y } = substituted(substituted(counted, "x", lineOfX), "d", lineOfD);
    const slope = subtract(price.worth, y);
    if (!isPositive(slope)) throw tooMuch();
    return over(constant, slope);
  }

  /** Takes the highest line wherever one is strictly higher; whether there was one. */
  #raise(point: Point): boolean {
    let isRaised = false;
    const { convertibles, pool } = this.#known;
    // Lines that hold O change with it, so that what is adjusted comes first, and alone in its step.
    for (const [index, each] of this.#known.protected.entries()) {
      if (this.#isAdjusted[index] || compare(times(point.y, each.conversionPrice), WHOLE) <= 0) continue;
      if (compare(at(this.#adjustedLine(each), point), each.countsNow) <= 0) continue;
      this.#isAdjusted[index] = true;
      isRaised = true;
    }
    if (isRaised) this.#refresh();
    if (
      pool.kind === "TARGET" &&
      !this.#bindsTarget &&
      isPositive(at(this.#targetLine(pool.part, pool.measure), point))
    ) {
      this.#bindsTarget = true;
      isRaised = true;
    }
    for (const [index, { amount, ways }] of convertibles.entries()) {
      if (this.#raiseOne(index, linesOf(ways, amount), point)) isRaised = true;
    }
    return isRaised;
  }

  #chosen = new Map<number, { readonly part: Fraction; readonly rules: CapitalizationRules }>();

  /** Writes the lines that look at a capitalization anew, after O has changed. */
  #refresh(): void {
    for (const [index, { ways }] of this.#known.convertibles.entries()) {
      const chosen = this.#chosen.get(index) ?? percentOf(ways[0]);
      if (chosen) this.#lines[index] = this.#capLine(chosen.part, chosen.rules) ?? FLAT;
    }
  }

  #raiseOne(index: number, lines: readonly Choice[], point: Point): boolean {
    let highest = at(this.#lines[index] ?? FLAT, point);
    let best: Choice | null = null;
    for (const choice of lines) {
      const value = this.#valueOf(choice, point);
      if (value !== null && compare(value, highest) <= 0) continue;
      if (value === null && !this.#wouldRise(choice, point, highest)) continue;
      if (value === null) throw tooMuch();
      [best, highest] = [choice, value];
    }
    if (best === null) return false;
    this.#lines[index] = this.#lineOf(best) ?? FLAT;
    if (best.kind === "PART") this.#chosen.set(index, best);
    else this.#chosen.delete(index);
    return true;
  }

  #lineOf(choice: Choice): Line | null {
    return choice.kind === "LINE" ? choice.line : this.#capLine(choice.part, choice.rules);
  }

  #valueOf(choice: Choice, point: Point): Fraction | null {
    const line = this.#lineOf(choice);
    return line && at(line, point);
  }

  /** Whether f·(C' + k·S) is above S where no S solves it. */
  #wouldRise(choice: Choice, point: Point, shares: Fraction): boolean {
    if (choice.kind === "LINE") return false;
    const others = at(this.#capitalization(choice.rules), point);
    const whole = add(others, { n: shares.n * ownPart(choice.rules), d: shares.d });
    return compare(times(choice.part, whole), shares) > 0;
  }

  #told(point: Point): Solution {
    const convertibles = this.#known.convertibles.map(({ amount, ways }, index) => {
      const shares = at(this.#lines[index] ?? FLAT, point);
      // Of the ways that give as many shares the first counts: its own, then the earliest.
      const way = Math.max(
        0,
        ways.findIndex((each) =>
          linesOf([each], amount).some((choice) => {
            const value = this.#valueOf(choice, point);
            return value !== null && compare(value, shares) >= 0;
          }),
        ),
      );
      const chosen = ways[way];
      const looks = chosen && chosen.kind !== "FIXED" && (chosen.kind === "PERCENT" || chosen.cap !== null);
      const capitalization = looks
        ? add(at(this.#capitalization(chosen.rules), point), { n: shares.n * ownPart(chosen.rules), d: shares.d })
        : null;
      return { shares, way, capitalization };
    });
    return { y: point.y, increase: point.d, convertibles, adjusted: this.#isAdjusted };
  }
}

type Choice =
  | { readonly kind: "LINE"; readonly line: Line }
  | { readonly kind: "PART"; readonly part: Fraction; readonly rules: CapitalizationRules };

function percentOf(way: Way): { part: Fraction; rules: CapitalizationRules } | null {
  return way.kind === "PERCENT" ? { part: way.percent, rules: way.rules } : null;
}

function linesOf(ways: readonly Way[], amount: Fraction): readonly Choice[] {
  return ways.flatMap((way): readonly Choice[] => {
    if (way.kind === "FIXED") return [{ kind: "LINE", line: { ...FLAT, constant: way.quantity } }];
    if (way.kind === "PERCENT") return [{ kind: "PART", part: way.percent, rules: way.rules }];
    const line: Choice = { kind: "LINE", line: { ...FLAT, y: over(amount, way.factor) } };
    return way.cap === null ? [line] : [line, { kind: "PART", part: over(amount, way.cap), rules: way.rules }];
  });
}

/** How often S itself is in its capitalization: once as itself, less once where the others are X − S. */
function ownPart(rules: CapitalizationRules): bigint {
  return (rules.includeThisSecurity ? 1n : 0n) - (rules.includeOtherConvertingSecurities ? 1n : 0n);
}
