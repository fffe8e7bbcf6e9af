// SQL that only stakeholders need.
import { changeUntold } from "../../database/logged.ts";
import { build, type Params, type Reader, statement, type Tx, variants } from "../../database/sql.ts";

const holding = statement((param: Params<{ orgId: string; stakeholderId: string }>) =>
  build
    .selectFrom("securities")
    .select("id")
    .where("orgId", "=", param("orgId"))
    .where("stakeholderId", "=", param("stakeholderId"))
    .where("status", "=", "ACTIVE")
    .where("deletedAt", "is", null)
    .limit(1),
);

/** Whether the stakeholder holds an ACTIVE security. */
export function holdsActiveSecurity(db: Reader, orgId: string, stakeholderId: string): boolean {
  return holding.first(db, { orgId, stakeholderId }) !== null;
}

const stock = statement((param: Params<{ orgId: string; stakeholderId: string }>) =>
  build
    .selectFrom("securities")
    .select(["id", "stockClassId"])
    .where("orgId", "=", param("orgId"))
    .where("stakeholderId", "=", param("stakeholderId"))
    .where("type", "=", "STOCK")
    .where("status", "=", "ACTIVE")
    .where("deletedAt", "is", null)
    .where("stockClassId", "is not", null),
);

/** The outstanding stock of a holder. */
export function listStockOfHolder(db: Reader, orgId: string, stakeholderId: string) {
  return stock.all(db, { orgId, stakeholderId });
}

const count = statement((param: Params<{ orgId: string }>) =>
  build.selectFrom("organizations").select("stakeholderCount").where("id", "=", param("orgId")),
);

/** Moves the organization's count of stakeholders, kept so that the summary need not count. */
export function addToStakeholderCount(tx: Tx, orgId: string, change: 1 | -1): void {
  const stakeholderCount = (count.first(tx, { orgId })?.stakeholderCount ?? 0) + change;
  changeUntold(tx, orgId, "organizations", orgId, { stakeholderCount });
}

const byAddress = variants(
  (param: Params<{ orgId: string; address: string }>, column: "walletAddress" | "custodialAddress") =>
    build
      .selectFrom("stakeholders")
      .select("id")
      .where("orgId", "=", param("orgId"))
      .where(column, "=", param("address"))
      .where("deletedAt", "is", null),
);

/** The stakeholder who brought an address, or to whom the service assigned it; null where nobody has it. */
export function findWalletHolder(db: Reader, orgId: string, address: string): string | null {
  const owner = { orgId, address };
  const found = byAddress("walletAddress").first(db, owner) ?? byAddress("custodialAddress").first(db, owner);
  return found?.id ?? null;
}
