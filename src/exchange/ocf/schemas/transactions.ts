// Schemas of transactions on securities, classes and plans (objects/transactions of OCF 1.2.0, issuances apart, and the
// additions of the development version). Each function makes one shape; the registry names the object types that have
// it.

import { CapitalizationDefinition, RatioConversion } from "./conversion.ts";
import { approvals, Monetary, Ratio, transactionOf } from "./parts.ts";
import { Relationship, StakeholderStatus } from "./record-schemas.ts";
import { atLeastOne, ruled } from "./rules.ts";
import { DateText, Id, list, Numeric, optional, record, Text } from "./scalars.ts";

type Names = readonly string[];
const results = { resulting_security_ids: list(Id) };
const transferResults = { resulting_security_ids: list(Id, { minItems: 1, uniqueItems: true }) };
const balance = { balance_security_id: optional(Id) };
const consideration = { consideration_text: optional(Text) };
const onSecurity = (names: Names) => ({ ...transactionOf(names), security_id: Id });
const onClass = (names: Names) => ({ ...transactionOf(names), stock_class_id: Id });

/** TX_…_ACCEPTANCE. */
export const acceptance = (names: Names) => record(onSecurity(names));
/** TX_…_RETRACTION. */
export const retraction = (names: Names) => record({ ...onSecurity(names), reason_text: Text });

/** TX_…_CANCELLATION of a number of shares. */
export const cancellation = (names: Names) =>
  record({ ...onSecurity(names), quantity: Numeric, reason_text: Text, ...balance });
/** TX_CONVERTIBLE_CANCELLATION. */
export const ConvertibleCancellation = record({
  ...onSecurity(["TX_CONVERTIBLE_CANCELLATION"]),
  amount: Monetary,
  reason_text: Text,
  ...balance,
});

/** TX_…_TRANSFER of a number of shares. */
export const transfer = (names: Names) =>
  record({ ...onSecurity(names), quantity: Numeric, ...consideration, ...balance, ...transferResults });
/** TX_CONVERTIBLE_TRANSFER. */
export const ConvertibleTransfer = record({
  ...onSecurity(["TX_CONVERTIBLE_TRANSFER"]),
  amount: Monetary,
  ...consideration,
  ...balance,
  ...transferResults,
});

/** TX_EQUITY_COMPENSATION_EXERCISE. */
export const exercise = (names: Names) =>
  record({ ...onSecurity(names), quantity: Numeric, ...consideration, ...results });
/** TX_EQUITY_COMPENSATION_RELEASE. */
export const release = (names: Names) =>
  record({
    ...onSecurity(names),
    quantity: Numeric,
    release_price: Monetary,
    settlement_date: DateText,
    ...consideration,
    ...results,
  });
/** TX_WARRANT_EXERCISE. */
export const WarrantExercise = record({
  ...onSecurity(["TX_WARRANT_EXERCISE"]),
  trigger_id: Id,
  ...consideration,
  ...results,
});

/** TX_CONVERTIBLE_CONVERSION. */
export const ConvertibleConversion = record({
  ...onSecurity(["TX_CONVERTIBLE_CONVERSION"]),
  trigger_id: Id,
  reason_text: Text,
  quantity_converted: optional(Numeric),
  capitalization_definition: optional(CapitalizationDefinition),
  ...balance,
  ...results,
});
/** TX_STOCK_CONVERSION. */
export const StockConversion = record({
  ...onSecurity(["TX_STOCK_CONVERSION"]),
  quantity_converted: Numeric,
  ...balance,
  ...results,
});
/** TX_STOCK_REPURCHASE; `price` is per share. */
export const StockRepurchase = record({
  ...onSecurity(["TX_STOCK_REPURCHASE"]),
  price: Monetary,
  quantity: Numeric,
  ...consideration,
  ...balance,
});
/** TX_STOCK_REISSUANCE: new certificates for old. */
export const StockReissuance = record({
  ...onSecurity(["TX_STOCK_REISSUANCE"]),
  split_transaction_id: optional(Id),
  reason_text: optional(Text),
  ...results,
});

/** TX_STOCK_CLASS_SPLIT; the ratio is new to old. */
export const StockClassSplit = record({ ...onClass(["TX_STOCK_CLASS_SPLIT"]), split_ratio: Ratio });
/** TX_STOCK_CLASS_AUTHORIZED_SHARES_ADJUSTMENT: the new figure. */
export const ClassAuthorizedAdjustment = record({
  ...onClass(["TX_STOCK_CLASS_AUTHORIZED_SHARES_ADJUSTMENT"]),
  new_shares_authorized: Numeric,
  ...approvals,
});
/** TX_STOCK_CLASS_CONVERSION_RATIO_ADJUSTMENT. */
export const ClassConversionRatioAdjustment = record({
  ...onClass(["TX_STOCK_CLASS_CONVERSION_RATIO_ADJUSTMENT"]),
  new_ratio_conversion_mechanism: RatioConversion,
});
/** TX_ISSUER_AUTHORIZED_SHARES_ADJUSTMENT: the new figure. */
export const IssuerAuthorizedAdjustment = record({
  ...transactionOf(["TX_ISSUER_AUTHORIZED_SHARES_ADJUSTMENT"]),
  issuer_id: Id,
  new_shares_authorized: Numeric,
  ...approvals,
});
/** TX_STOCK_PLAN_POOL_ADJUSTMENT: the new figure. */
export const PlanPoolAdjustment = record({
  ...transactionOf(["TX_STOCK_PLAN_POOL_ADJUSTMENT"]),
  stock_plan_id: Id,
  shares_reserved: Numeric,
  ...approvals,
});
/** TX_STOCK_PLAN_RETURN_TO_POOL. */
export const PlanReturnToPool = record({
  ...onSecurity(["TX_STOCK_PLAN_RETURN_TO_POOL"]),
  stock_plan_id: Id,
  quantity: Numeric,
  reason_text: Text,
});

/** TX_VESTING_START and TX_VESTING_EVENT. */
export const vestingOn = (names: Names) => record({ ...onSecurity(names), vesting_condition_id: Id });
/** TX_VESTING_ACCELERATION. */
export const VestingAcceleration = record({
  ...onSecurity(["TX_VESTING_ACCELERATION"]),
  quantity: Numeric,
  reason_text: Text,
});

/** TX_STOCK_CONSOLIDATION: several certificates become one (development version). */
export const StockConsolidation = record({
  ...transactionOf(["TX_STOCK_CONSOLIDATION"]),
  security_ids: list(Id, { minItems: 1, uniqueItems: true }),
  resulting_security_id: Id,
  reason_text: optional(Text),
});
/** TX_EQUITY_COMPENSATION_REPRICING (development version). */
export const EquityCompensationRepricing = record({
  ...onSecurity(["TX_EQUITY_COMPENSATION_REPRICING"]),
  new_exercise_price: Monetary,
});
/** CE_STAKEHOLDER_RELATIONSHIP (development version). */
export const StakeholderRelationshipChange = ruled(
  record({
    ...transactionOf(["CE_STAKEHOLDER_RELATIONSHIP"]),
    stakeholder_id: Id,
    relationship_started: optional(Relationship),
    relationship_ended: optional(Relationship),
  }),
  atLeastOne("relationship_started", "relationship_ended"),
);
/** CE_STAKEHOLDER_STATUS (development version). */
export const StakeholderStatusChange = record({
  ...transactionOf(["CE_STAKEHOLDER_STATUS"]),
  stakeholder_id: Id,
  new_status: StakeholderStatus,
});
