// Which effective dates operations take. An entry is decided upon those recorded before it, so one that changes
// holdings may not be dated before the latest on the same securities, unless that is yet to come.

import { addDays, type CalendarDate } from "../../kernel/date.ts";
import { problem, refuse } from "../../kernel/problem.ts";
import { findRecord } from "../../storage/database/records.ts";
import type { Reader, Row } from "../../storage/database/sql.ts";
import type { Followed } from "../operation.ts";
import { toDraft } from "../replay/replay.ts";
import {
  latestAdjustment,
  latestOnSecuritiesOf,
  latestSplit,
  latestTerms,
  listSplits,
  spanOnSecurity,
} from "../replay/replay-store.ts";
import { readSplit, splitFilter } from "../splits/stock-split.ts";
import { besideAhead, findMoveAhead, findSplitAhead } from "../writes/ahead-entries.ts";
import { toSecurityState } from "../writes/load.ts";

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
  const earliest = earliestAfter(latest, followed, today);
  if (date >= earliest) return;
  throw problem(
    "invalid-state",
    `The ledger has an entry of ${latest} on it; ${earliest} is the earliest day to take.`,
  );
}

/**
 * The first day that may follow an entry: today where that is yet to come. Terms of tomorrow bind even so, for what is
 * set today would stand in their place; those of a distant day, which only an import brings, do not.
 */
function earliestAfter(latest: CalendarDate, followed: Followed, today: CalendarDate): CalendarDate {
  const areTerms = "termsOf" in followed || "splitsOf" in followed;
  const bound = areTerms && latest <= addDays(today, 1) ? latest : today;
  return latest < bound ? latest : bound;
}

function latestOf(db: Reader, orgId: string, followed: Followed): CalendarDate | null {
  if ("securityId" in followed) return latestOn(db, orgId, followed.securityId);
  if ("securitiesOf" in followed) return latestOnSecuritiesOf(db, orgId, followed.securitiesOf);
  if ("termsOf" in followed) return latestTerms(db, orgId, followed.termsOf);
  if ("splitsOf" in followed) return latestSplit(db, orgId, followed.splitsOf);
  return latestAdjustment(db, orgId, followed.adjustmentsOf);
}

/** Splits that the security went through count as entries on it: what takes of it since is in the shares after them. */
function latestOn(db: Reader, orgId: string, securityId: string): CalendarDate | null {
  const { latest, first } = spanOnSecurity(db, orgId, securityId);
  const row = findRecord(db, "securities", orgId, securityId);
  if (latest === null || row === null) return latest;
  const splits = splitsThrough(listSplits(db, orgId), row, first);
  const days = [latest, ...splits.map(({ effectiveDate }) => effectiveDate)];
  return days.sort().at(-1) ?? latest;
}

/**
 * Throws `409 invalid-state` where an entry of a day to come has moved shares of a security already, or a split has
 * multiplied them, also of one that was closed since: its record counts that, the cap table of today does not, and no
 * change of both is true of both.
 */
export function refuseBesideAhead(db: Reader, security: Row<"securities">, today: CalendarDate): void {
  const row = findMoveAhead(db, security.orgId, security.id, today) ?? findSplitAhead(db, security, today);
  if (row) throw besideAhead(row);
}

/**
 * Those of some splits that a security went through, as it is now or was before an operation on it; `first` is the
 * place of its first entry, null where it has no entry.
 */
export function splitsThrough(
  splits: readonly Row<"transactions">[],
  row: Row<"securities">,
  first: number | null,
): readonly Row<"transactions">[] {
  if (first === null) return [];
  const security = toSecurityState(row);
  return splits.filter((entry) => {
    const split = entry.sequence > first ? toDraft(entry) : null;
    return split !== null && splitFilter(readSplit(split.metadata))(security);
  });
}
