// Lines in a round's four unknowns, of which its equations are made (equations.ts). Pure.
import { problem } from "../../../kernel/problem.ts";
import { add, type Fraction, isPositive, isZero, NOTHING, over, subtract, times, total, WHOLE } from "../fraction.ts";

/** constant + y·Y + d·D + x·X + o·O */
export interface Line {
  readonly constant: Fraction;
  readonly y: Fraction;
  readonly d: Fraction;
  readonly x: Fraction;
  readonly o: Fraction;
}

export interface Point {
  readonly y: Fraction;
  readonly d: Fraction;
  readonly x: Fraction;
  readonly o: Fraction;
}

const MEMBERS = ["constant", "y", "d", "x", "o"] as const;

export const FLAT: Line = { constant: NOTHING, y: NOTHING, d: NOTHING, x: NOTHING, o: NOTHING };

/** A line whose members are made one by one. */
function lineOf(make: (name: (typeof MEMBERS)[number]) => Fraction): Line {
  return { constant: make("constant"), y: make("y"), d: make("d"), x: make("x"), o: make("o") };
}

/** The sum of lines. */
export function sumOf(lines: readonly Line[]): Line {
  return lineOf((name) => total(lines.map((line) => line[name])));
}

/** The line at a point. Nothing is reduced: what comes of it is compared and rounded, and not computed with. */
export function at(line: Line, point: Point): Fraction {
  let { n, d } = line.constant;
  for (const name of ["y", "d", "x", "o"] as const) {
    const [factor, value] = [line[name], point[name]];
    if (isZero(factor) || isZero(value)) continue;
    const below = factor.d * value.d;
    n = n * below + factor.n * value.n * d;
    d *= below;
  }
  return { n, d };
}

export function scaled(line: Line, by: Fraction): Line {
  return lineOf((name) => (isZero(line[name]) ? NOTHING : times(line[name], by)));
}

export function unsolvable(detail: string): Error {
  return problem("unsolvable-model", detail);
}

/** v = a + v·own + …, solved for v. */
export function eliminated(line: Line, name: "o" | "x" | "d"): Line {
  const rest = subtract(WHOLE, line[name]);
  if (!isPositive(rest)) throw tooMuch();
  const without = { ...line, [name]: NOTHING };
  return isZero(line[name]) ? without : scaled(without, over(WHOLE, rest));
}

/** A line with another put in for one of its unknowns. */
export function substituted(line: Line, name: "o" | "x" | "d", by: Line): Line {
  const factor = line[name];
  if (isZero(factor)) return line;
  const without: Line = { ...line, [name]: NOTHING };
  const more = scaled(by, factor);
  return lineOf((each) => add(without[each], more[each]));
}

export function tooMuch(): Error {
  return unsolvable(
    "No price solves the round: what converts, the pool and the new money ask for more than the whole company.",
  );
}
