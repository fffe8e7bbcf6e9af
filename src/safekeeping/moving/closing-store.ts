// Store of closing and reopening: what of an organization is under way, and the deadlines that ran while it was closed.
import { acrossOrganizations, build, exists, ofOrganization, type Params, run } from "../../storage/database/sql.ts";

interface OfOrganization {
  readonly orgId: string;
}

/** Whether a long write is under way. */
export const hasLongWrite = exists((param: Params<OfOrganization>) =>
  ofOrganization("long_writes", param).select("seq").limit(1),
);

/** Whether a spreadsheet is being read or committed. */
export const hasImport = exists((param: Params<OfOrganization>) =>
  ofOrganization("imports", param).select("seq").where("state", "in", ["READING", "COMMITTING"]).limit(1),
);

/** Whether the chain has yet to answer what was sent. */
export const hasSentOperation = exists((param: Params<OfOrganization>) =>
  acrossOrganizations
    .selectFrom("chain_operations")
    .select("seq")
    .where("orgId", "=", param("orgId"))
    .where("state", "=", "SENT")
    .limit(1),
);

/** Gives the deployments that are under way their time anew. */
export const postponeDeadlines = run((param: Params<OfOrganization & { deadlineMs: number }>) =>
  build
    .updateTable("tokens")
    .set({ deadlineMs: param("deadlineMs") })
    .where("orgId", "=", param("orgId"))
    .where("deadlineMs", "is not", null),
);
