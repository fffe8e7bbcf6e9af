// Whole shares and rounded prices from a round's exact solution. Pure.
import { apportion } from "../../../kernel/numbers/columns.ts";
import { type Decimal, formatDecimal, ONE, ZERO } from "../../../kernel/numbers/decimal.ts";
import { refuse } from "../../../kernel/problem.ts";
import { centsOf } from "../answer-columns.ts";
import { compare, type Fraction, floor, fraction, ofDecimal, over, roundTo, subtract, times } from "../fraction.ts";
import type { ConvertibleHeld, Holder, ModelWarning } from "../model-company.ts";
import { type Candidate, type Converter, factorOf } from "./converting.ts";
import type { Solution } from "./known.ts";
import { unsolvable } from "./line.ts";
import { type RoundPlan, shares } from "./plan.ts";

export type Basis = "CAP" | "DISCOUNT" | "ROUND" | "PERCENT" | "FIXED";

/** A convertible converted. */
export interface Conversion {
  readonly security: ConvertibleHeld;
  readonly interest: Decimal;
  readonly amount: Decimal;
  readonly capitalization: Fraction | null;
  readonly capPrice: Decimal | null;
  readonly discountPrice: Decimal | null;
  readonly roundPrice: Decimal;
  readonly basis: Basis;
  readonly adopted: ConvertibleHeld | null;
  readonly price: Decimal;
  readonly shares: Decimal;
  readonly cashInLieu: Decimal;
}

/** An investment, and what it buys. */
export interface Investment {
  readonly holder: Holder;
  readonly kind: "NEW_MONEY" | "PRO_RATA";
  readonly amount: Decimal;
  readonly shares: Decimal;
  readonly cost: Decimal;
  readonly unused: Decimal;
}

const COARSE = fraction(1n, 1000n);

/** Whether rounding moves a price by more than 0.1 %. */
function isCoarse(rounded: Decimal, exact: Fraction): boolean {
  const moved = subtract(ofDecimal(rounded), exact);
  return compare({ n: moved.n < 0n ? -moved.n : moved.n, d: moved.d }, times(exact, COARSE)) > 0;
}

/** A price to so many places. Throws `409 unsolvable-model` where nothing is left of it. */
export function roundPrice(exact: Fraction, places: number): Decimal {
  const price = roundTo(exact, places);
  if (price > ZERO) return price;
  throw unsolvable(`A price of this round is 0 at ${places} places; ask for more of them.`);
}

/** A warning where rounding moves a price by much. */
export function coarse(price: Decimal, exact: Fraction, security: ConvertibleHeld | null): readonly ModelWarning[] {
  if (!isCoarse(price, exact)) return [];
  const what = security ? `The cap price of ${security.name}` : "The price per share";
  const detail = `${what} is ${formatDecimal(price)}, which rounding moves by more than 0.1 %; ask for more places.`;
  return [{ code: "coarse-price", detail, securityId: security?.key ?? null }];
}

/** Converts each convertible at the lowest of its prices, rounded; with warnings. Its shares may be 0. */
export function convertAll(
  converters: readonly Converter[],
  solution: Solution,
  price: Decimal,
  places: number,
): { readonly conversions: readonly Conversion[]; readonly warnings: readonly ModelWarning[] } {
  const warnings: ModelWarning[] = [];
  const conversions = converters.map((converter, index) => {
    const solved = solution.convertibles[index];
    const candidate = solved && converter.candidates[solved.way];
    if (!candidate) throw new Error(`the solution has no way for ${converter.security.key}`);
    const { capPrice, ...conversion } = convert(converter, candidate, solved, { price, places });
    const exact = exactCapPrice(candidate.mechanism, solved.capitalization);
    if (capPrice !== null && exact) warnings.push(...coarse(capPrice, exact, converter.security));
    return { ...conversion, capPrice };
  });
  return { conversions, warnings };
}

function exactCapPrice(mechanism: Candidate["mechanism"], capitalization: Fraction | null): Fraction | null {
  if (mechanism.type !== "SAFE" && mechanism.type !== "NOTE") return null;
  if (mechanism.cap === null || capitalization === null || capitalization.n <= 0n) return null;
  return over(ofDecimal(mechanism.cap), capitalization);
}

