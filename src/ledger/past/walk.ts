// One pass over a ledger: tallies the ordered families by day, and keeps the entries of the others. Pure.
import { present } from "../../kernel/assert.ts";
import type { CalendarDate } from "../../kernel/date.ts";
import { withoutParcels } from "../members.ts";
import { type LedgerEvent, readEntry, type SplitEvent } from "../replay/event.ts";
import { toDraft } from "../replay/replay.ts";
import { Story } from "../replay/story.ts";
import type { PlacedEvent } from "./day-replay.ts";
import type { Ledger } from "./ledger.ts";
import type { Order } from "./order.ts";
import { type Amounts, TallyState } from "./tally.ts";

/** The change of each day's entries to every view from that day on. */
export type Changes = Map<CalendarDate, Amounts>;

/** The result of a pass; lists are in the order of recording. */
export interface Walked {
  /** The changes by ordered families, with their splits. */
  readonly changes: Changes;
  readonly splits: readonly (PlacedEvent & { readonly event: SplitEvent })[];
  /** Entries on no security, except splits: adjustments of classes and plans. */
  readonly settings: readonly PlacedEvent[];
  /** The entries of each unordered family. */
  readonly unordered: ReadonlyMap<string, readonly PlacedEvent[]>;
}

/** Makes the pass. */
export function walk(ledger: Ledger, { families, unordered: isUnordered }: Order): Walked {
  const changes: Changes = new Map();
  const splits: (PlacedEvent & { readonly event: SplitEvent })[] = [];
  const settings: PlacedEvent[] = [];
  const unordered = new Map<string, PlacedEvent[]>();
  const state = new TallyState(ledger.converting);
  const story = new Story(state, state);
  const count = (event: LedgerEvent) => {
    state.amounts = amountsOn(changes, event.entry.effectiveDate);
    state.splits = splits.length;
    story.take(event);
  };
  for (const row of ledger.entries()) {
    const draft = present(toDraft(row), `the meaning of a ${row.type}`);
    const event = readEntry(draft, row.sequence);
    const placed = { event, splits: splits.length };
    const family = draft.securityId === null ? null : families.of(draft.securityId);
    if (family !== null && isUnordered.has(family)) {
      const kept = unordered.get(family) ?? [];
      unordered.set(family, kept);
      kept.push({ ...placed, event: readEntry(withoutParcels(draft), row.sequence) });
    } else if (family !== null) count(event);
    else if (event.kind === "split") {
      count(event);
      splits.push({ ...placed, event });
    } else settings.push(placed);
  }
  return { changes, splits, settings, unordered };
}

/** The tally of a day's entries. */
export function amountsOn(changes: Changes, day: CalendarDate): Amounts {
  const amounts: Amounts = changes.get(day) ?? new Map();
  changes.set(day, amounts);
  return amounts;
}
