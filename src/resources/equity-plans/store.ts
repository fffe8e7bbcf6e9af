// SQL that only equity plans need.
import { exists, ofOrganization, type Params } from "../../database/sql.ts";

/** Whether any ACTIVE security is under the plan. */
export const hasOutstandingGrants = exists((param: Params<{ orgId: string; equityPlanId: string }>) =>
  ofOrganization("securities", param)
    .select("id")
    .where("equityPlanId", "=", param("equityPlanId"))
    .where("status", "=", "ACTIVE")
    .where("deletedAt", "is", null)
    .limit(1),
);
