// SQL that only equity plans need.
import { build, type Params, type Reader, statement } from "../../database/sql.ts";

const granted = statement((param: Params<{ orgId: string; equityPlanId: string }>) =>
  build
    .selectFrom("securities")
    .select("id")
    .where("orgId", "=", param("orgId"))
    .where("equityPlanId", "=", param("equityPlanId"))
    .where("status", "=", "ACTIVE")
    .where("deletedAt", "is", null)
    .limit(1),
);

/** Whether any ACTIVE security is under the plan. */
export function hasOutstandingGrants(db: Reader, orgId: string, equityPlanId: string): boolean {
  return granted.first(db, { orgId, equityPlanId }) !== null;
}
