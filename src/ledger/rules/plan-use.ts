// Plan use: how much was ever granted under each plan, and how much of that was exercised. It is not stored; the cap
// table as of a date and the export compute it while they replay entries. Pure.
import { present } from "../../kernel/assert.ts";
import { type Decimal, parseDecimal, scale, ZERO } from "../../kernel/numbers/decimal.ts";
import { membersOf } from "../members.ts";
import { applyEntry } from "../registry.ts";
import type { LedgerState } from "../replay/state.ts";
import { readSplit } from "../splits/stock-split.ts";
import type { EntryDraft, PlanState } from "../types.ts";
import { readCharges } from "./charges.ts";
import { isIssuance } from "./effects.ts";

/** The use of a plan. */
export interface PlanUse {
  /** All grants ever made under it, in today's shares after splits; corrections count. */
  readonly granted: Decimal;
  /** The exercised part of them. */
  readonly exercised: Decimal;
}

const UNUSED: PlanUse = { granted: ZERO, exercised: ZERO };

/** The granted shares that an exercise uses: the stock's charge; of imports, its quantity. */
function exercisedOf(entry: EntryDraft): Decimal {
  const { newSecurityId, imported } = membersOf(entry);
  if (imported.objectType !== null) return parseDecimal(present(entry.quantity, "the exercised quantity"));
  return readCharges(entry).find(({ securityId }) => securityId === newSecurityId)?.after ?? ZERO;
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

  /** Applies one entry to `state` and records its effect on plans. */
  apply(state: LedgerState, entry: EntryDraft): void {
    const plansBefore = [...state.plans.values()];
    const planId = state.securities.get(entry.securityId ?? "")?.equityPlanId ?? null;
    applyEntry(state, entry);
    this.#note(entry, planId, plansBefore, state.plans);
  }

  /** Issuances grant, direct edits correct what was granted, exercises use it, and a split restates both. */
  #note(
    entry: EntryDraft,
    planId: string | null,
    plansBefore: readonly PlanState[],
    plansAfter: ReadonlyMap<string, PlanState>,
  ): void {
    const { type } = entry;
    const { isConversion, isDirectEdit } = membersOf(entry);
    if (type === "STOCK_SPLIT") {
      const split = readSplit(entry.metadata);
      for (const id of split.equityPlanIds) {
        const { granted, exercised } = this.of(id);
        const multiply = (figure: Decimal) => scale(figure, split.numerator, split.denominator);
        this.#uses.set(id, { granted: multiply(granted), exercised: multiply(exercised) });
      }
    } else if ((isIssuance(entry) && !isConversion) || isDirectEdit) {
      for (const { id, available } of plansBefore) {
        this.#add(id, { granted: available - (plansAfter.get(id)?.available ?? ZERO), exercised: ZERO });
      }
    } else if (type === "STOCK_OPTION_EXERCISE" && planId !== null) {
      this.#add(planId, { granted: ZERO, exercised: exercisedOf(entry) });
    } else this.#noteRestatement(entry);
  }

  /**
   * An imported package may state a split's effect on the uses, for which OCF has no member
   * (ledger/imported-members.ts).
   */
  #noteRestatement(entry: EntryDraft): void {
    const { equityPlanId: planId, imported } = membersOf(entry);
    const { granted, exercised } = imported;
    if (planId === null || granted === null || exercised === null) return;
    this.#add(planId, { granted: parseDecimal(granted), exercised: parseDecimal(exercised) });
  }

  #add(planId: string, { granted, exercised }: PlanUse): void {
    if (granted === ZERO && exercised === ZERO) return;
    const use = this.of(planId);
    this.#uses.set(planId, { granted: use.granted + granted, exercised: use.exercised + exercised });
  }
}
