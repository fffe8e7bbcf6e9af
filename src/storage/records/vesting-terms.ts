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
  trigger: body(
    {
      type: oneOf(["TIME_BASED", "EVENT_BASED"], { description: "Whether time or an event satisfies the condition." }),
      periodLength: optional(integer(0, { description: "Time-based: how many of `periodType`." })),
      periodType: optional({ ...PERIOD_TYPE, description: "Time-based: what `periodLength` counts." }),
      eventDescription: optional(freeText(2000, { description: "Event-based: the event that satisfies it." })),
      occurrences: optional(
        integer(1, { description: "How often the condition happens; without it the links decide.", ...EXTENSION }),
      ),
    },
    { description: "What makes the condition happen." },
  ),
  portion: body(
    {
      numerator: integer(0, { description: "The upper part of the fraction." }),
      denominator: integer(1, { description: "The lower part of the fraction." }),
    },
    { description: "What vests each time, as a fraction of the grant." },
  ),
  cliffConditionId: optional(id({ description: "The condition that must be satisfied before this one begins." })),
  nextConditionId: optional(id({ description: "The condition that repeats after this one; its own id repeats it." })),
});

const schedule = body(
  {
    totalMonths: { ...months, description: "Months until all has vested." },
    cliffMonths: { ...months, description: "Months before anything vests." },
    cliffPercent: Type.Number({
      description: "What vests at the cliff, in percent of the grant.",
      minimum: 0,
      maximum: 100,
    }),
    vestingFrequency: oneOf(["MONTHLY", "QUARTERLY", "ANNUALLY"], {
      description: "How often something vests, for display.",
    }),
    accelerationTriggers: optional(
      Type.Array(freeObject(), { description: "What speeds vesting up, for display; any objects, kept as sent." }),
    ),
  },
  { description: "A summary for display. Where it differs from the conditions, the conditions vest." },
);

/** The body of vesting terms. */
export const VESTING_TERMS_FIELDS = {
  name: text(100, { description: "The terms' name." }),
  description: requiredFreeText(2000, { description: "What the terms say, for people." }),
  allocationMethod: defaulted(
    {
      ...ALLOCATION_METHOD,
      description: "How a grant is shared out over its vesting events where it does not divide evenly.",
    },
    "CUMULATIVE_ROUNDING",
  ),
  triggerType: defaulted(
    oneOf(["TIME_BASED", "EVENT_BASED", "HYBRID"], { description: "What vesting waits for: time, events, or both." }),
    "TIME_BASED",
  ),
  vestingConditions: Type.Array(vestingCondition, {
    description: "What has to happen for which part of a grant to vest.",
    minItems: 1,
  }),
  schedule: optional(schedule),
  totalVestingMonths: optional(Type.Number({ minimum: 0, description: "Mirrors `schedule.totalMonths`." })),
  cliffMonths: optional(Type.Number({ minimum: 0, description: "Mirrors `schedule.cliffMonths`." })),
  comments: optional(freeText(2000, { description: "Free text, for people." })),
};
