// How an entry changes the cap table, family by family. This is the only definition of it: writes, `verify`, and the
// cap table as of a date all replay entries through these functions. Pure.

import type { SecurityStatus, SecurityType } from "../database/schema.ts";
import { assert, present } from "../kernel/assert.ts";
import { type Decimal, parseDecimal, ZERO } from "../kernel/decimal.ts";
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

/** An issuance makes the security, or, as a direct edit, changes the one that is there. */
export function applyIssuance(type: SecurityType): ApplyEntry {
  return (state, entry) => {
    const { metadata } = entry;
    const quantity = quantityOf(entry);
    const equityPlanId = textOf(metadata, "equityPlanId");
    const drawsOnPlan = equityPlanId !== null && (type === "STOCK" || type === "STOCK_OPTION");
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
    if (drawsOnPlan) state.addAvailable(equityPlanId, -quantity);
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
    pricePerShare: textOf(metadata, "pricePerShare") ?? source.pricePerShare,
  });
};

/** A cancellation shrinks the security; with `returnToPool` the plan gets the quantity back. A retraction closes it whole. */
export const applyCancellation: ApplyEntry = (state, entry) => {
  const quantity = quantityOf(entry);
  const id = present(entry.securityId, "the security");
  const before = reduceSecurity(state, id, quantity, "CANCELLED");
  const isReturned = entry.metadata.retraction === true ? before.drawsOnPlan : entry.metadata.returnToPool === true;
  if (isReturned) state.addAvailable(before.equityPlanId, quantity);
};

/** The members of a security that a direct edit can set; numbers are decimal strings. */
interface EditedMembers {
  readonly status?: SecurityStatus;
  readonly quantity?: string;
  readonly stakeholderId?: string | null;
  readonly stockClassId?: string | null;
  readonly equityPlanId?: string | null;
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
      : edited.equityPlanId !== null && (edited.type === "STOCK" || edited.type === "STOCK_OPTION");
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

/** For entries that change no quantity: vesting facts, updates of stakeholders and valuations. */
export const applyNothing: ApplyEntry = () => undefined;
