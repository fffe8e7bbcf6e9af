// What entries did to pools before charges were known: entries without `metadata.rules` are replayed as they were
// decided, so that no figure of today changes (TRUTH, "Entries that exist"). Their charges follow today's rules along
// that replay. Pure; nothing that is written today comes here.
import type { SecurityType } from "../database/schema.ts";
import { type Decimal, parseDecimal, ZERO } from "../kernel/decimal.ts";
import { isHeldAgainstPlan, RULES } from "./charges.ts";
import { membersOf } from "./members.ts";
import { readSplit, splitQuantity } from "./split.ts";
import type { LedgerState } from "./state.ts";
import type { EntryDraft, SecurityState } from "./types.ts";

/** Whether the entry was written by the former rules. */
export function isFormer(entry: Pick<EntryDraft, "metadata">): boolean {
  return membersOf(entry).rules !== RULES;
}

/** Moves the plans' available reserves as the former rules did. `was` is the security that the entry names, before it. */
export function applyFormerPool(state: LedgerState, entry: EntryDraft, was: SecurityState | undefined): void {
  const { type } = entry;
  const { isDirectEdit, imported } = membersOf(entry);
  if (isDirectEdit) editPool(state, was);
  else if (imported.taken !== null || imported.returned !== null) return;
  else if (type === "STOCK_SPLIT") splitPool(state, entry);
  else if (type.endsWith("_ISSUANCE")) issueFromPool(state, entry);
  else if (type.endsWith("_TRANSFER")) inheritDraw(state, entry);
  else if (type.endsWith("_CANCELLATION") || type === "STOCK_RETRACTION") returnToPoolByFormerRules(state, entry, was);
}

/** What a conversion made of stock under a plan was counted there already; so was what an imported transaction made. */
function issueFromPool(state: LedgerState, entry: EntryDraft): void {
  const { type, securityId, quantity } = entry;
  const { equityPlanId: plan, isConversion, imported } = membersOf(entry);
  if (securityId === null || !isHeldAgainstPlan(type.slice(0, -"_ISSUANCE".length) as SecurityType, plan)) return;
  const isCounted = isConversion || imported.resultOf !== null;
  if (!isCounted || imported.holdsReserve) state.formerDraws.add(securityId);
  if (!isCounted) state.addAvailable(plan, -quantityIn(quantity));
}

function quantityIn(text: string | null): Decimal {
  return text === null ? ZERO : parseDecimal(text);
}

function inheritDraw(state: LedgerState, entry: EntryDraft): void {
  const { newSecurityId } = membersOf(entry);
  if (state.formerDraws.has(entry.securityId ?? "") && newSecurityId !== null) state.formerDraws.add(newSecurityId);
}

/** A cancellation gave back its quantity, a retraction what the security held against the plan. */
function returnToPoolByFormerRules(state: LedgerState, entry: EntryDraft, was: SecurityState | undefined): void {
  if (!was) return;
  const { type, quantity } = entry;
  const said = membersOf(entry);
  const isRetraction = type === "STOCK_RETRACTION" || said.isRetraction;
  const isReturned = isRetraction
    ? state.formerDraws.has(was.id)
    : said.isReturnedToPool && isHeldAgainstPlan(was.type, was.equityPlanId);
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
function splitPool(state: LedgerState, { metadata }: EntryDraft): void {
  const split = readSplit(metadata);
  if (split.isStockOnly) return;
  for (const id of split.equityPlanIds) {
    const { reserved, available } = state.plan(id);
    state.changePlan(id, { reserved: splitQuantity(reserved, split), available: splitQuantity(available, split) });
  }
}
