// The equations of a round, solved exactly.
//
// Known: B stock as converted before, G options and warrants, E the available reserve, R shares promised,
// U = max(0, R − E), N new money, I the amount of each convertible. Unknown: y, shares for one unit of money (the price
// is 1/y); D, the pool's increase; S of each convertible, X = ΣS; O, stock as converted when what is protected has been
// adjusted. With T = O + G + E + D + X + N·y:
//
//   price        W·y = T − (D, a pool made after the money) − (X, convertibles outside the price); or y = 1 ÷ price
//   pool         D = increase; or D = max(0, t·T + R − E); or D = max(0, t·T − E − options)
//   convertible  S = max( I·y ÷ (1 − discount), (I ÷ cap)·C ), percent·C, or a quantity
//                C = O + G + E + U + (D − U) + S + (X − S) + N·y, each part where its own rules count it
//   stock        O = B + Σ of each protected class max( 0, what the round's issues make of it − what it counts now ),
//                which are lines in N·y and the S of those issues (protection.ts)
//
// C holds S itself: S = f·(C' + k·S) is S = f·C' ÷ (1 − f·k), so that each S is a line in y, D, X and O with slopes not
// below zero. A system of maxima of such lines has a smallest solution, and this finds it: it begins with the lowest
// line of each, solves the four linear equations, takes for each unknown the line that is highest at the solution
// where that is strictly higher, and repeats. Each step only raises lines, so every solution on the way lies at or
// below the smallest one of the whole; where no line is higher any more it is that one. Seen as a matrix, I − A has
// nothing above zero beside its diagonal, and has a solution that is nowhere negative just where its pivots are
// positive; one that is not means that no price solves it. Pure.
import { Budget } from "../budget.ts";
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
import type { CapitalizationRules } from "../model-company.ts";
import type { Equations, Solution, Way } from "./known.ts";
import { at, eliminated, FLAT, type Line, type Point, scaled, substituted, sumOf, tooMuch } from "./line.ts";
import { type Beginning, companyFor, gainLine, Issues } from "./protection.ts";

/** Solves the equations. Throws `409 unsolvable-model` where nothing does. */
export function solve(equations: Equations, budget = new Budget()): Solution {
  return new Solver(equations).solve(budget);
}

class Solver {
  readonly #known: Equations;
  /** Which line of each convertible counts; which issues adjust each protected class; whether the target binds. */
  readonly #lines: Line[];
  readonly #adjusting: Beginning[];
  #bindsTarget = false;

  constructor(known: Equations) {
    this.#known = known;
    this.#adjusting = known.protected.map(() => []);
    this.#lines = known.convertibles.map(({ amount, ways }) => this.#firstLine(ways[0], amount));
  }

