// SQL that only reports need: what is known of records besides the ledger, and the ledger's head at an instant.
import { type SqlBool, sql } from "kysely";
import type { CalendarDate } from "../../kernel/date.ts";
import type { Timestamp } from "../../kernel/runtime.ts";
import { all, build, first, iterate, ofOrganization, type Params, type Row } from "../../storage/database/sql.ts";

interface OfOrganization {
  readonly orgId: string;
}
type Known = OfOrganization & { readonly knownAt: Timestamp };

const DESCRIPTION = [
  "id",
  "type",
  "certificateId",
  "purchasePrice",
  "statedConsideration",
  "currency",
  "optionType",
  "grantDate",
  "expirationDate",
  "vestingStartDate",
  "vestingTermsId",
  "boardApprovalDate",
  "stockholderApprovalDate",
  "comments",
  "stockLegendIds",
  "convertibleTerms",
  "correctedPrice",
] as const;

/** What describes a security, and the ledger does not determine. */
export type SecurityRow = Pick<Row<"securities">, (typeof DESCRIPTION)[number]>;

/** The description of every security that ever was, deleted ones too. */
export const iterateDescriptions = iterate((param: Params<OfOrganization>) =>
  ofOrganization("securities", param).select(DESCRIPTION),
);

/** The descriptions of some, by a JSON list of their ids; deleted ones too. */
export const listDescriptions = all((param: Params<OfOrganization & { readonly ids: string }>) =>
  ofOrganization("securities", param)
    .select(DESCRIPTION)
    .where(sql<SqlBool>`id in (select value from json_each(${param("ids")}))`),
);

/** The last entry recorded by an instant. */
export type HeadRow = Pick<Row<"transactions">, "sequence" | "hash" | "createdAt" | "effectiveDate">;

/** The head of the ledger as it was known at an instant; null where there was no entry. */
export const findKnownHead = first((param: Params<Known>) =>
  ofOrganization("transactions", param)
    .select(["sequence", "hash", "createdAt", "effectiveDate"])
    .where("createdAt", "<=", param("knownAt"))
    .orderBy("sequence", "desc")
    .limit(1),
);

/** The entry at a place of the ledger; null without such an entry. */
export const findEntryAt = first((param: Params<OfOrganization & { readonly sequence: number }>) =>
  ofOrganization("transactions", param)
    .select(["sequence", "hash", "createdAt", "effectiveDate"])
    .where("sequence", "=", param("sequence")),
);

/** Walks all entries up to a place, also those that only record something, oldest first. */
export const iterateUpTo = iterate((param: Params<OfOrganization & { readonly sequence: number }>) =>
  ofOrganization("transactions", param).selectAll().where("sequence", "<=", param("sequence")).orderBy("sequence"),
);

/** Stakeholders that were there at an instant, oldest first. */
export const iterateKnownStakeholders = iterate((param: Params<Known>) =>
  ofOrganization("stakeholders", param)
    .selectAll()
    .where("createdAt", "<=", param("knownAt"))
    .where("deletedAt", "is", null)
    .orderBy("seq"),
);

/** Valuations that were there at an instant and in effect by a day, by that day. */
export const listKnownValuations = all((param: Params<Known & { readonly asOf: CalendarDate }>) =>
  ofOrganization("valuations", param)
    .selectAll()
    .where("createdAt", "<=", param("knownAt"))
    .where("effectiveDate", "<=", param("asOf"))
    .where("deletedAt", "is", null)
    .orderBy("effectiveDate")
    .orderBy("seq"),
);

/** What vesting terms are called, deleted ones too. */
export const listTermsNames = all((param: Params<OfOrganization>) =>
  ofOrganization("vesting_terms", param).select(["id", "name"]),
);

/** Legends, deleted ones too: a certificate keeps what was printed on it. */
export const listLegends = all((param: Params<OfOrganization>) =>
  ofOrganization("stock_legends", param).select(["id", "name", "text"]).orderBy("seq"),
);

/** What a stakeholder is called on paper, deleted ones too. */
export const findStakeholderName = first((param: Params<OfOrganization & { readonly id: string }>) =>
  ofOrganization("stakeholders", param)
    .select(["id", "displayName", "name", "createdAt"])
    .where("id", "=", param("id")),
);

/** The securities that an imported transaction took from. */
export const listSourcesOf = all((param: Params<OfOrganization & { readonly objectId: string }>) => ({
  compile: () =>
    sql<{ readonly securityId: string | null }>`select distinct "securityId" from transactions
      where "orgId" = ${param("orgId")} and "recordOnly" = 0 and instr(metadata, ${param("objectId")}) > 0
        and metadata ->> '$.ocfId' = ${param("objectId")}`.compile(build),
}));

/** An entry that concerns a security. */
export type Concerning = Pick<Row<"transactions">, "sequence" | "hash" | "createdAt" | "effectiveDate">;

/** What tells whether anything about a security changes with the days alone. */
export const findVestingOf = first((param: Params<OfOrganization & { readonly id: string }>) =>
  ofOrganization("securities", param)
    .select((of) => [
      "stockClassId",
      "vestingTermsId",
      "vestings",
      "certificateId",
      of
        .selectFrom("vesting_milestones")
        .select("id")
        .whereRef("vesting_milestones.orgId", "=", "securities.orgId")
        .whereRef("vesting_milestones.securityId", "=", "securities.id")
        .limit(1)
        .as("milestoneId"),
    ])
    .where("id", "=", param("id")),
);

/** The securities that bear a number; several where deleted ones bore it, too. */
export const listByCertificate = all((param: Params<OfOrganization & { readonly certificateId: string }>) =>
  ofOrganization("securities", param)
    .select("id")
    .where("certificateId", "=", param("certificateId"))
    .where("deletedAt", "is", null)
    .orderBy("seq"),
);

/** The last entry as far as a place that names a holder, or something that the holder has, or splits a class. */
export const findLastNaming = first(
  (param: Params<OfOrganization & { readonly id: string; readonly upTo: number }>) => ({
    compile: () =>
      sql<Concerning>`select sequence, hash, "createdAt", "effectiveDate" from transactions
      where "orgId" = ${param("orgId")} and "recordOnly" = 0 and sequence <= ${param("upTo")}
        and (type = 'STOCK_SPLIT' or "stakeholderId" = ${param("id")}
          or metadata ->> '$.toStakeholderId' = ${param("id")}
          or "securityId" in (select id from securities where "orgId" = ${param("orgId")}
            and "stakeholderId" = ${param("id")}))
      order by sequence desc limit 1`.compile(build),
  }),
);
