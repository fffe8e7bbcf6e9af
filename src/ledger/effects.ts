// How an entry changes the cap table, family by family. This is the only definition of it: writes, `verify`, and the
// cap table as of a date all replay entries through these functions. Pure.

import type { SecurityStatus, SecurityType } from "../database/schema.ts";
import { assert, present } from "../kernel/assert.ts";
import { type Decimal, parseDecimal, ZERO } from "../kernel/decimal.ts";
import { readSplit, splitFilter, splitQuantity, splitSecurity } from "./split.ts";
import type { LedgerState } from "./state.ts";
import type { EntryDraft, Metadata, SecurityState } from "./types.ts";

/** Applies one entry to `state`, which holds every record that the entry touches. */
export type ApplyEntry = (state: LedgerState, entry: EntryDraft) => void;

/** A string member of an entry's metadata, or null. */
export function textOf(metadata: Metadata, name: string): string | null {
  const value = metadata[name];
  return typeof value === "string" ? value : null;
}

function quantityOf(entry: EntryDraft): Decimal {
  return parseDecimal(present(entry.quantity, "the entry's quantity"));
}

/** Whether a plan's reserve is held for securities of this type: options, and stock issued under the plan. */
function isHeldAgainstPlan(type: SecurityType, equityPlanId: string | null): boolean {
  return equityPlanId !== null && (type === "STOCK" || type === "STOCK_OPTION");
}

/**
 * An issuance makes the security. What a conversion makes of stock under a plan was counted there already; so was what
 * an imported transaction makes of another security (`ocfResultOf`), which may go on holding the plan's reserve.
 */
