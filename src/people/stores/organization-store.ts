// Store of a person's list of organizations: SQL by an index or a column.
import { acrossOrganizations, first, type Params, statement, value } from "../../storage/database/sql.ts";

/** The open matters of an organization. */
export const findOverview = first((param: Params<{ orgId: string }>) =>
  acrossOrganizations
    .selectFrom("organizations")
    .select("stakeholderCount")
    .select((row) => [
      row
        .selectFrom("approvals")
        .select((all) => all.fn.countAll<number>().as("count"))
        .whereRef("approvals.orgId", "=", "organizations.id")
        .where("state", "=", "Submitted")
        .where("deletedAt", "is", null)
        .as("openApprovals"),
      row
        .selectFrom("share_classes")
        .select((all) => all.fn.countAll<number>().as("count"))
        .whereRef("share_classes.orgId", "=", "organizations.id")
        .where("tokenizationStatus", "=", "FAILED")
        .where("deletedAt", "is", null)
        .as("failedTokens"),
      row
        .selectFrom("transactions")
        .select("createdAt")
        .whereRef("transactions.orgId", "=", "organizations.id")
        .orderBy("sequence", "desc")
        .limit(1)
        .as("lastEntryAt"),
    ])
    .where("id", "=", param("orgId")),
);

/** How many organizations there are. */
export const countOrganizations = value(() =>
  acrossOrganizations.selectFrom("organizations").select((rows) => rows.fn.countAll<number>().as("count")),
);

/** The organizations that store most, and how many bytes. */
export const listLargest = statement((param: Params<{ most: number }>) =>
  acrossOrganizations
    .selectFrom("organizations")
    .select(["id", "storedBytes"])
    .orderBy("storedBytes", "desc")
    .orderBy("seq")
    .limit(param("most")),
);

/** How many balances differ between chain and ledger, in all organizations. */
export const countDifferences = value(() =>
  acrossOrganizations.selectFrom("token_differences").select((rows) => rows.fn.countAll<number>().as("count")),
);
