// Dates that are near: one mail a day to each member of an organization that has a date 30, 7, 1 or 0 days away.

import { addDays, type CalendarDate } from "../../kernel/date.ts";
import { isTurnedOff, type NewMail } from "../../people/stores/mail-store.ts";
import { listSigningIn } from "../../people/stores/member-store.ts";
import { inSnapshot } from "../../storage/database/snapshot.ts";
import type { Reader } from "../../storage/database/sql.ts";
import type { DatedItem } from "../../views/dates/dates.ts";
import { DATE_KINDS, type DateKind } from "../../views/dates/kinds.ts";
import { readDates } from "../../views/dates/read-dates.ts";

const DAYS_AWAY = [0, 1, 7, 30];
/** What a holder is told about its own. */
const OF_HOLDERS: readonly DateKind[] = ["exercise-window-ends", "vesting-cliff", "section-83b"];

/** An organization's dates that are near on a day, by one replay. */
export function nearDates(db: Reader, orgId: string, day: CalendarDate): readonly DatedItem[] {
  const days = new Set(DAYS_AWAY.map((away) => addDays(day, away)));
  const asked = { from: day, to: addDays(day, Math.max(...DAYS_AWAY)), kinds: new Set(DATE_KINDS), today: day };
  return inSnapshot(db, () => readDates(db, orgId, { ...asked, own: null })).filter(({ date }) => days.has(date));
}

/** Those of them that a member is told: the organization's, or a holder's own. */
export function datesFor(
  items: readonly DatedItem[],
  { role, stakeholderIds }: Pick<ReturnType<typeof listSigningIn>[number], "role" | "stakeholderIds">,
): readonly DatedItem[] {
  if (role === "EDITOR" || role === "ADMIN") return items;
  if (role !== "STAKEHOLDER") return [];
  const own = JSON.parse(stakeholderIds) as string[];
  return items.filter(({ kind, stakeholderId }) => OF_HOLDERS.includes(kind) && own.includes(stakeholderId ?? ""));
}

/** The mails of a day to an organization's members. */
export function mailsOfDay(db: Reader, orgId: string, day: CalendarDate): readonly NewMail[] {
  const members = listSigningIn(db, { orgId }).filter(
    ({ accountId }) => !isTurnedOff(db, { accountId, orgId, topic: "dates" }),
  );
  if (members.length === 0) return [];
  const items = nearDates(db, orgId, day);
  return members
    .filter((member) => datesFor(items, member).length > 0)
    .map(({ accountId, email }) => ({ kind: "dates", to: email, orgId, accountId, about: `${orgId}:${day}` }));
}
