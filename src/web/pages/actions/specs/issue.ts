// Specs of actions that issue shares, options, warrants and convertibles.
import { addYears } from "../../../../kernel/date.ts";
import { parseDecimal } from "../../../../kernel/numbers/decimal.ts";
import { IssueConvertibleRequest, IssueOptionsRequest } from "../../../api/values.ts";
import { readDecimal } from "../../../parts/forms/decimal.ts";
import { GIVEN } from "../../../text/actions/given-words.ts";
import type { ActionSpec, Facts, FieldGroup, GuidedField, Values } from "../spec.ts";
import { CERTIFICATE, DATE, HOLDER, paper, QUANTITY, START, STOCKHOLDERS, TERMS } from "./common-specs.ts";

const OPTION_YEARS = 10;

const PRICE: GuidedField = {
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
      fields: [
        DATE,
        { ...TERMS, isBeside: true },
        { ...START, isBeside: false },
        { name: "valuationId", kind: "valuation", isOptional: true },
      ],
    },
    paper(STOCKHOLDERS),
  ],
};

const STRIKE: GuidedField = {
  name: "exercisePrice",
  kind: "decimal",
  given: (_, { inForce }) => inForce?.pricePerShare,
  note(values, { inForce }) {
    if (values.stockPlanId === "" || inForce === null) return undefined;
    const { valuation, pricePerShare } = inForce;
    if (valuation === null || pricePerShare === null) return GIVEN.noValuation;
    const strike = readDecimal(values.exercisePrice ?? "");
    const isBelow = strike !== null && parseDecimal(strike) < parseDecimal(pricePerShare);
    return (isBelow ? GIVEN.below : GIVEN.valuation)(pricePerShare, valuation.effectiveDate);
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
        {
          name: "optionType",
          kind: "choice",
          choices: IssueOptionsRequest.optionType,
          isBeside: true,
          given: optionType,
        },
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
    paper({
      name: "valuationId",
      kind: "valuation",
      isOptional: true,
      given: (_, facts) => facts.inForce?.valuation?.id,
    }),
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

/** What a convertible's kind, its cap and its interest say: in short, as one trigger. */
const ofTerms = (name: string, kind: GuidedField["kind"], more: Partial<GuidedField> = {}): GuidedField => {
  return { name: `convertibleTerms.${name}`, kind, isOptional: true, ...more };
};
const kindOf = (values: Values) => values["convertibleTerms.convertibleType"];
const isSafe = (values: Values) => kindOf(values) === "SAFE";
const isDebt = (values: Values) => !isSafe(values);
const isCompounding = (values: Values) => isDebt(values) && values["convertibleTerms.compounding"] === "COMPOUNDING";

export const CONVERTIBLE_TYPE: GuidedField = {
  name: "convertibleTerms.convertibleType",
  kind: "choice",
  choices: IssueConvertibleRequest["convertibleTerms.convertibleType"],
};

/** How a convertible converts, is repaid and bears interest. */
export const CONVERTIBLE_TERMS: FieldGroup = {
  name: "terms",
  fields: [
    ofTerms("valuationCap", "decimal"),
    ofTerms("discountPercent", "decimal", { isBeside: true }),
    ofTerms("timing", "choice", { choices: IssueConvertibleRequest["convertibleTerms.timing"], isShown: isSafe }),
    ofTerms("mfn", "check", { isShown: isSafe }),
    ofTerms("interestRate", "decimal", { isShown: isDebt }),
    ofTerms("dayCount", "choice", {
      choices: IssueConvertibleRequest["convertibleTerms.dayCount"],
      isBeside: true,
      isShown: isDebt,
    }),
    ofTerms("interestPayout", "choice", {
      choices: IssueConvertibleRequest["convertibleTerms.interestPayout"],
      isShown: isDebt,
    }),
    ofTerms("compounding", "choice", {
      choices: IssueConvertibleRequest["convertibleTerms.compounding"],
      isBeside: true,
      isShown: isDebt,
    }),
    ofTerms("accrualPeriod", "choice", {
      choices: IssueConvertibleRequest["convertibleTerms.accrualPeriod"],
      isShown: isCompounding,
    }),
    ofTerms("maturityDate", "day", { isShown: isDebt }),
    ofTerms("minimumProceeds", "decimal", { isPositive: true }),
    ofTerms("exitMultiple", "decimal", { isBeside: true, isPositive: true }),
    ofTerms("seniority", "whole", { isPositive: true }),
    ofTerms("proRata", "decimal", { isBeside: true }),
  ],
};

export const issueConvertible: ActionSpec = {
  operation: "issue-convertible",
  makes: "CONVERTIBLE",
  groups: [
    { name: "who", fields: [HOLDER, CONVERTIBLE_TYPE, CERTIFICATE, QUANTITY] },
    CONVERTIBLE_TERMS,
    { name: "when", fields: [DATE] },
    paper(),
  ],
};

function only(records: readonly { readonly id: string }[]): string | undefined {
  return records.length === 1 ? records[0]?.id : undefined;
}

function onlyClass(_: Values, { classes }: Facts): string | undefined {
  return only(classes);
}
