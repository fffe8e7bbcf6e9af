// Models a financing round: what a company will be after it. The equations are solved exactly (equations.ts), and what
// comes of them is rounded once, in a fixed order (prices.ts): price, conversions, investments, anti-dilution, pool.
// The company after it is data of the same shape as the one before, from which the next model starts. Pure.
import type { CalendarDate } from "../../../kernel/date.ts";
import { type Decimal, formatDecimal, max, min, ONE, parseDecimal, ZERO } from "../../../kernel/numbers/decimal.ts";
import {
  add,
  ceiling,
  type Fraction,
  fraction,
  NOTHING,
  ofDecimal,
  over,
  subtract,
  times,
  WHOLE,
} from "../fraction.ts";
import {
  availableOf,
  type Company,
  type Holder,
  type ModelWarning,
  type StockHeld,
  withMore,
} from "../model-company.ts";
import { type Figures, figuresOf, withReserve } from "../table-model.ts";
import { type Adjustment, adjust, assumed, differing, type Guarded, protectedClasses, saleOf } from "./adjusting.ts";
import { type NotConverting, whoConverts } from "./converting.ts";
import { solve } from "./equations.ts";
import type { Equations, Solution } from "./known.ts";
import { type PoolPlan, planRound, type RoundPlan } from "./plan.ts";
import { type Conversion, coarse, convertAll, type Investment, invest, roundPrice } from "./prices.ts";
import type { Pointer, RoundBody } from "./round-body.ts";
import { classOf, type MadeClass, makeClasses, shiftSeniority } from "./round-classes.ts";

/** What a round comes to. */
export interface RoundOutcome {
  readonly plan: RoundPlan;
  readonly before: Company;
  readonly after: Company;
  readonly figuresBefore: Figures;
  readonly figuresAfter: Figures;
  readonly solution: Solution;
  readonly equations: Equations;
  readonly price: Decimal;
  readonly made: readonly MadeClass[];
  readonly investments: readonly Investment[];
  /** Those that convert, and the class that each gets. */
  readonly conversions: readonly (Conversion & { readonly into: MadeClass })[];
  readonly notConverted: readonly NotConverting[];
  readonly adjustments: readonly Adjustment[];
  readonly increase: Decimal;
  readonly warnings: readonly ModelWarning[];
}

/** Reads a round and puts its equations. Throws `422` and `404`. */
export function poseRound(company: Company, body: RoundBody, asOf: CalendarDate, at: Pointer = "#") {
  const plan = planRound(company, body, body.closingDate ?? asOf, at);
  const who = whoConverts(company, plan);
  const figures = figuresOf(company);
  const guarded = protectedClasses(company, figures);
  return { plan, who, figures, guarded, equations: equationsOf(plan, figures, guarded, who.converters) };
}

/** Models a round. Throws `422`, `404`, and `409 unsolvable-model` where no price solves it. */
export function modelRound(company: Company, body: RoundBody, asOf: CalendarDate, at: Pointer = "#"): RoundOutcome {
  const { plan, who, figures, guarded, equations } = poseRound(company, body, asOf, at);
  const solution = solve(equations);
  const price =
    equations.price.kind === "GIVEN"
      ? roundPrice(equations.price.price, 10)
      : roundPrice(over(WHOLE, solution.y), plan.pricePlaces);
  const { conversions, warnings } = convertAll(who.converters, solution, price, plan.pricePlaces);
  const converted = conversions.filter((each) => each.shares > ZERO);
  const tooSmall = conversions.filter((each) => each.shares === ZERO);
  const investments = invest(plan, price, (holder) => partAfter(holder, figures, converted));
  const sale = saleOf(price, investments, converted, plan.pricePlaces);
  const adjustments = guarded.flatMap((each, index) =>
    solution.adjusted[index] ? adjust(company, each, sale, equations) : [],
  );
  const made = makeClasses(company, body.newClass, {
    price,
    conversions: converted,
    isShadowed: body.conversion?.shadowSeries ?? true,
  });
  const withClass = converted.map((each) => ({ ...each, into: classOf(made, each.price) }));
  const before = adjusted(company, adjustments);
  const issued = withShares(before, plan, { made, conversions: withClass, investments });
  const figuresIssued = figuresOf(issued);
  const increase = increaseOf(plan.pool, figuresIssued);
  const after = withIncrease(issued, plan.pool, increase);
  return {
    plan,
    before: company,
    after,
    figuresBefore: figures,
    figuresAfter: withReserve(figuresIssued, availableOf(after)),
    solution,
    equations,
    price,
    made,
    investments,
    conversions: withClass,
    notConverted: inOrder(company, [
      ...who.others,
      ...tooSmall.map(({ security }) => ({ security, reason: "NO_SHARES" as const })),
    ]),
    adjustments,
    increase,
    warnings: [
      ...who.warnings,
      ...coarse(price, over(WHOLE, solution.y), null),
      ...warnings,
      ...assumed(guarded, converted),
      ...differing(guarded),
      ...investments.filter(isForNothing).map(noShares),
      ...overdrawn(company),
      ...expired(company, plan.closingDate),
    ],
  };
}