export function applyIssuance(type: SecurityType): ApplyEntry {
  return (state, entry) => {
    const { metadata } = entry;
    const quantity = quantityOf(entry);
    const equityPlanId = textOf(metadata, "equityPlanId");
    const isCounted = metadata.conversion === true || metadata.ocfResultOf !== undefined;
    const drawsOnPlan = isHeldAgainstPlan(type, equityPlanId) && (!isCounted || metadata.ocfHoldsReserve === true);
    state.putSecurity({
      id: present(entry.securityId, "an issuance's security"),
      type,
      status: "ACTIVE",
      quantity,
      stakeholderId: entry.stakeholderId,
      stockClassId: textOf(metadata, "stockClassId"),
      equityPlanId,
      drawsOnPlan,
      pricePerShare: textOf(metadata, "pricePerShare"),
      exercisePrice: textOf(metadata, "exercisePrice"),
    });
    if (drawsOnPlan && !isCounted) state.addAvailable(equityPlanId, -quantity);
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

/** The prices of what the entry makes: it names them both, null included, for a source's price may be corrected by hand. */
function pricesOf(metadata: Metadata, source: SecurityState): Pick<SecurityState, "pricePerShare" | "exercisePrice"> {
  const prices = (metadata.prices ?? { ...source }) as Metadata;
  return { pricePerShare: textOf(prices, "pricePerShare"), exercisePrice: textOf(prices, "exercisePrice") };
}

/** A transfer shrinks the source and makes the recipient's security on the same class, plan and prices. */
export const applyTransfer: ApplyEntry = (state, entry) => {
  const { metadata } = entry;
  const quantity = quantityOf(entry);
  const source = reduceSecurity(state, present(entry.securityId, "the source"), quantity, "TRANSFERRED");
  state.putSecurity({
    ...source,
    id: present(textOf(metadata, "newSecurityId"), "newSecurityId"),
    quantity,
    stakeholderId: textOf(metadata, "toStakeholderId"),
    ...pricesOf(metadata, source),
  });
};

/** An exercise shrinks the option or warrant and makes stock, which holds nothing against the plan any more. */
export const applyExercise: ApplyEntry = (state, entry) => {
  const { metadata } = entry;
  const quantity = quantityOf(entry);
  const source = reduceSecurity(state, present(entry.securityId, "the source"), quantity, "EXERCISED");
  state.putSecurity({
    ...source,
    id: present(textOf(metadata, "newSecurityId"), "newSecurityId"),
    type: "STOCK",
    quantity,
    stockClassId: textOf(metadata, "stockClassId"),
    drawsOnPlan: false,
    ...pricesOf(metadata, source),
  });
};

/** A conversion shrinks the convertible and makes `resultingQuantity` of stock. */
export const applyConversion: ApplyEntry = (state, entry) => {
  const { metadata } = entry;
  const source = reduceSecurity(state, present(entry.securityId, "the source"), quantityOf(entry), "CONVERTED");
  state.putSecurity({
    ...source,
    id: present(textOf(metadata, "newSecurityId"), "newSecurityId"),
    type: "STOCK",
    quantity: parseDecimal(present(textOf(metadata, "resultingQuantity"), "resultingQuantity")),
    stockClassId: textOf(metadata, "stockClassId"),
    drawsOnPlan: false,
    ...pricesOf(metadata, source),
  });
};

/** A repurchase shrinks the stock; its plan gets nothing back. */
export const applyRepurchase: ApplyEntry = (state, entry) => {
  reduceSecurity(state, present(entry.securityId, "the security"), quantityOf(entry), "REPURCHASED");
};

/**
 * A cancellation shrinks the security; with `returnToPool` its plan gets the quantity back. A retraction undoes what
 * the security held against the plan. The cancellation in a conversion of stock closes it as CONVERTED.
 */
export const applyCancellation: ApplyEntry = (state, entry) => {
  const { metadata } = entry;
  const quantity = quantityOf(entry);
  const id = present(entry.securityId, "the security");
  const before = reduceSecurity(state, id, quantity, metadata.conversion === true ? "CONVERTED" : "CANCELLED");
  const isRetraction = entry.type === "STOCK_RETRACTION" || metadata.retraction === true;
  const isReturned = isRetraction
    ? before.drawsOnPlan
    : metadata.returnToPool === true && isHeldAgainstPlan(before.type, before.equityPlanId);
  if (isReturned) state.addAvailable(before.equityPlanId, quantity);
};

/** The members of a security that a direct edit can set; numbers are decimal strings. */
interface EditedMembers {
  readonly status?: SecurityStatus;
  readonly quantity?: string;
  readonly stakeholderId?: string | null;
  readonly stockClassId?: string | null;
  readonly equityPlanId?: string | null;
  readonly pricePerShare?: string | null;
  readonly exercisePrice?: string | null;
}

/** A direct edit sets the members named in `metadata.after`; the plan gives or takes the difference in quantity. */
export const applyDirectEdit: ApplyEntry = (state, entry) => {
  const before = state.security(present(entry.securityId, "the security"));
  const after = (entry.metadata.after ?? {}) as EditedMembers;
  const { quantity: quantityText, ...rest } = after;
  const quantity = quantityText === undefined ? before.quantity : parseDecimal(quantityText);
  const edited: SecurityState = { ...before, ...rest, quantity };
  const drawsOnPlan =
    edited.equityPlanId === before.equityPlanId
      ? before.drawsOnPlan
      : isHeldAgainstPlan(edited.type, edited.equityPlanId);
  state.putSecurity({ ...edited, drawsOnPlan });
  if (before.drawsOnPlan) state.addAvailable(before.equityPlanId, before.quantity);
  if (drawsOnPlan) state.addAvailable(edited.equityPlanId, -edited.quantity);
};

/** An adjustment sets a class's authorized figure. */
export const applyClassAdjustment: ApplyEntry = (state, entry) => {
  const stockClassId = textOf(entry.metadata, "stockClassId");
  const figure = textOf(entry.metadata, "newSharesAuthorized");
  if (stockClassId !== null && figure !== null) state.changeClass(stockClassId, { authorized: parseDecimal(figure) });
};

/** An adjustment sets a plan's total reserve; what is available moves by the same difference. */
export const applyPlanAdjustment: ApplyEntry = (state, entry) => {
  const equityPlanId = textOf(entry.metadata, "equityPlanId");
  const figure = textOf(entry.metadata, "newSharesReserved");
  if (equityPlanId === null || figure === null) return;
  const { reserved, available } = state.plan(equityPlanId);
  const newReserve = parseDecimal(figure);
  state.changePlan(equityPlanId, { reserved: newReserve, available: available + newReserve - reserved });
};

/** A split changes every security that it concerns, the class's authorized figure, and the plans for this class alone. */
export const applySplit: ApplyEntry = (state, entry) => {
  const split = readSplit(entry.metadata);
  const isConcerned = splitFilter(split);
  for (const security of [...state.securities.values()].filter(isConcerned)) {
    state.putSecurity(splitSecurity(security, split));
  }
  if (split.isStockOnly) return;
  const { authorized } = state.stockClass(split.stockClassId);
  if (authorized !== null) state.changeClass(split.stockClassId, { authorized: splitQuantity(authorized, split) });
  for (const id of split.equityPlanIds) {
    const { reserved, available } = state.plan(id);
    state.changePlan(id, { reserved: splitQuantity(reserved, split), available: splitQuantity(available, split) });
  }
};

/** For entries that change no quantity: vesting facts, updates of stakeholders and valuations. */
export const applyNothing: ApplyEntry = () => undefined;
