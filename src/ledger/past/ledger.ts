// The ledger as input for a pass over all past days: read twice, counting entries only.
import type { CalendarDate } from "../../kernel/date.ts";
import type { initialState, StoredEntry } from "../replay/replay.ts";

/** An entry without its members. */
export interface Mark {
  readonly type: string;
  readonly securityId: string | null;
  readonly effectiveDate: CalendarDate;
  /** The other securities that it names. */
  readonly others: readonly string[];
}

/**
 * An organization's entries in the order of recording, without those that change no holding, and their starting
 * figures.
 */
export interface Ledger {
  /** Every class and plan, deleted ones too. */
  readonly classes: Parameters<typeof initialState>[0];
  readonly plans: Parameters<typeof initialState>[1];
  /** The class and plan adjustments. */
  readonly adjustments: readonly StoredEntry[];
  /** The classes whose securities are counted by quantity; by default none. */
  readonly converting?: ReadonlySet<string>;
  marks(): Iterable<Mark>;
  entries(): Iterable<StoredEntry & { readonly sequence: number }>;
}
