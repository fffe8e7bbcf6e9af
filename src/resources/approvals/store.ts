// SQL that only approvals and their steps need.

import { sql } from "kysely";
import type { Call } from "../../kernel/call.ts";
import { changeLogged } from "../../storage/database/log/logged.ts";
import type { SecurityType } from "../../storage/database/schema.ts";
import {
  all,
  ofOrganization,
  type Params,
  type Reader,
  type Row,
  statement,
  type Tx,
} from "../../storage/database/sql.ts";

type OfApproval = { orgId: string; approvalId: string };

/** The steps of an approval, in order. */
export const listSteps = all((param: Params<OfApproval>) =>
  ofOrganization("approval_steps", param)
    .selectAll()
    .where("approvalId", "=", param("approvalId"))
    .where("deletedAt", "is", null)
    .orderBy("order"),
);

/** Moves the steps after place `after` up by one, since that step was removed. */
export function closeUpSteps(tx: Tx, call: Call, approvalId: string, after: number): void {
  for (const { id, order } of listSteps(tx, { orgId: call.orgId, approvalId })) {
    if (order > after) changeLogged(tx, call, "approval_steps", id, { order: order - 1 });
  }
}

/** Deletes all steps of an approval. */
export function deleteSteps(tx: Tx, call: Call, approvalId: string): void {
  for (const { id } of listSteps(tx, { orgId: call.orgId, approvalId })) {
    changeLogged(tx, call, "approval_steps", id, { deletedAt: call.at });
  }
}

/** Behind a plus, so that SQLite looks up the securities of the approval and not those of each type. */
const namingTypes = statement((param: Params<OfApproval>) =>
  ofOrganization("securities", param)
    .select(sql<SecurityType>`+"type"`.as("type"))
    .distinct()
    .where("approvalId", "=", param("approvalId"))
    .where("deletedAt", "is", null)
    .orderBy("type"),
);

/** The types of the securities, open or closed, that name the approval. */
export function listNamingTypes(db: Reader, orgId: string, approvalId: string): SecurityType[] {
  return namingTypes.all(db, { orgId, approvalId }).map(({ type }) => type);
}

/** A security that waits for an approval, as stored. */
export type GatedRow = Pick<Row<"securities">, "seq" | "id" | "stockClassId" | "tokenStatus">;

/** The next securities that wait for an approval, after the row `after`. */
export const listGatedBy = all((param: Params<OfApproval & { after: number; limit: number }>) =>
  ofOrganization("securities", param)
    .select(["seq", "id", "stockClassId", "tokenStatus"])
    .where("approvalId", "=", param("approvalId"))
    .where("isGated", "=", 1)
    .where("stockClassId", "is not", null)
    .where("seq", ">", param("after"))
    .orderBy("seq")
    .limit(param("limit")),
);
