// Schemas of vesting terms: request bodies and answers.
import { Type } from "@sinclair/typebox";
import { withRules } from "../../kernel/check.ts";
import { body, freeText, nullable, patchOf } from "../../kernel/fields.ts";
import { conditionFindings, scheduleFindings } from "../../ledger/vesting/validate.ts";
import { ALLOCATION_METHOD, PERIOD_TYPE, VESTING_TERMS_FIELDS } from "../../storage/records/vesting-terms.ts";
import { RECORD_HEAD, RECORD_TAIL, shown } from "../present.ts";

/** Members of bodies whose return in answers is an extension of the interface that this service implements. */
const ADDITIVE = [
  "allocationMethod",
  "triggerType",
  "vestingConditions",
  "schedule",
  "totalVestingMonths",
  "cliffMonths",
  "comments",
];

/** The body of `POST /vesting-terms`. */
export const VestingTermsCreate = withRules(
  body(VESTING_TERMS_FIELDS),
  { of: ["vestingConditions"], findings: conditionFindings },
  { of: ["schedule", "totalVestingMonths", "cliffMonths"], findings: scheduleFindings },
);
/** The body of `PATCH /vesting-terms/{id}`. */
export const VestingTermsPatch = patchOf(VestingTermsCreate);
/** Vesting terms as answers show them. */
export const VestingTerms = Type.Object({
  ...RECORD_HEAD,
  ...shown(VESTING_TERMS_FIELDS, ADDITIVE),
  description: nullable(freeText(2000, { description: "What the terms say, for people." })),
  allocationType: {
    ...ALLOCATION_METHOD,
    description: "How a grant is shared out over its vesting events where it does not divide evenly.",
  },
  periodLengthUnits: { ...PERIOD_TYPE, description: "What `periodLength` counts." },
  periodLength: Type.Number({ description: "The length of a period, in its units." }),
  totalPeriods: Type.Number({ description: "The cliff's periods included." }),
  cliffPeriods: Type.Number({ description: "Periods before anything vests; 0 without a cliff." }),
  ...RECORD_TAIL,
});

export const VESTING_TERMS_EXAMPLE = {
  name: "Four years, one-year cliff",
  description: "A quarter after one year, then monthly over three years.",
  vestingConditions: [
    {
      id: "cliff",
      trigger: { type: "TIME_BASED", periodLength: 12, periodType: "MONTHS" },
      portion: { numerator: 12, denominator: 48 },
    },
    {
      id: "monthly",
      trigger: { type: "TIME_BASED", periodLength: 1, periodType: "MONTHS" },
      portion: { numerator: 1, denominator: 48 },
      cliffConditionId: "cliff",
      nextConditionId: "monthly",
    },
  ],
  schedule: { totalMonths: 48, cliffMonths: 12, cliffPercent: 25, vestingFrequency: "MONTHLY" },
};
