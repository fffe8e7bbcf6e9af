// Differences between a reader's figures of each plan and the ledger's: the same sums as validation's (story/pools.ts),
// less the ledger's. They must be equal; if a split or an unusual history (a closed grant whose quantity was edited)
// makes them differ, settle.ts corrects it. Pure bookkeeping.
import { type Decimal, parseDecimal, ZERO } from "../../../../kernel/numbers/decimal.ts";
import { membersOf } from "../../../../ledger/members.ts";
import type { LedgerState } from "../../../../ledger/replay/state.ts";
import type { PlanUses } from "../../../../ledger/rules/plan-use.ts";
import type { EntryDraft, PlanState } from "../../../../ledger/types.ts";
import { madeBy } from "../../codec/ending.ts";
import { decimalOf, type JsonObject, textOf } from "../../json.ts";
import { isReturnedByDefault, type PlanFigures, Pools } from "../../story/pools.ts";

/** A grant, a balance or a result of one, as the package issues it. */
export interface Grant {
  /** The security's id in OCF. */
  readonly id: string;
  readonly date: string;
  readonly quantity: Decimal;
}

type LedgerFigures = ReadonlyMap<string, PlanFigures & Pick<PlanState, "reserved">>;

/** What the ledger says of every plan at this moment. */
export function figuresOf(state: LedgerState, uses: PlanUses): LedgerFigures {
  return new Map([...state.plans].map(([id, plan]) => [id, { ...plan, ...uses.of(id) }]));
}

const DRAWING = new Set(["TX_STOCK_ISSUANCE", "TX_EQUITY_COMPENSATION_ISSUANCE", "TX_PLAN_SECURITY_ISSUANCE"]);

/** The reader's figures less the ledger's, plan by plan. The reserve is always exported as it is. */
export class PoolGaps extends Pools {
  readonly #grants = new Map<string, Grant[]>();
  /** Securities that a transaction made and that are not issued yet. */
  readonly #made = new Set<string>();

  /** Records an exported object. */
  read(object: JsonObject): void {
    for (const id of madeBy(object)) this.#made.add(id);
    const type = String(object.object_type);
    const [id, planId] = [textOf(object, "security_id") ?? "", textOf(object, "stock_plan_id")];
    const quantity = decimalOf(object, "quantity") ?? ZERO;
    if (type === "TX_EQUITY_COMPENSATION_EXERCISE") this.exercise(id, quantity);
    if (planId === null) return;
    if (type === "TX_STOCK_PLAN_RETURN_TO_POOL") this.returnSaid(planId, id, quantity, textOf(object, "reason_text"));
    if (!DRAWING.has(type)) return;
    const grant = { id, date: textOf(object, "date") ?? "", quantity };
    this.grant(planId, grant, this.#made.delete(id));
  }

  /**
   * Records what an imported entry on a security returned: because it is stated, or by its plan's default. By default a
   * reader returns it to the plan that the issuance names now, after edits, if `returnsByDefault` has it.
   */
  passReturn(entry: EntryDraft, returnsByDefault: (planId: string) => boolean): void {
    const { securityId: id } = entry;
    const { equityPlanId: planId, isRetraction, imported } = membersOf(entry);
    if (id === null || planId === null || imported.returned === null) return;
    if (imported.taken === null && !imported.isDefault) {
      // The reader counts the whole return, and the default no longer.
      this.returnSaid(planId, id, imported.replaced === null ? ZERO : parseDecimal(imported.replaced));
      return;
    }
    const returned = parseDecimal(imported.returned);
    this.move(planId, { available: -returned });
    const named = this.planOf(id);
    if (named === null) return;
    const action = isRetraction ? "RETRACTION" : "CANCELLATION";
    if (named === planId || isReturnedByDefault(action, returnsByDefault(named)))
      this.returnUnsaid(named, id, returned);
  }

  /** Records an issuance under a plan; a security that another transaction made draws nothing from it. */
  grant(planId: string, grant: Grant, isMade: boolean): void {
    this.issue(planId, grant.id, isMade ? null : grant.quantity);
    const grants = this.#grants.get(planId);
    if (grants) grants.push(grant);
    else this.#grants.set(planId, [grant]);
  }

  /** Records what the ledger made of the plans; their reserves are exported as they are. */
  follow(before: LedgerFigures, after: LedgerFigures): void {
    for (const [planId, was] of before) {
      const now = after.get(planId) ?? was;
      this.move(planId, {
        available: now.reserved - was.reserved - (now.available - was.available),
        granted: was.granted - now.granted,
        exercised: was.exercised - now.exercised,
      });
    }
  }

  /** What was issued under a plan, in the order of issuance; where edits took all of it away, what was under others. */
  grantsOf(planId: string): readonly Grant[] {
    return this.#grants.get(planId) ?? [...this.#grants.values()].flat();
  }
}
