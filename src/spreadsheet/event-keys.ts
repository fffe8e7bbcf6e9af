// What events are known by in later imports: their values, and which of those alike each is. Pure.
import { digestJson } from "../ledger/hash.ts";
import type { SheetRow } from "./understand.ts";

function digestOf(row: SheetRow): string {
  const values = [...row.fields]
    .map(([field, { value }]) => [field, value] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return digestJson([row.to, values]);
}

/** The key of an event. `counts` has how often its like came up before, and is moved on. */
export function keyOf(counts: Map<string, number>, row: SheetRow): string {
  const digest = digestOf(row);
  const count = (counts.get(digest) ?? 0) + 1;
  counts.set(digest, count);
  return `${digest}:${count}`;
}

/** The keys of all events of a file. */
export function keysIn(rows: readonly SheetRow[]): ReadonlySet<string> {
  const counts = new Map<string, number>();
  return new Set(rows.flatMap((row) => (row.to === "events" ? [keyOf(counts, row)] : [])));
}
