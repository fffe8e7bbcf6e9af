// What must hold after every write, whatever was done before: read from the service alone, without the model's
// opinion of the figures.

import { expect } from "bun:test";
import { getOrganization } from "../../src/resources/organization/store.ts";
import type { Difference } from "../../src/safekeeping/verify/report.ts";
import { iterateSecurityRows } from "../../src/safekeeping/verify/store.ts";
import { verifyOrganization } from "../../src/safekeeping/verify/verify.ts";
import { listEvery } from "../../src/storage/database/records.ts";
import type { Company } from "./company.ts";
import { type Units, units } from "./model/units.ts";

/** Expects `verify` to find nothing, not even a note. */
export function expectVerified({ tx, orgId }: Company): void {
  const found: { differences: Difference[]; notes: Difference[] } = { differences: [], notes: [] };
  verifyOrganization(tx, getOrganization(tx, orgId), found);
  expect(found).toEqual({ differences: [], notes: [] });
}

/** Expects 0 ≤ available, and available + Σ charges of open securities ≤ reserved, for every plan. */
export function expectBoundPools({ tx, orgId }: Company): void {
  const charges = new Map<string, Units>();
  for (const { equityPlanId, planCharge, status, deletedAt } of iterateSecurityRows(tx, { orgId })) {
    if (equityPlanId === null || planCharge === null) continue;
    expect(units(planCharge)).toBeGreaterThan(0n);
    if (status !== "ACTIVE" || deletedAt !== null) continue;
    charges.set(equityPlanId, (charges.get(equityPlanId) ?? 0n) + units(planCharge));
  }
  for (const { id, totalSharesReserved, currentSharesReserved } of listEvery(tx, "equity_plans", orgId)) {
    const [reserved, available] = [units(totalSharesReserved), units(currentSharesReserved)];
    expect(available).toBeGreaterThanOrEqual(0n);
    expect(available + (charges.get(id) ?? 0n)).toBeLessThanOrEqual(reserved);
  }
}
