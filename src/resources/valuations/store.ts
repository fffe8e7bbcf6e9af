// SQL that only valuations need.

import type { Call } from "../../kernel/call.ts";
import { changeLogged } from "../../storage/database/log/logged.ts";
import { beginLongWrite, endOfPiece, PIECE, type TakePiece } from "../../storage/database/long-writes.ts";
import { findRecord } from "../../storage/database/records.ts";
import { ofOrganization, type Params, statement, type Tx } from "../../storage/database/sql.ts";

const naming = statement((param: Params<{ orgId: string; valuationId: string; after: number; limit: number }>) =>
  ofOrganization("securities", param)
    .select(["seq", "id"])
    .where("valuationId", "=", param("valuationId"))
    .where("seq", ">", param("after"))
    .orderBy("seq")
    .limit(param("limit")),
);

/** Removes a deleted valuation from the securities that name it: a valuation can always be deleted. */
export function forgetValuation(tx: Tx, call: Call, valuationId: string): void {
  beginLongWrite(tx, call, { kind: "forget-valuation", subject: valuationId }, forgetPiece);
}

/** Removes it from the next securities that name it. */
export const forgetPiece: TakePiece = (tx, call, valuationId, after) => {
  if (findRecord(tx, "valuations", call.orgId, valuationId) !== null) return null;
  const rows = naming.all(tx, { orgId: call.orgId, valuationId, after, limit: PIECE });
  for (const { id } of rows) changeLogged(tx, call, "securities", id, { valuationId: null });
  return endOfPiece(rows);
};
