// Actions that issue something.
import { addYears } from "../../../../kernel/date.ts";
import { parseDecimal } from "../../../../kernel/decimal.ts";
import { readDecimal } from "../../../parts/forms/decimal.ts";
import { GIVEN } from "../../../text/actions/given.ts";
import { classOfPlan, valuationInForce } from "../given.ts";
import type { ActionSpec, Facts, FieldSpec, Values } from "../spec.ts";
import { CERTIFICATE, DATE, HOLDER, paper, QUANTITY, START, STOCKHOLDERS, TERMS } from "./common.ts";

const OPTION_YEARS = 10;

const PRICE: FieldSpec = {
  name: "pricePerShare",
  kind: "decimal",
  isOptional: true,
  isBeside: true,
  given: ({ stockClassId }, { classes }) => classes.find(({ id }) => id === stockClassId)?.pricePerShare,
};

export const issueShares: ActionSpec = {
  operation: "issue-shares",
  makes: "STOCK",
  groups: [
    {
      name: "who",
      fields: [HOLDER, { name: "stockClassId", kind: "class", given: onlyClass }, CERTIFICATE, QUANTITY, PRICE],
    },
    {
      name: "when",
      fields: [DATE, { ...TERMS, isBeside: true }, { ...START, isBeside: false }],
    },
    paper(STOCKHOLDERS, { name: "valuationId", kind: "valuation", isOptional: true }),
  ],
};

/** The 409A valuation that the strike is held against. */
function inForce({ stockPlanId, effectiveDate }: Values, facts: Facts) {
  return valuationInForce(facts.valuations, classOfPlan(facts.plans, stockPlanId), effectiveDate || facts.today);
}

const STRIKE: FieldSpec = {
  name: "exercisePrice",
  kind: "decimal",
  given: (values, facts) => inForce(values, facts)?.pricePerShare,
  note(values, facts) {
    const valuation = inForce(values, facts);
    if (values.stockPlanId === "") return undefined;
    if (valuation === null) return GIVEN.noValuation;
    const strike = readDecimal(values.exercisePrice ?? "");
    const isBelow = strike !== null && parseDecimal(strike) < parseDecimal(valuation.pricePerShare);
    return (isBelow ? GIVEN.below : GIVEN.valuation)(valuation.pricePerShare, valuation.effectiveDate);
  },
};

export const issueOptions: ActionSpec = {
  operation: "issue-options",
  makes: "STOCK_OPTION",
  groups: [
    {
      name: "who",
      fields: [
        HOLDER,
        { name: "stockPlanId", kind: "plan", given: (_, { plans }) => only(plans) },
        CERTIFICATE,
        QUANTITY,
        { name: "optionType", kind: "choice", choices: ["ISO", "NSO"], isBeside: true, given: optionType },
        STRIKE,
      ],
    },
    {
      name: "when",
      fields: [
        DATE,
        {
          name: "expirationDate",
          kind: "day",
          isOptional: true,
          isBeside: true,
          given: ({ effectiveDate }) => (effectiveDate ? addYears(effectiveDate, OPTION_YEARS) : undefined),
        },
        TERMS,
        START,
      ],
    },
    paper({ name: "valuationId", kind: "valuation", isOptional: true, given: (...all) => inForce(...all)?.id }),
  ],
};

/** An institution cannot have incentive options; the plan's own type is what is meant. */
function optionType({ stockPlanId }: Values, { plans }: Facts): string {
  const planType = plans.find(({ id }) => id === stockPlanId)?.planType ?? "";
  return planType.includes("NSO") ? "NSO" : "ISO";
}

export const issueWarrant: ActionSpec = {
  operation: "issue-warrant",
  makes: "WARRANT",
  groups: [
    {
      name: "who",
      fields: [
        HOLDER,
        { name: "stockClassId", kind: "class", isOptional: true },
        CERTIFICATE,
        QUANTITY,
        { name: "exercisePrice", kind: "decimal", isBeside: true },
        { name: "totalConsideration", kind: "decimal", isOptional: true },
      ],
    },
    {
      name: "when",
      fields: [DATE, { name: "expirationDate", kind: "day", isOptional: true, isBeside: true }, TERMS, START],
    },
    paper(),
  ],
};

export const issueConvertible: ActionSpec = {
  operation: "issue-convertible",
  makes: "CONVERTIBLE",
  groups: [
    {
      name: "who",
      fields: [
        HOLDER,
        { name: "convertibleType", kind: "choice", choices: ["SAFE", "NOTE", "CONVERTIBLE_SECURITY"] },
        CERTIFICATE,
        QUANTITY,
      ],
    },
    {
      name: "terms",
      fields: [
        { name: "valuationCap", kind: "decimal", isOptional: true },
        { name: "discountPercent", kind: "decimal", isOptional: true, isBeside: true },
        { name: "interestRate", kind: "decimal", isOptional: true, isShown: isDebt },
        {
          name: "dayCount",
          kind: "choice",
          choices: ["ACTUAL_365", "30_360"],
          isOptional: true,
          isBeside: true,
          isShown: isDebt,
        },
        { name: "maturityDate", kind: "day", isOptional: true, isShown: isDebt },
        { name: "seniority", kind: "whole", isOptional: true },
      ],
    },
    { name: "when", fields: [DATE] },
    paper(),
  ],
};

function isDebt({ convertibleType }: Values): boolean {
  return convertibleType !== "SAFE";
}

function only(records: readonly { readonly id: string }[]): string | undefined {
  return records.length === 1 ? records[0]?.id : undefined;
}

function onlyClass(_: Values, { classes }: Facts): string | undefined {
  return only(classes);
}
