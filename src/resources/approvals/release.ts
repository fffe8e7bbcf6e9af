// Securities that wait for an approval before tokens are minted for them.
import { changeLogged } from "../../database/logged.ts";
import { findAny } from "../../database/records.ts";
import type { Tx } from "../../database/sql.ts";
import type { Call } from "../../kernel/call.ts";
import { isTokenized, tellOfSecurities } from "../../outbox/tokens.ts";
import { listGatedBy } from "./store.ts";

/** Lets the securities that wait for an approval mint: in the commit that locks it, or that names a locked one. */
export function releaseGated(tx: Tx, call: Call, approvalId: string): void {
  const securities = listGatedBy(tx, { orgId: call.orgId, approvalId });
  for (const { id, stockClassId } of securities) {
    const stockClass = stockClassId === null ? null : findAny(tx, "share_classes", call.orgId, stockClassId);
    const status = isTokenized(stockClass) ? ({ tokenStatus: "PENDING" } as const) : {};
    changeLogged(tx, call, "securities", id, { isGated: 0, ...status });
  }
  tellOfSecurities(tx, call, securities);
}
