// History of a security as input for its schedule: the grant counted as of a day, after later splits, and the dates
// that its conditions wait for. Pure; knows nothing of portions.
import type { CalendarDate } from "../../kernel/date.ts";
import { type Decimal, scale, sum } from "../../kernel/numbers/decimal.ts";
import type { VestingDates } from "./timeline.ts";
import type { VestingEntry, VestingHistory } from "./vesting-types.ts";

type Split = Extract<VestingEntry, { readonly kind: "SPLIT" }>;

/** The shares that the terms apply to: all that were issued, in the shares of `asOf`, which splits up to that day make. */
export function grantOf({ entries }: VestingHistory, asOf: CalendarDate): Decimal {
  let issued: readonly Decimal[] = [];
  for (const entry of entries) {
    if (entry.kind === "ISSUED") issued = [...issued, entry.quantity];
    else if (entry.kind === "SPLIT" && entry.date <= asOf) issued = afterSplit(issued, entry);
  }
  return sum(issued);
}

/** Counts earlier shares after the split; the gain or loss by rounding is a correction of the grant. */
function afterSplit(issued: readonly Decimal[], { numerator, denominator, after }: Split): readonly Decimal[] {
  const scaled = issued.map((quantity) => scale(quantity, numerator, denominator));
  return [...scaled, after - sum(scaled)];
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
