// split: new shares for the old ones of a class, at a ratio.

import { body, defaulted, id, integer, oneOf } from "../../kernel/fields.ts";
import { type Decimal, DIGITS_MAX, formatDecimal, LARGEST, scale, ZERO } from "../../kernel/numbers/decimal.ts";
import { ROUNDINGS, splitQuantity } from "../../kernel/numbers/split-figures.ts";
import { type Finding, refuse } from "../../kernel/problem.ts";
import { type Decision, type Facts, ledgerOperation } from "../operation.ts";
import type { LedgerState } from "../replay/state.ts";
import { splitTerms } from "../rules/class-terms.ts";
import { SplitSums, sharesOfParts } from "../splits/split-sums.ts";
import { readSplit, type Split, splitFilter } from "../splits/stock-split.ts";
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
    const { classTerms } = splitTerms(facts.classTerms, command.stockClassId, askedSplit(command));
    return [
      { securitiesOf: command.stockClassId },
      ...classTerms.map(({ stockClassId }) => ({ termsOf: stockClassId })),
    ];
  },
  decide(facts, command) {
    const { stockClassId } = command;
    const securities = [...facts.state.securities.values()];
    const equityPlanIds = plansForClassAlone(facts.state, stockClassId);
    const planIds = new Set(equityPlanIds);
    const inferred = securities.filter((each) => each.stockClassId === null && planIds.has(each.equityPlanId ?? ""));
    const inferredSecurityIds = inferred.map(({ id }) => id);
    const split = askedSplit(command, { equityPlanIds, inferredSecurityIds });
    const sums = new SplitSums(split);
    for (const security of securities.filter(splitFilter(split))) sums.add(security);
    return decideSplit(facts, command, { equityPlanIds, inferredSecurityIds, sums });
  },
});

type Command = Readonly<Record<string, unknown>>;

/** The split that a command asks for; what belongs to the class by its plans is known later than the rest. */
export function askedSplit(command: Command, concerned: Concerned = BY_CLASS_ALONE): Split {
  return readSplit(termsOf(command, concerned));
}

/** The plans of a state whose shares are of this class alone. */
function plansForClassAlone({ plans }: LedgerState, stockClassId: string): string[] {
  const isOnly = (ids: readonly string[]) => ids.length === 1 && ids[0] === stockClassId;
  return [...plans.values()].filter((plan) => isOnly(plan.stockClassIds)).map((plan) => plan.id);
}

/** The securities of a split: what they add up to, and those that belong to the class by their plan. */
export interface SplitFacts {
  readonly equityPlanIds: readonly string[];
  readonly inferredSecurityIds: readonly string[];
  readonly sums: SplitSums;
}

type Concerned = Pick<SplitFacts, "equityPlanIds" | "inferredSecurityIds">;

const BY_CLASS_ALONE: Concerned = { equityPlanIds: [], inferredSecurityIds: [] };

function termsOf(command: Command, { equityPlanIds, inferredSecurityIds }: Concerned) {
  const { stockClassId, numerator, denominator, rounding = "DOWN" } = command;
  return { stockClassId, numerator, denominator, rounding, equityPlanIds, inferredSecurityIds };
}

/** Decides a split by its sums; the class and its plans are in `facts`. Throws `422` for figures that do not fit. */
export function decideSplit(
  { state, classTerms: records }: Pick<Facts, "state" | "classTerms">,
  command: Command,
  given: SplitFacts,
): Decision {
  const { sums } = given;
  const split = askedSplit(command, given);
  refuseOverflow(state, split, sums);
  const { described, classTerms, fixedQuantities } = splitTerms(records, split.stockClassId, split);
  return {
    entries: [
      {
        type: "STOCK_SPLIT",
        securityId: null,
        stakeholderId: null,
        quantity: null,
        effectiveDate: String(command.effectiveDate),
        metadata: withoutNulls({
          ...termsOf(command, given),
          securitiesAdjusted: sums.count,
          roundedOff: roundedOff(state, split, sums),
          classTerms,
          fixedQuantities: fixedQuantities.length > 0 ? fixedQuantities : null,
          boardApprovalDate: command.boardApprovalDate,
          description: command.description,
        }),
      },
    ],
    described,
    answer: { securitiesAdjusted: sums.count },
  };
}

/** Throws `422` if a figure would have more digits than the API's decimals. */
function refuseOverflow(state: LedgerState, terms: Split, sums: SplitFacts["sums"]): void {
  const { authorized } = state.stockClass(terms.stockClassId);
  const reserves = terms.equityPlanIds.map((id) => state.plan(id).reserved);
  const counts = [
    sums.largestCount,
    splitQuantity(authorized ?? ZERO, terms),
    ...reserves.map((each) => multiplied(each, terms)),
  ];
  const found: Finding[] = [];
  if (counts.some((count) => count > LARGEST)) {
    found.push(["#/numerator", `gives a count of more than ${DIGITS_MAX} digits`]);
  }
  if (sums.largestPrice > LARGEST) {
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
 * reserves. Summed exactly, rounded once.
 */
function roundedOff(state: LedgerState, terms: Split, { parts }: SplitFacts["sums"]): Record<string, string> {
  const { authorized } = state.stockClass(terms.stockClassId);
  const figures = terms.equityPlanIds.map((id) => state.plan(id).reserved);
  const taken = {
    stock: parts.stock,
    options: parts.options,
    warrants: parts.warrants,
    authorized: partsOf([authorized ?? ZERO], terms, splitQuantity),
    reserves: partsOf(figures, terms, multiplied),
  };
  const told = Object.entries(taken).map(([name, sum]) => [name, formatDecimal(sharesOfParts(sum, terms))]);
  return Object.fromEntries(told);
}

function partsOf(
  figures: readonly Decimal[],
  terms: Split,
  splitOf: (figure: Decimal, terms: Split) => Decimal,
): bigint {
  return figures.reduce((sum, each) => sum + each * terms.numerator - splitOf(each, terms) * terms.denominator, 0n);
}
