// SQL that only approvals and their steps need.
import { sql } from "kysely";
import type { SecurityType } from "../../database/schema.ts";
import { build, type Params, type Reader, type Row, statement, type Tx } from "../../database/sql.ts";

type OfApproval = { orgId: string; approvalId: string };

const steps = statement((param: Params<OfApproval>) =>
  build
    .selectFrom("approval_steps")
    .selectAll()
    .where("orgId", "=", param("orgId"))
    .where("approvalId", "=", param("approvalId"))
    .where("deletedAt", "is", null)
    .orderBy("order"),
);

/** The steps of an approval, in order. */
export function listSteps(db: Reader, orgId: string, approvalId: string): Row<"approval_steps">[] {
  return steps.all(db, { orgId, approvalId });
}

const closing = statement((param: Params<OfApproval & { after: number }>) =>
  build
    .updateTable("approval_steps")
    .set({ order: sql<number>`"order" - 1` })
    .where("orgId", "=", param("orgId"))
    .where("approvalId", "=", param("approvalId"))
    .where("deletedAt", "is", null)
    .where("order", ">", param("after")),
);

/** Moves the steps behind place `after` up by one: the step there was removed. */
export function closeUpSteps(tx: Tx, orgId: string, approvalId: string, after: number): void {
  closing.run(tx, { orgId, approvalId, after });
}

const deletion = statement((param: Params<OfApproval & { at: string }>) =>
  build
    .updateTable("approval_steps")
    .set({ deletedAt: param("at") })
    .where("orgId", "=", param("orgId"))
    .where("approvalId", "=", param("approvalId"))
    .where("deletedAt", "is", null),
);

/** Deletes all steps of an approval; `at` is when. */
export function deleteSteps(tx: Tx, orgId: string, approvalId: string, at: string): void {
  deletion.run(tx, { orgId, approvalId, at });
}

const namingTypes = statement((param: Params<OfApproval>) =>
  build
    .selectFrom("securities")
    .select("type")
    .distinct()
    .where("orgId", "=", param("orgId"))
    .where("approvalId", "=", param("approvalId"))
    .where("deletedAt", "is", null)
    .orderBy("type"),
);

/** The types of the securities, open or closed, that name the approval. */
export function listNamingTypes(db: Reader, orgId: string, approvalId: string): SecurityType[] {
  return namingTypes.all(db, { orgId, approvalId }).map(({ type }) => type);
}

const naming = statement((param: Params<OfApproval>) =>
  build
    .selectFrom("securities")
    .select("id")
    .where("orgId", "=", param("orgId"))
    .where("approvalId", "=", param("approvalId"))
    .where("status", "=", "ACTIVE")
    .where("deletedAt", "is", null)
    .limit(1),
);

/** Whether an ACTIVE security names the approval. */
export function isApprovalNamed(db: Reader, orgId: string, approvalId: string): boolean {
  return naming.first(db, { orgId, approvalId }) !== null;
}
