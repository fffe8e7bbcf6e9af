// Day replay: replays a few entries day by day, as a view of each day would: in the order of recording, with those
// dated up to the day. Entries recorded in the order of their dates are each applied once; one dated before an earlier
// recorded entry starts the replay anew. Pure.
import type { CalendarDate } from "../../kernel/date.ts";
import type { LedgerEvent } from "../replay/event.ts";
import { Story } from "../replay/story.ts";
import type { TallyState } from "./tally.ts";

/** An entry, and the splits before it. */
export interface PlacedEvent {
  readonly event: LedgerEvent;
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
  readonly #byDay: ReadonlyMap<CalendarDate, readonly PlacedEvent[]>;
  #nextDay = 0;
  readonly #counted: PlacedEvent[] = [];
  /** Created on first use: there may be many replays. */
  #replay: Replay | null = null;

  /** `newState` makes the cap table before the first entry. */
  constructor(entries: readonly PlacedEvent[], newState: () => TallyState) {
    this.#byDay = Map.groupBy(entries, ({ event }) => event.day);
    this.days = [...this.#byDay.keys()].sort();
    this.size = entries.length;
    this.#newState = newState;
  }

  /** The cap table of a day, not earlier than that of the last call, with all entries counted up to it. */
  advance(day: CalendarDate): TallyState {
    const due: PlacedEvent[] = [];
    for (let next = this.days[this.#nextDay]; next !== undefined && next <= day; next = this.days[++this.#nextDay]) {
      due.push(...(this.#byDay.get(next) ?? []));
    }
    const first = due.sort(byRecording)[0]?.event.sequence ?? Number.POSITIVE_INFINITY;
    const isInOrder = first > (this.#counted.at(-1)?.event.sequence ?? 0);
    this.#counted.push(...due);
    if (this.#replay !== null && isInOrder) return apply(this.#replay, due);
    const state = this.#newState();
    this.#replay = { state, story: new Story(state, state) };
    return apply(this.#replay, this.#counted.sort(byRecording));
  }
}

interface Replay {
  readonly state: TallyState;
  readonly story: Story;
}

function apply({ state, story }: Replay, entries: readonly PlacedEvent[]): TallyState {
  for (const { event, splits } of entries) {
    state.splits = splits;
    story.take(event);
  }
  return state;
}

function byRecording(a: PlacedEvent, b: PlacedEvent): number {
  return a.event.sequence - b.event.sequence;
}
