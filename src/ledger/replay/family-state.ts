// Cap table of a few securities: their classes and plans exist only as keys for sums from zero, without figures of
// their own.
import { ZERO } from "../../kernel/numbers/decimal.ts";
import type { ClassState, PlanState } from "../types.ts";
import { LedgerState } from "./state.ts";

/** A state in which every class and plan exists, without a limit and with zero figures. */
export class FamilyState extends LedgerState {
  override stockClass(id: string): ClassState {
    return this.classes.get(id) ?? { id, authorized: null, issued: ZERO };
  }

  override plan(id: string): PlanState {
    return this.plans.get(id) ?? { id, reserved: ZERO, available: ZERO, stockClassIds: [] };
  }
}
