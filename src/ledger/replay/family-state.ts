// A cap table of a few securities: their classes and plans are there to be counted in from nothing, not for their figures.
import { ZERO } from "../../kernel/numbers/decimal.ts";
import type { ClassState, PlanState } from "../types.ts";
import { LedgerState } from "./state.ts";

/** A state in which every class and plan is there, without a limit and with nothing in it. */
export class FamilyState extends LedgerState {
  override stockClass(id: string): ClassState {
    return this.classes.get(id) ?? { id, authorized: null, issued: ZERO };
  }

  override plan(id: string): PlanState {
    return this.plans.get(id) ?? { id, reserved: ZERO, available: ZERO, stockClassIds: [] };
  }
}
