// Charges of open securities on their plans that a reader would compute differently from the ledger. Exported last, in
// a return of zero shares to the pool (codec/plan-charge.ts).
import { type Decimal, ZERO } from "../../../../kernel/numbers/decimal.ts";
import { isHeldAgainstPlan } from "../../../../ledger/rules/charges.ts";
import type { SecurityState } from "../../../../ledger/types.ts";
import { chargeOf } from "../../codec/plan-charge.ts";
import { derivedId } from "../../codec/values-to-ocf.ts";
import type { JsonObject } from "../../json.ts";
import { later } from "../holdings.ts";
import type { OcfWriter } from "../writer.ts";
import type { ReadCharges } from "./read-charges.ts";
import type { Settling } from "./settle.ts";

/** An object for each open security whose charge a reader would compute differently. */
export function* chargeObjects({ writer, state, pools }: Settling, read: ReadCharges): Generator<JsonObject> {
  for (const security of state.securities.values()) {
    const { id, charge, quantity } = security;
    if (!isOpen(writer, security)) continue;
    const planId = writer.exportedPlanOf(id);
    if (planId === null || planId !== security.equityPlanId || !isHeldAgainstPlan(security.type, planId)) continue;
    const { openId, since } = writer.holding(id);
    const told = { charge: charge ?? ZERO, quantity };
    if (read.of(openId) === told.charge) continue;
    const returned: Decimal = pools.returnedUnsaid(openId);
    const on = { id: derivedId(`${writer.source.orgId} ${openId}`, "charge"), securityId: openId, type: security.type };
    yield chargeOf({ ...on, date: later(since, read.lastDayOf(openId)), comments: [] }, planId, told, returned);
  }
}

/** Deleted securities are closed by the export, and so are those that an edit of their status closed. */
function isOpen({ source, holdings }: OcfWriter, { id, status, quantity }: SecurityState): boolean {
  return (
    status === "ACTIVE" && quantity > ZERO && !holdings.isClosed(id) && source.findSecurity(id)?.deletedAt === null
  );
}
