// What events that change figures say, as members of their ledger entries. Each reader throws `Refusal` for what the
// ledger cannot do without. Pure.
import { formatDecimal, ONE, ZERO } from "../../kernel/decimal.ts";
import { isObject, type JsonObject } from "../json.ts";
import { effectOfReturn } from "./restatement.ts";
import { exactNumber, Refusal, requiredAmount, requiredCount } from "./values.ts";
import { greatestCommonDivisor } from "./vesting-terms.ts";

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
    ocfExercisePrice: requiredAmount(value, "new_exercise_price"),
  }),
  TX_VESTING_ACCELERATION: (value: JsonObject) => ({ quantity: requiredCount(value, "quantity") }),
} as const satisfies Readonly<Record<string, (value: JsonObject) => object>>;

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
