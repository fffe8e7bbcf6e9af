// Equity plans as a reader of a package adds them up: what grants take from the pool, what returns to it, and what was
// granted and exercised. A security made by a transaction is not a new grant. A stated return replaces what the plan's
// default would return: OCF lets the event chain control. One set of rules for validation, import and export. Pure.
import { type Decimal, max, min, ZERO } from "../../../kernel/numbers/decimal.ts";
import type { PlanUse } from "../../../ledger/rules/plan-use.ts";
import { readRestatement } from "../codec/restatement.ts";
import type { SecurityAction } from "../schemas/schema-registry.ts";

/** Figures of a plan without its reserve, or a difference between two readings of them. */
export interface PlanFigures extends PlanUse {
  readonly available: Decimal;
}

const NOTHING: PlanFigures = { available: ZERO, granted: ZERO, exercised: ZERO };

/** Whether a cancelled or retracted grant goes back to its pool if no object states it. */
export function isReturnedByDefault(action: SecurityAction | null, isByDefault: boolean): boolean {
  return action === "RETRACTION" || (action === "CANCELLATION" && isByDefault);
}

/** How much of a grant goes back then: a retraction's whole, else what is cancelled of what is held. */
export function defaultReturn(action: SecurityAction | null, amount: Decimal | null, held: Decimal): Decimal {
  return action === "RETRACTION" ? held : min(max(amount ?? held, ZERO), held);
}

/** Adds up the transactions on plans. */
export class Pools {
  readonly #figures = new Map<string, PlanFigures>();
  /** By security: the plan that its issuance names. */
  readonly #planOf = new Map<string, string>();
  /** Securities with a stated return. */
  readonly #said: Set<string>;
  /** By security: what was returned of it by default. A return that names the security replaces that. */
  readonly #unsaid = new Map<string, { readonly planId: string; readonly returned: Decimal }>();

  /** `said` are securities of which it is known from the start that their return is said. */
  constructor(said: Iterable<string> = []) {
    this.#said = new Set(said);
  }

  /** Notes an issuance under a plan of a security of `drawn` shares; null for what another transaction made. */
  issue(planId: string, securityId: string, drawn: Decimal | null): void {
    this.#planOf.set(securityId, planId);
    if (drawn !== null) this.move(planId, { available: -drawn, granted: drawn });
  }

  /** The plan under which a security was issued, or null. */
  planOf(securityId: string): string | null {
    return this.#planOf.get(securityId) ?? null;
  }

  /** Notes an exercise. */
  exercise(securityId: string, exercised: Decimal): void {
    const planId = this.planOf(securityId);
    if (planId !== null) this.move(planId, { exercised });
  }

  /** Adds a part of a security that went back by default; returns whether that counts. */
  returnUnsaid(planId: string, securityId: string, returned: Decimal): boolean {
    if (this.#said.has(securityId)) return false;
    this.move(planId, { available: returned });
    this.#unsaid.set(securityId, { planId, returned: this.returnedUnsaid(securityId) + returned });
    return true;
  }

  /** Notes a return that names the security; the reason of a restatement says what it does besides. */
  returnSaid(planId: string, securityId: string, returned: Decimal, reason: string | null = null): void {
    this.replaceUnsaid(securityId);
    this.move(planId, { available: returned, ...readRestatement(reason) });
  }

  /** Removes what was returned of the security by default, and what would be. */
  replaceUnsaid(securityId: string): void {
    const unsaid = this.#unsaid.get(securityId);
    if (unsaid) this.move(unsaid.planId, { available: -unsaid.returned });
    this.#unsaid.delete(securityId);
    this.#said.add(securityId);
  }

  /** What was returned of the security by default. */
  returnedUnsaid(securityId: string): Decimal {
    return this.#unsaid.get(securityId)?.returned ?? ZERO;
  }

  /** Adds to a plan's figures. */
  move(planId: string, difference: Partial<PlanFigures>): void {
    const figures = this.of(planId);
    const { available, granted, exercised } = { ...NOTHING, ...difference };
    this.#figures.set(planId, {
      available: figures.available + available,
      granted: figures.granted + granted,
      exercised: figures.exercised + exercised,
    });
  }

  /** What a plan's figures add up to. */
  of(planId: string): PlanFigures {
    return this.#figures.get(planId) ?? NOTHING;
  }

  /** The plans of which anything was noted. */
  get planIds(): Iterable<string> {
    return this.#figures.keys();
  }
}
