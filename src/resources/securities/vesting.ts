// Vesting of a security in answers.

import type { CalendarDate } from "../../kernel/date.ts";
import { formatDecimal } from "../../kernel/numbers/decimal.ts";
import { sharesIn } from "../../ledger/vested/vesting-account.ts";
import { loadVesting } from "../../ledger/vested/vesting-store.ts";
import { stoppedOn } from "../../ledger/vesting/parcels.ts";
import { statusOf } from "../../ledger/vesting/schedule.ts";
import type { Reader, Row } from "../../storage/database/sql.ts";

/** The vested shares of a security by a day, and every vesting event, past and future. */
export function showVesting(db: Reader, orgId: string, security: Row<"securities">, asOf: CalendarDate) {
  const vesting = loadVesting(db, orgId, security, { asOf });
  const { events, parcels, ...totals } = statusOf(sharesIn(vesting, asOf), asOf);
  return {
    quantity: formatDecimal(totals.quantity),
    vested: formatDecimal(totals.vested),
    unvested: formatDecimal(totals.unvested),
    unscheduled: formatDecimal(totals.unscheduled),
    exercised: formatDecimal(totals.exercised),
    earlyExercised: formatDecimal(totals.earlyExercised),
    vestingStoppedOn: stoppedOn(parcels),
    grantSecurityId: vesting.grantSecurityId,
    events: events.map((event) => ({ ...event, quantity: formatDecimal(event.quantity) })),
    parcels: parcels.map(({ stopped: _stopped, ...parcel }) => {
      return { ...parcel, quantity: formatDecimal(parcel.quantity) };
    }),
  };
}
