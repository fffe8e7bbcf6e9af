// The OCF id of each security at a moment of the export, and its first day. A partial operation ends a security in OCF
// and opens a balance under a new id; the service's security keeps its own. Pure bookkeeping.

/** A security's place in OCF. */
export interface Holding {
  /** The id of the security that is open now: the service's own, or the latest balance's. */
  readonly openId: string;
  /** The day of that security's issuance. */
  readonly since: string;
  /** The start of vesting in force; null where its issuance says it. */
  readonly vestingStart: string | null;
  /** Whether its issuance names vesting terms, so that transactions may name their conditions. */
  readonly hasTerms: boolean;
}

/** The later of two days. */
export function later(a: string, b: string): string {
  return a < b ? b : a;
}

/** Every security that the export has issued, by the service's id, and the days below which nothing may be dated. */
export class Holdings {
  readonly #holdings = new Map<string, Holding>();
  readonly #closed = new Set<string>();
  /** The last day of what an import brought of a security that is still open. */
  readonly #touched = new Map<string, string>();
  /** By class: the day of its last split, and the last day of anything on its stock. */
  readonly #splitDays = new Map<string, string>();
  readonly #lastSplits = new Map<string, string>();
  readonly #lastDays = new Map<string, string>();
  /** The first possible day of securities that a conversion of stock made. */
  readonly #firstDays = new Map<string, string>();
  /** By class: the first day of stock of it. */
  readonly #firstStock = new Map<string, string>();
  /** By class: the last day on which its price or its rights to convert changed. */
  readonly #termsDays = new Map<string, string>();
  /** By class or plan: the day of its last adjustment. */
  readonly #adjusted = new Map<string, string>();

  /** Where the security stands; one that came by import and was never touched stands under its own id since `date`. */
  of(id: string, date: string): Holding {
    const holding = this.#holdings.get(id) ?? { openId: id, since: date, vestingStart: null, hasTerms: true };
    const touched = this.#touched.get(id);
    return touched === undefined ? holding : { ...holding, since: later(holding.since, touched) };
  }

  /** Records what an import brought of a security: no later object may be dated before it. */
  touch(id: string, date: string): void {
    this.#touched.set(id, later(date, this.#touched.get(id) ?? date));
  }

  /** Records that the security, which is yet to be issued, must not be issued before this day. */
  setFirstDay(id: string, date: string): void {
    this.#firstDays.set(id, date);
  }

  /** The day before which the security must not be issued; null without one. */
  firstDayOf(id: string): string | null {
    return this.#firstDays.get(id) ?? null;
  }

  /** Records the security's current place; it is open, even if it ended before. */
  put(id: string, holding: Holding): void {
    this.#holdings.set(id, holding);
    this.#closed.delete(id);
  }

  /** Records that the export has ended the security for good. */
  close(id: string): void {
    this.#closed.add(id);
  }

  isClosed(id: string): boolean {
    return this.#closed.has(id);
  }

  /** The day of what happens to stock of a class: OCF applies by day, so nothing may slip before a split. */
  dayInClass(stockClassId: string | null, date: string): string {
    if (stockClassId === null) return date;
    const day = later(date, this.#splitDays.get(stockClassId) ?? date);
    this.#lastDays.set(stockClassId, later(day, this.#lastDays.get(stockClassId) ?? day));
    return day;
  }

  /** Records that stock of a class exists on a day. */
  noteStock(stockClassId: string | null, date: string): void {
    if (stockClassId === null) return;
    const first = this.#firstStock.get(stockClassId);
    if (first === undefined || date < first) this.#firstStock.set(stockClassId, date);
  }

  /** Whether a reader has seen stock of a class on a day or before it. */
  hasStockBy(stockClassId: string, date: string): boolean {
    const first = this.#firstStock.get(stockClassId);
    return first !== undefined && first <= date;
  }

  /** The day of a split: not before anything that was on the class's stock when it was recorded. */
  dayOfSplit(stockClassId: string, date: string, id: string): string {
    const day = later(date, this.#lastDays.get(stockClassId) ?? date);
    this.#lastSplits.set(stockClassId, id);
    this.#splitDays.set(stockClassId, day);
    this.#lastDays.set(stockClassId, day);
    return day;
  }

  /** The last split of a class; null where there was none. */
  lastSplitOf(stockClassId: string | null): string | null {
    return this.#lastSplits.get(stockClassId ?? "") ?? null;
  }

  /** The day of what changes terms of classes, splits and adjustments among each other: not before the last such one. */
  dayOfTerms(told: readonly { readonly stockClassId: string }[], date: string): string {
    const day = told.reduce(
      (latest, { stockClassId }) => later(latest, this.#termsDays.get(stockClassId) ?? date),
      date,
    );
    for (const { stockClassId } of told) this.#termsDays.set(stockClassId, day);
    return day;
  }

  /** The day of a new figure of a class or plan: figures count by day, the last one last. */
  dayOfAdjustment(id: string, date: string): string {
    const day = later(date, this.#adjusted.get(id) ?? date);
    this.#adjusted.set(id, day);
    return day;
  }
}
