// The ledger's story: the one driver that replays entries. It applies each, in the order of recording, to a cap table,
// and reports it to listeners: the entry decoded, the cap table after it, and what the entry changed as it was before
// it (`state.before`). verify alone has another driver, as a second opinion.
//
// Entries are replayed in the order of recording, not of dates: each was decided upon the earlier ones (a split of the
// shares at that moment, an adjustment that replaces the one before), so only that order gives the stored cap table
// once every entry counts. Leaving out later-dated entries can leave an entry without its basis: a transfer dated
// before the issuance of its shares, a cancellation of more than the security had by then. Such an entry, and the
// security that it creates, counts from the day on which its basis does. So no view has a negative holding or shares
// without an issuance. An entry that would count on its own day and not on every later one names the day from which it
// does (ledger/replay/counts-from.ts). Pure.
import { parseDecimal, ZERO } from "../../kernel/numbers/decimal.ts";
import { applyEntry } from "../rules/apply.ts";
import { editedDifference } from "../rules/charges.ts";
import type { LedgerEvent } from "./event.ts";
import type { LedgerState } from "./state.ts";

/** Listens to a replay, entry by entry. */
export interface Listener {
  /** Called with a counting entry, which `state` has just applied. */
  follow(event: LedgerEvent, state: LedgerState): void;
  /** Called with an entry that does not count, and the cap table without it. */
  skip?(event: LedgerEvent, state: LedgerState): void;
}

/** A replay onto `state`, the cap table before the first entry; it can go on at any time. */
export class Story {
  readonly #state: LedgerState;
  readonly #listeners: readonly Listener[];
  /** Securities that the skipped entries would have created. */
  readonly #unmade = new Set<string>();

  /** Listeners hear of an entry in the given order. */
  constructor(state: LedgerState, ...listeners: readonly Listener[]) {
    this.#state = state;
    this.#listeners = listeners;
  }

  /** Applies the next entry, or skips it if it has no basis; whether it was applied. */
  take(event: LedgerEvent): boolean {
    if (!this.holds(event)) {
      this.skip(event);
      return false;
    }
    applyEntry(this.#state, event);
    for (const listener of this.#listeners) listener.follow(event, this.#state);
    return true;
  }

  /** Skips an entry that does not count, and with it the security that it would create. */
  skip(event: LedgerEvent): void {
    const made = event.said.newSecurityId;
    if (made !== null) this.#unmade.add(made);
    for (const listener of this.#listeners) listener.skip?.(event, this.#state);
  }

  /** Whether an entry has its basis so far. */
  holds(event: LedgerEvent): boolean {
    return !this.#unmade.has(event.entry.securityId ?? "") && hasBasis(this.#state, event);
  }
}

/** Whether the entry's security exists and has the quantity that the entry takes. */
function hasBasis(state: LedgerState, { kind, entry, said }: LedgerEvent): boolean {
  if (entry.securityId === null || kind === "issued") return true;
  const security = state.securities.get(entry.securityId);
  if (!security) return false;
  if (kind === "edited") return security.quantity + (editedDifference(said) ?? ZERO) >= ZERO;
  if (kind === "fact") return true;
  const taken = said.imported.taken ?? entry.quantity;
  return taken === null || parseDecimal(taken) <= security.quantity;
}
