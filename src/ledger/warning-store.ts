// What the warnings of an operation read besides what the operation loaded: light rows, by index.
import { build, type Params, type Reader, type Row, statement } from "../database/sql.ts";

const classes = statement((param: Params<{ orgId: string }>) =>
  build
    .selectFrom("share_classes")
    .select(["id", "name", "classType", "issued", "currentSharesAuthorized"])
    .where("orgId", "=", param("orgId"))
    .where("deletedAt", "is", null)
    .orderBy("seq"),
);

/** What is looked at of a class. */
export type ClassRow = Pick<Row<"share_classes">, "id" | "name" | "classType" | "issued" | "currentSharesAuthorized">;

/** Every class, oldest first. */
export function listClassesFor(db: Reader, orgId: string): ClassRow[] {
  return classes.all(db, { orgId });
}

const plans = statement((param: Params<{ orgId: string }>) =>
  build
    .selectFrom("equity_plans")
    .select(["id", "planName", "stockClassIds", "currentSharesReserved", "totalSharesReserved"])
    .select(["adoptedDate", "boardApprovalDate"])
    .where("orgId", "=", param("orgId"))
    .where("deletedAt", "is", null)
    .orderBy("seq"),
);

/** What is looked at of a plan. */
export type PlanRow = Pick<
  Row<"equity_plans">,
  | "id"
  | "planName"
  | "stockClassIds"
  | "currentSharesReserved"
  | "totalSharesReserved"
  | "adoptedDate"
  | "boardApprovalDate"
>;

/** Every plan, oldest first. */
export function listPlansFor(db: Reader, orgId: string): PlanRow[] {
  return plans.all(db, { orgId });
}

const openOfType = statement((param: Params<{ orgId: string; type: string }>) =>
  build
    .selectFrom("securities")
    .select(["type", "quantity", "stockClassId", "equityPlanId"])
    .where("orgId", "=", param("orgId"))
    .where("type", "=", param("type") as never)
    .where("status", "=", "ACTIVE")
    .where("deletedAt", "is", null),
);

/** What is looked at of an open option or warrant. */
export type OpenRow = Pick<Row<"securities">, "type" | "quantity" | "stockClassId" | "equityPlanId">;

/** The open options, or warrants. */
export function listOpenOfType(db: Reader, orgId: string, type: "STOCK_OPTION" | "WARRANT"): OpenRow[] {
  return openOfType.all(db, { orgId, type });
}

const valuations = statement((param: Params<{ orgId: string; stockClassId: string }>) =>
  build
    .selectFrom("valuations")
    .select(["id", "type", "status", "stockClassId", "pricePerShare", "effectiveDate", "expirationDate"])
    .where("orgId", "=", param("orgId"))
    .where("stockClassId", "=", param("stockClassId"))
    .where("deletedAt", "is", null)
    .orderBy("seq"),
);

/** What is looked at of a valuation. */
export type ValuationRow = Pick<
  Row<"valuations">,
  "id" | "type" | "status" | "stockClassId" | "pricePerShare" | "effectiveDate" | "expirationDate"
>;

/** The valuations of a class, oldest first. */
export function listValuationsOf(db: Reader, orgId: string, stockClassId: string): ValuationRow[] {
  return valuations.all(db, { orgId, stockClassId });
}
