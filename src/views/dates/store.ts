// SQL of dates to come: light rows, each table in one pass.
import { sql } from "kysely";
import { all, ofOrganization, type Params } from "../../storage/database/sql.ts";

interface OfOrganization {
  readonly orgId: string;
}

/** What the ledger does not have of every security, deleted ones too. */
export const listSecurityDates = all((param: Params<OfOrganization>) =>
  ofOrganization("securities", param).select([
    "id",
    "certificateId",
    "grantDate",
    "expirationDate",
    "originSecurityId",
    "deletedAt",
    sql<string | null>`json_extract("convertibleTerms", '$.maturityDate')`.as("maturityDate"),
  ]),
);

/** Every stakeholder. */
export const listDatedHolders = all((param: Params<OfOrganization>) =>
  ofOrganization("stakeholders", param)
    .select(["id", "displayName", "type", "status", "relationships"])
    .where("deletedAt", "is", null),
);

/** The 409A valuations, oldest first. */
export const listDatedValuations = all((param: Params<OfOrganization>) =>
  ofOrganization("valuations", param)
    .select(["id", "type", "status", "stockClassId", "effectiveDate", "expirationDate"])
    .where("type", "=", "409A")
    .where("deletedAt", "is", null)
    .orderBy("seq"),
);

/** The Draft and Submitted approvals with a due date, oldest first. */
export const listDueApprovals = all((param: Params<OfOrganization>) =>
  ofOrganization("approvals", param)
    .select(["id", "title", "dueDate"])
    .where("state", "in", ["Draft", "Submitted"])
    .where("dueDate", "is not", null)
    .where("deletedAt", "is", null)
    .orderBy("seq"),
);

/** The pending milestones with a target date, oldest first. */
export const listDueMilestones = all((param: Params<OfOrganization>) =>
  ofOrganization("vesting_milestones", param)
    .select(["id", "name", "targetDate", "securityId"])
    .where("status", "=", "PENDING")
    .where("targetDate", "is not", null)
    .where("deletedAt", "is", null)
    .orderBy("seq"),
);
