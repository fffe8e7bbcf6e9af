// What a class that is protected against a lower price counts in a round: the most that any set of the round's issues
// makes of it. Issues are the new money and, where the class counts them, each conversion. With o its price, p its
// conversion price, n its shares and A the company of before:
//
//   weighted average   n·o·(A + Σ shares) ÷ (p·A + Σ amounts)
//   full ratchet       n·o·(shares ÷ amount) of one issue
//
// An issue raises that average where it is below it in price, and lowers it where it is above; so the best set is a
// beginning of the issues by rising price, up to the first that is no cheaper than what those before it come to. One
// that is not below the conversion price is in no set. Pure.
import { firstPlace } from "../../../kernel/text/search.ts";
import { add, compare, type Fraction, isPositive, NOTHING, over, subtract, times } from "../fraction.ts";
import type { Equations, ProtectedClass } from "./known.ts";
import { at, FLAT, type Line, type Point, scaled, sumOf } from "./line.ts";

/** What a round issues for an amount, as a line, and as a number at a point. */
interface Issue {
  /** The place of the convertible; null for new money. */
  readonly of: number | null;
  readonly amount: Fraction;
  readonly line: Line;
  readonly shares: Fraction;
}

/** The first issues by rising price. */
export type Beginning = readonly (number | null)[];

/** The issues of a round at a point of its equations, by rising price, with the sums of each beginning. */
export class Issues {
  readonly #issues: readonly Issue[];
  /** By how many are in: their amounts, their shares. */
  readonly #amounts: readonly Fraction[];
  readonly #shares: readonly Fraction[];

  /** `lines` are those of the convertibles, or nothing where conversions do not count. */
  constructor(
    { money, convertibles }: Pick<Equations, "money" | "convertibles">,
    lines: readonly Line[],
    point: Point,
  ) {
    const all = [
      { of: null, amount: money, line: { ...FLAT, y: money } },
      ...lines.map((line, of) => ({ of, amount: convertibles[of]?.amount ?? NOTHING, line })),
    ];
    this.#issues = all
      .map((issue) => ({ ...issue, shares: at(issue.line, point) }))
      .filter(({ shares, amount }) => isPositive(shares) && isPositive(amount))
      .sort((a, b) => compare(times(a.amount, b.shares), times(b.amount, a.shares)));
    this.#amounts = sums(this.#issues.map(({ amount }) => amount));
    this.#shares = sums(this.#issues.map(({ shares }) => shares));
  }

  /** The issues that make most of a class; none where no issue is below its conversion price. */
  bestFor(guarded: ProtectedClass, company: Fraction): Beginning {
    const { conversionPrice } = guarded;
    const isBelow = ({ shares, amount }: Issue) => compare(times(shares, conversionPrice), amount) > 0;
    const below = firstPlace(this.#issues.length, (place) => !this.#has(place, isBelow));
    if (guarded.method === "FULL_RATCHET") return this.#beginning(Math.min(1, below));
    const worth = times(conversionPrice, company);
    const doesRaise = (issue: Issue, place: number) =>
      place === 0 ||
      compare(
        times(issue.shares, add(worth, this.#amounts[place] ?? NOTHING)),
        times(issue.amount, add(company, this.#shares[place] ?? NOTHING)),
      ) > 0;
    return this.#beginning(firstPlace(below, (place) => !this.#has(place, doesRaise)));
  }

  #has(place: number, test: (issue: Issue, place: number) => boolean): boolean {
    const issue = this.#issues[place];
    return issue !== undefined && test(issue, place);
  }

  #beginning(count: number): Beginning {
    return this.#issues.slice(0, count).map(({ of }) => of);
  }
}

/** 0, the first, the first two, … */
function sums(values: readonly Fraction[]): readonly Fraction[] {
  const list = [NOTHING];
  for (const value of values) list.push(add(list.at(-1) ?? NOTHING, value));
  return list;
}

/** A: what a company counts before the round for the average of a class. */
export function companyFor({ method }: ProtectedClass, { stock, granted, available }: Equations): Fraction {
  const before = add(stock, granted);
  return method === "BROAD_BASED_WITH_POOL" ? add(before, available) : before;
}

/** What a class counts by a set of issues, less what it counts now. */
export function gainLine(guarded: ProtectedClass, chosen: Beginning, known: Equations, lines: readonly Line[]): Line {
  const { method, price, conversionPrice, shares, countsNow } = guarded;
  const issues = chosen.map((of) => (of === null ? { ...FLAT, y: known.money } : (lines[of] ?? FLAT)));
  const paid = chosen.map((of) => (of === null ? known.money : (known.convertibles[of]?.amount ?? NOTHING)));
  const isRatchet = method === "FULL_RATCHET";
  const company = isRatchet ? NOTHING : companyFor(guarded, known);
  const worth = paid.reduce(add, times(conversionPrice, company));
  const line = scaled(sumOf([{ ...FLAT, constant: company }, ...issues]), over(times(shares, price), worth));
  return { ...line, constant: subtract(line.constant, countsNow) };
}
