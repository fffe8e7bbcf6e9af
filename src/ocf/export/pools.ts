// What a reader of the exported objects takes each plan to have available: reserve − grants + returns, where what a
// transaction made is no new grant. It must come out at what the ledger says; where an unusual history (a closed grant
// whose quantity was edited) makes it differ, one adjustment at the end sets it right. Pure bookkeeping.
import { type Decimal, ZERO } from "../../kernel/decimal.ts";
import { decimalOf, type JsonObject, textOf, textsOf } from "../json.ts";

const DRAWING = new Set(["TX_STOCK_ISSUANCE", "TX_EQUITY_COMPENSATION_ISSUANCE", "TX_PLAN_SECURITY_ISSUANCE"]);

/** How far a reader's sum is from the ledger's figure, plan by plan. */
export class PoolMirror {
  readonly #drift = new Map<string, Decimal>();
  /** Securities that a transaction made and that are not issued yet. */
  readonly #made = new Set<string>();

  /** Takes note of an object that goes out. */
  read(object: JsonObject): void {
    for (const id of textsOf(object, "resulting_security_ids")) this.#made.add(id);
    const balance = textOf(object, "balance_security_id");
    if (balance !== null) this.#made.add(balance);
    const plan = textOf(object, "stock_plan_id");
    if (plan === null) return;
    const quantity = decimalOf(object, "quantity") ?? ZERO;
    if (object.object_type === "TX_STOCK_PLAN_RETURN_TO_POOL") this.drift(plan, quantity);
    if (!DRAWING.has(String(object.object_type))) return;
    const isMade = this.#made.delete(textOf(object, "security_id") ?? "");
    if (!isMade) this.drift(plan, -quantity);
  }

  /** Adds to a plan's difference: the reader's figure less the ledger's. */
  drift(planId: string, difference: Decimal): void {
    if (difference !== ZERO) this.#drift.set(planId, (this.#drift.get(planId) ?? ZERO) + difference);
  }

  /** The plans for which the two differ, and by how much. */
  differences(): [planId: string, difference: Decimal][] {
    return [...this.#drift].filter(([, difference]) => difference !== ZERO);
  }
}
