// A round once more, from the rules alone: every choice of lines is put in turn, its linear system solved whole, and of
// the choices of which every maximum holds the one with the smallest solution is the answer. Where there are too many
// choices it is looked for from below. What protected classes count is tried with every set of a round's issues. Of
// src/models it knows the shapes of a company and a body.
import type {
  CapitalizationRules,
  Company,
  ConvertibleHeld,
  ModelClass,
} from "../../../../src/views/models/model-company.ts";
import type { RoundBody } from "../../../../src/views/models/round/round-body.ts";
import { most, ONE, Q, q, read, sum, ZERO } from "./rational.ts";

/** constant + y·price part + D·pool part + ΣS_i, each by its coefficient. */
interface Line {
  readonly constant: Q;
  readonly y: Q;
  readonly d: Q;
  readonly s: readonly Q[];
  readonly stock: readonly Q[];
}

/** What a round comes to. */
export interface SecondRound {
  /** Shares for one unit of money. */
  readonly y: Q;
  readonly increase: Q;
  readonly shares: readonly Q[];
}

const PERCENT = new Q(100n);
/** More choices than these are not all tried. */
const CHOICES_MAX = 600;

export function countOf(quantity: bigint, row: ModelClass | undefined): Q {
  if (row?.classType !== "PREFERRED") return q(quantity);
  const ratio = q(row.ratio.numerator).over(q(row.ratio.denominator));
  const exact = q(quantity).times(ratio);
  if (ratio.is(ONE)) return exact;
  if (row.rounding === "CEILING") return new Q(exact.ceiling());
  return new Q((row.rounding === "NORMAL" ? exact.plus(new Q(1n, 2n)) : exact).floor());
}

class Equations {
  readonly #classes: ReadonlyMap<string, ModelClass>;
  readonly converting: readonly ConvertibleHeld[];
  readonly money: Q;
  readonly #o: Q;
  readonly #g: Q;
  readonly #e: Q;
  readonly #options: Q;
  readonly #promised: Q;
  readonly guarded: readonly { readonly row: ModelClass; readonly p: Q; readonly count: Q; readonly now: Q }[];

