// SQL that only the cap table's views need.
import { all, first, ofOrganization, type Params, type Row } from "../database/sql.ts";

/** The APPROVED valuation with the latest effective date, ties by creation (DECISIONS section 17). */
export const findLatestValuation = first((param: Params<{ orgId: string }>) =>
  ofOrganization("valuations", param)
    .select(["id", "type", "pricePerShare", "effectiveDate"])
    .where("status", "=", "APPROVED")
    .where("deletedAt", "is", null)
    .orderBy("effectiveDate", "desc")
    .orderBy("seq", "desc")
    .limit(1),
);

/** What a stakeholder is called. */
export type NameRow = Pick<Row<"stakeholders">, "id" | "displayName" | "email" | "deletedAt">;

/** What every stakeholder is called, deleted ones included, oldest first. */
export const listStakeholderNames = all((param: Params<{ orgId: string }>) =>
  ofOrganization("stakeholders", param).select(["id", "displayName", "email", "deletedAt"]).orderBy("seq"),
);