function inOrder(company: Company, list: readonly NotConverting[]): readonly NotConverting[] {
  const order = new Map(company.held.map(({ key }, index) => [key, index]));
  const place = ({ security }: NotConverting) => order.get(security.key) ?? 0;
  return [...list].sort((a, b) => place(a) - place(b));
}

/** Whether an investment buys no share. */
export function isForNothing({ amount, shares }: Investment): boolean {
  return amount > ZERO && shares === ZERO;
}

function noShares({ holder, amount }: Investment): ModelWarning {
  const detail = `${holder.name ?? "A holder"} puts in ${formatDecimal(amount)}, which buys no share.`;
  return { code: "no-shares", detail, securityId: null };
}

function overdrawn({ plans }: Company): readonly ModelWarning[] {
  return plans
    .filter(({ available }) => available < ZERO)
    .map(({ key }) => ({
      code: "plan-overdrawn" as const,
      detail: `The plan ${key} has granted more than its reserve; it counts 0.`,
      securityId: null,
    }));
}

/** Warns of expired options and warrants: fully diluted counts them as long as no entry cancels them. */
function expired({ held }: Company, closingDate: CalendarDate): readonly ModelWarning[] {
  return held.flatMap((each) => {
    if (each.type !== "STOCK_OPTION" && each.type !== "WARRANT") return [];
    if (each.expirationDate === null || each.expirationDate >= closingDate) return [];
    const detail = `${each.name} expired on ${each.expirationDate}; it counts until it is cancelled.`;
    return [{ code: "expired" as const, detail, securityId: each.key }];
  });
}

function equationsOf(
  { body, money, pool }: RoundPlan,
  figures: Figures,
  guarded: readonly Guarded[],
  converters: ReturnType<typeof whoConverts>["converters"],
): Equations {
  const { kind, amount, convertibles = "IN_PRE_MONEY" } = body.valuation;
  const worth = ofDecimal(parseDecimal(amount));
  const converting = converters.reduce((sum, each) => sum + each.amount, ZERO);
  const parts = [worth, kind === "PRE_MONEY" ? ofDecimal(money) : NOTHING];
  if (convertibles === "ADDED_AT_COST") parts.push(ofDecimal(converting));
  return {
    stock: ofDecimal(figures.outstanding),
    granted: ofDecimal(figures.options + figures.warrants),
    options: ofDecimal(figures.options),
    available: ofDecimal(figures.available),
    promised: ofDecimal(pool.promised),
    money: ofDecimal(money),
    price:
      kind === "PRICE"
        ? { kind: "GIVEN", price: worth }
        : {
            kind: "VALUATION",
            worth: parts.reduce(add),
            countsIncrease: !pool.isAfterMoney,
            countsConvertibles: convertibles !== "EXCLUDED",
          },
    pool:
      pool.target === null
        ? { kind: "INCREASE", increase: ofDecimal(pool.increase ?? ZERO) }
        : { kind: "TARGET", part: pool.target, measure: pool.measure },
    convertibles: converters.map((each) => {
      const [first, ...others] = each.candidates;
      return { amount: ofDecimal(each.amount), ways: [first.way, ...others.map(({ way }) => way)] };
    }),
    protected: guarded,
  };
}

