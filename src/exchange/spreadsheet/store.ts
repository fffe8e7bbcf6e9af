// Store of spreadsheet imports: SQL of the existing records.
import { sql } from "kysely";
import { all, build, first, ofOrganization, type Params } from "../../storage/database/sql.ts";

interface OfOrganization {
  readonly orgId: string;
}

/** Existing holders, oldest first. */
export const listHolders = all((param: Params<OfOrganization>) =>
  ofOrganization("stakeholders", param)
    .select(["id", "name", "email", "issuerAssignedId", "displayName"])
    .where("deletedAt", "is", null)
    .orderBy("seq"),
);

/** Names of other records. */
export const listClasses = all((param: Params<OfOrganization>) =>
  ofOrganization("share_classes", param)
    .select(["id", "name", "defaultIdPrefix", "currentSharesAuthorized", "issued"])
    .where("deletedAt", "is", null)
    .orderBy("seq"),
);
export const listPlans = all((param: Params<OfOrganization>) =>
  ofOrganization("equity_plans", param)
    .select(["id", "planName", "currentSharesReserved"])
    .where("deletedAt", "is", null)
    .orderBy("seq"),
);
export const listTerms = all((param: Params<OfOrganization>) =>
  ofOrganization("vesting_terms", param).select(["id", "name"]).where("deletedAt", "is", null).orderBy("seq"),
);
export const listLegendNames = all((param: Params<OfOrganization>) =>
  ofOrganization("stock_legends", param).select(["id", "name"]).where("deletedAt", "is", null).orderBy("seq"),
);
export const listValuationsThere = all((param: Params<OfOrganization>) =>
  ofOrganization("valuations", param)
    .select(["id", "type", "stockClassId", "pricePerShare", "effectiveDate"])
    .where("deletedAt", "is", null),
);

/** A security with the quantity of the entry that made it, as it was corrected; a direct edit makes none. */
export interface SecurityThere {
  readonly id: string;
  readonly type: string;
  readonly certificateId: string | null;
  readonly stakeholderId: string | null;
  readonly stockClassId: string | null;
  readonly equityPlanId: string | null;
  readonly grantDate: string;
  readonly issued: string | null;
  /** The price of a share, paid or to be paid, when it was made; null if it is unknown. */
  readonly price: string | null;
}

/** The existing securities, with their quantities issued. */
export const listSecuritiesThere = all((param: Params<OfOrganization>) => ({
  compile: () =>
    sql<SecurityThere>`select s.id, s.type, s."certificateId", s."stakeholderId", s."stockClassId", s."equityPlanId",
        s."grantDate", coalesce(
          (select t.metadata ->> '$.after.quantity' from transactions t
            where t."orgId" = s."orgId" and t."securityId" = s.id and t."recordOnly" = 0
              and t.metadata ->> '$.correction' = 1 and t.metadata ->> '$.takesBack' is null
              and t.metadata ->> '$.after.quantity' is not null order by +t.sequence desc limit 1),
          (select t.quantity from transactions t where t."orgId" = s."orgId" and t."securityId" = s.id
            and t.type like '%_ISSUANCE' and t."recordOnly" = 0 and t.metadata ->> '$.directEdit' is null limit 1),
          (select coalesce(t.metadata ->> '$.resultingQuantity', t.quantity) from transactions t
            where t."orgId" = s."orgId" and t."securityId" = s."originSecurityId"
              and t.metadata ->> '$.newSecurityId' = s.id limit 1)) as issued,
          case when s."correctedPrice" is not null then s."correctedPrice" ->> '$.asMade' else
          (select coalesce(t.metadata ->> '$.pricePerShare', t.metadata ->> '$.exercisePrice') from transactions t
            where t."orgId" = s."orgId" and t."securityId" = s.id and t.type like '%_ISSUANCE' and t."recordOnly" = 0
              and t.metadata ->> '$.directEdit' is null limit 1) end as price
      from securities s where s."orgId" = ${param("orgId")} and s."deletedAt" is null`.compile(build),
}));

