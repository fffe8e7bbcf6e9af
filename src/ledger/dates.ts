// Which effective dates operations take (TRUTH section 4).
import type { Reader } from "../database/sql.ts";
import { addDays, type CalendarDate } from "../kernel/date.ts";
import { problem, refuse } from "../kernel/problem.ts";
import type { Followed } from "./operation.ts";
import { latestAdjustment, latestOnSecuritiesOf, latestOnSecurity } from "./replay-store.ts";

/** Throws `422` for a day after tomorrow. */
export function refuseDistant(date: CalendarDate, today: CalendarDate): void {
  const tomorrow = addDays(today, 1);
  if (date > tomorrow) refuse([["#/effectiveDate", `must not be later than tomorrow, ${tomorrow}`]]);
}

/** A day that a write names, beside the day on which it is made. */
interface Dated {
  readonly date: CalendarDate;
  readonly today: CalendarDate;
}

/** Throws `409 invalid-state` for a day before the latest entry on what the operation changes, unless it is today's. */
export function refuseEarlier(db: Reader, orgId: string, followed: Followed, { date, today }: Dated): void {
  const latest = latestOf(db, orgId, followed);
  if (latest === null) return;
  const earliest = latest < today ? latest : today;
  if (date >= earliest) return;
  throw problem(
    "invalid-state",
    `The ledger has an entry of ${latest} on it; ${earliest} is the earliest day to take.`,
  );
}

function latestOf(db: Reader, orgId: string, followed: Followed): CalendarDate | null {
  if ("securityId" in followed) return latestOnSecurity(db, { orgId, securityId: followed.securityId });
  if ("securitiesOf" in followed) return latestOnSecuritiesOf(db, orgId, followed.securitiesOf);
  return latestAdjustment(db, orgId, followed.adjustmentsOf);
}
