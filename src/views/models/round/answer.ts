// Answer of a round: its figures, tables, warnings and digest. Pure.
import { type Decimal, formatDecimal, parseDecimal, ZERO } from "../../../kernel/numbers/decimal.ts";
import { digestNamed } from "../../../ledger/hash.ts";
import { percentOfDecimals } from "../answer-columns.ts";
import { type Fraction, ofDecimal, over, shown, subtract, times, toCents, WHOLE } from "../fraction.ts";
import { type ModelWarning, shownPrice, sortWarnings } from "../model-company.ts";
import { dilutionOf, tableOf } from "../table-model.ts";
import { authorizationOf } from "./authorization.ts";
import { poolsOf, type RoundOutcome } from "./round.ts";

const text = formatDecimal;
const orNull = (value: Decimal | null) => (value === null ? null : formatDecimal(value));
const product = (a: Decimal, b: Decimal): Fraction => times(ofDecimal(a), ofDecimal(b));

/** The members that a round's answer has of its own, `digest` apart. */
export function tellRound(outcome: RoundOutcome) {
  const { plan, price, investments, conversions, notConverted, solution } = outcome;
  const before = tableOf(outcome.before, outcome.figuresBefore);
  const after = tableOf(outcome.after, outcome.figuresAfter);
  const sum = (values: readonly Decimal[]) => values.reduce((total, value) => total + value, ZERO);
  const newShares = sum(investments.map(({ shares }) => shares));
  return {
    closingDate: plan.closingDate,
    pricePerShare: text(price),
    exactPricePerShare: text(shown(over(WHOLE, solution.y))),
    ...valuations(outcome, newShares),
    newMoney: text(plan.money),
    cash: text(sum(investments.map(({ cost }) => cost))),
    convertedAmount: text(sum(conversions.map(({ amount }) => amount))),
    newShares: text(newShares),
    classes: outcome.made.map((made) => ({
      name: made.class.name,
      role: made.role,
      pricePerShare: text(made.price),
      liquidationPreference: text(shown(product(made.price, made.class.preferenceMultiple))),
      shares: text(
        sum(conversions.filter(({ into }) => into === made).map(({ shares }) => shares)) +
          (made.role === "NEW_MONEY" ? newShares : ZERO),
      ),
    })),
    investments: investments.map(({ holder, kind, amount, shares, cost, unused }) => ({
      stakeholderId: holder.id,
      name: holder.name,
      kind,
      amount: text(amount),
      shares: text(shares),
      cost: text(cost),
      unused: text(unused),
    })),
    conversions: tellConversions(outcome),
    notConverted: notConverted.map(({ security, reason }) => ({
      securityId: security.id,
      name: security.name,
      reason,
    })),
    antiDilution: outcome.adjustments.map((each) => ({
      stockClassId: each.before.id,
      name: each.before.name,
      method: each.before.antiDilution,
      conversionPriceBefore: text(shownPrice(each.priceBefore)),
      conversionPrice: text(each.price),
      ratio: { numerator: text(each.after.ratio.numerator), denominator: text(each.after.ratio.denominator) },
      additionalShares: text(each.additionalShares),
    })),
    pool: tellPool(outcome),
    authorization: authorizationOf(outcome.after),
    before,
    after,
    dilution: dilutionOf(before, after),
    warnings: tellWarnings(outcome),
  };
}

/** The agreed valuations, and the effective ones: the rounded price × the fully diluted shares after the round. */
function valuations({ plan, price, figuresAfter, equations, increase, conversions }: RoundOutcome, newShares: Decimal) {
  const { kind, amount, convertibles } = plan.body.valuation;
  const whole = figuresAfter.fullyDiluted;
  const effective = {
    effectivePreMoney: text(toCents(product(price, whole - newShares))),
    effectivePostMoney: text(toCents(product(price, whole))),
  };
  if (equations.price.kind === "VALUATION") {
    const { worth } = equations.price;
    const given = ofDecimal(parseDecimal(amount));
    const [pre, post] = kind === "PRE_MONEY" ? [given, worth] : [subtract(worth, equations.money), worth];
    return { preMoneyValuation: text(toCents(pre)), postMoneyValuation: text(toCents(post)), ...effective };
  }
  const converted = conversions.reduce((total, { shares }) => total + shares, ZERO);
  const outside = (convertibles === "EXCLUDED" ? converted : ZERO) + (plan.pool.isAfterMoney ? increase : ZERO);
  return {
    preMoneyValuation: text(toCents(product(price, whole - outside - newShares))),
    postMoneyValuation: text(toCents(product(price, whole - outside))),
    ...effective,
  };
}

function tellConversions({ conversions, before }: RoundOutcome) {
  const holderIds = new Map(before.holders.map(({ key, id }) => [key, id]));
  return conversions.map((each) => ({
    securityId: each.security.id,
    name: each.security.name,
    stakeholderId: holderIds.get(each.security.holder) ?? null,
    principal: text(each.security.quantity),
    interest: text(each.interest),
    amount: text(each.amount),
    capitalization: each.capitalization && text(shown(each.capitalization)),
    capPrice: orNull(each.capPrice),
    discountPrice: orNull(each.discountPrice),
    roundPrice: text(each.roundPrice),
    basis: each.basis,
    adoptedSecurityId: each.adopted?.key ?? null,
    conversionPrice: text(each.price),
    shares: text(each.shares),
    cashInLieu: text(toCents(ofDecimal(each.cashInLieu))),
    className: each.into.class.name,
  }));
}

function tellPool(outcome: RoundOutcome) {
  const { plan, increase, figuresAfter } = outcome;
  const { pool } = plan;
  const available = poolsOf(outcome);
  const counted =
    pool.measure === "AVAILABLE" ? available.after - pool.promised : available.after + figuresAfter.options;
  return {
    equityPlanId: pool.plan?.id ?? null,
    availableBefore: text(available.before),
    increase: text(increase),
    availableAfter: text(available.after),
    promised: text(pool.promised),
    percentAfter: percentOfDecimals(counted, figuresAfter.fullyDiluted),
  };
}

const REASONS = {
  EXCLUDED: "is excluded",
  CUSTOM_TERMS: "converts by terms that no model knows",
  BELOW_MINIMUM_PROCEEDS: "needs more new money to convert",
  NO_SHARES: "is too small for one share",
} as const;

function tellWarnings({ before, warnings, notConverted }: RoundOutcome): readonly ModelWarning[] {
  const left = notConverted.map(({ security, reason }) => ({
    code: "not-converted" as const,
    detail: `${security.name} ${REASONS[reason]}.`,
    securityId: security.key,
  }));
  return sortWarnings([...before.warnings, ...warnings, ...left], before.held);
}

/**
 * Lowercase hex SHA-256 of the canonical JSON (RFC 8785) of an answer's `data` without what depends on when it was
 * asked.
 */
export function digestOf(data: Readonly<Record<string, unknown>>): string {
  const { digest: _digest, knownAt: _knownAt, ledgerSequence: _sequence, ...rest } = data;
  return digestNamed(rest);
}
