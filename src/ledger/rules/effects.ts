// Effects of entries on securities and classes, family by family; pools.ts has those on plans' reserves, imported.ts
// those of imports. Together they are the only definition: writes, `verify`, and the cap table as of a date all replay
// entries through `applyEntry` (apply.ts). Pure.

import { assert, present } from "../../kernel/assert.ts";
import { type Decimal, isDecimalText, parseDecimal, ZERO } from "../../kernel/numbers/decimal.ts";
import { splitQuantity } from "../../kernel/numbers/split-figures.ts";
import type { SecurityStatus } from "../../storage/database/schema.ts";
import type { Members } from "../members.ts";
import type { AdjustedEvent, IssuedEvent, LedgerEvent, MovedEvent, SplitEvent, TakenEvent } from "../replay/event.ts";
import type { LedgerState } from "../replay/state.ts";
import { splitSecurity } from "../splits/stock-split.ts";
import type { EntryDraft, SecurityState } from "../types.ts";
import { editedDifference, withheldOf } from "./charges.ts";

/** Applies an entry's own effect to `state`, which has every record that the entry touches. */
export function applyEffect(state: LedgerState, event: LedgerEvent): void {
  // Facts about vesting, and updates of stakeholders and valuations, change no quantity.
  if (event.kind === "issued") applyIssuance(state, event);
  else if (event.kind === "moved") applyMove(state, event);
  else if (event.kind === "taken") applyTaking(state, event);
  else if (event.kind === "edited") applyDirectEdit(state, event);
  else if (event.kind === "split") applySplit(state, event);
  else if (event.how === "class") applyClassAdjustment(state, event);
  else if (event.how === "plan") applyPlanAdjustment(state, event);
}

function quantityOf(entry: EntryDraft): Decimal {
  return parseDecimal(present(entry.quantity, "the entry's quantity"));
}

/** An issuance creates the security. */
function applyIssuance(state: LedgerState, { how: type, entry, said }: IssuedEvent): void {
  const { stockClassId, equityPlanId, pricePerShare, exercisePrice } = said;
  state.putSecurity({
    id: present(entry.securityId, "an issuance's security"),
    type,
    status: "ACTIVE",
    quantity: quantityOf(entry),
    stakeholderId: entry.stakeholderId,
    stockClassId,
    equityPlanId,
    charge: null,
    chargeBasis: null,
    pricePerShare,
    exercisePrice,
  });
}

/** Takes `quantity` off a security; at zero it is closed with `closedStatus`. */
export function reduceSecurity(
  state: LedgerState,
  id: string,
  quantity: Decimal,
  closedStatus: SecurityStatus,
): SecurityState {
  const security = state.security(id);
  const left = security.quantity - quantity;
  assert(left >= ZERO, `security ${id} would go below zero`);
  state.putSecurity({ ...security, quantity: left, status: left === ZERO ? closedStatus : security.status });
  return security;
}

/**
 * The new security's prices: the entry names both, null included, since a user may have corrected the source's price.
 */
function pricesOf({ prices }: Members, source: SecurityState): Pick<SecurityState, "pricePerShare" | "exercisePrice"> {
  return prices ?? { pricePerShare: source.pricePerShare, exercisePrice: source.exercisePrice };
}

/** The status of a security whose shares have all moved. */
const MOVED_AS = { transfer: "TRANSFERRED", exercise: "EXERCISED", conversion: "CONVERTED" } as const;

/** A transfer, exercise or conversion shrinks the source and makes another security at the source's prices. */
function applyMove(state: LedgerState, event: MovedEvent): void {
  const { how, entry, said } = event;
  const source = reduceSecurity(state, present(entry.securityId, "the source"), quantityOf(entry), MOVED_AS[how]);
  state.putSecurity({
    ...source,
    id: present(said.newSecurityId, "newSecurityId"),
    charge: null,
    ...(how === "transfer"
      ? { stakeholderId: said.toStakeholderId }
      : { type: "STOCK", stockClassId: said.stockClassId }),
    quantity: quantityMade(event),
    ...pricesOf(said, source),
  });
}

/**
 * A transfer makes as many shares on the same class and plan; an exercise as much stock, or in a net exercise less the
 * withheld shares; a conversion `resultingQuantity` of stock.
 */
