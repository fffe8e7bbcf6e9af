// Use by ACTIVE securities, which prevents a deletion; and by securities that an entry dated ahead has closed, or that
// were closed after a split dated ahead: on the cap table they are open until then.

import type { Call } from "../kernel/call.ts";
import { listAhead, listSplits } from "../ledger/replay/replay-store.ts";
import { findSplitAhead, isMove } from "../ledger/writes/ahead-entries.ts";
import { findRecord } from "../storage/database/records.ts";
import { ofOrganization, type Params, type Reader, variants } from "../storage/database/sql.ts";

type Naming = "stockClassId" | "equityPlanId" | "vestingTermsId" | "approvalId" | "stakeholderId";

const active = variants((param: Params<{ orgId: string; id: string }>, column: Naming) =>
  ofOrganization("securities", param)
    .select("id")
    .where(column, "=", param("id"))
    .where("status", "=", "ACTIVE")
    .where("deletedAt", "is", null)
    .limit(1),
);

const closed = variants((param: Params<{ orgId: string; id: string }>, column: Naming) =>
  ofOrganization("securities", param)
    .selectAll()
    .where(column, "=", param("id"))
    .where("status", "<>", "ACTIVE")
    .where("deletedAt", "is", null),
);

/** Whether a security that is ACTIVE, or is until a future day, names the record `id` in `column`. */
export function isNamedByActive(db: Reader, column: Naming, { orgId, today }: Call, id: string): boolean {
  if (active(column).first(db, { orgId, id }) !== null) return true;
  const isMoved = listAhead(db, { orgId, today }).some((entry) => {
    const { securityId } = entry;
    const row = securityId !== null && isMove(entry) ? findRecord(db, "securities", orgId, securityId) : undefined;
    return row?.[column] === id;
  });
  if (isMoved || listSplits(db, orgId, today).length === 0) return isMoved;
  return closed(column)
    .all(db, { orgId, id })
    .some((row) => findSplitAhead(db, row, today) !== null);
}
