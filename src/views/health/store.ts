// SQL of the health report: light rows, each table in one pass.
import { sql } from "kysely";
import { decided } from "../../storage/database/long-writes.ts";
import { HAS_SECOND_FACTOR } from "../../storage/database/second-factor.ts";
import {
  all,
  build,
  first,
  ofOrganization,
  type Params,
  type Reader,
  type Row,
  statement,
  value,
} from "../../storage/database/sql.ts";

interface OfOrganization {
  readonly orgId: string;
}

/** Every security, deleted ones included, oldest first. */
export const listSecurityRows = all((param: Params<OfOrganization>) =>
  ofOrganization("securities", param)
    .select(["id", "type", "status", "stakeholderId", "stockClassId", "equityPlanId", "vestingTermsId"])
    .select(["certificateId", "quantity", "exercisePrice", "grantDate", "expirationDate", "vestingStartDate"])
    .select(["boardApprovalDate", "approvalId", "originSecurityId", "convertibleTerms", "optionType", "deletedAt"])
    .select(decided.tokenStatus.as("tokenStatus"))
    .orderBy("seq"),
);

/** Every stakeholder, oldest first. */
export const listHolderRows = all((param: Params<OfOrganization>) =>
  ofOrganization("stakeholders", param)
    .select(["id", "displayName", "status", "email", "relationships", "nameKey"])
    .where("deletedAt", "is", null)
    .orderBy("seq"),
);

/** The Submitted and the Locked approvals, oldest first. */
export const listApprovalRows = all((param: Params<OfOrganization>) =>
  ofOrganization("approvals", param)
    .select(["id", "title", "state"])
    .where("state", "in", ["Submitted", "Locked"])
    .where("deletedAt", "is", null)
    .orderBy("seq"),
);

/** The open securities that wait for their holders to accept them, oldest first, and since when. */
export const listWaitingRows = all((param: Params<OfOrganization>) =>
  ofOrganization("securities", param)
    .select(["id", "certificateId"])
    .select(sql<string>`substr("acceptanceAskedAt", 1, 10)`.as("askedOn"))
    .where("acceptanceStatus", "=", sql.lit("PENDING"))
    .where("status", "=", "ACTIVE")
    .where("deletedAt", "is", null)
    .orderBy(sql`+"seq"`),
);

/** The 409A valuations, oldest first. */
export const listValuationRows = all((param: Params<OfOrganization>) =>
  ofOrganization("valuations", param)
    .select(["id", "type", "status", "stockClassId", "pricePerShare", "effectiveDate", "expirationDate"])
    .where("type", "=", "409A")
    .where("deletedAt", "is", null)
    .orderBy("seq"),
);

/** The documents of which neither the bytes are here nor an address is known. */
export const listBareDocuments = all((param: Params<OfOrganization>) =>
  ofOrganization("documents", param)
    .select(["id", "title", "path"])
    .where("uri", "is", null)
    .where("sha256", "is", null)
    .where("deletedAt", "is", null)
    .orderBy("seq"),
);

/** How many ADMIN members who can sign in have no second factor. */
export const countAdminsWithoutFactor = value((param: Params<OfOrganization>) =>
  ofOrganization("memberships", param)
    .innerJoin("accounts", "accounts.id", "memberships.accountId")
    .select((rows) => rows.fn.countAll<number>().as("count"))
    .where("role", "=", "ADMIN")
    .where("removedAt", "is", null)
    .where("suspendedAt", "is", null)
    .where(sql<boolean>`not ${HAS_SECOND_FACTOR}`),
);

/**
 * How many working keys were made by a person who is no ADMIN any more, or is suspended, or with a key that no longer
 * works.
 */
