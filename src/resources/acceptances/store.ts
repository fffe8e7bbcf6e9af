// SQL of acceptances.
import { sql } from "kysely";
import { all, first, ofOrganization, type Params } from "../../storage/database/sql.ts";

type Org = { orgId: string };

/** An acceptance, or null. */
export const findAcceptance = first((param: Params<Org & { id: string }>) =>
  ofOrganization("acceptances", param).selectAll().where("id", "=", param("id")),
);

/** The acceptances of a security with `seq` below `before`, newest first. */
export const listAcceptances = all((param: Params<Org & { securityId: string; before: number; limit: number }>) =>
  ofOrganization("acceptances", param)
    .selectAll()
    .where("securityId", "=", param("securityId"))
    .where("seq", "<", param("before"))
    .orderBy(sql`+"seq"`, "desc")
    .limit(param("limit")),
);

/** The newest acceptance of a security by a holder, or null. */
export const findNewestBy = first((param: Params<Org & { securityId: string; stakeholderId: string }>) =>
  ofOrganization("acceptances", param)
    .selectAll()
    .where("securityId", "=", param("securityId"))
    .where("stakeholderId", "=", param("stakeholderId"))
    .orderBy(sql`+"seq"`, "desc")
    .limit(1),
);

/** Where the log has an acceptance: the place and hash of its row. */
export const findLogRow = first((param: Params<Org & { id: string }>) =>
  ofOrganization("audit_log", param)
    .select(["sequence", "hash"])
    .where("resourceType", "=", sql.lit("acceptance"))
    .where("resourceId", "=", param("id")),
);
