// What the ledger says about a security, made ready for its schedule: shares counted as of a day, after later splits,
// and the dates that its conditions wait for. Pure; knows nothing of portions.
import type { CalendarDate } from "../kernel/date.ts";
import { type Decimal, max, scale, sum, ZERO } from "../kernel/decimal.ts";
import type { VestingDates } from "./timeline.ts";
import type { VestingEntry, VestingHistory } from "./types.ts";

/** The kinds of entries that carry a count of shares. */
type ShareEntry = Extract<VestingEntry, { readonly quantity: Decimal }>;

/** The sum of the entries of one kind. */
export function total(entries: readonly ShareEntry[], kind: ShareEntry["kind"]): Decimal {
  return sum(entries.filter((entry) => entry.kind === kind).map(({ quantity }) => quantity));
}

function outstanding(entries: readonly ShareEntry[]): Decimal {
  const gone = total(entries, "TRANSFERRED") + total(entries, "CANCELLED") + total(entries, "EXERCISED");
  return total(entries, "ISSUED") - gone;
}

/** Counts earlier shares in those after the split; what its rounding took or gave is a correction of the grant. */
function afterSplit(
  entries: readonly ShareEntry[],
  { numerator, denominator, after, date }: Extract<VestingEntry, { readonly kind: "SPLIT" }>,
): ShareEntry[] {
  const scaled = entries.map((entry) => ({ ...entry, quantity: scale(entry.quantity, numerator, denominator) }));
  const byRounding = after - outstanding(scaled);
  return byRounding === ZERO ? scaled : [...scaled, { kind: "ISSUED", date, quantity: byRounding }];
}

/**
 * Picks the entries that move shares, counted in the shares of `asOf` (splits up to that day are applied), by date and
 * then in ledger order. What lowers a holding later than `asOf` is left out; what only says when shares vest stays.
 */
export function shareEntries(history: VestingHistory, asOf: CalendarDate): readonly ShareEntry[] {
  let entries: ShareEntry[] = [];
  for (const entry of history.entries) {
    if (entry.kind === "STARTED" || entry.kind === "HAPPENED") continue;
    if (entry.kind !== "SPLIT") entries.push(entry);
    else if (entry.date <= asOf) entries = afterSplit(entries, entry);
  }
  return entries
    .filter(({ kind, date }) => date <= asOf || kind === "ISSUED" || kind === "ACCELERATED")
    .sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
}

/** The shares that the terms apply to: all that were issued, without those that a transfer took to another security. */
export function grantOf(entries: readonly ShareEntry[]): Decimal {
  return max(ZERO, total(entries, "ISSUED") - total(entries, "TRANSFERRED"));
}

/** When vesting starts and which events took place. A start of the whole replaces every earlier start, named or not. */
export function vestingDates(history: VestingHistory): VestingDates {
  let start = history.vestingStartDate;
  const conditionStarts = new Map<string, CalendarDate>();
  const happened = new Map<string, CalendarDate[]>();
  for (const entry of history.entries) {
    if (entry.kind === "STARTED" && entry.conditionId === null) {
      start = entry.date;
      conditionStarts.clear();
    } else if (entry.kind === "STARTED" && entry.conditionId !== null) {
      conditionStarts.set(entry.conditionId, entry.date);
    } else if (entry.kind === "HAPPENED") {
      happened.set(entry.conditionId, [...(happened.get(entry.conditionId) ?? []), entry.date].sort());
    }
  }
  return { start, conditionStarts, happened };
}
