// split: new shares for the old ones of a class, at a ratio.

import { body, defaulted, id, integer, oneOf } from "../../kernel/fields.ts";
import {
  type Decimal,
  DIGITS_MAX,
  divideHalfEven,
  formatDecimal,
  LARGEST,
  parseDecimal,
  scale,
  ZERO,
} from "../../kernel/numbers/decimal.ts";
import { type Finding, refuse } from "../../kernel/problem.ts";
import { type Facts, ledgerOperation } from "../operation.ts";
import type { LedgerState } from "../replay/state.ts";
import { splitTerms } from "../rules/class-terms.ts";
import { ROUNDINGS, readSplit, type Split, splitFilter, splitPrice, splitQuantity } from "../splits/stock-split.ts";
import type { SecurityState } from "../types.ts";
import { recording, withoutNulls } from "./parts.ts";

/** `POST /api/v1/transactions/split`. */
export const split = ledgerOperation({
  route: "split",
  summary: "Split a class of stock",
  description:
    "Every `denominator` shares become `numerator`: open stock of the class and its price per share, open options and " +
    "warrants into it and their strikes, the class's authorized shares, and the reserve of plans for this class alone.",
  status: 200,
  answers: ["securitiesAdjusted"],
  isExtension: true,
  isDatedByTomorrow: true,
  body: body({
    stockClassId: id({ description: "The share class." }),
    numerator: integer(1, { description: "New shares …" }),
    denominator: integer(1, { description: "… for so many old ones." }),
    rounding: defaulted(
      oneOf(ROUNDINGS, { description: "To whole shares (halves up for NEAREST); FRACTIONAL keeps 10 places." }),
      "DOWN",
    ),
    ...recording,
  }),
  example: {
    stockClassId: "0190f5a2-6c1e-7b3a-9d4e-1f2a3b4c5d6f",
    numerator: 3,
    denominator: 2,
    rounding: "DOWN",
    effectiveDate: "2026-07-01",
  },
  needs: (command) => ({ openSecuritiesOf: [command.stockClassId], classTerms: true }),
  follows: (command, facts) => {
    const { classTerms } = splitTerms(facts.classTerms, command.stockClassId, readSplit(command));
    return [
      { securitiesOf: command.stockClassId },
      ...classTerms.map(({ stockClassId }) => ({ termsOf: stockClassId })),
    ];
  },
  decide(facts, command) {
    const { stockClassId, numerator, denominator, rounding = "DOWN" } = command;
    const plans = plansOf(facts, stockClassId);
    const planIds = new Set(plans);
    const inferred = [...facts.state.securities.values()].filter(
      (security) => security.stockClassId === null && planIds.has(security.equityPlanId ?? ""),
    );
    const terms = {
      stockClassId,
      numerator,
      denominator,
      rounding,
      equityPlanIds: plans,
      inferredSecurityIds: inferred.map((security) => security.id),
    };
    const split = readSplit(terms);
    const concerned = [...facts.state.securities.values()].filter(splitFilter(split));
    refuseOverflow(facts.state, split, concerned);
    const { described, classTerms, fixedQuantities } = splitTerms(facts.classTerms, stockClassId, split);
    return {
      entries: [
        {
          type: "STOCK_SPLIT",
          securityId: null,
          stakeholderId: null,
          quantity: null,
          effectiveDate: command.effectiveDate,
          metadata: withoutNulls({
            ...terms,
            securitiesAdjusted: concerned.length,
            roundedOff: roundedOff(facts.state, split, concerned),
            classTerms,
            fixedQuantities: fixedQuantities.length > 0 ? fixedQuantities : null,
            boardApprovalDate: command.boardApprovalDate,
            description: command.description,
          }),
        },
      ],
      described,
      answer: { securitiesAdjusted: concerned.length },
    };
  },
});

function plansOf(facts: Facts, stockClassId: string): string[] {
  const isOnly = (ids: readonly string[]) => ids.length === 1 && ids[0] === stockClassId;
  return [...facts.state.plans.values()].filter((plan) => isOnly(plan.stockClassIds)).map((plan) => plan.id);
}

/** Throws `422` if a figure would have more digits than the API's decimals. */
function refuseOverflow(state: LedgerState, terms: Split, concerned: readonly SecurityState[]): void {
  const { authorized } = state.stockClass(terms.stockClassId);
  const counts = [...concerned.map(({ quantity }) => quantity), authorized ?? ZERO];
  const reserves = terms.equityPlanIds.map((id) => state.plan(id).reserved);
  const prices = concerned.map((security) =>
    security.type === "STOCK" ? security.pricePerShare : security.exercisePrice,
  );
  const found: Finding[] = [];
  const after = [
    ...counts.map((count) => splitQuantity(count, terms)),
    ...reserves.map((each) => multiplied(each, terms)),
  ];
  if (after.some((count) => count > LARGEST)) {
    found.push(["#/numerator", `gives a count of more than ${DIGITS_MAX} digits`]);
  }
  if (prices.some((price) => parseDecimal(splitPrice(price, terms) ?? "0") > LARGEST)) {
    found.push(["#/denominator", `gives a price of more than ${DIGITS_MAX} digits`]);
  }
  refuse(found);
}

/** A plan's reserve after the split, which keeps 10 places whatever the rounding of shares is. */
function multiplied(reserved: Decimal, { numerator, denominator }: Split): Decimal {
  return scale(reserved, numerator, denominator);
}

/**
 * The loss by rounding (a minus: the gain), in shares: of the holdings by kind, of the authorized shares, of the
 * reserves.
 */
function roundedOff(state: LedgerState, terms: Split, concerned: readonly SecurityState[]): Record<string, string> {
  const heldAs = (type: SecurityState["type"]) =>
    concerned.filter((security) => security.type === type).map(({ quantity }) => quantity);
  const reserves = terms.equityPlanIds.map((id) => state.plan(id).reserved);
  const { authorized } = state.stockClass(terms.stockClassId);
  const taken = {
    stock: takenFrom(heldAs("STOCK"), terms, splitQuantity),
    options: takenFrom(heldAs("STOCK_OPTION"), terms, splitQuantity),
    warrants: takenFrom(heldAs("WARRANT"), terms, splitQuantity),
    authorized: takenFrom([authorized ?? ZERO], terms, splitQuantity),
    reserves: takenFrom(reserves, terms, multiplied),
  };
  return Object.fromEntries(Object.entries(taken).map(([name, shares]) => [name, formatDecimal(shares)]));
}

/** Summed exactly, rounded once. */
function takenFrom(
  quantities: readonly Decimal[],
  terms: Split,
  splitOf: (quantity: Decimal, terms: Split) => Decimal,
): Decimal {
  let parts = ZERO;
  for (const quantity of quantities) {
    parts += quantity * terms.numerator - splitOf(quantity, terms) * terms.denominator;
  }
  return divideHalfEven(parts, terms.denominator);
}
