// What a reader of the exported objects makes of each plan: what is available (reserve − grants + returns, where what a
// transaction made is no new grant), what was granted and what exercised. It must come out at what the ledger says;
// where a split or an unusual history (a closed grant whose quantity was edited) makes it differ, settle.ts sets it
// right. Pure bookkeeping.
import { type Decimal, parseDecimal, ZERO } from "../../kernel/decimal.ts";
import type { ImportedEffect } from "../../ledger/imported.ts";
import type { PlanUse, PlanUses } from "../../ledger/plan-use.ts";
import type { LedgerState } from "../../ledger/state.ts";
import type { EntryDraft, Metadata, PlanState } from "../../ledger/types.ts";
import { decimalOf, type JsonObject, textOf, textsOf } from "../json.ts";
import { readRestatement } from "../mapping/restatement.ts";

/** Figures of a plan, or a difference between two readings of them. The reserve is always exported as it is. */
export interface PlanFigures extends PlanUse {
  readonly available: Decimal;
}

/** A grant, or what is left or was made of one, as the package issues it. */
export interface Grant {
  /** The security's id in OCF. */
  readonly id: string;
  readonly date: string;
  readonly quantity: Decimal;
  readonly isImported: boolean;
}

type LedgerFigures = ReadonlyMap<string, PlanFigures & Pick<PlanState, "reserved">>;

/** What the ledger says of every plan at this moment. */
export function figuresOf({ state, uses }: { readonly state: LedgerState; readonly uses: PlanUses }): LedgerFigures {
  return new Map([...state.plans].map(([id, plan]) => [id, { ...plan, ...uses.of(id) }]));
}

const NONE: PlanFigures = { available: ZERO, granted: ZERO, exercised: ZERO };
const DRAWING = new Set(["TX_STOCK_ISSUANCE", "TX_EQUITY_COMPENSATION_ISSUANCE", "TX_PLAN_SECURITY_ISSUANCE"]);

/** How far a reader's figures are from the ledger's, plan by plan. */
export class PoolMirror {
  readonly #gaps = new Map<string, PlanFigures>();
  readonly #grants = new Map<string, Grant[]>();
  /** By the security's id in OCF. */
  readonly #planOf = new Map<string, string>();
  /** Securities that a transaction made and that are not issued yet. */
  readonly #made = new Set<string>();
  /** By imported security: what its plan's default returned. A return that names the security replaces that. */
  readonly #byDefault = new Map<string, { readonly planId: string; readonly returned: Decimal }>();
  /** Securities of which a return is said. */
  readonly #said = new Set<string>();

  /** Takes note of an object that goes out. */
  read(object: JsonObject): void {
    for (const id of textsOf(object, "resulting_security_ids")) this.#made.add(id);
    const balance = textOf(object, "balance_security_id");
    if (balance !== null) this.#made.add(balance);
    const type = String(object.object_type);
    const [id, planId] = [textOf(object, "security_id") ?? "", textOf(object, "stock_plan_id")];
    const quantity = decimalOf(object, "quantity") ?? ZERO;
    if (type === "TX_EQUITY_COMPENSATION_EXERCISE") this.exercise(id, quantity);
    if (planId === null) return;
    if (type === "TX_STOCK_PLAN_RETURN_TO_POOL") {
      this.#replaceDefault(id);
      this.move(planId, { available: quantity, ...readRestatement(textOf(object, "reason_text")) });
    }
    if (!DRAWING.has(type)) return;
    const grant = { id, date: textOf(object, "date") ?? "", quantity, isImported: false };
    this.issue(planId, grant, this.#made.delete(id));
  }

  /**
   * Takes note of what an imported entry on a security returned: because it is said, or by its plan's default. By
   * default a reader returns it to the plan that the issuance names now, after edits, where `returnsByDefault` has it.
   */
  passReturn({ securityId: id, metadata }: EntryDraft, returnsByDefault: (planId: string) => boolean): void {
    const [planId, returned] = [metadata.equityPlanId, decimalIn(metadata, "ocfReturned")];
    if (id === null || typeof planId !== "string" || returned === null) return;
    if (metadata.ocfTaken === undefined) {
      // The reader counts the whole return, and the default no longer.
      this.move(planId, { available: decimalIn(metadata, "ocfReplaced") ?? ZERO });
      this.#replaceDefault(id);
      return;
    }
    const named = this.#planOf.get(id);
    this.move(planId, { available: -returned });
    if (named === undefined || this.#said.has(id)) return;
    if (named !== planId && metadata.retraction !== true && !returnsByDefault(named)) return;
    this.move(named, { available: returned });
    this.#byDefault.set(id, { planId: named, returned: this.returnedByDefault(id) + returned });
  }

  #replaceDefault(id: string): void {
    const byDefault = this.#byDefault.get(id);
    if (byDefault) this.move(byDefault.planId, { available: -byDefault.returned });
    this.#byDefault.delete(id);
    this.#said.add(id);
  }

  /** What the plan's default returned of the security, which a return that names it replaces. */
  returnedByDefault(id: string): Decimal {
    return this.#byDefault.get(id)?.returned ?? ZERO;
  }

  /** Takes note of an issuance under a plan; what another transaction made draws nothing from it. */
  issue(planId: string, grant: Grant, isMade: boolean): void {
    this.#planOf.set(grant.id, planId);
    if (!isMade) this.move(planId, { available: -grant.quantity, granted: grant.quantity });
    const grants = this.#grants.get(planId);
    if (grants) grants.push(grant);
    else this.#grants.set(planId, [grant]);
  }

  /** Takes note of an exercise. */
  exercise(id: string, exercised: Decimal): void {
    const planId = this.#planOf.get(id);
    if (planId !== undefined) this.move(planId, { exercised });
  }

  /** Takes note of what the ledger made of the plans; their reserves go out as they are. */
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

  /** Adds to a plan's difference: the reader's figures less the ledger's. */
  move(planId: string, difference: Partial<PlanFigures>): void {
    const gap = this.gapOf(planId);
    const { available, granted, exercised } = { ...NONE, ...difference };
    this.#gaps.set(planId, {
      available: gap.available + available,
      granted: gap.granted + granted,
      exercised: gap.exercised + exercised,
    });
  }

  /** The reader's figures less the ledger's. */
  gapOf(planId: string): PlanFigures {
    return this.#gaps.get(planId) ?? NONE;
  }

  /** The plans of which anything was noted. */
  get planIds(): Iterable<string> {
    return this.#gaps.keys();
  }

  /** What was issued under a plan, in the order of issuance; where edits took all of it away, what was under others. */
  grantsOf(planId: string): readonly Grant[] {
    return this.#grants.get(planId) ?? [...this.#grants.values()].flat();
  }
}

function decimalIn(metadata: Metadata, name: keyof ImportedEffect): Decimal | null {
  const text = metadata[name];
  return typeof text === "string" ? parseDecimal(text) : null;
}