export const countKeysOfFormer = value((param: Params<OfOrganization & { at: string }>) => ({
  compile: () =>
    sql<{
      count: number;
    }>`select count(*) as count from api_keys made where made."orgId" = ${param("orgId")} and made."revokedAt" is null
        and (made."expiresAt" is null or made."expiresAt" > ${param("at")})
        and iif(json_extract(made."madeBy", '$.actor') = 'person',
          not exists (select 1 from memberships m join accounts a on a.id = m."accountId"
            where m."orgId" = made."orgId" and m."accountId" = json_extract(made."madeBy", '$.accountId')
              and m.role = 'ADMIN' and m."removedAt" is null and a."suspendedAt" is null),
          json_extract(made."madeBy", '$.actor') = 'api-key'
            and not exists (select 1 from api_keys maker where maker."orgId" = made."orgId"
              and maker.id = json_extract(made."madeBy", '$.apiKeyId') and maker."revokedAt" is null
              and (maker."expiresAt" is null or maker."expiresAt" > ${param("at")})))`.compile(build),
}));

/** How many enabled webhook endpoints were made by such a person, or with such a key. */
export const countEndpointsOfFormer = value((param: Params<OfOrganization & { at: string }>) => ({
  compile: () =>
    sql<{
      count: number;
    }>`select count(*) as count from webhook_endpoints made where made."orgId" = ${param("orgId")}
        and made."removedAt" is null and made.status = 'ENABLED'
        and iif(json_extract(made."madeBy", '$.actor') = 'person',
          not exists (select 1 from memberships m join accounts a on a.id = m."accountId"
            where m."orgId" = made."orgId" and m."accountId" = json_extract(made."madeBy", '$.accountId')
              and m.role = 'ADMIN' and m."removedAt" is null and a."suspendedAt" is null),
          json_extract(made."madeBy", '$.actor') = 'api-key'
            and not exists (select 1 from api_keys maker where maker."orgId" = made."orgId"
              and maker.id = json_extract(made."madeBy", '$.apiKeyId') and maker."revokedAt" is null
              and (maker."expiresAt" is null or maker."expiresAt" > ${param("at")})))`.compile(build),
}));

/** How many working keys end up to an instant, and when the first of them does. */
export const findKeysEnding = first((param: Params<OfOrganization & { at: string; until: string }>) =>
  ofOrganization("api_keys", param)
    .select([
      (rows) => rows.fn.countAll<number>().as("count"),
      (rows) => rows.fn.min<string | null>("expiresAt").as("first"),
    ])
    .where("revokedAt", "is", null)
    .where("expiresAt", ">", param("at"))
    .where("expiresAt", "<=", param("until")),
);

/** How many mails made since an instant failed, or were tried three times and more in vain. */
export const countMailsFailing = value((param: Params<OfOrganization & { since: string }>) => ({
  compile: () =>
    sql<{ count: number }>`select count(*) as count from mails where "orgId" = ${param("orgId")}
        and "createdAt" > ${param("since")}
        and (state = 'FAILED' or (state = 'QUEUED' and attempts >= 3))`.compile(build),
}));

/** How many ADMIN keys work until they are revoked. */
export const countAdminKeysWithoutEnd = value((param: Params<OfOrganization>) =>
  ofOrganization("api_keys", param)
    .select((rows) => rows.fn.countAll<number>().as("count"))
    .where("role", "=", "ADMIN")
    .where("revokedAt", "is", null)
    .where("expiresAt", "is", null),
);

/** The classes whose token was last found to differ from the ledger. */
export const listTokenDifferences = all((param: Params<OfOrganization>) =>
  ofOrganization("token_differences", param)
    .select(["stockClassId", sql<string>`min("since")`.as("since")])
    .groupBy("stockClassId"),
);

const failures = statement((param: Params<OfOrganization>) =>
  ofOrganization("chain_operations", param)
    .select("stockClassId")
    .where("state", "=", "FAILED")
    .union(ofOrganization("outbox", param).select("stockClassId").where("state", "=", "FAILED")),
);

/** The classes of which an operation or a job failed. */
export function listFailedClasses(db: Reader, orgId: string): string[] {
  return failures.all(db, { orgId }).map(({ stockClassId }) => stockClassId);
}

