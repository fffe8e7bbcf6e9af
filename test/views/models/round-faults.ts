// What must hold of every round, said as faults: an empty list where all of it does. The equations are put in again by
// themselves, from the round's known figures and its solution.
import { parseDecimal } from "../../../src/kernel/numbers/decimal.ts";
import {
  add,
  compare,
  type Fraction,
  greatest,
  isPositive,
  NOTHING,
  over,
  subtract,
  times,
  total,
} from "../../../src/views/models/fraction.ts";
import type { CapitalizationRules } from "../../../src/views/models/model-company.ts";
import type { tellRound } from "../../../src/views/models/round/answer.ts";
import type { Equations, Solution, Way } from "../../../src/views/models/round/known.ts";
import type { RoundOutcome } from "../../../src/views/models/round/round.ts";

export type Told = ReturnType<typeof tellRound>;

interface Point {
  readonly y: Fraction;
  readonly increase: Fraction;
  readonly shares: readonly Fraction[];
}

interface Issued {
  readonly amount: Fraction;
  readonly shares: Fraction;
}

/** What a round issues to adjust a class, of what is below its conversion price. */
function issuesFor(
  { countsConversions, conversionPrice }: Equations["protected"][number],
  { money, convertibles }: Equations,
  { y, shares }: Point,
): readonly Issued[] {
  const converted = convertibles.map(({ amount }, index) => ({ amount, shares: shares[index] ?? NOTHING }));
  return [{ amount: money, shares: times(money, y) }, ...(countsConversions ? converted : [])].filter(
    (issue) => compare(times(issue.shares, conversionPrice), issue.amount) > 0,
  );
}

/** Every set of them, the empty one out. */
function setsOf(issues: readonly Issued[]): readonly (readonly Issued[])[] {
  const [first, ...others] = issues;
  if (!first) return [];
  const rest = setsOf(others);
  return [[first], ...rest, ...rest.map((set) => [first, ...set])];
}

/** The most that a class counts by any set of issues, or what it counts now. */
function countAt(known: Equations, guarded: Equations["protected"][number], point: Point): Fraction {
  const { method, price, conversionPrice, shares, countsNow } = guarded;
  const a = total([known.stock, known.granted, ...(method === "BROAD_BASED_WITH_POOL" ? [known.available] : [])]);
  const issues = issuesFor(guarded, known, point);
  const counts =
    method === "FULL_RATCHET"
      ? issues.map((issue) => times(times(shares, price), over(issue.shares, issue.amount)))
      : setsOf(issues).map((set) => {
          const sold = total([a, ...set.map((issue) => issue.shares)]);
          const worth = total([times(conversionPrice, a), ...set.map(({ amount }) => amount)]);
          return times(times(shares, price), over(sold, worth));
        });
  return counts.reduce(greatest, countsNow);
}

function stockAt(known: Equations, point: Point): Fraction {
  return known.protected.reduce(
    (sum, guarded) => add(sum, subtract(countAt(known, guarded, point), guarded.countsNow)),
    known.stock,
  );
}

function capitalizationAt(
  known: Equations,
  rules: CapitalizationRules,
  point: Point,
  stock: Fraction,
  own: Fraction,
): Fraction {
  const top = greatest(NOTHING, subtract(known.promised, known.available));
  return total([
    rules.includeOutstandingShares ? stock : NOTHING,
    rules.includeOutstandingOptions ? known.granted : NOTHING,
    rules.includeOutstandingUnissuedOptions ? known.available : NOTHING,
    rules.includeOptionPoolTopupForPromisedOptions ? top : NOTHING,
    rules.includeAdditionalOptionPoolTopup ? subtract(point.increase, top) : NOTHING,
    rules.includeThisSecurity ? own : NOTHING,
    rules.includeOtherConvertingSecurities ? subtract(total(point.shares), own) : NOTHING,
    rules.includeNewMoney ? times(known.money, point.y) : NOTHING,
  ]);
}

function sharesBy(
  known: Equations,
  way: Way,
  amount: Fraction,
  point: Point,
  stock: Fraction,
  own: Fraction,
): Fraction {
  if (way.kind === "FIXED") return way.quantity;
  const whole = capitalizationAt(known, way.rules, point, stock, own);
  if (way.kind === "PERCENT") return times(way.percent, whole);
  const atPrice = over(times(amount, point.y), way.factor);
  return way.cap === null ? atPrice : greatest(atPrice, times(over(amount, way.cap), whole));
}

const isSame = (a: Fraction, b: Fraction) => compare(a, b) === 0;

/**
 * Every equation holds exactly at the solution: price × what is priced is W, and each convertible has the most of its
 * lines.
 */
