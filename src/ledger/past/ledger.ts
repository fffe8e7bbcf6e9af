// A ledger as whoever looks at all its days walks it: twice, and only entries that count.
import type { CalendarDate } from "../../kernel/date.ts";
import type { initialState, StoredEntry } from "../replay/replay.ts";

/** An entry without what it says. */
export interface Mark {
  readonly type: string;
  readonly securityId: string | null;
  readonly effectiveDate: CalendarDate;
  /** The other securities that it names. */
  readonly others: readonly string[];
}

/** An organization's entries as they were recorded, without those that change no holding, and what they start from. */
export interface Ledger {
  /** Every class and plan, deleted ones too. */
  readonly classes: Parameters<typeof initialState>[0];
  readonly plans: Parameters<typeof initialState>[1];
  /** The class and plan adjustments. */
  readonly adjustments: readonly StoredEntry[];
  /** The classes of which it is counted how many securities hold each quantity; by default none. */
  readonly converting?: ReadonlySet<string>;
  marks(): Iterable<Mark>;
  entries(): Iterable<StoredEntry & { readonly sequence: number }>;
}
