// SQL of acceptances.
import { sql } from "kysely";
import { all, first, ofOrganization, type Params } from "../../storage/database/sql.ts";

type Org = { orgId: string };

/** An acceptance, or null. */
export const findAcceptance = first((param: Params<Org & { id: string }>) =>
  ofOrganization("acceptances", param).selectAll().where("id", "=", param("id")),
);

/** The acceptances of a security, newest first. */
export const listAcceptances = all((param: Params<Org & { securityId: string }>) =>
  ofOrganization("acceptances", param)
    .selectAll()
    .where("securityId", "=", param("securityId"))
    .orderBy(sql`+"seq"`, "desc"),
);

/** Where the log has an acceptance: the place and hash of its row. */
export const findLogRow = first((param: Params<Org & { id: string }>) =>
  ofOrganization("audit_log", param)
    .select(["sequence", "hash"])
    .where("resourceType", "=", sql.lit("acceptance"))
    .where("resourceId", "=", param("id")),
);