function convert(
  { security, interest, amount }: Converter,
  { mechanism, adopted }: Candidate,
  solved: Solution["convertibles"][number],
  { price, places }: { readonly price: Decimal; readonly places: number },
): Conversion {
  const { capitalization } = solved;
  const common = { security, interest, amount, capitalization, adopted, roundPrice: price };
  if (mechanism.type === "PERCENT" || mechanism.type === "FIXED") {
    const count = shares(floor(solved.shares));
    const own = count === ZERO ? price : roundPrice(over(ofDecimal(amount), ofDecimal(count)), 10);
    const none = { capPrice: null, discountPrice: null, cashInLieu: ZERO };
    return { ...common, ...none, basis: mechanism.type, price: own, shares: count };
  }
  const exact = exactCapPrice(mechanism, capitalization);
  const capPrice = exact && roundPrice(exact, places);
  const isDiscounted = mechanism.discountPercent > ZERO;
  const discountPrice = isDiscounted ? roundPrice(times(ofDecimal(price), factorOf(mechanism)), places) : null;
  const [own, basis] = lowest(capPrice, discountPrice, price);
  const count = shares(amount / own);
  const cashInLieu = amount - (count / ONE) * own;
  return { ...common, capPrice, discountPrice, basis, price: own, shares: count, cashInLieu };
}

function lowest(cap: Decimal | null, discount: Decimal | null, round: Decimal): [Decimal, Basis] {
  const prices: [Decimal | null, Basis][] = [
    [cap, "CAP"],
    [discount, "DISCOUNT"],
    [round, "ROUND"],
  ];
  return prices.reduce<[Decimal, Basis]>(
    (best, [price, basis]) =>
      price !== null && (price < best[0] || (price === best[0] && best[1] === "ROUND")) ? [price, basis] : best,
    [round, "ROUND"],
  );
}

/**
 * Who invests what, and the shares that it buys. `partOf` tells what a holder has of the company after the conversions.
 */
export function invest(
  { investors, participants, isWithin, money, at }: RoundPlan,
  price: Decimal,
  partOf: (holder: Holder) => Fraction,
): readonly Investment[] {
  const given = investors.map(({ amount }) => centsOf(amount));
  const all = centsOf(money);
  const exact = participants.map(({ holder, percent }) => times(percent ?? partOf(holder), fraction(all)));
  // Participants on top of the investors share all that these leave; a participant within the round takes no more than
  // its part.
  const taken = isWithin ? exact.map(floor) : toTheCent(exact, all - sumOf(given));
  const rest = all - sumOf(taken);
  if (isWithin && rest < 0n) refuse([[`${at}/proRata/participants`, "take more than the whole round"]]);
  const divided = isWithin ? apportion(rest, given) : given;
  const buy = (holder: Holder, cents: bigint, kind: Investment["kind"]): Investment => {
    const amount = cents * (ONE / 100n);
    const count = amount / price;
    const cost = count * price;
    return { holder, kind, amount, shares: shares(count), cost, unused: amount - cost };
  };
  return [
    ...investors.map(({ holder }, index) => buy(holder, divided[index] ?? 0n, "NEW_MONEY")),
    ...participants.map(({ holder }, index) => buy(holder, taken[index] ?? 0n, "PRO_RATA")),
  ];
}

const sumOf = (values: readonly bigint[]) => values.reduce((sum, each) => sum + each, 0n);

/** Amounts cut off at the cent, of which those with the largest remainders get the cents that are missing of a sum. */
function toTheCent(exact: readonly Fraction[], sum: bigint): readonly bigint[] {
  const cut = exact.map(floor);
  const missing = Number(sum - sumOf(cut));
  const rests = exact.map((each, place) => ({ place, rest: subtract(each, fraction(cut[place] ?? 0n)) }));
  rests.sort((a, b) => compare(b.rest, a.rest) || a.place - b.place);
  for (const { place } of rests.slice(0, Math.max(0, missing))) cut[place] = (cut[place] ?? 0n) + 1n;
  return cut;
}
