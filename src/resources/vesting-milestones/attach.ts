// Effects of milestones on vesting: a pending one holds shares back, in its security and in all securities derived from
// it; completing it vests them.

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
 * The place in the ledger from which the milestone holds shares back; null if it names no security. Throws `404`, `409`
 * for a security with its own parcels, and `422` for more shares than it has left.
 */
export function attach(tx: Tx, call: Call, vesting: Vesting): number | null {
  const { securityId } = vesting;
  if (securityId === null) return null;
  const loaded = loadVesting(tx, call.orgId, getRecord<Row<"securities">>(tx, "securities", call.orgId, securityId));
  refuseOwn(hasOwnParcels(loaded));
  refuseExcess(vesting, formatDecimal(countOf(openOf(sharesIn(loaded)))));
  return findHead(tx, call.orgId).sequence;
}

/** Throws `409 invalid-state` if the milestone's shares were divided already, so that they cannot be released. */
export function detach(tx: Tx, call: Call, { securityId }: Milestone): void {
  if (securityId === null) return;
  const security = findRecord(tx, "securities", call.orgId, securityId);
  if (security !== null) refuseOwn(hasOwnParcels(loadVesting(tx, call.orgId, security)));
}

function refuseOwn(isOwn: boolean): void {
  if (!isOwn) return;
  throw problem(
    "invalid-state",
    "The security was divided, or made from another one, and has its own parcels: milestones cannot change them.",
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

/** Records in the ledger, security by security, that the milestone's waiting shares have vested. Throws `409`. */
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
    // While vesting is stopped the milestone vests nothing; it counts once vesting resumes.
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
