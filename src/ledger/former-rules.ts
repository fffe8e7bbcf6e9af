// What entries did to pools before charges were known: entries without `metadata.rules` are replayed as they were
// decided, so that no figure of today changes (TRUTH, "Entries that exist"). Their charges follow today's rules along
// that replay. Pure; nothing that is written today comes here.
import type { SecurityType } from "../database/schema.ts";
import { type Decimal, parseDecimal, ZERO } from "../kernel/decimal.ts";
import { isHeldAgainstPlan, RULES } from "./charges.ts";
import { readSplit, splitQuantity } from "./split.ts";
import type { LedgerState } from "./state.ts";
import type { EntryDraft, Metadata, SecurityState } from "./types.ts";

/** Whether the entry was written by the former rules. */
export function isFormer({ metadata }: Pick<EntryDraft, "metadata">): boolean {
  return metadata.rules !== RULES;
}

/** Moves the plans' available reserves as the former rules did. `was` is the security that the entry names, before it. */
export function applyFormerPool(state: LedgerState, entry: EntryDraft, was: SecurityState | undefined): void {
  const { type, metadata } = entry;
  if (metadata.directEdit === true) editPool(state, was);
  else if (metadata.ocfTaken !== undefined || metadata.ocfReturned !== undefined) return;
  else if (type === "STOCK_SPLIT") splitPool(state, metadata);
  else if (type.endsWith("_ISSUANCE")) issueFromPool(state, entry);
  else if (type.endsWith("_TRANSFER")) inheritDraw(state, entry);
  else if (type.endsWith("_CANCELLATION") || type === "STOCK_RETRACTION") returnToPool(state, entry, was);
}

/** What a conversion made of stock under a plan was counted there already; so was what an imported transaction made. */
function issueFromPool(state: LedgerState, { type, securityId, quantity, metadata }: EntryDraft): void {
  const plan = typeof metadata.equityPlanId === "string" ? metadata.equityPlanId : null;
  if (securityId === null || !isHeldAgainstPlan(type.slice(0, -"_ISSUANCE".length) as SecurityType, plan)) return;
  const isCounted = metadata.conversion === true || metadata.ocfResultOf !== undefined;
  if (!isCounted || metadata.ocfHoldsReserve === true) state.formerDraws.add(securityId);
  if (!isCounted) state.addAvailable(plan, -quantityIn(quantity));
}

function quantityIn(text: string | null): Decimal {
  return text === null ? ZERO : parseDecimal(text);
}

function inheritDraw(state: LedgerState, { securityId, metadata }: EntryDraft): void {
  if (!state.formerDraws.has(securityId ?? "") || typeof metadata.newSecurityId !== "string") return;
  state.formerDraws.add(metadata.newSecurityId);
}

/** A cancellation gave back its quantity, a retraction what the security held against the plan. */
function returnToPool(state: LedgerState, entry: EntryDraft, was: SecurityState | undefined): void {
  if (!was) return;
  const { type, metadata, quantity } = entry;
  const isRetraction = type === "STOCK_RETRACTION" || metadata.retraction === true;
  const isReturned = isRetraction
    ? state.formerDraws.has(was.id)
    : metadata.returnToPool === true && isHeldAgainstPlan(was.type, was.equityPlanId);
  if (isReturned) state.addAvailable(was.equityPlanId, quantityIn(quantity));
}

/** The plan got back all that the security held, and gave what it holds now. */
function editPool(state: LedgerState, was: SecurityState | undefined): void {
  if (!was) return;
  const { id, type, equityPlanId, quantity } = state.security(was.id);
  if (state.formerDraws.has(id)) state.addAvailable(was.equityPlanId, was.quantity);
  if (equityPlanId !== was.equityPlanId) {
    if (isHeldAgainstPlan(type, equityPlanId)) state.formerDraws.add(id);
    else state.formerDraws.delete(id);
  }
  if (state.formerDraws.has(id)) state.addAvailable(equityPlanId, -quantity);
}

/** A split's rounding was that of the plans' figures too. */
function splitPool(state: LedgerState, metadata: Metadata): void {
  const split = readSplit(metadata);
  if (split.isStockOnly) return;
  for (const id of split.equityPlanIds) {
    const { reserved, available } = state.plan(id);
    state.changePlan(id, { reserved: splitQuantity(reserved, split), available: splitQuantity(available, split) });
  }
}
