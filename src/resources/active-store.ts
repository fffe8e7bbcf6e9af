// Whether something is in use by ACTIVE securities, which then keep it from being deleted.
import { ofOrganization, type Params, type Reader, variants } from "../database/sql.ts";

type Naming = "stockClassId" | "equityPlanId" | "vestingTermsId" | "approvalId" | "stakeholderId";

const active = variants((param: Params<{ orgId: string; id: string }>, column: Naming) =>
  ofOrganization("securities", param)
    .select("id")
    .where(column, "=", param("id"))
    .where("status", "=", "ACTIVE")
    .where("deletedAt", "is", null)
    .limit(1),
);

/** Whether an ACTIVE security names the record `id` in `column`. */
export function isNamedByActive(db: Reader, column: Naming, orgId: string, id: string): boolean {
  return active(column).first(db, { orgId, id }) !== null;
}
