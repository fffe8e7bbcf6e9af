// SQL that only vesting terms need.
import { exists, ofOrganization, type Params } from "../../database/sql.ts";

/** Whether an ACTIVE security vests by these terms. */
export const isAttached = exists((param: Params<{ orgId: string; vestingTermsId: string }>) =>
  ofOrganization("securities", param)
    .select("id")
    .where("vestingTermsId", "=", param("vestingTermsId"))
    .where("status", "=", "ACTIVE")
    .where("deletedAt", "is", null)
    .limit(1),
);
