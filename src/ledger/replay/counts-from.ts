// Effective day of backdated entries. The ledger takes entries in the order of recording, a view those dated up to its
// day. So an entry may need shares from a split of a later day: it would count on its own day, not on some days after
// it, and at last for good. A holding must not appear, vanish and appear again: such an entry stores the day from which
// it counts for good, which follows from the entries recorded before it and never changes. An entry whose basis is
// missing on its own day waits without it (ledger/replay/counting.ts).

import type { CalendarDate } from "../../kernel/date.ts";
import { ZERO } from "../../kernel/numbers/decimal.ts";
import type { Row, Tx } from "../../storage/database/sql.ts";
import { editedDifference } from "../rules/charges.ts";
import type { EntryDraft } from "../types.ts";
import { listLineEntries } from "../vested/vesting-store.ts";
import { type LedgerEvent, readEntry } from "./event.ts";
import { FamilyState } from "./family-state.ts";
import { listSplits, spanOnSecurity } from "./replay-store.ts";
import { Story } from "./story.ts";

/** The most entries replayed for it: some tenths of a second's work. */
const REPLAYED_MAX = 100_000;

/** The entry with the day from which it counts, if it is backdated and would not count on every day from its own on. */
export function withDayOfCounting(
  tx: Tx,
  orgId: string,
  entry: EntryDraft,
  securities: ReadonlyMap<string, Row<"securities">>,
): EntryDraft {
  const { securityId, effectiveDate: date, quantity } = entry;
  const security = securities.get(securityId ?? "");
  if (!security || quantity === null) return entry;
  const event = readEntry(entry);
  if (event.kind === "issued" || event.kind === "fact") return entry;
  const { latest } = spanOnSecurity(tx, orgId, security.id);
  if ((latest === null || latest <= date) && listSplits(tx, orgId, date).length === 0) return entry;
  const day = lastDayToWaitFor(listLineEntries(tx, orgId, security), event);
  return day === null ? entry : { ...entry, metadata: { ...entry.metadata, countsFrom: day } };
}

/**
 * The day from which an entry counts for good, by the entries recorded before it; null if it counts on every day from
 * its own on.
 */
export function lastDayToWaitFor(recorded: readonly LedgerEvent[], event: LedgerEvent): CalendarDate | null {
  const { effectiveDate: date } = event.entry;
  const dayOf = (each: LedgerEvent) => each.day;
  const raised = recorded.filter(gives).map(dayOf).sort().at(-1);
  // Once all entries that add shares count, the entry has the same basis as on the record.
  if (raised === undefined || raised <= date) return null;
  const days = [...new Set([date, ...recorded.map(dayOf)])].filter((day) => day >= date && day <= raised).sort();
  if (days.length * recorded.length > REPLAYED_MAX) return raised;
  let found: CalendarDate | null = null;
  let hasCounted = false;
  for (const [at, day] of days.entries()) {
    const counts = isFounded(recorded, event, day);
    if (hasCounted && !counts) found = days[at + 1] ?? null;
    hasCounted ||= counts;
  }
  return found;
}

/** Whether an entry may add shares to a security. */
function gives(event: LedgerEvent): boolean {
  if (event.kind === "split") return event.split.numerator > event.split.denominator;
  return event.kind === "edited" && (editedDifference(event.said) ?? ZERO) > ZERO;
}

/** Whether the entry's basis exists as of a day, by the entries recorded before it. */
function isFounded(recorded: readonly LedgerEvent[], event: LedgerEvent, day: CalendarDate): boolean {
  const story = new Story(new FamilyState());
  for (const each of recorded) {
    if (each.day > day) story.skip(each);
    else story.take(each);
  }
  return story.holds(event);
}
