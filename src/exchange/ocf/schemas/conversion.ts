// Schemas of conversion: mechanisms, rights and triggers of convertibles, warrants and preferred stock
// (types/conversion_* of OCF 1.2.0). A right need not name its type, unless its mechanism would then fit two kinds of
// right.
import { type TSchema, Type } from "@sinclair/typebox";
import { isObject } from "../json.ts";
import { Monetary, Ratio } from "./parts.ts";
import { type Rule, requiredFor, ruled } from "./rules.ts";
import { DateText, Flag, Id, list, Numeric, oneOf, optional, Percentage, record, Text } from "./scalars.ts";

const capitalization = {
  capitalization_definition: optional(Text),
  capitalization_definition_rules: optional(
    record({
      include_outstanding_shares: Flag,
      include_outstanding_options: Flag,
      include_outstanding_unissued_options: Flag,
      include_this_security: Flag,
      include_other_converting_securities: Flag,
      include_option_pool_topup_for_promised_options: Flag,
      include_additional_option_pool_topup: Flag,
      include_new_money: Flag,
    }),
  ),
};

const Custom = record({ type: oneOf("CUSTOM_CONVERSION"), custom_conversion_description: Text });
const FixedAmount = record({ type: oneOf("FIXED_AMOUNT_CONVERSION"), converts_to_quantity: Numeric });
const Percent = record({
  type: oneOf("FIXED_PERCENT_OF_CAPITALIZATION_CONVERSION"),
  converts_to_percent: Percentage,
  ...capitalization,
});
/** One share converts into `ratio` shares. */
export const RatioConversion = record({
  type: oneOf("RATIO_CONVERSION"),
  conversion_price: Monetary,
  ratio: Ratio,
  rounding_type: oneOf("CEILING", "FLOOR", "NORMAL"),
});
const Safe = record({
  type: oneOf("SAFE_CONVERSION"),
  conversion_discount: optional(Percentage),
  conversion_valuation_cap: optional(Monetary),
  exit_multiple: optional(Ratio),
  conversion_mfn: Flag,
  conversion_timing: optional(oneOf("PRE_MONEY", "POST_MONEY")),
  ...capitalization,
});
const Note = record({
  type: oneOf("CONVERTIBLE_NOTE_CONVERSION"),
  interest_rates: list(
    record({ rate: Percentage, accrual_start_date: DateText, accrual_end_date: optional(DateText) }),
  ),
  day_count_convention: oneOf("ACTUAL_365", "30_360"),
  interest_payout: oneOf("DEFERRED", "CASH"),
  interest_accrual_period: oneOf("DAILY", "MONTHLY", "QUARTERLY", "SEMI_ANNUAL", "ANNUAL"),
  compounding_type: oneOf("COMPOUNDING", "SIMPLE"),
  conversion_discount: optional(Percentage),
  conversion_valuation_cap: optional(Monetary),
  exit_multiple: optional(Ratio),
  conversion_mfn: optional(Flag),
  ...capitalization,
});
const ValuationBased = ruled(
  record({
    type: oneOf("VALUATION_BASED_CONVERSION"),
    valuation_type: oneOf("FIXED", "ACTUAL", "CAP"),
    valuation_amount: optional(Monetary),
    ...capitalization,
  }),
  requiredFor("valuation_type", ["FIXED", "CAP"], "valuation_amount"),
);

const discountRule: Rule = (object) => {
  const given = ["discount_percentage", "discount_amount"].filter((name) => name in object);
  const allowed = object.discount === true ? given.length === 1 : given.length < (object.discount === false ? 2 : 1);
  if (allowed) return null;
  const fix = "With a discount set discount to true and give one of discount_percentage and discount_amount.";
  return { member: null, detail: `does not fit its discount (${given.join(" and ") || "no amount given"})`, fix };
};
const SharePriceBased = ruled(
  record({
    type: oneOf("PPS_BASED_CONVERSION"),
    description: Text,
    discount: optional(Flag),
    discount_percentage: optional(Percentage),
    discount_amount: optional(Monetary),
  }),
  discountRule,
);

function right<const T extends string, M extends TSchema>(type: T, mechanism: M) {
  return record({
    type: optional(oneOf(type)),
    conversion_mechanism: mechanism,
    converts_to_future_round: optional(Flag),
    converts_to_stock_class_id: optional(Id),
  });
}

const ConvertibleRight = right("CONVERTIBLE_CONVERSION_RIGHT", Type.Union([Safe, Note, Custom, Percent, FixedAmount]));
const WarrantRight = right(
  "WARRANT_CONVERSION_RIGHT",
  Type.Union([Custom, Percent, FixedAmount, ValuationBased, SharePriceBased]),
);
/** The right of a class of stock to become another. */
export const StockClassRight = right("STOCK_CLASS_CONVERSION_RIGHT", RatioConversion);

const AMBIGUOUS = ["CUSTOM_CONVERSION", "FIXED_AMOUNT_CONVERSION", "FIXED_PERCENT_OF_CAPITALIZATION_CONVERSION"];
const namedRight: Rule = (object) => {
  const mechanism = object.conversion_mechanism;
  if ("type" in object || !isObject(mechanism) || !AMBIGUOUS.includes(String(mechanism.type))) return null;
  const detail = `does not say its type, and ${mechanism.type} fits two kinds of conversion right`;
  return { member: "type", detail, fix: 'Add "type": "CONVERTIBLE_CONVERSION_RIGHT" or "WARRANT_CONVERSION_RIGHT".' };
};
const AnyRight = ruled(Type.Union([ConvertibleRight, WarrantRight, StockClassRight]), namedRight);

function trigger<const T extends string>(type: T) {
  return {
    type: oneOf(type),
    trigger_id: Id,
    nickname: optional(Text),
    trigger_description: optional(Text),
    conversion_right: AnyRight,
  };
}

/** What sets a conversion off. */
export const ConversionTrigger = Type.Union([
  record({ ...trigger("AUTOMATIC_ON_CONDITION"), trigger_condition: Text }),
  record({ ...trigger("AUTOMATIC_ON_DATE"), trigger_date: DateText }),
  record({ ...trigger("ELECTIVE_IN_RANGE"), start_date: DateText, end_date: DateText }),
  record({ ...trigger("ELECTIVE_ON_CONDITION"), trigger_condition: Text }),
  record(trigger("ELECTIVE_AT_WILL")),
  record(trigger("UNSPECIFIED")),
]);

/** What counted as the company's capitalization in a conversion that took place. */
export const CapitalizationDefinition = record({
  include_stock_class_ids: list(Id),
  include_stock_plans_ids: list(Id),
  include_security_ids: list(Id),
  exclude_security_ids: list(Id),
});
