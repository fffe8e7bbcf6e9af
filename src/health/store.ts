// What the health report reads of an organization besides what other rooms read: light rows, each table in one pass.
import { sql } from "kysely";
import { build, type Params, type Reader, type Row, statement } from "../database/sql.ts";
import type { ApprovalRow, DocumentRow, HolderRow, TokenDifference, ValuationRow } from "./company.ts";
import type { SecurityRow } from "./register.ts";

interface OfOrganization {
  readonly orgId: string;
}

const securities = statement((param: Params<OfOrganization>) =>
  build
    .selectFrom("securities")
    .select(["id", "type", "status", "stakeholderId", "stockClassId", "equityPlanId", "vestingTermsId"])
    .select(["certificateId", "quantity", "exercisePrice", "grantDate", "expirationDate", "vestingStartDate"])
    .select(["boardApprovalDate", "approvalId", "originSecurityId", "convertibleTerms", "tokenStatus", "deletedAt"])
    .where("orgId", "=", param("orgId"))
    .orderBy("seq"),
);

/** Every security, deleted ones included, oldest first. */
export function listSecurityRows(db: Reader, orgId: string): SecurityRow[] {
  return securities.all(db, { orgId });
}

const holders = statement((param: Params<OfOrganization>) =>
  build
    .selectFrom("stakeholders")
    .select(["id", "displayName", "status", "email"])
    .where("orgId", "=", param("orgId"))
    .where("deletedAt", "is", null)
    .orderBy("seq"),
);

/** Every stakeholder, oldest first. */
export function listHolderRows(db: Reader, orgId: string): HolderRow[] {
  return holders.all(db, { orgId });
}

const approvals = statement((param: Params<OfOrganization>) =>
  build
    .selectFrom("approvals")
    .select(["id", "title", "state"])
    .where("orgId", "=", param("orgId"))
    .where("state", "in", ["Submitted", "Locked"])
    .where("deletedAt", "is", null)
    .orderBy("seq"),
);

/** The Submitted and the Locked approvals, oldest first. */
export function listApprovalRows(db: Reader, orgId: string): ApprovalRow[] {
  return approvals.all(db, { orgId });
}

const valuations = statement((param: Params<OfOrganization>) =>
  build
    .selectFrom("valuations")
    .select(["id", "type", "status", "stockClassId", "pricePerShare", "effectiveDate", "expirationDate"])
    .where("orgId", "=", param("orgId"))
    .where("type", "=", "409A")
    .where("deletedAt", "is", null)
    .orderBy("seq"),
);

/** The 409A valuations, oldest first. */
export function listValuationRows(db: Reader, orgId: string): ValuationRow[] {
  return valuations.all(db, { orgId });
}

const pathsOnly = statement((param: Params<OfOrganization>) =>
  build
    .selectFrom("documents")
    .select(["id", "title", "path"])
    .where("orgId", "=", param("orgId"))
    .where("uri", "is", null)
    .where("sha256", "is", null)
    .where("deletedAt", "is", null)
    .orderBy("seq"),
);

/** The documents of which neither the bytes are here nor an address is known. */
export function listBareDocuments(db: Reader, orgId: string): DocumentRow[] {
  return pathsOnly.all(db, { orgId });
}

const differences = statement((param: Params<OfOrganization>) =>
  build
    .selectFrom("token_differences")
    .select(["stockClassId", sql<string>`min("since")`.as("since")])
    .where("orgId", "=", param("orgId"))
    .groupBy("stockClassId"),
);

/** The classes whose token was last found to differ from the ledger. */
export function listTokenDifferences(db: Reader, orgId: string): TokenDifference[] {
  return differences.all(db, { orgId });
}

const failures = statement((param: Params<OfOrganization>) =>
  build
    .selectFrom("chain_operations")
    .select("stockClassId")
    .where("orgId", "=", param("orgId"))
    .where("state", "=", "FAILED")
    .union(
      build
        .selectFrom("outbox")
        .select("stockClassId")
        .where("orgId", "=", param("orgId"))
        .where("state", "=", "FAILED"),
    ),
);

/** The classes of which an operation or a job failed. */
export function listFailedClasses(db: Reader, orgId: string): string[] {
  return failures.all(db, { orgId }).map(({ stockClassId }) => stockClassId);
}

const vestingOfFormer = statement((param: Params<OfOrganization>) => ({
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

/** The open securities of FORMER stakeholders that may hold something unvested, holder by holder. */
export function listVestingOfFormer(db: Reader, orgId: string): Row<"securities">[] {
  return vestingOfFormer.all(db, { orgId });
}

const withoutStart = statement((param: Params<OfOrganization>) => ({
  compile: () =>
    sql<Row<"securities">>`select * from securities
      where "orgId" = ${param("orgId")} and status = 'ACTIVE' and "deletedAt" is null and type <> 'CONVERTIBLE'
        and "vestingTermsId" is not null and "vestingStartDate" is null
        and not exists (select 1 from transactions entry where entry."orgId" = securities."orgId"
          and entry."securityId" = securities.id and entry.type = 'VESTING_START' and entry."recordOnly" = 0)
      order by seq`.compile(build),
}));

/** The open securities that have terms and of which no start of vesting is recorded. */
export function listWithoutStart(db: Reader, orgId: string): Row<"securities">[] {
  return withoutStart.all(db, { orgId });
}

const oldest = statement((_param: Params<object>) =>
  build.selectFrom("organizations").select(sql<string | null>`min("createdAt")`.as("createdAt")),
);

/** When the first organization of this service was made; null where there is none. */
export function findBeginning(db: Reader): string | null {
  return oldest.first(db, {})?.createdAt ?? null;
}
