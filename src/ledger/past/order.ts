// Recording order: finds the families of securities, with their splits, that were recorded in the order of their dates.
// Pure.
import type { CalendarDate } from "../../kernel/date.ts";
import { Families } from "./families.ts";
import type { Mark } from "./ledger.ts";

/** The result of the search. */
export interface Order {
  readonly families: Families;
  /** Families of which an entry, or a split, is dated before what was recorded earlier. */
  readonly unordered: ReadonlySet<string>;
  /** Every day that has entries, first to last. */
  readonly days: readonly CalendarDate[];
}

/** Joins securities to families and finds those that were not recorded in the order of their dates. */
export function orderOf(marks: Iterable<Mark>): Order {
  const families = new Families();
  const days = new Set<CalendarDate>();
  const dated: Dated[] = [];
  for (const { type, securityId, effectiveDate: date, others } of marks) {
    days.add(date);
    if (type === "STOCK_SPLIT") dated.push({ securityId: null, date });
    else if (securityId !== null) dated.push({ securityId, date });
    for (const other of others) if (securityId !== null) families.join(securityId, other);
  }
  return { families, unordered: outOfOrder(dated, families), days: [...days].sort() };
}

/** The day of an entry on a security, or of a split. */
interface Dated {
  readonly securityId: string | null;
  readonly date: CalendarDate;
}

function outOfOrder(dated: readonly Dated[], families: Families): ReadonlySet<string> {
  const latest = new Map<string, CalendarDate>();
  const unordered = new Set<string>();
  let latestSplit: CalendarDate = "";
  for (const { securityId, date } of dated) {
    if (securityId === null) {
      for (const [family, last] of latest) if (date < last || date < latestSplit) unordered.add(family);
      if (date > latestSplit) latestSplit = date;
      continue;
    }
    const family = families.of(securityId);
    const last = latest.get(family) ?? "";
    if (date < last || date < latestSplit) unordered.add(family);
    if (date > last) latest.set(family, date);
  }
  return unordered;
}
