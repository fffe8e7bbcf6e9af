// Pools: sums the effects of entries on the charges of securities and the plans' available reserves. charges.ts
// (`isUsedUp`) decides whether a cancellation refills the pool and by how much; imported.ts does for packages. Pure.
import { scale, ZERO } from "../../kernel/numbers/decimal.ts";
import { splitCharge } from "../../kernel/numbers/split-figures.ts";
import type { LedgerEvent, SplitEvent } from "../replay/event.ts";
import type { LedgerState } from "../replay/state.ts";
import { type ChargeChange, chargesUnderWay, isUsedUp } from "./charges.ts";

/** Changes the charges and the reserves: a released charge returns to the plan's pool. */
export function applyCharges(state: LedgerState, event: LedgerEvent, changes: readonly ChargeChange[]): void {
  for (const change of changes) charge(state, change);
  for (const [id, moving] of chargesUnderWay(state, event, changes)) state.moving.set(id, moving);
  if (event.kind === "split") multiplyCharges(state, event);
  if (isBroughtByImport(event)) drawImported(state, event, changes);
  else if (!isUsedUp(event))
    for (const change of changes) state.addAvailable(change.equityPlanId, -differenceOf(change));
}

function differenceOf({ before, after }: ChargeChange) {
  return (after ?? ZERO) - (before ?? ZERO);
}

/** A security that moves to another plan has two changes; the charge on its present plan stays. */
function charge(state: LedgerState, { securityId, equityPlanId, before, after }: ChargeChange): void {
  if (before === null && state.moving.has(securityId)) state.arrive(securityId, after ?? ZERO);
  const security = state.securities.get(securityId);
  if (security?.equityPlanId === equityPlanId) state.changeSecurity(securityId, { charge: after });
  else if (security && after === null) state.changeSecurity(securityId, { charge: null });
}

function isBroughtByImport({ said: { imported } }: LedgerEvent): boolean {
  return imported.hasEffect || imported.objectType !== null;
}

/** Imported grants draw on their plan; results of imported transactions were granted before. */
function drawImported(state: LedgerState, { kind, said }: LedgerEvent, changes: readonly ChargeChange[]): void {
  if (kind !== "issued" || said.imported.resultOf !== null) return;
  for (const change of changes) state.addAvailable(change.equityPlanId, -differenceOf(change));
}

/**
 * A split multiplies the reserve (half even), available and charged shares (cut off) of plans for its class alone. An
 * imported split names the charged securities; a package states its own reserves.
 */
function multiplyCharges(state: LedgerState, { split }: SplitEvent): void {
  for (const id of split.chargedSecurityIds) {
    const charge = state.securities.get(id)?.charge ?? null;
    if (charge !== null) state.changeSecurity(id, { charge: splitCharge(charge, split) || null });
  }
  if (split.isStockOnly || split.equityPlanIds.length === 0) return;
  const plans = new Set(split.equityPlanIds);
  for (const { id, charge, equityPlanId } of [...state.securities.values()]) {
    if (charge === null || !plans.has(equityPlanId ?? "")) continue;
    state.changeSecurity(id, { charge: splitCharge(charge, split) || null });
  }
  for (const id of plans) {
    const { reserved, available } = state.plan(id);
    const { numerator, denominator } = split;
    state.changePlan(id, {
      reserved: scale(reserved, numerator, denominator),
      available: splitCharge(available, split),
    });
  }
}
