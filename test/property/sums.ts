// What holders have in an organization, summed up from its rows, and how much more or less that becomes.
import { iterateSecurityRows } from "../../src/safekeeping/verify/store.ts";
import type { Company } from "./company.ts";
import { type Units, units } from "./model/units.ts";

/** What open securities hold, by `holder|family|class`. */
export function sumsIn({ tx, orgId }: Company): Map<string, Units> {
  const sums = new Map<string, Units>();
  for (const { type, status, deletedAt, quantity, stakeholderId, stockClassId } of iterateSecurityRows(tx, { orgId })) {
    if (status !== "ACTIVE" || deletedAt !== null) continue;
    const family = type === "STOCK_OPTION" ? "EQUITY_COMPENSATION" : type;
    addTo(sums, `${stakeholderId}|${family}|${type === "STOCK" ? stockClassId : ""}`, units(quantity));
  }
  return sums;
}

/** How much more, or less, there is of each. */
export function gainOf(before: ReadonlyMap<string, Units>, after: ReadonlyMap<string, Units>): Map<string, Units> {
  const keys = [...new Set([...before.keys(), ...after.keys()])];
  return new Map(keys.map((key) => [key, (after.get(key) ?? 0n) - (before.get(key) ?? 0n)]));
}

/** Adds to a sum. */
export function addTo(sums: Map<string, Units>, key: string, more: Units): void {
  sums.set(key, (sums.get(key) ?? 0n) + more);
}