/** An event that an import brought before: its key, and its subject. */
export interface EventThere {
  readonly key: string;
  readonly type: string;
  readonly date: string;
  readonly quantity: string | null;
  readonly subject: string | null;
}

/** The events that imports brought before. */
export const listEventsThere = all((param: Params<OfOrganization>) => ({
  compile: () =>
    sql<EventThere>`select metadata ->> '$.importKey' as key, type, "effectiveDate" as date, quantity,
        coalesce("securityId", metadata ->> '$.stockClassId', metadata ->> '$.equityPlanId') as subject
      from transactions
      where "orgId" = ${param("orgId")} and metadata ->> '$.importKey' is not null`.compile(build),
}));

/** The entry that was recorded last. */
export const findLastEntry = first((param: Params<OfOrganization>) =>
  ofOrganization("transactions", param)
    .select(["securityId", "quantity", "effectiveDate", "metadata"])
    .orderBy("sequence", "desc")
    .limit(1),
);

/** Records that imports made of rows without a number, by each row's key. */
export const listNumberedThere = all((param: Params<OfOrganization>) => ({
  compile: () =>
    sql<{
      readonly key: string;
      readonly named: string | null;
      readonly id: string;
    }>`select metadata ->> '$.importNumbered' as key, metadata ->> '$.importNamed' as named,
        coalesce(metadata ->> '$.newSecurityId', "securityId") as id
      from transactions
      where "orgId" = ${param("orgId")} and metadata ->> '$.importNumbered' is not null
        and (type like '%_ISSUANCE' or metadata ->> '$.newSecurityId' is not null)
      order by sequence`.compile(build),
}));

/** Of each class with open securities that a split would concern, the last day on which one was issued. */
export const listNewestDays = all((param: Params<OfOrganization>) => ({
  compile: () =>
    sql<{ readonly stockClassId: string; readonly day: string }>`select "stockClassId", max("grantDate") as day
      from securities where "orgId" = ${param("orgId")} and "deletedAt" is null and status = 'ACTIVE'
        and "stockClassId" is not null and type <> 'CONVERTIBLE'
      group by "stockClassId"`.compile(build),
}));

/** How a security was made: by which operation, out of how many, and what an import said of it besides. */
export interface MadeBy {
  readonly how: "ISSUED" | "TRANSFER" | "EXERCISE" | "CONVERSION";
  readonly taken: string | null;
  readonly importedIssued: string | null;
  readonly importedExercised: string | null;
  readonly importedForfeited: string | null;
  readonly importedTransferred: string | null;
}

/** The entry that made a security. */
export const findMaking = first((param: Params<OfOrganization & { id: string; originId: string | null }>) => ({
  compile: () =>
    sql<MadeBy>`select case
          when type like '%_TRANSFER' then 'TRANSFER'
          when type like '%_EXERCISE' then 'EXERCISE'
          when type = 'CONVERTIBLE_CONVERSION' or metadata ->> '$.conversion' = 1 then 'CONVERSION'
          else 'ISSUED' end as how,
        quantity as taken, metadata ->> '$.importedIssued' as "importedIssued",
        metadata ->> '$.importedExercised' as "importedExercised",
        metadata ->> '$.importedForfeited' as "importedForfeited",
        metadata ->> '$.importedTransferred' as "importedTransferred"
      from transactions
      where "orgId" = ${param("orgId")} and "securityId" in (${param("id")}, ${param("originId")})
        and "recordOnly" = 0 and metadata ->> '$.directEdit' is null and (
        "securityId" = ${param("id")} and type like '%_ISSUANCE'
        or "securityId" = ${param("originId")} and metadata ->> '$.newSecurityId' = ${param("id")})
      order by +sequence limit 1`.compile(build),
}));