/**
 * What a holder has after the conversions, options and warrants in, of all stock then, options, warrants and reserve.
 */
function partAfter(holder: Holder, figures: Figures, conversions: readonly Conversion[]): Fraction {
  const own = figures.positions.find((position) => position.holder.key === holder.key);
  const ofHolder = conversions.filter(({ security }) => security.holder === holder.key);
  const count = (list: readonly Conversion[]) => list.reduce((sum, { shares }) => sum + shares, ZERO);
  const whole = figures.fullyDiluted + count(conversions);
  return whole === ZERO ? NOTHING : fraction((own ? own.fullyDiluted : ZERO) + count(ofHolder), whole);
}

function adjusted(company: Company, adjustments: readonly Adjustment[]): Company {
  const after = new Map(adjustments.map((each) => [each.before.key, each.after]));
  return { ...company, classes: company.classes.map((each) => after.get(each.key) ?? each) };
}

/** The company with the round's classes and shares, and without what has converted. */
function withShares(
  company: Company,
  { body, closingDate, newHolders }: RoundPlan,
  { made, conversions, investments }: Pick<RoundOutcome, "made" | "conversions" | "investments">,
): Company {
  const seniority = body.newClass.seniority ?? 1;
  const classes = body.shiftSeniority ? shiftSeniority(company.classes, seniority) : company.classes;
  const gone = new Set(conversions.map(({ security }) => security.key));
  const stock = (holder: string, quantity: Decimal, into: MadeClass, index: number): StockHeld => ({
    key: `r:${into.class.key}:${index}`,
    id: null,
    name: into.class.name,
    type: "STOCK",
    holder,
    quantity,
    grantDate: closingDate,
    classKey: into.class.key,
  });
  const [first] = made;
  if (!first) throw new Error("a round makes at least one class");
  const issued = [
    ...conversions.map(({ security, shares, into }, index) => stock(security.holder, shares, into, index)),
    ...investments.flatMap(({ holder, shares }, index) =>
      shares === ZERO ? [] : [stock(holder.key, shares, first, conversions.length + index)],
    ),
  ];
  return {
    ...company,
    classes: [...classes, ...made.map((each) => each.class)],
    holders: [...company.holders, ...newHolders],
    held: [...company.held.filter(({ key }) => !gone.has(key)), ...issued],
  };
}

/** The pool's increase: as asked, or the smallest whole number that meets the target when all else is counted. */
function increaseOf({ increase, target, measure, promised, plan }: PoolPlan, issued: Figures): Decimal {
  if (target === null) return increase ?? ZERO;
  const { fullyDiluted, options, available } = issued;
  const has = measure === "AVAILABLE" ? available - promised : available + options;
  const missing = subtract(times(target, ofDecimal(fullyDiluted)), ofDecimal(has));
  if (missing.n <= 0n) return ZERO;
  const whole = ceiling(over(missing, subtract(WHOLE, target))) * ONE;
  // A plan that is overdrawn counts nothing until the increase has filled it up.
  return whole + max(ZERO, -min(ZERO, plan?.available ?? ZERO));
}

function withIncrease(company: Company, { plan }: PoolPlan, increase: Decimal): Company {
  if (increase === ZERO) return company;
  if (plan === null) {
    const made = { key: "p:new", id: null, available: increase, classKey: null };
    return { ...company, plans: [...company.plans, made] };
  }
  const plans = company.plans.map((each) => (each.key === plan.key ? withMore(each, increase) : each));
  return { ...company, plans };
}

/** What plans have before and after a round. */
export function poolsOf({ before, after }: RoundOutcome): { readonly before: Decimal; readonly after: Decimal } {
  return { before: availableOf(before), after: availableOf(after) };
}
