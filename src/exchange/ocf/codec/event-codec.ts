// Codec of events that change figures of classes and plans, or vesting ↔ ledger entries: splits, adjustments, returns
// to the pool, repricings. Each reader throws `Refusal` if it lacks what the ledger needs. Pure.
import { type Decimal, formatDecimal, greatestCommonDivisor, ONE, ZERO } from "../../../kernel/numbers/decimal.ts";
import { isObject, type JsonObject } from "../json.ts";
import { type RatioMechanism, ratioMechanismOf } from "./class-rights.ts";
import type { OnSecurity } from "./ending.ts";
import { effectOfReturn } from "./restatement.ts";
import { exactNumber, Refusal, requiredAmount, requiredCount } from "./values.ts";
import { commentsOf, compact } from "./values-to-ocf.ts";

/** The members of each type's entry that come from the object and nothing else, by canonical type. */
export const EVENT_MEMBERS = {
  TX_STOCK_CLASS_SPLIT: splitRatio,
  TX_STOCK_CLASS_AUTHORIZED_SHARES_ADJUSTMENT: (value: JsonObject) => ({
    newSharesAuthorized: requiredCount(value, "new_shares_authorized"),
  }),
  TX_STOCK_PLAN_POOL_ADJUSTMENT: (value: JsonObject) => ({
    newSharesReserved: requiredCount(value, "shares_reserved"),
  }),
  TX_STOCK_PLAN_RETURN_TO_POOL: effectOfReturn,
  TX_EQUITY_COMPENSATION_REPRICING: (value: JsonObject) => ({
    exercisePrice: requiredAmount(value, "new_exercise_price"),
  }),
  TX_VESTING_ACCELERATION: (value: JsonObject) => ({ quantity: requiredCount(value, "quantity") }),
} as const satisfies Readonly<Record<string, (value: JsonObject) => object>>;

/** Another way in which a class converts; null where it cannot be read. */
export function newRatioOf(value: JsonObject): RatioMechanism | null {
  return ratioMechanismOf(value.new_ratio_conversion_mechanism);
}

/** TX_STOCK_CLASS_CONVERSION_RATIO_ADJUSTMENT: the new ratio and price. */
export function ratioAdjustmentOf(what: Adjusting, stockClassId: string, mechanism: JsonObject): JsonObject {
  const { boardApprovalDate: _, stockholderApprovalDate: __, ...dated } = what;
  const members = { stock_class_id: stockClassId, new_ratio_conversion_mechanism: mechanism };
  const said = { ...dated, boardApprovalDate: null, stockholderApprovalDate: null };
  return adjustment("TX_STOCK_CLASS_CONVERSION_RATIO_ADJUSTMENT", said, members);
}

/** The ratio in lowest terms, as texts of whole numbers. */
function splitRatio(value: JsonObject): { numerator: string; denominator: string } {
  const ratio = isObject(value.split_ratio) ? value.split_ratio : {};
  const [numerator, denominator] = [exactNumber(ratio, "numerator"), exactNumber(ratio, "denominator")];
  if (numerator === null || denominator === null || numerator <= ZERO || denominator <= ZERO) {
    throw new Refusal("#/split_ratio", "The split needs a ratio of two positive numbers.");
  }
  const unit = greatestCommonDivisor(numerator, denominator);
  const text = (part: bigint) => formatDecimal((part / unit) * ONE);
  return { numerator: text(numerator), denominator: text(denominator) };
}

/** What every such transaction says. */
export interface Adjusting {
  readonly id: string;
  readonly date: string;
  readonly boardApprovalDate: string | null;
  readonly stockholderApprovalDate: string | null;
  readonly comments: readonly (string | null)[];
}

/** TX_STOCK_CLASS_AUTHORIZED_SHARES_ADJUSTMENT: the new figure. */
export function authorizedAdjustmentOf(what: Adjusting, stockClassId: string, figure: Decimal): JsonObject {
  const members = { stock_class_id: stockClassId, new_shares_authorized: formatDecimal(figure) };
  return adjustment("TX_STOCK_CLASS_AUTHORIZED_SHARES_ADJUSTMENT", what, members);
}

/** TX_STOCK_PLAN_POOL_ADJUSTMENT: the new figure. */
export function poolAdjustmentOf(what: Adjusting, stockPlanId: string, figure: Decimal): JsonObject {
  const members = { stock_plan_id: stockPlanId, shares_reserved: formatDecimal(figure) };
  return adjustment("TX_STOCK_PLAN_POOL_ADJUSTMENT", what, members);
}

function adjustment(objectType: string, what: Adjusting, members: JsonObject): JsonObject {
  return compact({
    object_type: objectType,
    id: what.id,
    date: what.date,
    ...members,
    board_approval_date: what.boardApprovalDate,
    stockholder_approval_date: what.stockholderApprovalDate,
    comments: commentsOf(...what.comments),
  });
}

/** TX_STOCK_CLASS_SPLIT: every `denominator` shares become `numerator`. */
export function classSplitOf(
  { id, date, comments }: Adjusting,
  stockClassId: string,
  numerator: bigint,
  denominator: bigint,
): JsonObject {
  return compact({
    ...{ object_type: "TX_STOCK_CLASS_SPLIT", id, date, stock_class_id: stockClassId },
    split_ratio: { numerator: String(numerator), denominator: String(denominator) },
    comments: commentsOf(...comments),
  });
}

/** TX_STOCK_PLAN_RETURN_TO_POOL; a quantity of zero says that nothing returned, whatever the plan's default. */
export function returnToPoolOf(on: OnSecurity, planId: string, quantity: Decimal, reason: string): JsonObject {
  return {
    ...head(on, "STOCK_PLAN_RETURN_TO_POOL"),
    stock_plan_id: planId,
    quantity: formatDecimal(quantity),
    reason_text: reason,
  };
}

/** TX_VESTING_START or TX_VESTING_EVENT. */
export function vestingOf(on: OnSecurity, kind: "START" | "EVENT", conditionId: string): JsonObject {
  const comments = commentsOf(...on.comments);
  return compact({ ...head(on, `VESTING_${kind}`), vesting_condition_id: conditionId, comments });
}

/** TX_VESTING_ACCELERATION. */
export function accelerationOf(on: OnSecurity, quantity: string, reason: string): JsonObject {
  const comments = commentsOf(...on.comments);
  return compact({ ...head(on, "VESTING_ACCELERATION"), quantity, reason_text: reason, comments });
}

function head({ id, date, securityId }: OnSecurity, type: string): JsonObject {
  return { object_type: `TX_${type}`, id, date, security_id: securityId };
}
