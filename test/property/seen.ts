// An organization as a choice sees it, read from its rows, where no model has followed what came in.
import { iterateSecurityRows } from "../../src/safekeeping/verify/store.ts";
import type { Company } from "./company.ts";
import { TODAY } from "./model/dates.ts";
import { newModel } from "./model/start.ts";
import type { Model } from "./model/state.ts";
import { units } from "./model/units.ts";

/** What choices look at; the company learns the ids that it does not know yet. */
export function seenIn({ tx, orgId, ids }: Company): Model {
  const rows = new Map([...iterateSecurityRows(tx, { orgId })].map((row) => [row.id, row]));
  for (const id of rows.keys()) if (!ids.securities.includes(id)) ids.securities.push(id);
  const seen = newModel();
  for (const [index, id] of ids.securities.entries()) {
    const row = rows.get(id);
    const place = (list: readonly string[], each: string | null | undefined) => (each ? list.indexOf(each) : null);
    seen.securities.push(
      row && {
        kind: row.type,
        status: row.status,
        quantity: units(row.quantity),
        holder: ids.holders.indexOf(row.stakeholderId ?? ""),
        stockClass: place(ids.classes, row.stockClassId),
        plan: place(ids.plans, row.equityPlanId),
        charge: 0n,
        rate: { charge: 0n, quantity: 0n },
        price: null,
        strike: row.exercisePrice === null ? null : units(row.exercisePrice),
        expires: null,
        certificate: row.certificateId,
        isDeleted: row.deletedAt !== null,
      },
    );
    seen.vesting.push({
      grant: index,
      since: 0,
      isGrant: true,
      granted: 0n,
      grantDate: row?.grantDate ?? TODAY,
      terms: place(ids.terms, row?.vestingTermsId),
      start: row?.vestingStartDate ?? TODAY,
      own: null,
      facts: [],
    });
  }
  for (const _ of ids.milestones) seen.milestones.push({ security: 0, since: 0, isDone: false, isDeleted: false });
  return seen;
}
