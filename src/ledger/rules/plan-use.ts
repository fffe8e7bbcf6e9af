// Plan use: how much was ever granted under each plan, and how much of that was exercised. It is not stored; the cap
// table as of a date and the export compute it while they replay entries. Pure.
import { present } from "../../kernel/assert.ts";
import { type Decimal, parseDecimal, scale, ZERO } from "../../kernel/numbers/decimal.ts";
import type { Members } from "../members.ts";
import type { LedgerEvent } from "../replay/event.ts";
import type { LedgerState } from "../replay/state.ts";
import { readCharges } from "./charges.ts";

/** The use of a plan. */
export interface PlanUse {
  /** All grants ever made under it, in today's shares after splits; corrections count. */
  readonly granted: Decimal;
  /** The exercised part of them. */
  readonly exercised: Decimal;
}

const UNUSED: PlanUse = { granted: ZERO, exercised: ZERO };

/** The granted shares that an exercise uses: the stock's charge; of imports, its quantity. */
function exercisedOf({ entry, said }: LedgerEvent): Decimal {
  const { newSecurityId, imported } = said;
  if (imported.objectType !== null) return parseDecimal(present(entry.quantity, "the exercised quantity"));
  return readCharges(said).find(({ securityId }) => securityId === newSecurityId)?.after ?? ZERO;
}

/** The uses of all plans, entry by entry. */
export class PlanUses {
  readonly #uses: Map<string, PlanUse>;

  constructor(uses: Iterable<readonly [string, PlanUse]> = []) {
    this.#uses = new Map(uses);
  }

  /** A copy that can go on without touching this one. */
  copy(): PlanUses {
    return new PlanUses(this.#uses);
  }

  /** The plan's use so far. */
  of(planId: string): PlanUse {
    return this.#uses.get(planId) ?? UNUSED;
  }

  /** Issuances grant, direct edits correct what was granted, exercises use it, and a split restates both. */
  follow(event: LedgerEvent, state: LedgerState): void {
    const { kind, entry, said } = event;
    if (kind === "split") {
      const { equityPlanIds, numerator, denominator } = event.split;
      for (const id of equityPlanIds) {
        const { granted, exercised } = this.of(id);
        const multiply = (figure: Decimal) => scale(figure, numerator, denominator);
        this.#uses.set(id, { granted: multiply(granted), exercised: multiply(exercised) });
      }
    } else if ((kind === "issued" && !said.isConversion) || kind === "edited") {
      for (const [id, { available }] of state.before.plans) {
        this.add(id, { granted: available - state.plan(id).available, exercised: ZERO });
      }
    } else if (entry.type === "STOCK_OPTION_EXERCISE") {
      const planId = state.securityBefore(entry.securityId ?? "")?.equityPlanId ?? null;
      if (planId !== null) this.add(planId, { granted: ZERO, exercised: exercisedOf(event) });
    } else this.#noteRestatement(said);
  }

  /**
   * An imported package may state a split's effect on the uses, for which OCF has no member
   * (ledger/imported-members.ts).
   */
  #noteRestatement({ equityPlanId: planId, imported }: Members): void {
    const { granted, exercised } = imported;
    if (planId === null || granted === null || exercised === null) return;
    this.add(planId, { granted: parseDecimal(granted), exercised: parseDecimal(exercised) });
  }

  /** The plans that were used so far. */
  get all(): Iterable<readonly [planId: string, use: PlanUse]> {
    return this.#uses;
  }

  /** Adds to the use of a plan. */
  add(planId: string, { granted, exercised }: PlanUse): void {
    if (granted === ZERO && exercised === ZERO) return;
    const use = this.of(planId);
    this.#uses.set(planId, { granted: use.granted + granted, exercised: use.exercised + exercised });
  }
}
