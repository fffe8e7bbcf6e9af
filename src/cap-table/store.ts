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
  build.selectFrom("stakeholders").select(["id", "displayName"]).where("orgId", "=", param("orgId")).orderBy("seq"),
);

/** Every stakeholder's id and name, deleted ones included, oldest first. */
export function listStakeholderNames(db: Reader, orgId: string): Pick<Row<"stakeholders">, "id" | "displayName">[] {
  return names.all(db, { orgId });
}

const anySecurity = statement((param: Params<{ orgId: string; id: string }>) =>
  build.selectFrom("securities").selectAll().where("orgId", "=", param("orgId")).where("id", "=", param("id")),
);

/** A security's row, deleted or not: what is gone now was there before. */
export function findAnySecurity(db: Reader, orgId: string, id: string): Row<"securities"> | null {
  return anySecurity.first(db, { orgId, id });
}

const named = statement((param: Params<{ orgId: string; name: string }>) =>
  build
    .selectFrom("stakeholders")
    .select(["id", "displayName"])
    .where("orgId", "=", param("orgId"))
    .where("deletedAt", "is", null)
    .where((eb) => eb.or([eb("id", "=", param("name")), eb("displayName", "=", param("name"))]))
    .orderBy("seq"),
);

/** The stakeholders with this id or display name, oldest first. */
export function findStakeholders(
  db: Reader,
  orgId: string,
  name: string,
): Pick<Row<"stakeholders">, "id" | "displayName">[] {
  return named.all(db, { orgId, name });
}
