// Warning for days before the ledger's first entry: an empty table then says nothing about the company.

import type { CalendarDate } from "../../kernel/date.ts";
import { utcDayOf } from "../../kernel/runtime.ts";
import type { Warning } from "../../kernel/warning.ts";
import type { Reader } from "../../storage/database/sql.ts";
import { findFirstEntry, findFirstKnownDay } from "./store.ts";
import type { Moment } from "./view.ts";

/** The sentence about a ledger that begins on a day. */
export function beginsOn(day: CalendarDate): string {
  return `This ledger begins on ${day}; nothing was recorded here before.`;
}

/**
 * The day on which the ledger begins, if `asOf` lies before it: the earliest effective date of the entries that were
 * known at the moment, up to a place where one is given. Null otherwise, and for a ledger without such an entry.
 */
export function beginningAfter(
  db: Reader,
  orgId: string,
  { asOf, knownAt }: Moment,
  upTo = Number.MAX_SAFE_INTEGER,
): CalendarDate | null {
  const first = findFirstEntry(db, { orgId });
  // In most ledgers the first entry answers already, and nothing else is read.
  if (first === null || (first.createdAt <= knownAt && first.effectiveDate <= asOf)) return null;
  const day = findFirstKnownDay(db, { orgId, knownAt, upTo });
  return day !== null && day > asOf ? day : null;
}

/** The warning of a view of such a moment, or of one before the first recording; an empty list for other moments. */
export function beginningWarnings(db: Reader, orgId: string, moment: Moment): readonly Warning[] {
  const day = beginningAfter(db, orgId, moment) ?? firstRecordingAfter(db, orgId, moment);
  return day === null ? [] : [{ code: "before-the-ledger", detail: beginsOn(day) }];
}

/** The day of the first recording, if all of it came later than what is asked to be known. */
function firstRecordingAfter(db: Reader, orgId: string, { knownAt }: Moment): CalendarDate | null {
  const first = findFirstEntry(db, { orgId });
  return first !== null && first.createdAt > knownAt ? utcDayOf(first.createdAt) : null;
}
