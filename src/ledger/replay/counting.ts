// The story as of a day: which entries count in a view that leaves some out, and what a view shows besides the cap
// table. Pure.
import { present } from "../../kernel/assert.ts";
import type { CalendarDate } from "../../kernel/date.ts";
import type { Members } from "../members.ts";
import { PlanUses } from "../rules/plan-use.ts";
import { saysWhen } from "../vested/vesting-stops.ts";
import { type LedgerEvent, readEntry } from "./event.ts";
import { type StoredEntry, toDraft } from "./replay.ts";
import type { LedgerState } from "./state.ts";
import { type Listener, Story } from "./story.ts";

/** Further results of a view besides the cap table. */
export interface Counted {
  readonly uses: PlanUses;
  /** The first day of the entries that name a class or a plan, by its id. */
  readonly named: ReadonlyMap<string, CalendarDate>;
}

/** An entry with its place, which only a listener needs. */
type CountedEntry = StoredEntry & { readonly sequence?: number };

/**
 * Takes or skips the next entry as a view of a day does; whether it was applied. A start or an event of vesting sets
 * when shares vest, whatever its own day; it moves no shares.
 */
export function countOn(asOf: CalendarDate, story: Story, event: LedgerEvent): boolean {
  if (event.day <= asOf || saysWhen(event)) return story.take(event);
  story.skip(event);
  return false;
}

/** A view's replay, continued entry by entry; `state` is the cap table before the first. */
export class Counting implements Counted {
  readonly uses = new PlanUses();
  readonly named = new Map<string, CalendarDate>();
  readonly #asOf: CalendarDate;
  readonly #story: Story;

  constructor(state: LedgerState, asOf: CalendarDate, ...listeners: readonly Listener[]) {
    this.#asOf = asOf;
    this.#story = new Story(state, this.uses, ...listeners);
  }

  /** Takes the next entry in the order of recording, of any day. */
  take(row: CountedEntry): LedgerEvent {
    const event = readEntry(present(toDraft(row), `the meaning of a ${row.type}`), row.sequence);
    if (countOn(this.#asOf, this.#story, event) && event.day <= this.#asOf) this.#note(event);
    return event;
  }

  #note({ entry, said }: LedgerEvent): void {
    for (const id of namedBy(said)) {
      const first = this.named.get(id);
      if (first === undefined || entry.effectiveDate < first) this.named.set(id, entry.effectiveDate);
    }
  }
}

/** The class and the plan that an entry names, including those that a direct edit sets. */
export function namedBy({ stockClassId, equityPlanId, after }: Members): readonly string[] {
  const ids = [stockClassId, equityPlanId, after.stockClassId, after.equityPlanId];
  return ids.filter((id) => typeof id === "string");
}
