// SQL that only the cap table's views need.
import { build, type Params, type Reader, type Row, statement } from "../database/sql.ts";

const latest = statement((param: Params<{ orgId: string }>) =>
  build
    .selectFrom("valuations")
    .select(["id", "type", "pricePerShare", "effectiveDate"])
    .where("orgId", "=", param("orgId"))
    .where("status", "=", "APPROVED")
    .where("deletedAt", "is", null)
    .orderBy("effectiveDate", "desc")
    .orderBy("seq", "desc")
    .limit(1),
);

/** The APPROVED valuation with the latest effective date, ties by creation (DECISIONS section 17). */
export function findLatestValuation(
  db: Reader,
  orgId: string,
): Pick<Row<"valuations">, "id" | "type" | "pricePerShare" | "effectiveDate"> | null {
  return latest.first(db, { orgId });
}

const names = statement((param: Params<{ orgId: string }>) =>
  build
    .selectFrom("stakeholders")
    .select(["id", "displayName", "email", "deletedAt"])
    .where("orgId", "=", param("orgId"))
    .orderBy("seq"),
);

/** What a stakeholder is called. */
export type NameRow = Pick<Row<"stakeholders">, "id" | "displayName" | "email" | "deletedAt">;

/** What every stakeholder is called, deleted ones included, oldest first. */
export function listStakeholderNames(db: Reader, orgId: string): NameRow[] {
  return names.all(db, { orgId });
}

const namesToSeek = statement((param: Params<{ orgId: string }>) =>
  build
    .selectFrom("stakeholders")
    .select(["id", "displayName", "name", "email"])
    .where("orgId", "=", param("orgId"))
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
export function listStakeholdersToSeek(db: Reader, orgId: string): SoughtRow[] {
  return namesToSeek.all(db, { orgId }).map(({ name, ...row }) => {
    return { ...row, legalName: (JSON.parse(name) as { readonly legalName: string }).legalName };
  });
}

const anySecurity = statement((param: Params<{ orgId: string; id: string }>) =>
  build.selectFrom("securities").selectAll().where("orgId", "=", param("orgId")).where("id", "=", param("id")),
);

/** A security's row, deleted or not: what is gone now was there before. */
export function findAnySecurity(db: Reader, orgId: string, id: string): Row<"securities"> | null {
  return anySecurity.first(db, { orgId, id });
}
