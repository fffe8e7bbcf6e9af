// Vesting for the health report: unvested holdings of former holders, and shares that wait for a start.

import type { CalendarDate } from "../../kernel/date.ts";
import { ZERO } from "../../kernel/numbers/decimal.ts";
import { type SecurityVesting, sharesIn } from "../../ledger/vested/vesting-account.ts";
import { loadVesting } from "../../ledger/vested/vesting-store.ts";
import { predecessors } from "../../ledger/vesting/graph.ts";
import { countOf, isUndated, stoppedOn } from "../../ledger/vesting/parcels.ts";
import { openOf, statusOf } from "../../ledger/vesting/schedule.ts";
import type { Reader, Row } from "../../storage/database/sql.ts";
import type { StoppedVesting, VestingState } from "./health-company.ts";
import { listStopped, listVestingOfFormer, listWithoutStart } from "./store.ts";

/** Loads it; what costs is the securities of FORMER holders, each with its entries, up to the first unvested one. */
export function readVesting(db: Reader, orgId: string, today: CalendarDate): VestingState {
  const formerWithUnvested = new Set<string>();
  for (const security of listVestingOfFormer(db, { orgId })) {
    const { stakeholderId } = security;
    if (stakeholderId === null || formerWithUnvested.has(stakeholderId)) continue;
    if (isUnvested(db, security, today)) formerWithUnvested.add(stakeholderId);
  }
  const waiting = listWithoutStart(db, { orgId }).filter((row) =>
    waitsForStart(loadVesting(db, orgId, row, { asOf: today })),
  );
  const stopped = listStopped(db, { orgId }).flatMap((row): StoppedVesting[] => {
    const shares = openOf(sharesIn(loadVesting(db, orgId, row, { asOf: today }), today));
    const [on, quantity] = [stoppedOn(shares), countOf(shares.filter((parcel) => parcel.stopped))];
    return on === null ? [] : [{ securityId: row.id, on, quantity }];
  });
  return { formerWithUnvested, waitingForStart: new Set(waiting.map(({ id }) => id)), stopped };
}

function isUnvested(db: Reader, security: Row<"securities">, today: CalendarDate): boolean {
  const vesting = loadVesting(db, security.orgId, security, { asOf: today });
  return statusOf(sharesIn(vesting, today), today).unvested > ZERO;
}

/** Whether shares wait for a condition that is a matter of time, and of nothing before it. */
function waitsForStart(vesting: SecurityVesting): boolean {
  const conditions = vesting.rules?.vestingConditions ?? [];
  const before = predecessors(conditions);
  const first = conditions.filter((condition, index) => {
    return condition.trigger.type === "TIME_BASED" && before[index]?.size === 0;
  });
  const ids = new Set(first.map(({ id }) => id));
  return openOf(sharesIn(vesting)).some((each) => isUndated(each) && ids.has(each.conditionId ?? ""));
}
