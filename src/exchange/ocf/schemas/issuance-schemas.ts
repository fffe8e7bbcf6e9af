// Schemas of the four issuances of OCF 1.2.0 (objects/transactions/issuance): only they create a security.
import { Type } from "@sinclair/typebox";
import { ConversionTrigger } from "./conversion.ts";
import {
  approvals,
  Monetary,
  SecurityExemption,
  ShareNumberRange,
  TerminationWindow,
  transactionOf,
  Vesting,
} from "./parts.ts";
import { requiredFor, ruled } from "./rules.ts";
import { DateText, Flag, Id, list, Numeric, oneOf, optional, record, Text } from "./scalars.ts";

const issuance = {
  security_id: Id,
  custom_id: Text,
  stakeholder_id: Id,
  ...approvals,
  consideration_text: optional(Text),
  security_law_exemptions: list(SecurityExemption),
};
const vesting = { vesting_terms_id: optional(Id), vestings: optional(list(Vesting, { minItems: 1 })) };

/** TX_STOCK_ISSUANCE. */
export const StockIssuance = record({
  ...transactionOf(["TX_STOCK_ISSUANCE"]),
  ...issuance,
  stock_class_id: Id,
  stock_plan_id: optional(Id),
  share_numbers_issued: optional(list(ShareNumberRange)),
  share_price: Monetary,
  quantity: Numeric,
  ...vesting,
  cost_basis: optional(Monetary),
  stock_legend_ids: list(Id),
  issuance_type: optional(oneOf("RSA", "FOUNDERS_STOCK")),
});

/** TX_EQUITY_COMPENSATION_ISSUANCE: options, RSUs and appreciation rights. */
export const EquityCompensationIssuance = ruled(
  ruled(
    record({
      ...transactionOf(["TX_EQUITY_COMPENSATION_ISSUANCE", "TX_PLAN_SECURITY_ISSUANCE"]),
      ...issuance,
      stock_plan_id: optional(Id),
      stock_class_id: optional(Id),
      compensation_type: oneOf("OPTION_NSO", "OPTION_ISO", "OPTION", "RSU", "CSAR", "SSAR"),
      option_grant_type: optional(oneOf("NSO", "ISO", "INTL")),
      quantity: Numeric,
      exercise_price: optional(Monetary),
      base_price: optional(Monetary),
      early_exercisable: optional(Flag),
      ...vesting,
      expiration_date: Type.Union([Type.Null(), DateText], { says: "a date as YYYY-MM-DD, or null for none" }),
      termination_exercise_windows: list(TerminationWindow),
    }),
    requiredFor("compensation_type", ["OPTION", "OPTION_NSO", "OPTION_ISO"], "exercise_price"),
  ),
  requiredFor("compensation_type", ["CSAR", "SSAR"], "base_price"),
);

/** TX_WARRANT_ISSUANCE. */
export const WarrantIssuance = record({
  ...transactionOf(["TX_WARRANT_ISSUANCE"]),
  ...issuance,
  quantity: optional(Numeric),
  quantity_source: optional(
    oneOf(
      "HUMAN_ESTIMATED",
      "MACHINE_ESTIMATED",
      "UNSPECIFIED",
      "INSTRUMENT_FIXED",
      "INSTRUMENT_MAX",
      "INSTRUMENT_MIN",
    ),
  ),
  exercise_price: optional(Monetary),
  purchase_price: Monetary,
  exercise_triggers: list(ConversionTrigger),
  warrant_expiration_date: optional(DateText),
  ...vesting,
});

/** TX_CONVERTIBLE_ISSUANCE: SAFEs and notes. */
export const ConvertibleIssuance = record({
  ...transactionOf(["TX_CONVERTIBLE_ISSUANCE"]),
  ...issuance,
  investment_amount: Monetary,
  convertible_type: oneOf("NOTE", "SAFE", "CONVERTIBLE_SECURITY"),
  conversion_triggers: list(ConversionTrigger, { minItems: 1 }),
  pro_rata: optional(Numeric),
  seniority: Type.Integer({ says: "a whole number without quotation marks" }),
});
