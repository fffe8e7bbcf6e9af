// Which entries count in a view of the ledger that leaves some out, as a view as of a date does. Pure.
//
// The order is the order of recording, not of dates: entries were decided one upon the other (a split of the shares at
// that moment, an adjustment that replaces the one before), so only that order gives the stored cap table once every
// entry counts. Leaving out what is dated later can leave an entry without what it builds on: a transfer dated before
// the issuance of its shares, a cancellation of more than the security had by then. Such an entry, and what it makes,
// counts from the day on which what it builds on does. So no view has a negative holding, or shares out of nothing. One
// that would count on its own day and not on every later one says from which day it does (ledger/replay/counts-from.ts).
import { present } from "../../kernel/assert.ts";
import type { CalendarDate } from "../../kernel/date.ts";
import { parseDecimal, ZERO } from "../../kernel/numbers/decimal.ts";
import { countingDay, membersOf } from "../members.ts";
import { editedDifference } from "../rules/charges.ts";
import { isIssuance } from "../rules/effects.ts";
import { PlanUses } from "../rules/plan-use.ts";
import type { EntryDraft } from "../types.ts";
import type { PlacedEntry } from "../vested/vesting-book.ts";
import { saysWhen } from "../vested/vesting-stops.ts";
import { type StoredEntry, toDraft } from "./replay.ts";
import type { LedgerState } from "./state.ts";

/** Says of one entry after the other, in the order of recording, whether it has what it builds on. */
export class Foundations {
  /** Securities that the entries left out would have made. */
  readonly #unmade = new Set<string>();

  /** Whether the entry counts, by the cap table before it. One that does not leaves out what it would have made, too. */
  holds(state: LedgerState, entry: EntryDraft): boolean {
    const isFounded = !this.#unmade.has(entry.securityId ?? "") && hasFoundation(state, entry);
    if (!isFounded) this.leaveOut(entry);
    return isFounded;
  }

  /** Notes an entry that is left out. */
  leaveOut(entry: EntryDraft): void {
    const made = membersOf(entry).newSecurityId;
    if (made !== null) this.#unmade.add(made);
  }
}

/** Whether the security that the entry works on is there, and holds what the entry takes from it. */
function hasFoundation(state: LedgerState, entry: EntryDraft): boolean {
  if (entry.securityId === null || isIssuance(entry)) return true;
  const security = state.securities.get(entry.securityId);
  if (!security) return false;
  const { isDirectEdit, imported } = membersOf(entry);
  if (isDirectEdit) return security.quantity + (editedDifference(entry) ?? ZERO) >= ZERO;
  if (entry.type.startsWith("VESTING_")) return true;
  const taken = imported.taken ?? entry.quantity;
  return taken === null || parseDecimal(taken) <= security.quantity;
}

/** What a view found out besides the cap table. */
export interface Counted {
  readonly uses: PlanUses;
  /** The first day of the entries that name a class or a plan, by its id. */
  readonly named: ReadonlyMap<string, CalendarDate>;
}

/** What follows a view entry by entry besides the cap table. */
export interface Follower {
  /** Told of an entry that counts, which `state` has just applied. */
  follow(placed: PlacedEntry, state: LedgerState): void;
  /** Told of one that does not. */
  skip(entry: EntryDraft): void;
}

/** Tells both of every entry, in this order. */
export function together(first: Follower, second: Follower): Follower {
  return {
    follow(placed, state) {
      first.follow(placed, state);
      second.follow(placed, state);
    },
    skip(entry) {
      first.skip(entry);
      second.skip(entry);
    },
  };
}

/** A day that a view is of, and who follows it: `entries` then hold those dated later, too, with their places. */
export interface Followed {
  readonly asOf: CalendarDate;
  readonly follower: Follower;
}

/** An entry with its place, which only a follower asks for. */
type CountedEntry = StoredEntry & { readonly sequence?: number };

/** Replays `entries`, those dated and recorded in time in the order of recording, onto the cap table before them. */
export function replayCounted(entries: Iterable<CountedEntry>, state: LedgerState, followed?: Followed): Counted {
  const counting = new Counting(state, followed);
  for (const row of entries) counting.take(row);
  return counting;
}

/** A view's replay, which goes on entry by entry; `state` is the cap table before the first. */
export class Counting implements Counted {
  readonly uses = new PlanUses();
  readonly named = new Map<string, CalendarDate>();
  readonly #foundations = new Foundations();
  readonly #state: LedgerState;
  readonly #followed: Followed | undefined;

  constructor(state: LedgerState, followed?: Followed) {
    this.#state = state;
    this.#followed = followed;
  }

  /** Takes the next entry in the order of recording; returns what it says. */
  take(row: CountedEntry): EntryDraft {
    const followed = this.#followed;
    const entry = present(toDraft(row), `the meaning of a ${row.type}`);
    const isInTime = !followed || countingDay(entry) <= followed.asOf;
    // A start or an event of vesting says when shares vest, whenever it is; it moves no shares.
    const isSeen = isInTime || saysWhen(entry);
    if (!isSeen) this.#foundations.leaveOut(entry);
    if (!isSeen || !this.#foundations.holds(this.#state, entry)) {
      followed?.follower.skip(entry);
      return entry;
    }
    if (isInTime) {
      this.uses.apply(this.#state, entry);
      this.#note(entry);
    }
    followed?.follower.follow({ entry, sequence: row.sequence ?? 0 }, this.#state);
    return entry;
  }

  #note(entry: EntryDraft): void {
    for (const id of namedBy(entry)) {
      const first = this.named.get(id);
      if (first === undefined || entry.effectiveDate < first) this.named.set(id, entry.effectiveDate);
    }
  }
}

/** The class and the plan that an entry names, also those that a direct edit sets. */
export function namedBy(entry: EntryDraft): readonly string[] {
  const { stockClassId, equityPlanId, after } = membersOf(entry);
  const ids = [stockClassId, equityPlanId, after.stockClassId, after.equityPlanId];
  return ids.filter((id) => typeof id === "string");
}
