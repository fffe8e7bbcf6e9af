// SQL that only vesting terms need.
import { build, type Params, type Reader, statement } from "../../database/sql.ts";

const attached = statement((param: Params<{ orgId: string; vestingTermsId: string }>) =>
  build
    .selectFrom("securities")
    .select("id")
    .where("orgId", "=", param("orgId"))
    .where("vestingTermsId", "=", param("vestingTermsId"))
    .where("status", "=", "ACTIVE")
    .where("deletedAt", "is", null)
    .limit(1),
);

/** Whether an ACTIVE security vests by these terms. */
export function isAttached(db: Reader, orgId: string, vestingTermsId: string): boolean {
  return attached.first(db, { orgId, vestingTermsId }) !== null;
}
