// Imports of packages under way, each of many transactions: an organization is not closed between two of them. Whichever
// process imports notes the time with each transaction; one that was ended leaves a note that soon counts no more.
import { findSetting, storeSetting } from "./settings.ts";
import type { Reader, Tx } from "./sql.ts";

const LIVING_MS = 30_000;

/** Notes that an import of the organization is under way at an instant, or with null that it has ended. */
export function notePackageImport(tx: Tx, orgId: string, at: string | null): void {
  storeSetting(tx, nameOf(orgId), at ?? "");
}

/** Whether an import was under way in the 30 seconds before an instant. */
export function isPackageImported(db: Reader, orgId: string, at: string): boolean {
  const noted = findSetting(db, nameOf(orgId)) ?? "";
  return noted !== "" && Math.abs(Date.parse(at) - Date.parse(noted)) < LIVING_MS;
}

function nameOf(orgId: string): string {
  return `packageImport ${orgId}`;
}
