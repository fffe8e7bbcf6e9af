// SQL that only approvals and their steps need.
import { changeLogged } from "../../database/logged.ts";
import type { SecurityType } from "../../database/schema.ts";
import { build, type Params, type Reader, type Row, statement, type Tx } from "../../database/sql.ts";
import type { Call } from "../../kernel/call.ts";

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

/** Moves the steps behind place `after` up by one: the step there was removed. */
export function closeUpSteps(tx: Tx, call: Call, approvalId: string, after: number): void {
  for (const { id, order } of listSteps(tx, call.orgId, approvalId)) {
    if (order > after) changeLogged(tx, call, "approval_steps", id, { order: order - 1 });
  }
}

/** Deletes all steps of an approval. */
export function deleteSteps(tx: Tx, call: Call, approvalId: string): void {
  for (const { id } of listSteps(tx, call.orgId, approvalId)) {
    changeLogged(tx, call, "approval_steps", id, { deletedAt: call.at });
  }
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

const gatedBy = statement((param: Params<{ orgId: string; approvalId: string }>) =>
  build
    .selectFrom("securities")
    .select(["id", "stockClassId"])
    .where("orgId", "=", param("orgId"))
    .where("approvalId", "=", param("approvalId"))
    .where("isGated", "=", 1)
    .where("stockClassId", "is not", null),
);

/** The securities that wait for an approval. */
export function listGatedBy(db: Reader, orgId: string, approvalId: string) {
  return gatedBy.all(db, { orgId, approvalId });
}
