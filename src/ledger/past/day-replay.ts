// Day replay: replays a few entries day by day, as a view of each day would: in the order of recording, with those
// dated up to the day. Entries recorded in the order of their dates are each applied once; one dated before an earlier
// recorded entry starts the replay anew. Pure.
import type { CalendarDate } from "../../kernel/date.ts";
import { countingDay } from "../members.ts";
import { Foundations } from "../replay/counting.ts";
import type { EntryDraft } from "../types.ts";
import type { TallyState } from "./tally.ts";

/** An entry with its place in the ledger. */
export interface PlacedDraft {
  readonly draft: EntryDraft;
  readonly sequence: number;
  /** How many splits the ledger had before it. */
  readonly splits: number;
}

/** The counting entries, day after day. */
export class DayReplay {
  /** The days with entries, first to last. */
  readonly days: readonly CalendarDate[];
  /** The number of entries. */
  readonly size: number;
  readonly #newState: () => TallyState;
  readonly #byDay: ReadonlyMap<CalendarDate, readonly PlacedDraft[]>;
  #nextDay = 0;
  readonly #counted: PlacedDraft[] = [];
  /** Created on first use: there may be many replays. */
  #state: TallyState | null = null;
  #foundations = new Foundations();

  /** `newState` makes the cap table before the first entry. */
  constructor(entries: readonly PlacedDraft[], newState: () => TallyState) {
    this.#byDay = Map.groupBy(entries, ({ draft }) => countingDay(draft));
    this.days = [...this.#byDay.keys()].sort();
    this.size = entries.length;
    this.#newState = newState;
  }

  /** The cap table of a day, not earlier than that of the last call, with all entries counted up to it. */
  advance(day: CalendarDate): TallyState {
    const due: PlacedDraft[] = [];
    for (let next = this.days[this.#nextDay]; next !== undefined && next <= day; next = this.days[++this.#nextDay]) {
      due.push(...(this.#byDay.get(next) ?? []));
    }
    const first = due.sort(byRecording)[0]?.sequence ?? Number.POSITIVE_INFINITY;
    const isInOrder = first > (this.#counted.at(-1)?.sequence ?? 0);
    this.#counted.push(...due);
    if (this.#state !== null && isInOrder) return this.#apply(this.#state, due);
    this.#foundations = new Foundations();
    this.#state = this.#newState();
    return this.#apply(this.#state, this.#counted.sort(byRecording));
  }

  #apply(state: TallyState, entries: readonly PlacedDraft[]): TallyState {
    for (const { draft, splits } of entries) {
      if (!this.#foundations.holds(state, draft)) continue;
      state.splits = splits;
      state.count(draft);
    }
    return state;
  }
}

function byRecording(a: PlacedDraft, b: PlacedDraft): number {
  return a.sequence - b.sequence;
}