function quantityMade({ how, entry, said }: MovedEvent): Decimal {
  if (how === "conversion") return parseDecimal(present(said.resultingQuantity, "resultingQuantity"));
  return quantityOf(entry) - withheldOf(said);
}

/**
 * A repurchase, cancellation or retraction shrinks the security. The cancellation in a conversion of stock closes it as
 * CONVERTED.
 */
function applyTaking(state: LedgerState, { how, entry, said }: TakenEvent): void {
  const cancelled = said.isConversion ? "CONVERTED" : "CANCELLED";
  const closedStatus = how === "repurchase" ? "REPURCHASED" : cancelled;
  reduceSecurity(state, present(entry.securityId, "the security"), quantityOf(entry), closedStatus);
}

/** A direct edit changes the quantity by its difference, and sets the other members that it names. */
function applyDirectEdit(state: LedgerState, { entry, said }: LedgerEvent): void {
  const before = state.security(present(entry.securityId, "the security"));
  const { quantity: _quantity, ...set } = said.after;
  const quantity = before.quantity + (editedDifference(said) ?? ZERO);
  assert(quantity >= ZERO, `security ${before.id} would go below zero`);
  state.putSecurity({ ...before, ...set, quantity });
}

/** An adjustment sets a class's authorized figure; a `PATCH` of the initial figure moves it by the difference. */
function applyClassAdjustment(state: LedgerState, event: AdjustedEvent): void {
  const { stockClassId: id, newSharesAuthorized: figure } = event.said;
  if (id === null || figure === null || isSuperseded(state, id, event)) return;
  const { authorized } = state.stockClass(id);
  const difference = authorized === null ? null : initialDifference(event.said);
  const now = authorized === null || difference === null ? parseDecimal(figure) : authorized + difference;
  state.changeClass(id, { authorized: now });
}

/**
 * An adjustment sets a plan's total reserve, or moves it likewise; the available reserve moves by the same difference.
 */
function applyPlanAdjustment(state: LedgerState, event: AdjustedEvent): void {
  const { equityPlanId: id, newSharesReserved: figure } = event.said;
  if (id === null || figure === null || isSuperseded(state, id, event)) return;
  const { reserved, available } = state.plan(id);
  const difference = initialDifference(event.said) ?? parseDecimal(figure) - reserved;
  state.changePlan(id, { reserved: reserved + difference, available: available + difference });
}

/** Figures count by day: an imported one dated before the latest adjustment is history. */
function isSuperseded(state: LedgerState, id: string, { entry, said }: AdjustedEvent): boolean {
  const { effectiveDate } = entry;
  const latest = state.adjusted.get(id);
  if (latest === undefined || latest <= effectiveDate) state.adjusted.set(id, effectiveDate);
  if (latest === undefined || said.imported.objectType === null) return false;
  return effectiveDate < latest;
}

/** The change of the initial figure by a `PATCH`; null for other adjustments, and if a word was set or replaced. */
function initialDifference({ initialFigure }: Members): Decimal | null {
  const { before, after } = initialFigure;
  if (!before || !after || !isDecimalText(before) || !isDecimalText(after)) return null;
  return parseDecimal(after) - parseDecimal(before);
}

/** A split changes its securities and the class's authorized figure; pools.ts changes the plans. */
function applySplit(state: LedgerState, event: SplitEvent): void {
  const { split } = event;
  for (const security of concernedBy(event, state)) {
    const after = splitSecurity(security, split);
    if (split.isStockOnly) state.putSecurity(after);
    else state.putSplit(after);
  }
  if (split.isStockOnly) return;
  const { authorized } = state.stockClass(split.stockClassId);
  if (authorized !== null) state.changeClass(split.stockClassId, { authorized: splitQuantity(authorized, split) });
}

/** The securities that a split multiplies. An import splits in many pieces, each of which names its few. */
function concernedBy({ split, concerns }: SplitEvent, { securities }: LedgerState): readonly SecurityState[] {
  const named = split.securityIds?.flatMap((id) => securities.get(id) ?? []);
  return (named ?? [...securities.values()]).filter(concerns);
}
