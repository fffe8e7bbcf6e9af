// SQL that only the portal needs. `own` is a JSON array of the ids of the stakeholders that the person is.
import { type RawBuilder, sql } from "kysely";
import type { CalendarDate } from "../../kernel/date.ts";
import {
  acrossOrganizations,
  all,
  build,
  first,
  ofOrganization,
  type Params,
  type Row,
} from "../../storage/database/sql.ts";

type Own = { orgId: string; own: string };

function among(own: RawBuilder<string>) {
  return sql<boolean>`in (select value from json_each(${own}))`;
}

/** What the person's stakeholders hold or held, open or not, deleted ones too, oldest first. */
export const listOwnSecurities = all((param: Params<Own>) =>
  ofOrganization("securities", param)
    .selectAll()
    .where(sql<boolean>`"stakeholderId" ${among(param("own"))}`)
    // Behind a plus, so that SQLite looks up the stakeholders' securities and does not walk all in their order.
    .orderBy(sql`+"seq"`),
);

/**
 * The entries on these securities, on those that they were made of, and on those that a correction took from these
 * stakeholders: all that can be about them, and entries on the same securities that are not. Newest first.
 */
export const listEntriesAround = all((param: Params<Own>) => ({
  compile: () =>
    sql<Row<"transactions">>`with edited (id) as (
        select "securityId" from transactions
          where "orgId" = ${param("orgId")} and json_extract(metadata, '$.directEdit') = 1
            and "stakeholderId" ${among(param("own"))}
      ), held (id, origin) as (
        select id, "originSecurityId" from securities
          where "orgId" = ${param("orgId")} and "stakeholderId" ${among(param("own"))}
        union
        select securities.id, "originSecurityId" from securities join edited on securities.id = edited.id
          where "orgId" = ${param("orgId")}
      )
      select * from transactions
        where "orgId" = ${param("orgId")} and "recordOnly" = 0
          and "securityId" in (select id from held union select origin from held where origin is not null)
        order by +sequence desc`.compile(build),
}));

/** The documents that are shared with one of the stakeholders, newest first. */
export const listSharedDocuments = all((param: Params<Own>) =>
  ofOrganization("documents", param)
    .selectAll()
    .where("isSharedWithHolders", "=", 1)
    .where("deletedAt", "is", null)
    .where(
      sql<boolean>`exists (select 1 from json_each("relatedObjects") as related
        where related.value ->> '$.objectType' = 'STAKEHOLDER'
          and related.value ->> '$.objectId' ${among(param("own"))})`,
    )
    .orderBy("seq", "desc"),
);

/** The approved 409A valuations that have begun, oldest first by their days. */
export const listApproved409A = all((param: Params<{ orgId: string; today: CalendarDate }>) =>
  ofOrganization("valuations", param)
    .select(["stockClassId", "pricePerShare", "effectiveDate"])
    .where("type", "=", "409A")
    .where("status", "=", "APPROVED")
    .where("deletedAt", "is", null)
    .where("effectiveDate", "<=", param("today"))
    .orderBy("effectiveDate")
    .orderBy("seq"),
);

/** What the milestones of a security are called. */
export const listMilestoneNames = all((param: Params<{ orgId: string; securityId: string }>) =>
  ofOrganization("vesting_milestones", param)
    .select(["id", "name"])
    .where("securityId", "=", param("securityId"))
    .where("deletedAt", "is", null),
);

/** The open session of a person who is a member here, for the record of what it does; null once either has ended. */
export const findAcceptingSession = first((param: Params<{ orgId: string; sessionId: string; accountId: string }>) =>
  acrossOrganizations
    .selectFrom("sessions")
    .innerJoin("accounts", "accounts.id", "sessions.accountId")
    .innerJoin("memberships", "memberships.accountId", "accounts.id")
    .select(["method", "hasSecondFactor", "address", "userAgent", "accounts.name", "email", "stakeholderIds"])
    .where("sessions.id", "=", param("sessionId"))
    .where("sessions.accountId", "=", param("accountId"))
    .where("endedAt", "is", null)
    .where("suspendedAt", "is", null)
    .where("memberships.orgId", "=", param("orgId"))
    .where("removedAt", "is", null),
);
