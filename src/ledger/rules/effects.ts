// Effects of entries on securities and classes, family by family; pools.ts has those on plans' reserves, imported.ts
// those of imports. Together they are the only definition: writes, `verify`, and the cap table as of a date all replay
// entries through `applyEntry` (registry.ts). Pure.

import { assert, present } from "../../kernel/assert.ts";
import { type Decimal, isDecimalText, parseDecimal, ZERO } from "../../kernel/numbers/decimal.ts";
import type { SecurityStatus, SecurityType } from "../../storage/database/schema.ts";
import { type Members, membersOf } from "../members.ts";
import type { LedgerState } from "../replay/state.ts";
import { readSplit, splitFilter, splitQuantity, splitSecurity } from "../splits/stock-split.ts";
import type { EntryDraft, SecurityState } from "../types.ts";
import { editedDifference, withheldOf } from "./charges.ts";

/** Applies one entry to `state`, which has every record that the entry touches. */
export type ApplyEntry = (state: LedgerState, entry: EntryDraft) => void;

/** Whether the entry creates a security, rather than correcting one. */
export function isIssuance(entry: Pick<EntryDraft, "type" | "metadata">): boolean {
  return entry.type.endsWith("_ISSUANCE") && !membersOf(entry).isDirectEdit;
}

function quantityOf(entry: EntryDraft): Decimal {
  return parseDecimal(present(entry.quantity, "the entry's quantity"));
}

/** An issuance creates the security. */
export function applyIssuance(type: SecurityType): ApplyEntry {
  return (state, entry) => {
    const { stockClassId, equityPlanId, pricePerShare, exercisePrice } = membersOf(entry);
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
  };
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

/** A transfer shrinks the source and makes the recipient's security on the same class, plan and prices. */
export const applyTransfer: ApplyEntry = (state, entry) => {
  const said = membersOf(entry);
  const quantity = quantityOf(entry);
  const source = reduceSecurity(state, present(entry.securityId, "the source"), quantity, "TRANSFERRED");
  state.putSecurity({
    ...source,
    id: present(said.newSecurityId, "newSecurityId"),
    quantity,
    charge: null,
    stakeholderId: said.toStakeholderId,
    ...pricesOf(said, source),
  });
};

/**
 * An exercise shrinks the option or warrant and makes stock: the same number, or in a net exercise less the withheld
 * shares.
 */
export const applyExercise: ApplyEntry = (state, entry) => {
  const said = membersOf(entry);
  const quantity = quantityOf(entry);
  const source = reduceSecurity(state, present(entry.securityId, "the source"), quantity, "EXERCISED");
  state.putSecurity({
    ...source,
    id: present(said.newSecurityId, "newSecurityId"),
    type: "STOCK",
    quantity: quantity - withheldOf(entry),
    stockClassId: said.stockClassId,
    charge: null,
    ...pricesOf(said, source),
  });
};

/** A conversion shrinks the convertible and makes `resultingQuantity` of stock. */
export const applyConversion: ApplyEntry = (state, entry) => {
  const said = membersOf(entry);
  const source = reduceSecurity(state, present(entry.securityId, "the source"), quantityOf(entry), "CONVERTED");
  state.putSecurity({
    ...source,
    id: present(said.newSecurityId, "newSecurityId"),
    type: "STOCK",
    quantity: parseDecimal(present(said.resultingQuantity, "resultingQuantity")),
    stockClassId: said.stockClassId,
    charge: null,
    ...pricesOf(said, source),
  });
};

/** A repurchase shrinks the stock. */
export const applyRepurchase: ApplyEntry = (state, entry) => {
  reduceSecurity(state, present(entry.securityId, "the security"), quantityOf(entry), "REPURCHASED");
};

/** A cancellation or retraction shrinks the security. The cancellation in a conversion of stock closes it as CONVERTED. */
export const applyCancellation: ApplyEntry = (state, entry) => {
  const closedStatus = membersOf(entry).isConversion ? "CONVERTED" : "CANCELLED";
  reduceSecurity(state, present(entry.securityId, "the security"), quantityOf(entry), closedStatus);
};

/** A direct edit changes the quantity by its difference, and sets the other members that it names. */
export const applyDirectEdit: ApplyEntry = (state, entry) => {
  const before = state.security(present(entry.securityId, "the security"));
  const { quantity: _quantity, ...set } = membersOf(entry).after;
  const quantity = before.quantity + (editedDifference(entry) ?? ZERO);
  assert(quantity >= ZERO, `security ${before.id} would go below zero`);
  state.putSecurity({ ...before, ...set, quantity });
};

/** An adjustment sets a class's authorized figure; a `PATCH` of the initial figure moves it by the difference. */
export const applyClassAdjustment: ApplyEntry = (state, entry) => {
  const { stockClassId: id, newSharesAuthorized: figure } = membersOf(entry);
  if (id === null || figure === null || isSuperseded(state, id, entry)) return;
  const { authorized } = state.stockClass(id);
  const difference = authorized === null ? null : initialDifference(entry);
  const now = authorized === null || difference === null ? parseDecimal(figure) : authorized + difference;
  state.changeClass(id, { authorized: now });
};

/**
 * An adjustment sets a plan's total reserve, or moves it likewise; the available reserve moves by the same difference.
 */
export const applyPlanAdjustment: ApplyEntry = (state, entry) => {
  const { equityPlanId: id, newSharesReserved: figure } = membersOf(entry);
  if (id === null || figure === null || isSuperseded(state, id, entry)) return;
  const { reserved, available } = state.plan(id);
  const difference = initialDifference(entry) ?? parseDecimal(figure) - reserved;
  state.changePlan(id, { reserved: reserved + difference, available: available + difference });
};

/** Figures count by day: an imported one dated before the latest adjustment is history. */
function isSuperseded(state: LedgerState, id: string, entry: EntryDraft): boolean {
  const { effectiveDate } = entry;
  const { imported } = membersOf(entry);
  const latest = state.adjusted.get(id);
  if (latest === undefined || latest <= effectiveDate) state.adjusted.set(id, effectiveDate);
  if (latest === undefined || imported.objectType === null) return false;
  return effectiveDate < latest;
}

/** The change of the initial figure by a `PATCH`; null for other adjustments, and if a word was set or replaced. */
function initialDifference(entry: EntryDraft): Decimal | null {
  const { before, after } = membersOf(entry).initialFigure;
  if (!before || !after || !isDecimalText(before) || !isDecimalText(after)) return null;
  return parseDecimal(after) - parseDecimal(before);
}

/** A split changes its securities and the class's authorized figure; pools.ts changes the plans. */
export const applySplit: ApplyEntry = (state, entry) => {
  const split = readSplit(entry.metadata);
  const isConcerned = splitFilter(split);
  for (const security of [...state.securities.values()].filter(isConcerned)) {
    const after = splitSecurity(security, split);
    if (split.isStockOnly) state.putSecurity(after);
    else state.putSplit(after);
  }
  if (split.isStockOnly) return;
  const { authorized } = state.stockClass(split.stockClassId);
  if (authorized !== null) state.changeClass(split.stockClassId, { authorized: splitQuantity(authorized, split) });
};

/** For entries that change no quantity: vesting facts, updates of stakeholders and valuations. */
export const applyNothing: ApplyEntry = () => undefined;
