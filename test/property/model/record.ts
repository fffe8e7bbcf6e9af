// Adds a line to the second ledger and lets it take effect.
import { apply } from "./apply.ts";
import { viewOf } from "./dates.ts";
import type { Entry, Model } from "./state.ts";

/** Records an entry; returns its place. What the caller has not checked cannot be applied and is a fault of the model. */
export function record(model: Model, entry: Entry): number {
  if (!apply(model, entry.effect, model.rules)) throw new Error(`the model cannot apply ${entry.effect.does}`);
  const from = countsFrom(model, entry);
  model.log.push(from === null ? entry : { ...entry, from });
  return model.log.length - 1;
}

/**
 * The day from which a line counts on every day, where it would count on its own and then not on some later one; null for
 * all others.
 */
function countsFrom(model: Model, entry: Entry): string | null {
  const takes = entry.effect.does === "move" || entry.effect.does === "take";
  const later = model.log.map(({ date, from }) => from ?? date).filter((day) => day > entry.date);
  if (!takes || later.length === 0) return null;
  const days = [...new Set([entry.date, ...later])].sort();
  const longer = { ...model, log: [...model.log, entry] };
  const counted = days.map((day) => viewOf(longer, day).counted.has(model.log.length));
  const lost = counted.lastIndexOf(false);
  return lost > counted.indexOf(true) ? (days[lost + 1] ?? null) : null;
}
