// Counts what entries add to the cap table, in a form that can be added up over families of securities: what is
// outstanding of a class, options, warrants, and what a plan's available reserve gains between two splits. Pure.
//
// A split multiplies what is available and cuts it off, which a sum of parts would not follow; so what was gained
// before it and after it is kept apart, and the split is applied to the whole.
import { type Decimal, ONE, ZERO } from "../../kernel/numbers/decimal.ts";
import { applyEntry } from "../registry.ts";
import { namedBy } from "../replay/counting.ts";
import { FamilyState } from "../replay/family-state.ts";
import type { ClassState, EntryDraft, PlanState, SecurityState } from "../types.ts";
import { lotKey } from "./lots.ts";

/** Amounts by the keys below; what is not in it is zero. */
export type Amounts = Map<string, Decimal>;

/** Where a class's outstanding stock is counted. */
export function issuedKey(stockClassId: string): string {
  return `class ${stockClassId}`;
}

/** Where open options and open warrants are counted. */
export const OPTIONS = "options";
export const WARRANTS = "warrants";

/** Where it is counted how many entries name a class or a plan. */
export function namedKey(id: string): string {
  return `named ${id}`;
}

/** Where it is counted what a plan's reserve gained after the first so many splits of the ledger. */
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

/** By how much `after` is more than `before`. */
export function differenceOf(before: Amounts, after: Amounts): Amounts {
  const difference: Amounts = new Map();
  addAll(difference, after);
  for (const [key, amount] of before) addTo(difference, key, -amount);
  return difference;
}

/** A cap table that counts what its classes and plans gain. Plans never have anything available in it. */
export class TallyState extends FamilyState {
  /** Where gains are added. */
  amounts: Amounts = new Map();
  /** How many splits the ledger had before the entry in hand. */
  splits = 0;
  readonly #converting: ReadonlySet<string>;

  /** `converting` are the classes of which lots are counted. */
  constructor(converting: ReadonlySet<string> = new Set()) {
    super();
    this.#converting = converting;
  }

  /** Applies an entry that counts. */
  count(entry: EntryDraft): void {
    applyEntry(this, entry);
    for (const id of namedBy(entry)) addTo(this.amounts, namedKey(id), ONE);
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

/** What a plan has available after a split, by the ledger's own rules. */
export function availableAfter(split: EntryDraft, equityPlanId: string, available: Decimal): Decimal {
  const state = new FamilyState();
  state.plans.set(equityPlanId, { id: equityPlanId, reserved: ZERO, available, stockClassIds: [] });
  applyEntry(state, split);
  return state.plan(equityPlanId).available;
}
