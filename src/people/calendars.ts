// Calendars made and ended: each row together with its event in the log of accounts. A calendar is an address that shows
// one person's dates in an organization, without a sign-in.

import { toldColumns } from "../storage/database/log/account-log.ts";
import type { Tx } from "../storage/database/sql.ts";
import type { AccountCall } from "./call.ts";
import { type Calendar, deleteCalendar, insertCalendar, listCalendars } from "./stores/calendar-store.ts";
import { reportEvent } from "./stores/log-store.ts";

/** Stores a new calendar, made in a session. */
export function makeCalendarRow(tx: Tx, call: AccountCall, row: Omit<Calendar, "seq">, sessionId: string): void {
  insertCalendar(tx, row);
  reportEvent(tx, call, { accountId: row.accountId, event: "calendar-made", data: toldColumns(row), sessionId });
}

/** Why calendars end. */
type EndedBy = "account" | "member-removed" | "suspended";

/** The calendars to end: one of an account, those in an organization, or all. */
interface Ending {
  readonly accountId: string;
  readonly id?: string;
  readonly orgId?: string;
  readonly by: EndedBy;
  readonly sessionId?: string;
}

/** Ends an account's calendars, all or some; returns how many. */
export function endCalendars(tx: Tx, call: AccountCall, { accountId, id, orgId, by, sessionId }: Ending): number {
  const ids = listCalendars(tx, { accountId })
    .filter((row) => (id === undefined || row.id === id) && (orgId === undefined || row.orgId === orgId))
    .map((row) => row.id);
  if (ids.length === 0) return 0;
  for (const each of ids) deleteCalendar(tx, { id: each });
  const data = { ids, endedBy: by };
  reportEvent(tx, call, { accountId, event: "calendar-ended", data, sessionId: sessionId ?? null });
  return ids.length;
}
