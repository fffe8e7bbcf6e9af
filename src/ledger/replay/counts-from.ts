// Effective day of backdated entries. The ledger takes entries in the order of recording, a view those dated up to its
// day. So an entry may need shares from a split of a later day: it would count on its own day, not on some days after
// it, and at last for good. A holding must not appear, vanish and appear again: such an entry stores the day from which
// it counts for good, which follows from the entries recorded before it and never changes. An entry whose basis is
// missing on its own day waits without it (ledger/replay/counting.ts).

import type { CalendarDate } from "../../kernel/date.ts";
import { ZERO } from "../../kernel/numbers/decimal.ts";
import type { Row, Tx } from "../../storage/database/sql.ts";
import { countingDay, membersOf } from "../members.ts";
import { applyEntry } from "../registry.ts";
import { editedDifference } from "../rules/charges.ts";
import { isIssuance } from "../rules/effects.ts";
import { readSplit } from "../splits/stock-split.ts";
import type { EntryDraft } from "../types.ts";
import type { PlacedEntry } from "../vested/vesting-book.ts";
import { listLineEntries } from "../vested/vesting-store.ts";
import { Foundations } from "./counting.ts";
import { FamilyState } from "./family-state.ts";
import { listSplits, spanOnSecurity } from "./replay-store.ts";

/** The most entries replayed for it: some tenths of a second's work. */
const REPLAYED_MAX = 100_000;

/** The entry with the day from which it counts, if it is backdated and would not count on every day from its own on. */
export function withDayOfCounting(
  tx: Tx,
  orgId: string,
  entry: EntryDraft,
  securities: ReadonlyMap<string, Row<"securities">>,
): EntryDraft {
  const { securityId, effectiveDate: date, quantity, type } = entry;
  const security = securities.get(securityId ?? "");
  if (!security || quantity === null || isIssuance(entry) || type.startsWith("VESTING_")) return entry;
  const { latest } = spanOnSecurity(tx, orgId, security.id);
  if ((latest === null || latest <= date) && listSplits(tx, orgId, date).length === 0) return entry;
  const day = lastDayToWaitFor(listLineEntries(tx, orgId, security), entry);
  return day === null ? entry : { ...entry, metadata: { ...entry.metadata, countsFrom: day } };
}

/**
 * The day from which an entry counts for good, by the entries recorded before it; null if it counts on every day from
 * its own on.
 */
export function lastDayToWaitFor(recorded: readonly PlacedEntry[], entry: EntryDraft): CalendarDate | null {
  const { effectiveDate: date } = entry;
  const entries = recorded.map((each) => each.entry);
  const raised = entries.filter(gives).map(countingDay).sort().at(-1);
  // Once all entries that add shares count, the entry has the same basis as on the record.
  if (raised === undefined || raised <= date) return null;
  const days = [...new Set([date, ...entries.map(countingDay)])].filter((day) => day >= date && day <= raised).sort();
  if (days.length * entries.length > REPLAYED_MAX) return raised;
  let found: CalendarDate | null = null;
  let hasCounted = false;
  for (const [at, day] of days.entries()) {
    const counts = isFounded(entries, entry, day);
    if (hasCounted && !counts) found = days[at + 1] ?? null;
    hasCounted ||= counts;
  }
  return found;
}

/** Whether an entry may add shares to a security. */
function gives(entry: EntryDraft): boolean {
  if (entry.type === "STOCK_SPLIT") {
    const { numerator, denominator } = readSplit(entry.metadata);
    return numerator > denominator;
  }
  return membersOf(entry).isDirectEdit && (editedDifference(entry) ?? ZERO) > ZERO;
}

/** Whether the entry's basis exists as of a day, by the entries recorded before it. */
function isFounded(recorded: readonly EntryDraft[], entry: EntryDraft, day: CalendarDate): boolean {
  const state = new FamilyState();
  const foundations = new Foundations();
  for (const each of recorded) {
    if (each.recordOnly) continue;
    if (countingDay(each) > day) foundations.leaveOut(each);
    else if (foundations.holds(state, each)) applyEntry(state, each);
  }
  return foundations.holds(state, entry);
}