/** The open securities of FORMER stakeholders that may hold something unvested, holder by holder. */
export const listVestingOfFormer = all((param: Params<OfOrganization>) => ({
  compile: () =>
    sql<Row<"securities">>`select securities.* from stakeholders holder join securities
        on securities."orgId" = holder."orgId" and securities."stakeholderId" = holder.id
      where holder."orgId" = ${param("orgId")} and holder.status = 'FORMER' and holder."deletedAt" is null
        and securities.status = 'ACTIVE' and securities.type <> 'CONVERTIBLE' and securities."deletedAt" is null
        and (securities."vestingTermsId" is not null or securities.vestings is not null
          or securities."originSecurityId" is not null
          or exists (select 1 from vesting_milestones milestone where milestone."orgId" = securities."orgId"
            and milestone."securityId" = securities.id and milestone."deletedAt" is null))
      order by holder.seq, securities.seq`.compile(build),
}));

/** The open securities of which vesting of some shares stopped. */
export const listStopped = all((param: Params<OfOrganization>) =>
  ofOrganization("securities", param)
    .selectAll()
    .where("vestingStoppedOn", "is not", null)
    .where("status", "=", "ACTIVE")
    .where("deletedAt", "is", null)
    .orderBy("seq"),
);

/** The open securities that have terms and of which no start of vesting is recorded. */
export const listWithoutStart = all((param: Params<OfOrganization>) => ({
  compile: () =>
    sql<Row<"securities">>`select * from securities
      where "orgId" = ${param("orgId")} and status = 'ACTIVE' and "deletedAt" is null and type <> 'CONVERTIBLE'
        and "vestingTermsId" is not null and "vestingStartDate" is null
        and not exists (select 1 from transactions entry where entry."orgId" = securities."orgId"
          and entry."securityId" = securities.id and entry.type = 'VESTING_START' and entry."recordOnly" = 0)
      order by seq`.compile(build),
}));

/** The open securities whose grant date is another than the day of the entry that made them, oldest first. */
export const listDatedOtherwise = all((param: Params<OfOrganization>) => ({
  compile: () =>
    sql<{ id: string; effectiveDate: string }>`select s.id, t."effectiveDate" from securities s join transactions t
        on t."orgId" = s."orgId" and t."securityId" = coalesce(s."originSecurityId", s.id) and t."recordOnly" = 0
      where s."orgId" = ${param("orgId")} and s.status = 'ACTIVE' and s."deletedAt" is null
        and t."effectiveDate" <> s."grantDate" and iif(s."originSecurityId" is null,
          t.type in ('STOCK_ISSUANCE', 'STOCK_OPTION_ISSUANCE', 'WARRANT_ISSUANCE', 'CONVERTIBLE_ISSUANCE'),
          json_extract(t.metadata, '$.newSecurityId') = s.id)
      order by s.seq`.compile(build),
}));

/** The creation of this service's first organization; null without an organization. */
export const findBeginning = value(() =>
  build.selectFrom("organizations").select(sql<string | null>`min("createdAt")`.as("createdAt")),
);

/** When the first row of the log was written that no time stamp of a checkpoint covers; null if all are covered. */
export const findUnstamped = value((param: Params<OfOrganization>) =>
  ofOrganization("audit_log", param)
    .select("at")
    .where(
      "sequence",
      ">",
      sql<number>`coalesce((select max("logSize") from checkpoints where "orgId" = ${param("orgId")}
        and "stampedAt" is not null), 0)`,
    )
    .orderBy("sequence")
    .limit(1),
);

/** When the last time stamp of a checkpoint came; null before the first. */
export const findLastStamp = value((param: Params<OfOrganization>) =>
  ofOrganization("checkpoints", param)
    .select(({ fn }) => fn.max("stampedAt").as("at"))
    .where("stampedAt", "is not", null),
);
