// Codec of a security's charge on its plan (planCharge) ↔ a return of zero shares to the pool. OCF has no member for
// it, and a reader of a package computes the charge from grants and their transactions; if the ledger has another,
// after edits for example, the return's comment carries it. Pure.
import { type Decimal, formatDecimal, scale } from "../../../kernel/numbers/decimal.ts";
import { decimalOf, isObject, type JsonObject, textOf } from "../json.ts";
import { captableComment, fromCaptableComment } from "./captable-comment.ts";
import type { OnSecurity } from "./ending.ts";
import { returnToPoolOf } from "./event-codec.ts";

/** A charge, and the shares that bear it. */
export interface ToldPlanCharge {
  readonly charge: Decimal;
  readonly quantity: Decimal;
}

/**
 * TX_STOCK_PLAN_RETURN_TO_POOL that carries a charge; `returned` is what the plan's default gave back of the security.
 */
export function chargeOf(on: OnSecurity, planId: string, told: ToldPlanCharge, returned: Decimal): JsonObject {
  const [charge, quantity] = [formatDecimal(told.charge), formatDecimal(told.quantity)];
  const reason = `Charges the plan with ${charge} for ${quantity} shares.`;
  const comment = captableComment({ planCharge: { charge, quantity } });
  return { ...returnToPoolOf(on, planId, returned, reason), comments: [comment] };
}

/** The charge in such a return; null for any other. */
export function toldCharge(value: JsonObject): ToldPlanCharge | null {
  if (textOf(value, "object_type") !== "TX_STOCK_PLAN_RETURN_TO_POOL") return null;
  const { planCharge } = fromCaptableComment(value, (members) => "planCharge" in members).members;
  if (!isObject(planCharge)) return null;
  const [charge, quantity] = [decimalOf(planCharge, "charge"), decimalOf(planCharge, "quantity")];
  return charge === null || quantity === null || charge < 0n || quantity <= 0n ? null : { charge, quantity };
}

/** The charge of a security that now holds `held` shares. */
export function chargeFor({ charge, quantity }: ToldPlanCharge, held: Decimal): Decimal {
  return held === quantity ? charge : scale(charge, held, quantity);
}
