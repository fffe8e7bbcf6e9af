// Vesting of one of the holder's own securities: its dates and figures, without its terms or its origin.

import type { CalendarDate } from "../../kernel/date.ts";
import { type Decimal, formatDecimal, ZERO } from "../../kernel/numbers/decimal.ts";
import { notFound } from "../../kernel/problem.ts";
import { listEntriesOn } from "../../ledger/replay/replay-store.ts";
import { sharesIn } from "../../ledger/vested/vesting-account.ts";
import { loadVesting } from "../../ledger/vested/vesting-store.ts";
import { isUndated, stoppedOn } from "../../ledger/vesting/parcels.ts";
import { openOf, type Shares, statusOf } from "../../ledger/vesting/schedule.ts";
import { findRecord } from "../../storage/database/records.ts";
import type { Reader, Row } from "../../storage/database/sql.ts";
import type { Own } from "./own.ts";
import { listMilestoneNames } from "./store.ts";

/** How an own security vests. Throws `404`, the same for what is another's and for what is not there. */
export function readOwnVesting(db: Reader, own: Own, id: string, today: CalendarDate) {
  const row = findRecord(db, "securities", own.orgId, id);
  if (!row || !own.has(row.stakeholderId)) throw notFound("security");
  const { events, parcels, ...totals } = statusOf(ownShares(db, own, row, today), today);
  const names = new Map(
    listMilestoneNames(db, { orgId: own.orgId, securityId: id }).map((each) => [each.id, each.name]),
  );
  return {
    asOf: today,
    quantity: formatDecimal(totals.quantity),
    vested: formatDecimal(totals.vested),
    unvested: formatDecimal(totals.unvested),
    unscheduled: formatDecimal(totals.unscheduled),
    vestingStoppedOn: stoppedOn(parcels),
    exercised: formatDecimal(totals.exercised),
    events: byDay(events),
    waiting: parcels.filter(isUndated).map(({ milestoneId, quantity }) => ({
      milestone: names.get(milestoneId ?? "") ?? null,
      quantity: formatDecimal(quantity),
    })),
  };
}

/** The shares; if another holder had the security before, the outstanding ones: the rest was not this holder's. */
function ownShares(db: Reader, own: Own, row: Row<"securities">, today: CalendarDate): Shares {
  const shares = sharesIn(loadVesting(db, own.orgId, row, { asOf: today }), today);
  const isOwn = listEntriesOn(db, own.orgId, row.id).every(({ stakeholderId }) => own.has(stakeholderId));
  return isOwn ? shares : { all: openOf(shares), exercised: ZERO, early: ZERO };
}

function byDay(events: readonly { readonly date: CalendarDate; readonly quantity: Decimal }[]) {
  const days = new Map<CalendarDate, Decimal>();
  for (const { date, quantity } of events) days.set(date, (days.get(date) ?? ZERO) + quantity);
  return [...days].map(([date, quantity]) => ({ date, quantity: formatDecimal(quantity) }));
}
