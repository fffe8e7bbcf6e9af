// Counting entries: which entries count in a view that leaves some out, such as a view as of a date. Pure.
//
// Entries are replayed in the order of recording, not of dates: each was decided upon the earlier ones (a split of the
// shares at that moment, an adjustment that replaces the one before), so only that order gives the stored cap table
// once every entry counts. Leaving out later-dated entries can leave an entry without its basis: a transfer dated
// before the issuance of its shares, a cancellation of more than the security had by then. Such an entry, and the
// security that it creates, counts from the day on which its basis does. So no view has a negative holding or shares
// without an issuance. An entry that would count on its own day and not on every later one names the day from which it
// does (ledger/replay/counts-from.ts).
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

/** Decides for one entry after the other, in the order of recording, whether its basis exists. */
export class Foundations {
  /** Securities that the skipped entries would have created. */
  readonly #unmade = new Set<string>();

  /** Whether the entry counts, by the cap table before it. If not, the security that it would create is skipped too. */
  holds(state: LedgerState, entry: EntryDraft): boolean {
    const isFounded = !this.#unmade.has(entry.securityId ?? "") && hasFoundation(state, entry);
    if (!isFounded) this.leaveOut(entry);
    return isFounded;
  }

  /** Records a skipped entry. */
  leaveOut(entry: EntryDraft): void {
    const made = membersOf(entry).newSecurityId;
    if (made !== null) this.#unmade.add(made);
  }
}

/** Whether the entry's security exists and has the quantity that the entry takes. */
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

/** Further results of a view besides the cap table. */
export interface Counted {
  readonly uses: PlanUses;
  /** The first day of the entries that name a class or a plan, by its id. */
  readonly named: ReadonlyMap<string, CalendarDate>;
}

/** An observer of a view, entry by entry. */
export interface Follower {
  /** Called with a counting entry, which `state` has just applied. */
  follow(placed: PlacedEntry, state: LedgerState): void;
  /** Called with a skipped entry. */
  skip(entry: EntryDraft): void;
}

/** Calls all observers for every entry, in this order. */
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

/** A view's day and its observer: `entries` then include later-dated ones, with their places. */
export interface Followed {
  readonly asOf: CalendarDate;
  readonly follower: Follower;
}

/** An entry with its place, which only an observer needs. */
type CountedEntry = StoredEntry & { readonly sequence?: number };

/** Replays `entries`, those dated and recorded in time, in the order of recording, onto the cap table before them. */
export function replayCounted(entries: Iterable<CountedEntry>, state: LedgerState, followed?: Followed): Counted {
  const counting = new Counting(state, followed);
  for (const row of entries) counting.take(row);
  return counting;
}

/** A view's replay, continued entry by entry; `state` is the cap table before the first. */
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

  /** Takes the next entry in the order of recording; returns its members. */
  take(row: CountedEntry): EntryDraft {
    const followed = this.#followed;
    const entry = present(toDraft(row), `the meaning of a ${row.type}`);
    const isInTime = !followed || countingDay(entry) <= followed.asOf;
    // A start or an event of vesting sets when shares vest, whatever its own day; it moves no shares.
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

/** The class and the plan that an entry names, including those that a direct edit sets. */
export function namedBy(entry: EntryDraft): readonly string[] {
  const { stockClassId, equityPlanId, after } = membersOf(entry);
  const ids = [stockClassId, equityPlanId, after.stockClassId, after.equityPlanId];
  return ids.filter((id) => typeof id === "string");
}
