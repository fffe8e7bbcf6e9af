// Reading the audit log. Writing it is database/audit.ts.
import { build, type Params, type Reader, type Row, statement } from "../../database/sql.ts";

const page = statement((param: Params<{ orgId: string; before: number; limit: number }>) =>
  build
    .selectFrom("audit_log")
    .selectAll()
    .where("orgId", "=", param("orgId"))
    .where("seq", "<", param("before"))
    .orderBy("seq", "desc")
    .limit(param("limit")),
);

/** Up to `limit` entries, newest first, with `seq` below `before` (null: from the newest). */
export function listAuditEntries(db: Reader, orgId: string, before: number | null, limit: number): Row<"audit_log">[] {
  return page.all(db, { orgId, before: before ?? Number.MAX_SAFE_INTEGER, limit });
}
