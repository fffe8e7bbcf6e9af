// The cap table as of a date (DECISIONS section 16): replays the entries that count, and says which of them do. Pure.
//
// The order is the order of recording, not of dates: entries were decided one upon the other (a split of what was
// there, an edit that sets a figure, an adjustment that replaces the one before), so only that order gives the stored
// cap table once every entry counts. Leaving out what is dated later can leave an entry without what it builds on: a
// transfer dated before the issuance of its shares, a cancellation of more than the security had by then. Such an
// entry, and what it makes, counts from the day on which what it builds on does. So no view has a negative holding, or
// shares out of nothing.
import { present } from "../kernel/assert.ts";
import { formatDecimal, parseDecimal } from "../kernel/decimal.ts";
import { textOf } from "../ledger/effects.ts";
import { isIssuance, PlanUses } from "../ledger/plan-use.ts";
import { type StoredEntry, toDraft } from "../ledger/replay.ts";
import type { LedgerState } from "../ledger/state.ts";
import type { EntryDraft } from "../ledger/types.ts";

/** Replays `entries`, those dated and recorded in time in the order of recording, onto the cap table before them. */
export function replayCounted(entries: Iterable<StoredEntry>, state: LedgerState): PlanUses {
  const uses = new PlanUses();
  const unmade = new Set<string>();
  for (const row of entries) {
    const entry = present(toDraft(row), `the meaning of a ${row.type}`);
    const made = textOf(entry.metadata, "newSecurityId");
    if (!hasFoundation(state, entry) || unmade.has(entry.securityId ?? "")) {
      if (made !== null) unmade.add(made);
      continue;
    }
    uses.apply(state, undoingAllThere(state, entry));
  }
  return uses;
}

function isRetraction(entry: EntryDraft): boolean {
  return entry.type === "STOCK_RETRACTION" || entry.metadata.retraction === true;
}

/** Whether the security that the entry works on is there, and holds what the entry takes from it. */
function hasFoundation(state: LedgerState, entry: EntryDraft): boolean {
  if (entry.securityId === null || isIssuance(entry)) return true;
  const security = state.securities.get(entry.securityId);
  if (!security) return false;
  const taken = textOf(entry.metadata, "ocfTaken") ?? entry.quantity;
  if (taken === null || entry.metadata.directEdit === true || isRetraction(entry)) return true;
  return parseDecimal(taken) <= security.quantity;
}

/** A retraction undoes the security, whatever it holds by then: what is dated later has not changed it yet. */
function undoingAllThere(state: LedgerState, entry: EntryDraft): EntryDraft {
  if (entry.securityId === null || !isRetraction(entry)) return entry;
  return { ...entry, quantity: formatDecimal(state.security(entry.securityId).quantity) };
}
