// What milestones do to the vesting of securities: a pending one holds shares back, in the security that it names and
// in all that is made of it; completing it vests them.

import type { Call } from "../../kernel/call.ts";
import { formatDecimal, parseDecimal, ZERO } from "../../kernel/numbers/decimal.ts";
import { problem } from "../../kernel/problem.ts";
import { findHead } from "../../ledger/store.ts";
import type { EntryDraft } from "../../ledger/types.ts";
import { hasOwnParcels, sharesIn } from "../../ledger/vested/vesting-account.ts";
import { listMadeOf, loadVesting, waitingFor } from "../../ledger/vested/vesting-store.ts";
import { countOf } from "../../ledger/vesting/parcels.ts";
import { openOf } from "../../ledger/vesting/schedule.ts";
import { recordEntries } from "../../ledger/writes/execute.ts";
import { findRecord, getRecord } from "../../storage/database/records.ts";
import type { Row, Tx } from "../../storage/database/sql.ts";
import { refuseExcess, type Vesting } from "./milestone-rules.ts";

type Milestone = Row<"vesting_milestones">;

/**
 * From which place in the ledger on the milestone holds shares back; null where it names no security. Throws `404`,
 * `409` for a security with vesting of its own, and `422` for more than it has left to hold back.
 */
export function attach(tx: Tx, call: Call, vesting: Vesting): number | null {
  const { securityId } = vesting;
  if (securityId === null) return null;
  const loaded = loadVesting(tx, call.orgId, getRecord<Row<"securities">>(tx, "securities", call.orgId, securityId));
  refuseOwn(hasOwnParcels(loaded));
  refuseExcess(vesting, formatDecimal(countOf(openOf(sharesIn(loaded)))));
  return findHead(tx, call.orgId).sequence;
}

/** Throws `409 invalid-state` where the milestone's shares were divided already, so that it cannot let go of them. */
export function detach(tx: Tx, call: Call, { securityId }: Milestone): void {
  if (securityId === null) return;
  const security = findRecord(tx, "securities", call.orgId, securityId);
  if (security !== null) refuseOwn(hasOwnParcels(loadVesting(tx, call.orgId, security)));
}

function refuseOwn(isOwn: boolean): void {
  if (!isOwn) return;
  throw problem(
    "invalid-state",
    "The security was divided, or made of another one, and has vesting of its own: no milestone can change it.",
  );
}

/** Throws `409 in-use` while shares that were divided off wait for the milestone. */
export function refuseWaiting(tx: Tx, call: Call, milestone: Milestone): void {
  if (milestone.securityId === null || milestone.status !== "PENDING") return;
  const [first, ...made] = listMadeOf(tx, call.orgId, milestone.securityId);
  if (!first || !hasOwnParcels(loadVesting(tx, call.orgId, first))) return;
  const isWaiting = (row: Row<"securities">) => waitingFor(tx, call.orgId, row, milestone.id) > ZERO;
  if ([first, ...made].some(isWaiting)) {
    throw problem("in-use", "Shares that were divided between several securities wait for the milestone.");
  }
}

/** The ledger says that the shares that wait for the milestone have vested, security by security. Throws `409`. */
export function vestBy(tx: Tx, call: Call, { id, securityId, quantity: all }: Milestone): void {
  if (securityId === null) return;
  const made = listMadeOf(tx, call.orgId, securityId).filter(
    (row) => row.status === "ACTIVE" && row.deletedAt === null,
  );
  const entries = made.flatMap((row): EntryDraft[] => {
    const waiting = waitingFor(tx, call.orgId, row, id);
    if (waiting === ZERO) return [];
    const isAll = all !== null && parseDecimal(all) === waiting;
    const vested = isAll ? all : formatDecimal(waiting);
    // Where vesting has stopped nothing vests by it; it counts once that goes on.
    const quantity = row.vestingStoppedOn === null ? vested : null;
    const about = { securityId: row.id, stakeholderId: row.stakeholderId, quantity };
    return [{ ...about, type: "VESTING_EVENT", effectiveDate: call.today, metadata: { milestoneId: id } }];
  });
  const own = getRecord<Row<"securities">>(tx, "securities", call.orgId, securityId);
  if (entries.length === 0 && own.status !== "ACTIVE") {
    throw problem("invalid-state", `The milestone's security is ${own.status}; only an ACTIVE one vests.`);
  }
  if (entries.length > 0) recordEntries(tx, call, entries);
}
