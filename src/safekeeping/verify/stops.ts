// Verifies where the vesting of securities stopped, by the shares that the ledger leaves of them.

import { InvariantError } from "../../kernel/assert.ts";
import type { CalendarDate } from "../../kernel/date.ts";
import { stoppedOn } from "../../ledger/vested/vesting-stops.ts";
import { loadVesting } from "../../ledger/vested/vesting-store.ts";
import type { Reader, Row } from "../../storage/database/sql.ts";
import type { Tell } from "./report.ts";
import { listStoppable } from "./store.ts";

const TO_LEDGER = "The ledger is the record: have the row say what the ledger says, or restore a backup.";

/** Reports every security whose `vestingStoppedOn` does not follow from its entries. */
export function compareStops(db: Reader, orgId: string, tell: Tell): void {
  for (const row of listStoppable(db, { orgId })) {
    const day = dayOf(db, orgId, row);
    if (day === undefined || day === row.vestingStoppedOn) continue;
    const detail = `its vestingStoppedOn is ${row.vestingStoppedOn}, and by the ledger ${day}`;
    tell({ code: "security-differs", subject: `security ${row.id}`, detail, fix: TO_LEDGER });
  }
}

/** The day; undefined if an entry cannot follow from those before it, which is reported for that entry. */
function dayOf(db: Reader, orgId: string, row: Row<"securities">): CalendarDate | null | undefined {
  try {
    return stoppedOn(loadVesting(db, orgId, row));
  } catch (error) {
    if (error instanceof InvariantError) return undefined;
    throw error;
  }
}
