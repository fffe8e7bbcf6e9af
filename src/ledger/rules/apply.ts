// Application of entries: the only function that says how an entry changes the cap table. Pure.
import type { LedgerEvent } from "../replay/event.ts";
import type { LedgerState } from "../replay/state.ts";
import { chargesOf } from "./charges.ts";
import { applyEffect } from "./effects.ts";
import { applyImported } from "./imported.ts";
import { applyCharges } from "./pools.ts";

/** Applies one entry: no effect for a record-only one; an import's own effect; else its kind's. */
export function applyEntry(state: LedgerState, event: LedgerEvent): void {
  state.begin();
  if (event.entry.recordOnly) return;
  const changes = chargesOf(state, event);
  if (event.kind !== "edited" && event.said.imported.hasEffect) applyImported(state, event);
  else applyEffect(state, event);
  applyCharges(state, event, changes);
}
