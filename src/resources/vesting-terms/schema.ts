// Vesting terms on the wire (API.md, "Vesting terms"; DECISIONS section 9).
import { Type } from "@sinclair/typebox";
import { withRules } from "../../kernel/check.ts";
import {
  body,
  defaulted,
  EXTENSION,
  freeObject,
  freeText,
  id,
  integer,
  nullable,
  oneOf,
  optional,
  patchOf,
  requiredFreeText,
  text,
} from "../../kernel/fields.ts";
import { ALLOCATION_METHODS } from "../../vesting/types.ts";
import { conditionFindings, scheduleFindings } from "../../vesting/validate.ts";
import { RECORD_HEAD, RECORD_TAIL, shown } from "../present.ts";

const allocationMethod = oneOf(ALLOCATION_METHODS);

const months = Type.Number({ minimum: 0 });

const vestingCondition = body({
  id: id({ description: "Chosen by the caller; other conditions link to it." }),
  trigger: body({
    type: oneOf(["TIME_BASED", "EVENT_BASED"]),
    periodLength: optional(integer(0, { description: "Time-based: how many of `periodType`." })),
    periodType: optional(oneOf(["DAYS", "MONTHS", "YEARS"])),
    eventDescription: optional(freeText(2000, { description: "Event-based: what has to happen." })),
    occurrences: optional(
      integer(1, { description: "How often the condition happens; without it the links decide.", ...EXTENSION }),
    ),
  }),
  portion: body({ numerator: integer(0), denominator: integer(1) }),
  cliffConditionId: optional(id({ description: "The condition that must be satisfied before this one begins." })),
  nextConditionId: optional(id({ description: "The condition that repeats after this one; its own id repeats it." })),
});

const schedule = body(
  {
    totalMonths: months,
    cliffMonths: months,
    cliffPercent: Type.Number({ minimum: 0, maximum: 100 }),
    vestingFrequency: oneOf(["MONTHLY", "QUARTERLY", "ANNUALLY"]),
    accelerationTriggers: optional(Type.Array(freeObject())),
  },
  { description: "A summary for display. Where it differs from the conditions, the conditions vest." },
);

const fields = {
  name: text(100),
  description: requiredFreeText(),
  allocationMethod: defaulted(allocationMethod, "CUMULATIVE_ROUNDING"),
  triggerType: defaulted(oneOf(["TIME_BASED", "EVENT_BASED", "HYBRID"]), "TIME_BASED"),
  vestingConditions: Type.Array(vestingCondition, { minItems: 1 }),
  schedule: optional(schedule),
  totalVestingMonths: optional(Type.Number({ minimum: 0, description: "Mirrors `schedule.totalMonths`." })),
  cliffMonths: optional(Type.Number({ minimum: 0, description: "Mirrors `schedule.cliffMonths`." })),
  comments: optional(freeText()),
};

/** What API.md takes and shows in no answer. */
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
  body(fields),
  { of: ["vestingConditions"], findings: conditionFindings },
  { of: ["schedule", "totalVestingMonths", "cliffMonths"], findings: scheduleFindings },
);
/** The body of `PATCH /vesting-terms/{id}`. */
export const VestingTermsPatch = patchOf(VestingTermsCreate);
/** Vesting terms as answers show them. */
export const VestingTerms = Type.Object({
  ...RECORD_HEAD,
  ...shown(fields, ADDITIVE),
  description: nullable(freeText()),
  allocationType: allocationMethod,
  periodLengthUnits: oneOf(["DAYS", "MONTHS", "YEARS"]),
  periodLength: Type.Number(),
  totalPeriods: Type.Number({ description: "The cliff's periods included." }),
  cliffPeriods: Type.Number(),
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