  solve(budget: Budget): Solution {
    for (;;) {
      for (const _each of this.#known.convertibles) budget.step();
      const point = this.#point();
      if (this.#raise(point)) continue;
      if (!isPositive(point.y) || point.d.n < 0n || point.x.n < 0n || point.o.n < 0n) throw tooMuch();
      return this.#told(point);
    }
  }

  #firstLine(way: Way, amount: Fraction): Line {
    if (way.kind === "FIXED") return { ...FLAT, constant: way.quantity };
    if (way.kind === "PRICED") return { ...FLAT, y: over(amount, way.factor) };
    return this.#capLine(way.percent, way.rules) ?? FLAT;
  }

  /** O by what adjusts each class. */
  #stockLine(): Line {
    const { stock, protected: classes } = this.#known;
    const gains = classes.flatMap((each, index) => {
      const chosen = this.#adjusting[index] ?? [];
      return chosen.length === 0 ? [] : [gainLine(each, chosen, this.#known, this.#lines)];
    });
    return sumOf([{ ...FLAT, constant: stock }, ...gains]);
  }

  /** C by some rules without the part of S itself: C = C' + k·S. */
  #capitalization(rules: CapitalizationRules): Line {
    const { granted, available, promised, money } = this.#known;
    const top = subtract(promised, available);
    const u = isPositive(top) ? top : NOTHING;
    const constants: Fraction[] = [];
    if (rules.includeOutstandingOptions) constants.push(granted);
    if (rules.includeOutstandingUnissuedOptions) constants.push(available);
    if (rules.includeOptionPoolTopupForPromisedOptions) constants.push(u);
    if (rules.includeAdditionalOptionPoolTopup) constants.push({ n: -u.n, d: u.d });
    return {
      constant: total(constants),
      y: rules.includeNewMoney ? money : NOTHING,
      d: rules.includeAdditionalOptionPoolTopup ? WHOLE : NOTHING,
      x: rules.includeOtherConvertingSecurities ? WHOLE : NOTHING,
      o: rules.includeOutstandingShares ? WHOLE : NOTHING,
    };
  }

  /** S = f·C, solved for S; null where no S does. */
  #capLine(part: Fraction, rules: CapitalizationRules): Line | null {
    const own = ownPart(rules);
    if (own === 0n) return scaled(this.#capitalization(rules), part);
    const rest = subtract(WHOLE, { n: part.n * own, d: part.d });
    return isPositive(rest) ? scaled(this.#capitalization(rules), over(part, rest)) : null;
  }

  /** T. */
  #whole(): Line {
    const { granted, available, money } = this.#known;
    return { constant: add(granted, available), y: money, d: WHOLE, x: WHOLE, o: WHOLE };
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

  /** Solves the four linear equations by elimination, O first, then X, D and y. */
  #point(): Point {
    const lineOfO = eliminated(this.#stockLine(), "o");
    const lineOfX = eliminated(substituted(sumOf(this.#lines), "o", lineOfO), "x");
    const withoutX = (line: Line) => substituted(substituted(line, "o", lineOfO), "x", lineOfX);
    const lineOfD = eliminated(withoutX(this.#increaseLine()), "d");
    const y = this.#y((line) => substituted(withoutX(line), "d", lineOfD));
    const d = reduced(at(lineOfD, { y, d: NOTHING, x: NOTHING, o: NOTHING }));
    const x = reduced(at(lineOfX, { y, d, x: NOTHING, o: NOTHING }));
    const o = reduced(at(lineOfO, { y, d, x, o: NOTHING }));
    return { y, d, x, o };
  }

  #y(inY: (line: Line) => Line): Fraction {
    const { price } = this.#known;
    if (price.kind === "GIVEN") return over(WHOLE, price.price);
    const { constant, y } = inY({
      ...this.#whole(),
      d: price.countsIncrease ? WHOLE : NOTHING,
      x: price.countsConvertibles ? WHOLE : NOTHING,
    });
    const slope = subtract(price.worth, y);
    if (!isPositive(slope)) throw tooMuch();
    return over(constant, slope);
  }

  /** Takes the highest line wherever one is strictly higher; whether there was one. */
  #raise(point: Point): boolean {
    let isRaised = false;
    const { convertibles, pool } = this.#known;
    for (const [index, chosen] of this.#adjustments(point)) {
      this.#adjusting[index] = chosen;
      isRaised = true;
    }
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

  /** The protected classes of which other issues make more than those that adjust them, with those. */
  #adjustments(point: Point): readonly (readonly [number, Beginning])[] {
    const known = this.#known;
    if (known.protected.length === 0) return [];
    const [money, all] = [new Issues(known, [], point), new Issues(known, this.#lines, point)];
    return known.protected.flatMap((each, index) => {
      const best = (each.countsConversions ? all : money).bestFor(each, companyFor(each, known));
      if (best.length === 0) return [];
      const gain = (chosen: Beginning) => at(gainLine(each, chosen, known, this.#lines), point);
      const now = this.#adjusting[index] ?? [];
      return compare(gain(best), now.length === 0 ? NOTHING : gain(now)) > 0 ? [[index, best] as const] : [];
    });
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
    return { y: point.y, increase: point.d, convertibles, adjusted: this.#adjusting.map(({ length }) => length > 0) };
  }
}

type Choice =
  | { readonly kind: "LINE"; readonly line: Line }
  | { readonly kind: "PART"; readonly part: Fraction; readonly rules: CapitalizationRules };

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