export function equationFaults(known: Equations, solution: Solution): string[] {
  const shares = solution.convertibles.map((each) => each.shares);
  const point = { y: solution.y, increase: solution.increase, shares };
  const stock = stockAt(known, point);
  const faults: string[] = [];
  for (const [index, { amount, ways }] of known.convertibles.entries()) {
    const own = shares[index] ?? NOTHING;
    const most = ways.map((way) => sharesBy(known, way, amount, point, stock, own)).reduce(greatest);
    if (!isSame(own, most)) faults.push(`convertible ${index} has not the most of its lines`);
    const chosen = ways[solution.convertibles[index]?.way ?? 0] as Way;
    if (!isSame(own, sharesBy(known, chosen, amount, point, stock, own)))
      faults.push(`convertible ${index} has another way`);
  }
  const whole = total([stock, known.granted, known.available, point.increase, ...shares, times(known.money, point.y)]);
  if (known.pool.kind === "TARGET") {
    const has =
      known.pool.measure === "AVAILABLE"
        ? subtract(known.available, known.promised)
        : add(known.available, known.options);
    const missing = greatest(NOTHING, subtract(times(known.pool.part, whole), has));
    if (!isSame(point.increase, missing)) faults.push("the pool misses its target");
  }
  if (known.price.kind === "VALUATION") {
    const outside = total([
      known.price.countsIncrease ? NOTHING : point.increase,
      ...(known.price.countsConvertibles ? [] : shares),
    ]);
    if (!isSame(times(known.price.worth, point.y), subtract(whole, outside)))
      faults.push("price × priced count is not W");
  }
  for (const [index, guarded] of known.protected.entries()) {
    const isMore = compare(countAt(known, guarded, point), guarded.countsNow) > 0;
    if (solution.adjusted[index] !== isMore) faults.push(`class ${index} is adjusted for no lower price, or is not`);
  }
  return faults;
}

/** A post-money SAFE that converts at its cap owns exactly amount ÷ cap of its capitalization. */
export function partFaults({ equations, solution }: Pick<RoundOutcome, "equations" | "solution">): string[] {
  return equations.convertibles.flatMap(({ amount, ways }, index) => {
    const { shares, way, capitalization } = solution.convertibles[index] as Solution["convertibles"][number];
    const chosen = ways[way] as Way;
    if (chosen.kind !== "PRICED" || chosen.cap === null || capitalization === null) return [];
    const isAtCap = compare(shares, over(times(amount, solution.y), chosen.factor)) > 0;
    if (!isAtCap || !chosen.rules.includeThisSecurity) return [];
    return isSame(over(shares, capitalization), over(amount, chosen.cap))
      ? []
      : [`convertible ${index} owns another part`];
  });
}

const near = (a: Fraction) => Number((a.n * 1_000_000_000n) / a.d) / 1e9;

/**
 * The solution is the smallest: raising everything from nothing, again and again, never goes beyond it and comes near
 * it; and without one it never settles, however slowly it rises, or goes beyond everything, or stays at nothing.
 * (In floats: this only looks whether another, larger solution was taken, or one overlooked.)
 */
export function leastFaults(known: Equations, solution: Solution | null): string[] {
  const result = solution && near(solution.y);
  const { y, isSettled } = raised(known, result === null ? 1e9 : result * 1.001);
  if (result === null) return !isSettled || y > 1e9 || y === 0 ? [] : [`none was found, and raising comes to y = ${y}`];
  if (y > result * 1.001) return [`raising goes to y = ${y}, beyond ${result}`];
  // Near the edge of what can be solved it still rises after all its steps.
  return isSettled && y < result * 0.98 ? [`raising comes to y = ${y} only, and ${result} was taken`] : [];
}

/** The y that raising comes to, or the first above `most`; and whether it rises no more. */
function raised(known: Equations, most: number): { readonly y: number; readonly isSettled: boolean } {
  const { price } = known;
  const n = {
    stock: near(known.stock),
    granted: near(known.granted),
    available: near(known.available),
    money: near(known.money),
  };
  const top = Math.max(0, near(known.promised) - n.available);
  let [y, d, stock] = [0, 0, n.stock];
  let shares = known.convertibles.map(() => 0);
  const sumOf = (values: readonly number[]) => values.reduce((a, b) => a + b, 0);
  let last = [-1];
  for (let step = 0; step < 20_000 && y <= most; step += 1) {
    const sum = sumOf(shares);
    const now = [y, d, stock, sum];
    if (now.every((value, index) => Math.abs(value - (last[index] ?? -1)) <= 1e-15 * value)) {
      return { y, isSettled: true };
    }
    last = now;
    const whole = stock + n.granted + n.available + d + sum + n.money * y;
    const capitalization = (rules: CapitalizationRules, own: number) =>
      (rules.includeOutstandingShares ? stock : 0) +
      (rules.includeOutstandingOptions ? n.granted : 0) +
      (rules.includeOutstandingUnissuedOptions ? n.available : 0) +
      (rules.includeOptionPoolTopupForPromisedOptions ? top : 0) +
      (rules.includeAdditionalOptionPoolTopup ? Math.max(0, d - top) : 0) +
      (rules.includeThisSecurity ? own : 0) +
      (rules.includeOtherConvertingSecurities ? sum - own : 0) +
      (rules.includeNewMoney ? n.money * y : 0);
    const by = (way: Way, amount: number, own: number) => {
      if (way.kind === "FIXED") return near(way.quantity);
      const c = capitalization(way.rules, own);
      if (way.kind === "PERCENT") return near(way.percent) * c;
      return Math.max((amount * y) / near(way.factor), way.cap ? (amount / near(way.cap)) * c : 0);
    };
    shares = known.convertibles.map(({ amount, ways }, index) =>
      Math.max(...ways.map((way) => by(way, near(amount), shares[index] ?? 0))),
    );
    d = nextIncrease(known, whole);
    const converted = known.convertibles.map(({ amount }, index): [number, number] => [
      near(amount),
      shares[index] ?? 0,
    ]);
    const issues: [number, number][] = [[n.money, n.money * y], ...converted];
    stock = n.stock + sumOf(known.protected.map((each) => adjustment(known, each, issues)));
    if (sumOf(shares) > 1e18) return { y: 1e18, isSettled: false };
    if (price.kind === "GIVEN") {
      y = 1 / near(price.price);
      continue;
    }
    const outside = (price.countsIncrease ? 0 : d) + (price.countsConvertibles ? 0 : sumOf(shares));
    y = (stock + n.granted + n.available + d + sumOf(shares) + n.money * y - outside) / near(price.worth);
  }
  return { y: known.price.kind === "GIVEN" && sumOf(shares) > 1e15 ? 1e18 : y, isSettled: false };
}

