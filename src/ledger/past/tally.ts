// Tally: the changes by entries in a form that can be summed over families of securities: the outstanding stock of a
// class, options, warrants, and the gain of a plan's available reserve between two splits. Pure.
//
// A split multiplies the available reserve and cuts it off, which is not additive; so the gains before and after it are
// separate, and the split is applied to the whole.
import { type Decimal, ONE, ZERO } from "../../kernel/numbers/decimal.ts";
import { namedBy } from "../replay/counting.ts";
import type { LedgerEvent, SplitEvent } from "../replay/event.ts";
import { FamilyState } from "../replay/family-state.ts";
import { type Listener, Story } from "../replay/story.ts";
import type { ClassState, PlanState, SecurityState } from "../types.ts";
import { lotKey } from "./lots.ts";

/** Amounts by the keys below; missing ones are zero. */
export type Amounts = Map<string, Decimal>;

/** The key of a class's outstanding stock. */
export function issuedKey(stockClassId: string): string {
  return `class ${stockClassId}`;
}

/** The keys of open options and open warrants. */
export const OPTIONS = "options";
export const WARRANTS = "warrants";

/** The key that counts entries naming a class or a plan. */
export function namedKey(id: string): string {
  return `named ${id}`;
}

/** The key of a plan's gains after the ledger's first so many splits. */
export function drawKey(equityPlanId: string, splits: number): string {
  return `plan ${splits} ${equityPlanId}`;
}

/** Adds an amount. */
export function addTo(amounts: Amounts, key: string, difference: Decimal): void {
  if (difference !== ZERO) amounts.set(key, (amounts.get(key) ?? ZERO) + difference);
}

/** Adds all of `more`. */
export function addAll(amounts: Amounts, more: Amounts): void {
  for (const [key, difference] of more) addTo(amounts, key, difference);
}

/** The difference from `before` to `after`. */
export function differenceOf(before: Amounts, after: Amounts): Amounts {
  const difference: Amounts = new Map();
  addAll(difference, after);
  for (const [key, amount] of before) addTo(difference, key, -amount);
  return difference;
}

/** A cap table that records gains of classes and plans. The available reserve of its plans is always zero. */
export class TallyState extends FamilyState implements Listener {
  /** The tally of the gains. */
  amounts: Amounts = new Map();
  /** The number of the ledger's splits before the current entry. */
  splits = 0;
  readonly #converting: ReadonlySet<string>;

  /** `converting` are the classes with lots. */
  constructor(converting: ReadonlySet<string> = new Set()) {
    super();
    this.#converting = converting;
  }

  /** Counts what a counting entry names. */
  follow({ said }: LedgerEvent): void {
    for (const id of namedBy(said)) addTo(this.amounts, namedKey(id), ONE);
  }

  override putSecurity(security: SecurityState): void {
    const before = this.securities.get(security.id);
    super.putSecurity(security);
    this.#countLots(before, security);
    const key = security.type === "WARRANT" ? WARRANTS : OPTIONS;
    if (security.type === "STOCK" || security.type === "CONVERTIBLE") return;
    addTo(this.amounts, key, openQuantity(security) - openQuantity(before));
  }

  #countLots(before: SecurityState | undefined, now: SecurityState): void {
    if (this.#converting.size === 0) return;
    const [was, is] = [lotKey(before, this.#converting), lotKey(now, this.#converting)];
    if (was === is) return;
    if (was !== null) addTo(this.amounts, was, -1n);
    if (is !== null) addTo(this.amounts, is, 1n);
  }

  override changeClass(id: string, changes: Partial<Omit<ClassState, "id">>): void {
    const { issued } = this.stockClass(id);
    addTo(this.amounts, issuedKey(id), (changes.issued ?? issued) - issued);
    super.changeClass(id, changes);
  }

  override changePlan(id: string, changes: Partial<Omit<PlanState, "id">>): void {
    addTo(this.amounts, drawKey(id, this.splits), changes.available ?? ZERO);
    super.changePlan(id, { ...changes, available: ZERO });
  }
}

function openQuantity(security: SecurityState | undefined): Decimal {
  return security?.status === "ACTIVE" ? security.quantity : ZERO;
}

/** A plan's available reserve after a split, by the ledger's own rules. */
export function availableAfter(split: SplitEvent, equityPlanId: string, available: Decimal): Decimal {
  const state = new FamilyState();
  state.plans.set(equityPlanId, { id: equityPlanId, reserved: ZERO, available, stockClassIds: [] });
  new Story(state).take(split);
  return state.plan(equityPlanId).available;
}
