// SQL of notices: the rows of all organizations' logs that make mails, by their places in the table.
import { sql } from "kysely";
import { acrossOrganizations, all, build, type Params, value } from "../../storage/database/sql.ts";

/** A row of the log that may make mails. */
export interface NoticedRow {
  readonly seq: number;
  readonly orgId: string;
  readonly sequence: number;
  readonly at: string;
  readonly accountId: string | null;
  readonly resourceType: string;
  readonly resourceId: string;
  readonly after: string;
}

/**
 * The rows after a place, up to another: approvals that became Submitted, Approved or Rejected, securities whose holder
 * was asked to accept, and endpoints that the service disabled.
 */
export const listNoticed = all((param: Params<{ after: number; upTo: number }>) => ({
  compile: () =>
    sql<NoticedRow>`select seq, "orgId", sequence, at, "accountId", "resourceType", "resourceId", "after" from audit_log
      where seq > ${param("after")} and seq <= ${param("upTo")} and "after" is not null and (
        ("resourceType" = 'approval' and json_extract("after", '$.state') in ('Submitted', 'Approved', 'Rejected'))
        or ("resourceType" = 'security' and json_extract("after", '$.acceptanceAskedAt') is not null)
        or ("resourceType" = 'webhook endpoint' and actor = 'job' and json_extract("after", '$.status') = 'DISABLED'))
      order by seq`.compile(build),
}));

/** The place of the newest row; null without one. */
export const newestLogSeq = value(() =>
  acrossOrganizations.selectFrom("audit_log").select(sql<number | null>`max(seq)`.as("seq")),
);
