// SQL that only stakeholders need.
import { changeUntold } from "../../storage/database/log/logged.ts";
import {
  all,
  build,
  exists,
  ofOrganization,
  type Params,
  type Reader,
  statement,
  type Tx,
  variants,
} from "../../storage/database/sql.ts";

/** Up to `limit` of a holder's outstanding stock. */
export const listStockOfHolder = all((param: Params<{ orgId: string; stakeholderId: string; limit: number }>) =>
  ofOrganization("securities", param)
    .select(["id", "stockClassId"])
    .where("stakeholderId", "=", param("stakeholderId"))
    .where("type", "=", "STOCK")
    .where("status", "=", "ACTIVE")
    .where("deletedAt", "is", null)
    .where("stockClassId", "is not", null)
    .limit(param("limit")),
);

/** Another stakeholder of one legal name: the oldest. */
export const listBearers = all((param: Params<{ orgId: string; nameKey: string; otherThan: string }>) =>
  ofOrganization("stakeholders", param)
    .select(["id", "displayName"])
    .where("nameKey", "=", param("nameKey"))
    .where("id", "<>", param("otherThan"))
    .where("deletedAt", "is", null)
    .orderBy("seq")
    .limit(1),
);

/** Whether a person who can sign in is the stakeholder. */
export const isMembers = exists((param: Params<{ orgId: string; stakeholderId: string }>) =>
  ofOrganization("membership_stakeholders", param)
    .select("membershipId")
    .where("stakeholderId", "=", param("stakeholderId")),
);

const count = statement((param: Params<{ orgId: string }>) =>
  build.selectFrom("organizations").select("stakeholderCount").where("id", "=", param("orgId")),
);

/** Adjusts the organization's stored count of stakeholders, so that the summary need not count. */
export function addToStakeholderCount(tx: Tx, orgId: string, change: 1 | -1): void {
  const stakeholderCount = (count.first(tx, { orgId })?.stakeholderCount ?? 0) + change;
  changeUntold(tx, orgId, "organizations", orgId, { stakeholderCount });
}

const byAddress = variants(
  (param: Params<{ orgId: string; address: string }>, column: "walletAddress" | "custodialAddress") =>
    ofOrganization("stakeholders", param)
      .select("id")
      .where(column, "=", param("address"))
      .where("deletedAt", "is", null),
);

/** The stakeholder with this wallet, named or assigned; null if no stakeholder has it. */
export function findWalletHolder(db: Reader, orgId: string, address: string): string | null {
  const owner = { orgId, address };
  const found = byAddress("walletAddress").first(db, owner) ?? byAddress("custodialAddress").first(db, owner);
  return found?.id ?? null;
}