  constructor(
    readonly company: Company,
    readonly body: RoundBody,
  ) {
    this.#classes = new Map(company.classes.map((row) => [row.key, row]));
    const counts = (type: "STOCK" | "WARRANT") =>
      sum(
        company.held.map((held) => (held.type === type ? countOf(held.quantity, this.#classOf(held.classKey)) : ZERO)),
      );
    this.#o = counts("STOCK");
    this.#options = sum(company.held.map((held) => (held.type === "STOCK_OPTION" ? q(held.quantity) : ZERO)));
    this.#g = this.#options.plus(counts("WARRANT"));
    this.#e = sum(company.plans.map(({ available }) => (available > 0n ? q(available) : ZERO)));
    this.#promised = read(body.pool?.promised ?? "0");
    const given = sum(body.investors.map(({ amount }) => read(amount)));
    const onTop = body.proRata?.mode === "ON_TOP" ? (body.proRata.participants ?? []) : [];
    const part = sum(onTop.map(({ percent }) => read(percent ?? "0").over(PERCENT)));
    this.money = part.is(ZERO) ? given : given.over(ONE.minus(part)).round(2);
    this.converting = company.held.filter((held): held is ConvertibleHeld => {
      if (held.type !== "CONVERTIBLE" || held.terms.mechanism.type === "CUSTOM") return false;
      const { minimumProceeds } = held.terms;
      return minimumProceeds === null || !q(minimumProceeds).above(this.money);
    });
    this.guarded = company.classes.flatMap((row) => {
      if (row.classType !== "PREFERRED" || row.antiDilution === "NONE" || row.price === null) return [];
      const own = company.held.flatMap((held) => (held.type === "STOCK" && held.classKey === row.key ? [held] : []));
      const p =
        row.rightPrice === null
          ? q(row.price).times(q(row.ratio.denominator)).over(q(row.ratio.numerator))
          : q(row.rightPrice);
      const count = sum(own.map(({ quantity }) => q(quantity)));
      const now = sum(own.map(({ quantity }) => countOf(quantity, row)));
      return count.above(ZERO) ? [{ row, p, count, now }] : [];
    });
  }

  #classOf(key: string | null): ModelClass | undefined {
    return key === null ? undefined : this.#classes.get(key);
  }

  line(
    members: Partial<Omit<Line, "s" | "stock">> & { readonly s?: readonly number[]; readonly stock?: boolean } = {},
  ): Line {
    const { constant = ZERO, y = ZERO, d = ZERO, s = [], stock = false } = members;
    return {
      ...{ constant: stock ? constant.plus(this.#o) : constant, y, d },
      s: this.converting.map((_each, index) => (s.includes(index) ? ONE : ZERO)),
      stock: this.guarded.map(() => (stock ? ONE : ZERO)),
    };
  }

  scaled(line: Line, by: Q): Line {
    const all = (values: readonly Q[]) => values.map((value) => value.times(by));
    const { constant, y, d, s, stock } = line;
    return { constant: constant.times(by), y: y.times(by), d: d.times(by), s: all(s), stock: all(stock) };
  }

  plus(a: Line, b: Line): Line {
    const both = (one: readonly Q[], other: readonly Q[]) =>
      one.map((value, index) => value.plus(other[index] ?? ZERO));
    return {
      ...{ constant: a.constant.plus(b.constant), y: a.y.plus(b.y), d: a.d.plus(b.d) },
      ...{ s: both(a.s, b.s), stock: both(a.stock, b.stock) },
    };
  }

  #everybody = () => this.converting.map((_each, index) => index);

  /** T, all shares after the round. */
  total(): Line {
    const constant = this.#g.plus(this.#e);
    return this.line({ constant, y: this.money, d: ONE, s: this.#everybody(), stock: true });
  }

  #capitalization(rules: CapitalizationRules, own: number): Line {
    const top = most(ZERO, this.#promised.minus(this.#e));
    const constant = sum([
      rules.includeOutstandingOptions ? this.#g : ZERO,
      rules.includeOutstandingUnissuedOptions ? this.#e : ZERO,
      rules.includeOptionPoolTopupForPromisedOptions ? top : ZERO,
      rules.includeAdditionalOptionPoolTopup ? ZERO.minus(top) : ZERO,
    ]);
    const others = this.#everybody().filter((index) => index !== own);
    const s = [...(rules.includeThisSecurity ? [own] : []), ...(rules.includeOtherConvertingSecurities ? others : [])];
    const d = rules.includeAdditionalOptionPoolTopup ? ONE : ZERO;
    const y = rules.includeNewMoney ? this.money : ZERO;
    return this.line({ constant, y, d, s, stock: rules.includeOutstandingShares });
  }

  /** The lines of which a convertible's shares are the largest. */
  linesOf(place: number): readonly Line[] {
    const held = this.converting[place];
    if (!held) return [];
    const own = this.#linesBy(held, held, place);
    const { mechanism } = held.terms;
    if (mechanism.type !== "SAFE" || !mechanism.isMfn) return own;
    const all = this.company.held.filter((each): each is ConvertibleHeld => each.type === "CONVERTIBLE");
    const later = all.filter((each, index) => {
      const other = each.terms.mechanism;
      const isLater =
        each.grantDate > held.grantDate || (each.grantDate === held.grantDate && index > all.indexOf(held));
      return isLater && other.type === "SAFE" && !other.isMfn;
    });
    return [...own, ...later.flatMap((each) => this.#linesBy(held, each, place))];
  }

  #linesBy(held: ConvertibleHeld, adopted: ConvertibleHeld, place: number): readonly Line[] {
    const { mechanism } = adopted.terms;
    const amount = q(held.quantity);
    if (mechanism.type === "CUSTOM") return [];
    if (mechanism.type === "FIXED") return [this.line({ constant: q(mechanism.quantity) })];
    if (mechanism.type === "PERCENT") {
      return [this.scaled(this.#capitalization(mechanism.rules, place), q(mechanism.percent).over(PERCENT))];
    }
    const left = ONE.minus(q(mechanism.discountPercent).over(PERCENT));
    const byPrice = this.line({ y: amount.over(left) });
    if (mechanism.cap === null) return [byPrice];
    return [byPrice, this.scaled(this.#capitalization(mechanism.rules, place), amount.over(q(mechanism.cap)))];
  }

  /** The lines of which the increase of the pool is the largest. */
  poolLines(): readonly Line[] {
    const { pool } = this.body;
    if (!pool?.targetPercent) return [this.line({ constant: read(pool?.increase ?? "0") })];
    const target = this.scaled(this.total(), read(pool.targetPercent).over(PERCENT));
    const held = pool.measure === "GRANTED_AND_AVAILABLE" ? ZERO.minus(this.#options) : this.#promised;
    return [this.line(), this.plus(target, this.line({ constant: held.minus(this.#e) }))];
  }

  /**
   * What a protected class counts more than now: by no issue, and by each set of the new money (−1) and of what converts.
   * Each with what must be: that every issue of the set is sold below the conversion price.
   */
  guardLines(place: number): readonly { readonly line: Line; readonly below: readonly Line[] }[] {
    const each = this.guarded[place];
    const none = { line: this.line(), below: [] };
    if (!each) return [none];
    const { row, p, count, now } = each;
    const converts = row.antiDilutionCounts === "NEW_MONEY_ONLY" ? [] : this.#everybody();
    const sets = subsets([-1, ...converts]).filter((set) => set.length > 0);
    const isRatchet = row.antiDilution === "FULL_RATCHET";
    const a = isRatchet ? ZERO : sum([this.#o, this.#g, row.antiDilution === "BROAD_BASED_WITH_POOL" ? this.#e : ZERO]);
    const issued = (index: number) => (index < 0 ? this.line({ y: this.money }) : this.line({ s: [index] }));
    const paid = (index: number) => (index < 0 ? this.money : q(this.converting[index]?.quantity ?? 0n));
    return [
      none,
      ...sets
        .filter((set) => !isRatchet || set.length === 1)
        .map((set) => {
          const shares = set.map(issued).reduce((line, other) => this.plus(line, other), this.line({ constant: a }));
          const factor = count.times(q(row.price ?? 0n)).over(sum([p.times(a), ...set.map(paid)]));
          const below = set.map((index) =>
            this.plus(this.scaled(issued(index), p), this.line({ constant: ZERO.minus(paid(index)) })),
          );
          return { line: this.plus(this.scaled(shares, factor), this.line({ constant: ZERO.minus(now) })), below };
        }),
    ];
  }

  /** 0 = this: the price. */
  price(): Line {
    const { kind, amount, convertibles } = this.body.valuation;
    if (kind === "PRICE") return this.line({ constant: ONE.over(read(amount)), y: ONE.minus(ONE).minus(ONE) });
    const isPre = kind === "PRE_MONEY";
    const invested = sum(this.converting.map(({ quantity }) => q(quantity)));
    const worth = sum([read(amount), isPre ? this.money : ZERO, convertibles === "ADDED_AT_COST" ? invested : ZERO]);
    const minus = new Q(-1n);
    const outside = [
      this.line({ y: worth.times(minus) }),
      ...(this.body.pool?.position === "POST_MONEY" ? [this.line({ d: minus })] : []),
      ...(convertibles === "EXCLUDED" ? [this.scaled(this.line({ s: this.#everybody() }), minus)] : []),
    ];
    return outside.reduce((line, each) => this.plus(line, each), this.total());
  }
}

/** One of the lines that an unknown is the largest of; it counts where each of `below` is above 0. */
interface Choice {
  readonly line: Line;
  readonly below: readonly Line[];
}

/** The answer; null where no choice has one. Few choices are all tried; of many the largest lines are sought in turn. */
export function secondRound(company: Company, body: RoundBody): SecondRound | null {
  const equations = new Equations(company, body);
  const plain = (lines: readonly Line[]): readonly Choice[] => lines.map((line) => ({ line, below: [] }));
  const choices: readonly (readonly Choice[])[] = [
    plain(equations.poolLines()),
    ...equations.converting.map((_each, index) => plain(equations.linesOf(index))),
    ...equations.guarded.map((_each, index) => equations.guardLines(index)),
  ];
  const count = choices.reduce((all, lines) => all * lines.length, 1);
  const solution = count > CHOICES_MAX ? bySteps(equations, choices) : byTrying(equations, choices);
  if (solution === null) return null;
  const [y = ZERO, increase = ZERO, ...rest] = solution;
  return { y, increase, shares: rest.slice(0, equations.converting.length) };
}

const isPossible = (solution: readonly Q[] | null): solution is readonly Q[] =>
  solution !== null && (solution[0] ?? ZERO).above(ZERO) && !solution.some((value) => ZERO.above(value));
const counts = ({ below }: Choice, point: readonly Q[]) => below.every((line) => at(line, point).above(ZERO));
const pointOf = (equations: Equations, chosen: readonly Choice[]) =>
  solved(
    equations.price(),
    chosen.map(({ line }) => line),
  );

/** Of all choices whose maxima hold the one with the smallest solution. */
function byTrying(equations: Equations, choices: readonly (readonly Choice[])[]): readonly Q[] | null {
  let best: readonly Q[] | null = null;
  for (const chosen of product(choices)) {
    const solution = pointOf(equations, chosen);
    if (!isPossible(solution)) continue;
    const holds = choices.every((lines, index) => {
      const value = solution[index + 1] ?? ZERO;
      const own = chosen[index];
      const highest = lines.filter((line) => counts(line, solution)).map(({ line }) => at(line, solution));
      return own !== undefined && counts(own, solution) && highest.every((line) => !line.above(value));
    });
    const isLess = best === null || (best[0] ?? ZERO).above(solution[0] ?? ZERO);
    if (holds && isLess) best = solution;
  }
  return best;
}

/** From the first line of each, whatever is higher at a solution is put in its place, until nothing is. */
function bySteps(equations: Equations, choices: readonly (readonly Choice[])[]): readonly Q[] | null {
  let chosen = choices.map(([first]) => first as Choice);
  for (;;) {
    const solution = pointOf(equations, chosen);
    if (!isPossible(solution)) return null;
    let isRaised = false;
    chosen = chosen.map((own, index) => {
      let [best, highest] = [own, solution[index + 1] ?? ZERO];
      for (const choice of choices[index] ?? []) {
        const value = at(choice.line, solution);
        if (!counts(choice, solution) || !value.above(highest)) continue;
        [best, highest, isRaised] = [choice, value, true];
      }
      return best;
    });
    if (!isRaised) return solution;
  }
}

function subsets(all: readonly number[]): readonly (readonly number[])[] {
  const [first, ...others] = all;
  if (first === undefined) return [[]];
  const rest = subsets(others);
  return [...rest, ...rest.map((set) => [first, ...set])];
}

const coefficients = ({ y, d, s, stock }: Line): readonly Q[] => [y, d, ...s, ...stock];
const at = (line: Line, point: readonly Q[]) =>
  sum([line.constant, ...coefficients(line).map((each, index) => each.times(point[index] ?? ZERO))]);

function* product<T>(lists: readonly (readonly T[])[]): Generator<readonly T[]> {
  const [first, ...others] = lists;
  if (first === undefined) yield [];
  else for (const each of first) for (const rest of product(others)) yield [each, ...rest];
}

/** The point at which the price's line is 0 and each other unknown is its line; null for no such point, or many. */
function solved(price: Line, lines: readonly Line[]): readonly Q[] | null {
  const rows = [price, ...lines].map((line, index) => {
    const left = coefficients(line).map((each, column) => (index > 0 && column === index ? each.minus(ONE) : each));
    return [...left, ZERO.minus(line.constant)];
  });
  const count = rows.length;
  for (let column = 0; column < count; column += 1) {
    const pivot = rows.findIndex((row, index) => index >= column && !(row[column] ?? ZERO).is(ZERO));
    if (pivot < 0) return null;
    [rows[column], rows[pivot]] = [rows[pivot] ?? [], rows[column] ?? []];
    const top = rows[column] ?? [];
    const lead = top[column] ?? ONE;
    rows[column] = top.map((value) => value.over(lead));
    for (const [index, row] of rows.entries()) {
      const factor = row[column] ?? ZERO;
      if (index === column || factor.is(ZERO)) continue;
      rows[index] = row.map((value, place) => value.minus(factor.times(rows[column]?.[place] ?? ZERO)));
    }
  }
  return rows.map((row) => row[count] ?? ZERO);
}
