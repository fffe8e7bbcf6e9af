// Effective dates of operations. An entry is decided upon those recorded before it, so one that changes holdings may
// not be dated before the latest on the same securities, unless that is dated ahead.

import { addDays, type CalendarDate } from "../../kernel/date.ts";
import { problem, refuse } from "../../kernel/problem.ts";
import { findRecord } from "../../storage/database/records.ts";
import type { Reader, Row } from "../../storage/database/sql.ts";
import type { Followed } from "../operation.ts";
import { splitIn } from "../replay/replay.ts";
import {
  latestAdjustment,
  latestOnSecuritiesOf,
  latestSplit,
  latestTerms,
  listSplits,
  spanOnSecurity,
} from "../replay/replay-store.ts";
import { splitFilter } from "../splits/stock-split.ts";
import { besideAhead, findMoveAhead, findSplitAhead } from "../writes/ahead-entries.ts";
import { toSecurityState } from "../writes/load.ts";

/** Throws `422` for a day later than tomorrow. */
export function refuseDistant(date: CalendarDate, today: CalendarDate): void {
  const tomorrow = addDays(today, 1);
  if (date > tomorrow) refuse([["#/effectiveDate", `must not be later than tomorrow, ${tomorrow}`]]);
}

/** A day named in a write, beside the day of the write itself. */
interface Dated {
  readonly date: CalendarDate;
  readonly today: CalendarDate;
}

/** Throws `409 invalid-state` for a day before the latest entry on the operation's subject, unless it is today. */
export function refuseEarlier(db: Reader, orgId: string, followed: Followed, dated: Dated): void {
  refuseBefore(latestOf(db, orgId, followed), followed, dated);
}

/** The same where the day of the latest entry is known; null without one. */
export function refuseBefore(latest: CalendarDate | null, followed: Followed, { date, today }: Dated): void {
  if (latest === null) return;
  const earliest = earliestAfter(latest, followed, today);
  if (date >= earliest) return;
  throw problem(
    "invalid-state",
    `The ledger has an entry of ${latest} on it; ${earliest} is the earliest day to take.`,
  );
}

/**
 * The first allowed day after an entry: today if the entry is dated ahead. Terms of tomorrow bind anyway, since terms
 * set today would replace them; those of a distant day, which only an import brings, do not.
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

/** Splits of the security count as entries on it: later operations count in the shares after them. */
function latestOn(db: Reader, orgId: string, securityId: string): CalendarDate | null {
  const { latest, first } = spanOnSecurity(db, orgId, securityId);
  const row = findRecord(db, "securities", orgId, securityId);
  if (latest === null || row === null) return latest;
  const splits = splitsThrough(listSplits(db, orgId), row, first);
  const days = [latest, ...splits.map(({ effectiveDate }) => effectiveDate)];
  return days.sort().at(-1) ?? latest;
}

/**
 * Throws `409 invalid-state` if an entry dated ahead has already moved or split a security's shares, even if the
 * security was closed since: its record counts that entry and today's cap table does not, so no change fits both.
 */
export function refuseBesideAhead(db: Reader, security: Row<"securities">, today: CalendarDate): void {
  const row = findMoveAhead(db, security.orgId, security.id, today) ?? findSplitAhead(db, security, today);
  if (row) throw besideAhead(row);
}

/**
 * The splits, of the given ones, that a security went through, in its state now or before an operation; `first` is the
 * place of its first entry, null without an entry.
 */
export function splitsThrough(
  splits: readonly Row<"transactions">[],
  row: Row<"securities">,
  first: number | null,
): readonly Row<"transactions">[] {
  if (first === null) return [];
  const security = toSecurityState(row);
  return splits.filter((entry) => {
    const split = entry.sequence > first ? splitIn(entry) : null;
    return split !== null && splitFilter(split)(security);
  });
}
