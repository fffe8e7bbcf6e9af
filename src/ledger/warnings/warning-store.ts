// SQL of warnings: light rows, by index, besides those that the operation loaded.
import {
  all,
  build,
  ofOrganization,
  type Params,
  type Reader,
  type Row,
  remembered,
  statement,
} from "../../storage/database/sql.ts";

/** What is looked at of a class. */
export type ClassRow = Pick<
  Row<"share_classes">,
  | ("id" | "name" | "classType" | "issued" | "currentSharesAuthorized" | "conversionRights")
  | ("openOptions" | "openWarrants")
>;

const classesFor = statement((param: Params<{ orgId: string }>) =>
  ofOrganization("share_classes", param)
    .select(["id", "name", "classType", "issued", "currentSharesAuthorized", "conversionRights"])
    .select(["openOptions", "openWarrants"])
    .where("deletedAt", "is", null)
    .orderBy("seq"),
);

/** Every class, oldest first. */
export function listClassesFor(db: Reader, { orgId }: { readonly orgId: string }) {
  return remembered(db, "share_classes", orgId, () => classesFor.all(db, { orgId }));
}

/** What is looked at of a class that votes. */
export type VotingRow = Pick<
  Row<"share_classes">,
  "id" | "classType" | "votesPerShare" | "votesBasis" | "issued" | "conversionRights" | "deletedAt"
>;

/** Every class as it votes, oldest first; deleted ones too. */
export const listVoting = all((param: Params<{ orgId: string }>) =>
  ofOrganization("share_classes", param)
    .select(["id", "classType", "votesPerShare", "votesBasis", "issued", "conversionRights", "deletedAt"])
    .orderBy("seq"),
);

/** What is looked at of a plan. */
export type PlanRow = Pick<
  Row<"equity_plans">,
  "id" | "planName" | "stockClassIds" | "currentSharesReserved" | "openOptions" | "adoptedDate" | "boardApprovalDate"
>;

const plansFor = statement((param: Params<{ orgId: string }>) =>
  ofOrganization("equity_plans", param)
    .select(["id", "planName", "stockClassIds", "currentSharesReserved", "openOptions"])
    .select(["adoptedDate", "boardApprovalDate"])
    .where("deletedAt", "is", null)
    .orderBy("seq"),
);

/** Every plan, oldest first. */
export function listPlansFor(db: Reader, { orgId }: { readonly orgId: string }) {
  return remembered(db, "equity_plans", orgId, () => plansFor.all(db, { orgId }));
}

const openOptions = statement((param: Params<{ orgId: string }>) =>
  build.selectFrom("organizations").select("openOptions").where("id", "=", param("orgId")),
);

/** The sum of the organization's open options that name neither class nor plan. */
export function findOpenOptions(db: Reader, { orgId }: { readonly orgId: string }) {
  return remembered(
    db,
    "organizations",
    `options ${orgId}`,
    () => openOptions.first(db, { orgId })?.openOptions ?? null,
  );
}

/** The open stock of a class. */
export const listOpenStockOf = all((param: Params<{ orgId: string; stockClassId: string }>) =>
  ofOrganization("securities", param)
    .select(["quantity"])
    .where("stockClassId", "=", param("stockClassId"))
    .where("type", "=", "STOCK")
    .where("status", "=", "ACTIVE")
    .where("deletedAt", "is", null),
);

/** The open options and warrants that name no class of stock, oldest first. */
export const listOpenWithoutClass = all((param: Params<{ orgId: string }>) =>
  ofOrganization("securities", param)
    .select(["id", "certificateId"])
    .where("type", "in", ["STOCK_OPTION", "WARRANT"])
    .where("stockClassId", "is", null)
    .where("status", "=", "ACTIVE")
    .where("deletedAt", "is", null)
    .orderBy("seq"),
);

/** What is looked at of a valuation. */
export type ValuationRow = Pick<
  Row<"valuations">,
  "id" | "type" | "status" | "stockClassId" | "pricePerShare" | "effectiveDate" | "expirationDate"
>;

/** The valuations of a class, oldest first. */
export const listValuationsOf = all((param: Params<{ orgId: string; stockClassId: string }>) =>
  ofOrganization("valuations", param)
    .select(["id", "type", "status", "stockClassId", "pricePerShare", "effectiveDate", "expirationDate"])
    .where("stockClassId", "=", param("stockClassId"))
    .where("deletedAt", "is", null)
    .orderBy("seq"),
);

/** The open stock of a holder. */
export const listStockOf = all((param: Params<{ orgId: string; stakeholderId: string }>) =>
  ofOrganization("securities", param)
    .select(["stockClassId", "quantity"])
    .where("stakeholderId", "=", param("stakeholderId"))
    .where("type", "=", "STOCK")
    .where("status", "=", "ACTIVE")
    .where("deletedAt", "is", null),
);
