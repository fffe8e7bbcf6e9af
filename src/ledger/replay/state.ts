// Cap table state in memory: the slice that a write has loaded, or all of it during a replay. Records are immutable and
// replaced whole, so a change is found by comparing references. Pure.
import { present } from "../../kernel/assert.ts";
import type { CalendarDate } from "../../kernel/date.ts";
import { type Decimal, ZERO } from "../../kernel/numbers/decimal.ts";
import type { ClassState, PlanState, SecurityState } from "../types.ts";

/** The shares that a security contributes to its class's outstanding stock. */
export function outstandingStock(security: Pick<SecurityState, "type" | "status" | "quantity"> | undefined): Decimal {
  return security?.type === "STOCK" && security.status === "ACTIVE" ? security.quantity : ZERO;
}

/** A security at another price, or strike, whichever splits change. */
export function priced<S extends Pick<SecurityState, "type" | "pricePerShare" | "exercisePrice">>(
  security: S,
  price: string | null,
): S {
  return security.type === "STOCK" ? { ...security, pricePerShare: price } : { ...security, exercisePrice: price };
}

/** A security without shares keeps its former charge per share, in case a correction gives it shares again. */
function withBasis(before: SecurityState | undefined, now: SecurityState): SecurityState {
  if (now.quantity > ZERO || now.equityPlanId === null) {
    return now.chargeBasis === null ? now : { ...now, chargeBasis: null };
  }
  if (!before || before.quantity === ZERO) return now;
  return { ...now, chargeBasis: { charge: before.charge ?? ZERO, quantity: before.quantity } };
}

/** A charge that left one security and is assigned to others, which later entries issue. */
export interface MovingCharge {
  /** The plan that it is a charge against. */
  readonly equityPlanId: string;
  readonly charge: Decimal;
  /** The shares under the charge; null if the result is counted in other shares and takes the whole rest. */
  readonly quantity: Decimal | null;
  readonly left: Decimal;
  /** The securities that share the charge. */
  readonly to: readonly string[];
}

/** A security's corrected price, or strike. */
export interface CorrectedPrice {
  /** At creation; null for none. */
  readonly asMade: string | null;
  /** The corrected price after so many splits, which multiplying a ten-place price at creation may not reproduce. */
  readonly after: { readonly splits: number; readonly price: string } | null;
}

/** The prices that were corrected, by security. */
export type CorrectedPrices = ReadonlyMap<string, CorrectedPrice>;

/** Records as they were before an entry, by id, of those that it changed; undefined for what it made. */
export interface Before {
  readonly securities: ReadonlyMap<string, SecurityState | undefined>;
  readonly classes: ReadonlyMap<string, ClassState>;
  readonly plans: ReadonlyMap<string, PlanState>;
}

const NO_CORRECTIONS: CorrectedPrices = new Map();

