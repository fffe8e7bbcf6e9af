// One pass over a ledger: tallies the ordered families by day, and keeps the entries of the others. Pure.
import { present } from "../../kernel/assert.ts";
import type { CalendarDate } from "../../kernel/date.ts";
import { withoutParcels } from "../members.ts";
import { Foundations } from "../replay/counting.ts";
import { toDraft } from "../replay/replay.ts";
import type { EntryDraft } from "../types.ts";
import type { PlacedDraft } from "./day-replay.ts";
import type { Ledger } from "./ledger.ts";
import type { Order } from "./order.ts";
import { type Amounts, TallyState } from "./tally.ts";

/** The change of each day's entries to every view from that day on. */
export type Changes = Map<CalendarDate, Amounts>;

/** The result of a pass; lists are in the order of recording. */
export interface Walked {
  /** The changes by ordered families, with their splits. */
  readonly changes: Changes;
  readonly splits: readonly PlacedDraft[];
  /** Entries on no security, except splits: adjustments of classes and plans. */
  readonly settings: readonly PlacedDraft[];
  /** The entries of each unordered family. */
  readonly unordered: ReadonlyMap<string, readonly PlacedDraft[]>;
}

/** Makes the pass. */
export function walk(ledger: Ledger, { families, unordered: isUnordered }: Order): Walked {
  const changes: Changes = new Map();
  const splits: PlacedDraft[] = [];
  const settings: PlacedDraft[] = [];
  const unordered = new Map<string, PlacedDraft[]>();
  const state = new TallyState(ledger.converting);
  const foundations = new Foundations();
  const count = (draft: EntryDraft) => {
    if (!foundations.holds(state, draft)) return;
    state.amounts = amountsOn(changes, draft.effectiveDate);
    state.splits = splits.length;
    state.count(draft);
  };
  for (const row of ledger.entries()) {
    const draft = present(toDraft(row), `the meaning of a ${row.type}`);
    const placed = { draft, sequence: row.sequence, splits: splits.length };
    const family = draft.securityId === null ? null : families.of(draft.securityId);
    if (family !== null && isUnordered.has(family)) {
      const kept = unordered.get(family) ?? [];
      unordered.set(family, kept);
      kept.push({ ...placed, draft: withoutParcels(draft) });
    } else if (family !== null) count(draft);
    else if (draft.type === "STOCK_SPLIT") {
      count(draft);
      splits.push(placed);
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
