// The fields of vesting terms.
import { Type } from "@sinclair/typebox";
import { ALLOCATION_METHODS } from "../../kernel/allocation-method.ts";
import {
  body,
  defaulted,
  EXTENSION,
  freeObject,
  freeText,
  id,
  integer,
  oneOf,
  optional,
  requiredFreeText,
  text,
} from "../../kernel/fields.ts";

/** The unit of a period. */
export const PERIOD_TYPE = oneOf(["DAYS", "MONTHS", "YEARS"]);

/** How vested shares are rounded. */
export const ALLOCATION_METHOD = oneOf(ALLOCATION_METHODS);

const months = Type.Number({ minimum: 0 });

const vestingCondition = body({
  id: id({ description: "Chosen by the caller; other conditions link to it." }),
  trigger: body({
    type: oneOf(["TIME_BASED", "EVENT_BASED"]),
    periodLength: optional(integer(0, { description: "Time-based: how many of `periodType`." })),
    periodType: optional(PERIOD_TYPE),
    eventDescription: optional(freeText(2000, { description: "Event-based: the event that satisfies it." })),
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

/** The body of vesting terms. */
export const VESTING_TERMS_FIELDS = {
  name: text(100),
  description: requiredFreeText(),
  allocationMethod: defaulted(ALLOCATION_METHOD, "CUMULATIVE_ROUNDING"),
  triggerType: defaulted(oneOf(["TIME_BASED", "EVENT_BASED", "HYBRID"]), "TIME_BASED"),
  vestingConditions: Type.Array(vestingCondition, { minItems: 1 }),
  schedule: optional(schedule),
  totalVestingMonths: optional(Type.Number({ minimum: 0, description: "Mirrors `schedule.totalMonths`." })),
  cliffMonths: optional(Type.Number({ minimum: 0, description: "Mirrors `schedule.cliffMonths`." })),
  comments: optional(freeText()),
};
