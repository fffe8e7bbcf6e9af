// Invariants of every write, whatever the operation: asserted in production, before the commit. Pure.
import { assert } from "../../kernel/assert.ts";
import { type Decimal, sum, ZERO } from "../../kernel/numbers/decimal.ts";
import { type LedgerEvent, readEntry } from "../replay/event.ts";
import { type LedgerState, outstandingStock } from "../replay/state.ts";
import type { EntryDraft } from "../types.ts";

/** Throws `InvariantError` if `entries` cannot lead from `before` to `after`. */
export function assertInvariants(before: LedgerState, after: LedgerState, entries: readonly EntryDraft[]): void {
  for (const [id, security] of after.securities) {
    assert(security.quantity >= ZERO, `security ${id} has a negative quantity`);
    assert(security.type !== "STOCK" || security.stockClassId !== null, `stock ${id} has no class`);
  }
  assertClassTotals(before, after);
  assertTransfersConserve(before, after, entries);
}

/** The change of each class's total is the sum of the changes of its securities. */
function assertClassTotals(before: LedgerState, after: LedgerState): void {
  const moved = new Map<string, Decimal>();
  const add = (classId: string | null, quantity: Decimal) => {
    if (classId !== null) moved.set(classId, (moved.get(classId) ?? ZERO) + quantity);
  };
  for (const [id, security] of after.securities) {
    const was = before.securities.get(id);
    if (was === security) continue;
    add(security.stockClassId, outstandingStock(security));
    if (was) add(was.stockClassId, -outstandingStock(was));
  }
  for (const [id, stockClass] of after.classes) {
    const change = stockClass.issued - (before.classes.get(id)?.issued ?? ZERO);
    assert(change === (moved.get(id) ?? ZERO), `the total of share class ${id} does not follow its securities`);
    assert(stockClass.issued >= ZERO, `share class ${id} has a negative total`);
  }
}

/**
 * Throws `InvariantError` if a write creates reserve: a plan's available reserve and its charges never grow by more
 * than the reserve did, else more could be granted than was reserved. Imports are exempt, and a split multiplies all
 * three alike.
 */
export function assertPools(before: LedgerState, after: LedgerState, entries: readonly EntryDraft[]): void {
  if (entries.some(({ type }) => type === "STOCK_SPLIT")) return;
  const used = new Map<string, Decimal>();
  for (const [id, security] of after.securities) {
    const was = before.securities.get(id);
    if (was === security) continue;
    if (was?.equityPlanId) used.set(was.equityPlanId, (used.get(was.equityPlanId) ?? ZERO) - (was.charge ?? ZERO));
    const plan = security.equityPlanId;
    if (plan !== null) used.set(plan, (used.get(plan) ?? ZERO) + (security.charge ?? ZERO));
  }
  for (const [id, plan] of after.plans) {
    const was = before.plans.get(id);
    if (!was) continue;
    const isMore = plan.available - was.available + (used.get(id) ?? ZERO) > plan.reserved - was.reserved;
    assert(!isMore, `plan ${id} would have more than its reserve`);
  }
}

/** A write of transfers only changes no total. An imported transfer only takes: OCF issues the results separately. */
function assertTransfersConserve(before: LedgerState, after: LedgerState, entries: readonly EntryDraft[]): void {
  const events = entries.map((entry) => readEntry(entry));
  const isTransfer = ({ kind, how, said }: LedgerEvent) =>
    how === "transfer" || (kind === "edited" && said.after.stakeholderId !== undefined);
  if (events.length === 0 || !events.every(isTransfer)) return;
  if (events.some(({ said }) => said.imported.taken !== null)) return;
  const total = (state: LedgerState) => sum([...state.securities.values()].map((security) => security.quantity));
  assert(total(before) === total(after), "a transfer made or lost shares");
}
