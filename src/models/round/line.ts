// Lines in a round's three unknowns, of which its equations are made (equations.ts). Pure.
import { problem } from "../../kernel/problem.ts";
import { add, type Fraction, isPositive, isZero, NOTHING, over, subtract, times, WHOLE } from "../fraction.ts";

/** constant + y·Y + d·D + x·X */
export interface Line {
  readonly constant: Fraction;
  readonly y: Fraction;
  readonly d: Fraction;
  readonly x: Fraction;
}

export interface Point {
  readonly y: Fraction;
  readonly d: Fraction;
  readonly x: Fraction;
}

export const FLAT: Line = { constant: NOTHING, y: NOTHING, d: NOTHING, x: NOTHING };

/** The line at a point. Nothing is reduced: what comes of it is compared and rounded, and not computed with. */
export function at(line: Line, point: Point): Fraction {
  let { n, d } = line.constant;
  for (const name of ["y", "d", "x"] as const) {
    const [factor, value] = [line[name], point[name]];
    if (isZero(factor) || isZero(value)) continue;
    const below = factor.d * value.d;
    n = n * below + factor.n * value.n * d;
    d *= below;
  }
  return { n, d };
}

export function scaled(line: Line, by: Fraction): Line {
  return { constant: times(line.constant, by), y: times(line.y, by), d: times(line.d, by), x: times(line.x, by) };
}

export function unsolvable(detail: string): Error {
  return problem("unsolvable-model", detail);
}

/** v = a + v·own + …, solved for v. */
export function eliminated(line: Line, name: "x" | "d"): Line {
  const rest = subtract(WHOLE, line[name]);
  if (!isPositive(rest)) throw tooMuch();
  const without = { ...line, [name]: NOTHING };
  return isZero(line[name]) ? without : scaled(without, over(WHOLE, rest));
}

/** A line with another put in for one of its unknowns. */
export function substituted(line: Line, name: "x" | "d", by: Line): Line {
  const factor = line[name];
  if (isZero(factor)) return line;
  const without = { ...line, [name]: NOTHING };
  const more = scaled(by, factor);
  return {
    constant: add(without.constant, more.constant),
    y: add(without.y, more.y),
    d: add(without.d, more.d),
    x: add(without.x, more.x),
  };
}

export function tooMuch(): Error {
  return unsolvable(
    "No price solves the round: what converts, the pool and the new money ask for more than the whole company.",
  );
}
