// What imports had left of a security at a place in the ledger. A split may have rounded it down to nothing, which
// leaves no entry of its own on it. For securities that no other entry recorded here has changed.

import { type Decimal, parseDecimal, scale, ZERO } from "../../../../kernel/numbers/decimal.ts";
import { readEntry } from "../../../../ledger/replay/event.ts";
import { toDraft } from "../../../../ledger/replay/replay.ts";
import { listEntriesOn, listSplits } from "../../../../ledger/replay/replay-store.ts";
import type { EntryDraft } from "../../../../ledger/types.ts";
import type { Reader } from "../../../../storage/database/sql.ts";

/** Whether the security held anything before the entry with this sequence. */
export function isHeldBefore(db: Reader, orgId: string, securityId: string, sequence: number): boolean {
  const entries = [...listEntriesOn(db, orgId, securityId), ...listSplits(db, orgId)]
    .filter((entry) => entry.sequence < sequence)
    .sort((a, b) => a.sequence - b.sequence);
  return entries.reduce((held, entry) => after(held, toDraft(entry), securityId), ZERO) > ZERO;
}

function after(held: Decimal, entry: EntryDraft | null, securityId: string): Decimal {
  if (entry === null) return held;
  const event = readEntry(entry);
  if (event.kind === "split") {
    const { securityIds, numerator, denominator } = event.split;
    return securityIds?.includes(securityId) ? scale(held, numerator, denominator) : held;
  }
  if (event.kind === "issued") return held + parseDecimal(entry.quantity ?? "0");
  const { taken } = event.said.imported;
  return taken === null ? held : held - parseDecimal(taken);
}
