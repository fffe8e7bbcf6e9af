// Keys of events, for later imports: their values, and which of equal ones each is. Pure.
import { digestJson } from "../../../ledger/hash.ts";
import type { SheetRow } from "./understand.ts";

/** The keys of the events of a file. */
export class EventKeys {
  readonly #byRow = new Map<SheetRow, string>();
  readonly #all = new Set<string>();

  /** `rows` are the events of a file. */
  take(rows: readonly SheetRow[]): void {
    const counts = new Map<string, number>();
    for (const row of rows.filter(({ to }) => to === "events")) {
      const digest = digestOf(row);
      const count = (counts.get(digest) ?? 0) + 1;
      counts.set(digest, count);
      this.#byRow.set(row, `${digest}:${count}`);
      this.#all.add(`${digest}:${count}`);
    }
  }

  /** The key of an event of the file. */
  of(row: SheetRow): string {
    return this.#byRow.get(row) ?? `${digestOf(row)}:1`;
  }

  /** Whether an event of the file has this key. */
  has(key: string): boolean {
    return this.#all.has(key);
  }
}

function digestOf(row: SheetRow): string {
  const values = [...row.fields]
    .map(([field, { value }]) => [field, value] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  return digestJson([row.to, values]);
}
