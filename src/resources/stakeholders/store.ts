// SQL that only stakeholders need.
import { sql } from "kysely";
import { build, type Params, type Reader, statement, type Tx } from "../../database/sql.ts";

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

const count = statement((param: Params<{ orgId: string; change: number }>) =>
  build
    .updateTable("organizations")
    .set({ stakeholderCount: sql<number>`"stakeholderCount" + ${param("change")}` })
    .where("id", "=", param("orgId")),
);

/** Moves the organization's count of stakeholders, kept so that the summary need not count. */
export function addToStakeholderCount(tx: Tx, orgId: string, change: 1 | -1): void {
  count.run(tx, { orgId, change });
}

const byWallet = statement((param: Params<{ orgId: string; walletAddress: string }>) =>
  build
    .selectFrom("stakeholders")
    .select("id")
    .where("orgId", "=", param("orgId"))
    .where("walletAddress", "=", param("walletAddress"))
    .where("deletedAt", "is", null),
);

/** The stakeholder who uses a wallet address, or null. */
export function findWalletHolder(db: Reader, orgId: string, walletAddress: string): string | null {
  return byWallet.first(db, { orgId, walletAddress })?.id ?? null;
}
