// Adds a line to the second ledger and lets it take effect.
import { apply } from "./apply.ts";
import type { Entry, Model } from "./state.ts";

/** Records an entry; returns its place. What the caller has not checked cannot be applied and is a fault of the model. */
export function record(model: Model, entry: Entry): number {
  if (!apply(model, entry.effect, model.rules)) throw new Error(`the model cannot apply ${entry.effect.does}`);
  model.log.push(entry);
  return model.log.length - 1;
}
