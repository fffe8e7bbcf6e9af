// SQL that only the cap table's views need.
import { sql } from "kysely";
import { all, first, ofOrganization, type Params, type Reader, value } from "../../storage/database/sql.ts";

/** The APPROVED valuation with the latest effective date, future and expired ones too, ties by creation. */
export const findLatestValuation = first((param: Params<{ orgId: string }>) =>
  ofOrganization("valuations", param)
    .select(["id", "type", "stockClassId", "pricePerShare", "effectiveDate"])
    .where("status", "=", "APPROVED")
    .where("deletedAt", "is", null)
    .orderBy("effectiveDate", "desc")
    .orderBy("seq", "desc")
    .limit(1),
);

/** The first entry of the ledger that counts in totals; null for a ledger without one. */
export const findFirstEntry = first((param: Params<{ orgId: string }>) =>
  ofOrganization("transactions", param)
    .select(["effectiveDate", "createdAt"])
    .where("recordOnly", "=", 0)
    .orderBy("sequence")
    .limit(1),
);

/** The earliest effective date of the entries known at an instant, up to a place; null where no entry was. */
export const findFirstKnownDay = value((param: Params<{ orgId: string; knownAt: string; upTo: number }>) =>
  ofOrganization("transactions", param)
    .select(sql<string | null>`min("effectiveDate")`.as("day"))
    .where("recordOnly", "=", 0)
    .where("createdAt", "<=", param("knownAt"))
    .where("sequence", "<=", param("upTo")),
);

/** What views read of a stakeholder, by column. */
export const NAME_COLUMNS = ["id", "displayName", "deletedAt"] as const;

/** What every stakeholder is called, deleted ones included, oldest first. */
export const listStakeholderNames = all((param: Params<{ orgId: string }>) =>
  ofOrganization("stakeholders", param).select(NAME_COLUMNS).orderBy("seq"),
);

const namesToSeek = all((param: Params<{ orgId: string }>) =>
  ofOrganization("stakeholders", param)
    .select(["id", "displayName", "name", "email"])
    .where("deletedAt", "is", null)
    .orderBy("seq"),
);

/** All that a stakeholder may be sought by. */
export interface SoughtRow {
  readonly id: string;
  readonly displayName: string;
  readonly legalName: string;
  readonly email: string | null;
}

/** What every stakeholder that is there may be sought by, oldest first. */
export function listStakeholdersToSeek(db: Reader, of: { readonly orgId: string }): SoughtRow[] {
  return namesToSeek(db, of).map(({ name, ...row }) => {
    return { ...row, legalName: (JSON.parse(name) as { readonly legalName: string }).legalName };
  });
}