/** Securities, classes and plans by id; class totals follow the securities by themselves. */
export class LedgerState {
  readonly securities: Map<string, SecurityState>;
  readonly classes: Map<string, ClassState>;
  readonly plans: Map<string, PlanState>;
  /** By the id of a security that is not issued yet. */
  readonly moving: Map<string, MovingCharge>;
  /** The latest day of the adjustments of a class or plan, by its id. */
  readonly adjusted: Map<string, CalendarDate>;
  /** Prices at creation that replace those of the entries. */
  readonly correctedPrices: CorrectedPrices;
  /** The number of splits that changed the price of a security with a corrected price. */
  readonly #splits: Map<string, number>;
  readonly #before = {
    securities: new Map<string, SecurityState | undefined>(),
    classes: new Map<string, ClassState>(),
    plans: new Map<string, PlanState>(),
  };

  /** Empty, or a copy of another state. */
  constructor(other?: LedgerState, correctedPrices: CorrectedPrices = other?.correctedPrices ?? NO_CORRECTIONS) {
    this.correctedPrices = correctedPrices;
    this.#splits = new Map(other ? other.#splits : []);
    this.securities = new Map(other?.securities);
    this.classes = new Map(other?.classes);
    this.plans = new Map(other?.plans);
    this.moving = new Map(other?.moving);
    this.adjusted = new Map(other?.adjusted);
  }

  /** What the last entry changed, as it was before it. */
  get before(): Before {
    return this.#before;
  }

  /** The security before the last entry; undefined if there was none. */
  securityBefore(id: string): SecurityState | undefined {
    const { securities } = this.#before;
    return securities.has(id) ? securities.get(id) : this.securities.get(id);
  }

  /** Called before each entry. */
  begin(): void {
    const { securities, classes, plans } = this.#before;
    securities.clear();
    classes.clear();
    plans.clear();
  }

  /** The security, which the caller has loaded. */
  security(id: string): SecurityState {
    return present(this.securities.get(id), `security ${id}`);
  }

  /** The share class, which the caller has loaded. */
  stockClass(id: string): ClassState {
    return present(this.classes.get(id), `share class ${id}`);
  }

  /** The equity plan, which the caller has loaded. */
  plan(id: string): PlanState {
    return present(this.plans.get(id), `equity plan ${id}`);
  }

  /** Adds or replaces a security and moves the totals of its classes by the difference. */
  putSecurity(security: SecurityState): void {
    const before = this.securities.get(security.id);
    if (!this.#before.securities.has(security.id)) this.#before.securities.set(security.id, before);
    this.securities.set(security.id, withBasis(before, before ? security : this.#corrected(security)));
    this.#addIssued(before?.stockClassId, -outstandingStock(before));
    this.#addIssued(security.stockClassId, outstandingStock(security));
  }

  /** Replaces a security after a split that changed its price. */
  putSplit(security: SecurityState): void {
    const after = this.correctedPrices.get(security.id)?.after ?? null;
    const count = after && (this.#splits.get(security.id) ?? 0) + 1;
    if (count !== null) this.#splits.set(security.id, count);
    this.putSecurity(after !== null && count === after.splits ? priced(security, after.price) : security);
  }

  /** The new security, at its corrected price. */
  #corrected(security: SecurityState): SecurityState {
    const price = this.correctedPrices.get(security.id);
    return price === undefined ? security : priced(security, price.asMade);
  }

  /** Changes some members of a loaded security. */
  changeSecurity(id: string, changes: Partial<Omit<SecurityState, "id" | "type">>): void {
    this.putSecurity({ ...this.security(id), ...changes });
  }

  /** Changes some members of a loaded class. */
  changeClass(id: string, changes: Partial<Omit<ClassState, "id">>): void {
    const before = this.stockClass(id);
    if (!this.#before.classes.has(id)) this.#before.classes.set(id, before);
    this.classes.set(id, { ...before, ...changes });
  }

  /** Changes some members of a loaded plan. */
  changePlan(id: string, changes: Partial<Omit<PlanState, "id">>): void {
    const before = this.plan(id);
    if (!this.#before.plans.has(id)) this.#before.plans.set(id, before);
    this.plans.set(id, { ...before, ...changes });
  }

  /** Moves a plan's available reserve: negative draws, positive returns. A null plan has no reserve. */
  addAvailable(planId: string | null, quantity: Decimal): void {
    if (planId === null) return;
    this.changePlan(planId, { available: this.plan(planId).available + quantity });
  }

  /** Records the arrival of a waiting charge, in part or whole, at its security. */
  arrive(id: string, charge: Decimal): void {
    const moving = this.moving.get(id);
    this.moving.delete(id);
    for (const other of moving?.to ?? []) {
      const waiting = this.moving.get(other);
      if (waiting && waiting === moving) this.moving.set(other, { ...waiting, left: waiting.left - charge });
    }
  }

  /** A copy whose changes do not affect this one. */
  copy(): LedgerState {
    return new LedgerState(this);
  }

  #addIssued(classId: string | null | undefined, quantity: Decimal): void {
    if (!classId || quantity === ZERO) return;
    this.changeClass(classId, { issued: this.stockClass(classId).issued + quantity });
  }
}
