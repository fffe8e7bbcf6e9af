// Schemas of vesting terms (objects/VestingTerms and types/vesting of OCF 1.2.0): conditions that follow one another as
// a graph.
import { type TProperties, Type } from "@sinclair/typebox";
import { objectOf } from "./parts.ts";
import { exactlyOne, ruled } from "./rules.ts";
import { DateText, Flag, Id, list, Numeric, oneOf, optional, record, Text } from "./scalars.ts";

const DAYS_OF_MONTH = Array.from({ length: 28 }, (_, i) => String(i + 1).padStart(2, "0"));
const DayOfMonth = oneOf(
  ...DAYS_OF_MONTH,
  "29_OR_LAST_DAY_OF_MONTH",
  "30_OR_LAST_DAY_OF_MONTH",
  "31_OR_LAST_DAY_OF_MONTH",
  "VESTING_START_DAY_OR_LAST_DAY_OF_MONTH",
);
const wholeFrom = (minimum: number) =>
  Type.Integer({ minimum, says: `a whole number from ${minimum}, without quotation marks` });

function vestingTerms<P extends TProperties>(periodExtras: P) {
  const period = { length: wholeFrom(0), occurrences: wholeFrom(1), ...periodExtras };
  const Trigger = Type.Union([
    record({ type: oneOf("VESTING_START_DATE") }),
    record({ type: oneOf("VESTING_SCHEDULE_ABSOLUTE"), date: DateText }),
    record({
      type: oneOf("VESTING_SCHEDULE_RELATIVE"),
      period: Type.Union([
        record({ type: oneOf("DAYS"), ...period }),
        record({ type: oneOf("MONTHS"), day_of_month: DayOfMonth, ...period }),
      ]),
      relative_to_condition_id: Id,
    }),
    record({ type: oneOf("VESTING_EVENT") }),
  ]);
  const Condition = record({
    id: Type.String({ minLength: 1, says: "an id: text in quotation marks, not empty" }),
    description: optional(Text),
    portion: optional(record({ numerator: Numeric, denominator: Numeric, remainder: optional(Flag) })),
    quantity: optional(Numeric),
    trigger: Trigger,
    next_condition_ids: list(Id, { uniqueItems: true }),
  });
  return record({
    ...objectOf(["VESTING_TERMS"]),
    name: Text,
    description: Text,
    allocation_type: oneOf(
      "CUMULATIVE_ROUNDING",
      "CUMULATIVE_ROUND_DOWN",
      "FRONT_LOADED",
      "BACK_LOADED",
      "FRONT_LOADED_TO_SINGLE_TRANCHE",
      "BACK_LOADED_TO_SINGLE_TRANCHE",
      "FRACTIONAL",
    ),
    vesting_conditions: list(ruled(Condition, exactlyOne("portion", "quantity")), { minItems: 1 }),
  });
}

/** VESTING_TERMS. */
export const VestingTerms = vestingTerms({});
/** VESTING_TERMS of the development version: a period may say which instalment is the cliff. */
export const VestingTermsDevelopment = vestingTerms({ cliff_installment: optional(wholeFrom(0)) });
