// What is recorded of a security for days to come, so that lists and pages can say from which day it counts.
import type { Reader } from "../database/sql.ts";
import type { CalendarDate } from "../kernel/date.ts";
import { membersOf } from "./members.ts";
import { toDraft } from "./replay.ts";
import { listAhead } from "./replay-store.ts";

/** An entry dated after today. */
export interface AheadEntry {
  readonly transactionId: string;
  readonly type: string;
  readonly effectiveDate: CalendarDate;
}

/** Entries of an organization dated after today, by the security that each is on, or makes; by day. */
export function aheadBySecurity(
  db: Reader,
  orgId: string,
  today: CalendarDate,
): ReadonlyMap<string, readonly AheadEntry[]> {
  const bySecurity = new Map<string, AheadEntry[]>();
  for (const row of listAhead(db, { orgId, today })) {
    const draft = toDraft(row);
    const { id: transactionId, type, effectiveDate, securityId } = row;
    for (const id of [securityId, draft && membersOf(draft).newSecurityId]) {
      if (id === null) continue;
      const entries = bySecurity.get(id) ?? [];
      entries.push({ transactionId, type, effectiveDate });
      bySecurity.set(id, entries);
    }
  }
  for (const entries of bySecurity.values()) {
    entries.sort((a, b) => (a.effectiveDate < b.effectiveDate ? -1 : a.effectiveDate > b.effectiveDate ? 1 : 0));
  }
  return bySecurity;
}
