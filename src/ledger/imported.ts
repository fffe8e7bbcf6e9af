// What an imported OCF transaction does. OCF ends a security even where part of it stays, and issues the rest and the
// results as securities of their own: so a transaction takes from its security what its entry names and makes nothing.
import type { SecurityStatus } from "../database/schema.ts";
import { parseDecimal } from "../kernel/decimal.ts";
import { type ApplyEntry, reduceSecurity, textOf } from "./effects.ts";
import type { EntryDraft, Metadata } from "./types.ts";

/** What the entry of an imported transaction carries for its effect. Numbers are decimal strings. */
export interface ImportedEffect {
  /** What the security loses: all that it held where the transaction ends it. */
  readonly ocfTaken?: string;
  /** The status of the security once nothing is left. */
  readonly ocfStatus?: SecurityStatus;
  /** What goes back to the reserve of the plan named beside it. */
  readonly ocfReturned?: string;
  readonly equityPlanId?: string;
  /** What the plan's default had returned of the security before, which is taken off `ocfReturned`. */
  readonly ocfReplaced?: string;
  /** By how much the grants and exercises of that plan count more, or less, than before (ledger/plan-use.ts). */
  readonly ocfGranted?: string;
  readonly ocfExercised?: string;
  /** The strike after a repricing. */
  readonly ocfExercisePrice?: string;
}

/** Whether the entry has an effect of its own because it came by import; others follow their type's. */
export function isImported({ metadata }: Pick<EntryDraft, "metadata">): boolean {
  return (["ocfTaken", "ocfReturned", "ocfExercisePrice"] satisfies (keyof ImportedEffect)[]).some(
    (name) => metadata[name] !== undefined,
  );
}

/** Takes, returns or reprices what the entry's metadata says. */
export const applyImported: ApplyEntry = (state, { securityId, metadata }) => {
  const taken = quantity(metadata, "ocfTaken");
  const status = (textOf(metadata, "ocfStatus") ?? "CANCELLED") as SecurityStatus;
  if (securityId !== null && taken !== null) reduceSecurity(state, securityId, taken, status);
  const returned = quantity(metadata, "ocfReturned");
  if (returned !== null) state.addAvailable(textOf(metadata, "equityPlanId"), returned);
  const exercisePrice = textOf(metadata, "ocfExercisePrice");
  if (securityId !== null && exercisePrice !== null) state.changeSecurity(securityId, { exercisePrice });
};

function quantity(metadata: Metadata, name: keyof ImportedEffect) {
  const text = textOf(metadata, name);
  return text === null ? null : parseDecimal(text);
}
