// Limits of classes and plans over time, for validation and import: one that exceeds its limit at the end of a day of
// the package's history is reported once, until it is back under it. Within a day OCF may issue a balance before it
// ends the security that the balance is left of. Pure.
import type { CalendarDate } from "../../../kernel/date.ts";
import { type Decimal, ZERO } from "../../../kernel/numbers/decimal.ts";

/** Called with what exceeds its limit, by how much, and at the end of which day. */
export type TellExcess<T> = (what: T, excess: Decimal, date: CalendarDate) => void;

/** Keeps what was touched since the last day ended. */
export class Limits<T> {
  readonly #tell: TellExcess<T>;
  #touched = new Map<string, { readonly what: T; readonly excess: () => Decimal }>();
  /** The keys of those that exceeded their limit at the last check. */
  #over = new Set<string>();
  #date: CalendarDate = "";

  constructor(tell: TellExcess<T>) {
    this.#tell = tell;
  }

  /** Remembers what was seen so far; the function that it returns forgets what was seen since. */
  mark(): () => void {
    const [touched, over, date] = [new Map(this.#touched), new Set(this.#over), this.#date];
    return () => {
      this.#touched = new Map(touched);
      this.#over = new Set(over);
      this.#date = date;
    };
  }

  /** Looks at what was touched so far, when `date` begins a new day; what comes late counts to the day. */
  enterDay(date: CalendarDate): void {
    if (date <= this.#date) return;
    this.endDay();
    this.#date = date;
  }

  /** Notes that something moved that has a limit. `excess` says at the end of the day how far it is over that. */
  touch(key: string, what: T, excess: () => Decimal): void {
    this.#touched.set(key, { what, excess });
  }

  /** Looks at what was touched since the last day ended. */
  endDay(): void {
    for (const [key, { what, excess: excessOf }] of this.#touched) {
      const excess = excessOf();
      if (excess <= ZERO) this.#over.delete(key);
      else if (!this.#over.has(key)) {
        this.#over.add(key);
        this.#tell(what, excess, this.#date);
      }
    }
    this.#touched.clear();
  }
}