function nextIncrease({ pool, available, promised, options }: Equations, whole: number): number {
  if (pool.kind === "INCREASE") return near(pool.increase);
  const has = pool.measure === "AVAILABLE" ? near(available) - near(promised) : near(available) + near(options);
  return Math.max(0, near(pool.part) * whole - has);
}

function adjustment(
  known: Equations,
  { method, price, conversionPrice, shares, countsNow, countsConversions }: Equations["protected"][number],
  issues: readonly (readonly [number, number])[],
) {
  const [o, p, n, now] = [near(price), near(conversionPrice), near(shares), near(countsNow)];
  const below = issues.slice(0, countsConversions ? undefined : 1).filter(([amount, sold]) => sold * p > amount);
  const a = near(known.stock) + near(known.granted) + (method === "BROAD_BASED_WITH_POOL" ? near(known.available) : 0);
  if (method === "FULL_RATCHET") {
    return Math.max(0, ...below.map(([amount, sold]) => (n * o * sold) / amount - now));
  }
  below.sort(([i, s], [j, t]) => i / s - j / t);
  let [worth, count, most] = [p * a, a, now];
  for (const [amount, sold] of below) {
    [worth, count] = [worth + amount, count + sold];
    most = Math.max(most, (n * o * count) / worth);
  }
  return most - now;
}

const units = (text: string) => parseDecimal(text);

/**
 * Percentages sum to 100, totals to the sums of rows, cash to costs; and the pool's increase is the smallest that meets
 * its target.
 */
export function tableFaults(told: Told, outcome: RoundOutcome): string[] {
  const faults: string[] = [];
  for (const table of [told.before, told.after]) {
    const percents = [...table.holders.map((row) => row.percentFullyDiluted), table.pool.percentFullyDiluted];
    const sum = percents.reduce((all, text) => all + BigInt(text.replace(".", "")), 0n);
    const isEmpty = table.totals.fullyDiluted === "0";
    if (sum !== (isEmpty ? 0n : 100_000_000n)) faults.push(`percentages sum to ${sum}`);
    const rows = table.holders.reduce((all, row) => all + units(row.fullyDiluted), units(table.pool.available));
    if (rows !== units(table.totals.fullyDiluted)) faults.push("rows do not sum to the total");
    const classes = table.classes.reduce((all, row) => all + units(row.asConverted), 0n);
    if (classes !== units(table.totals.outstanding)) faults.push("classes do not sum to what is outstanding");
  }
  const after = told.classes.reduce((all, row) => all + units(row.shares), 0n);
  const made = [...told.conversions, ...told.investments].reduce((all, row) => all + units(row.shares), 0n);
  if (after !== made) faults.push("the new classes hold other shares than were issued");
  for (const { amount, cost, unused } of told.investments) {
    if (units(amount) !== units(cost) + units(unused)) faults.push("an investment is not its cost and what is left");
  }
  const { target, measure, promised } = outcome.plan.pool;
  if (target !== null) {
    const { available, options, fullyDiluted } = outcome.figuresAfter;
    const has = measure === "AVAILABLE" ? available - promised : available + options;
    const misses = (by: bigint) => (has - by) * target.d < (fullyDiluted - by) * target.n;
    if (misses(0n)) faults.push("the pool misses its target");
    if (isPositive({ n: outcome.increase, d: 1n }) && !misses(parseDecimal("1")))
      faults.push("a smaller pool would do");
  }
  return faults;
}
