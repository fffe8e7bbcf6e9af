// Blocks of entries whose order of recording differs from that of their days: the shortest runs, so that all entries
// outside of them are one plain replay.
import type { PlacedDay } from "./entry-store.ts";

/** The runs of a ledger. */
export class Blocks {
  readonly #days: ReadonlyMap<number, string>;
  readonly #ends: ReadonlySet<number> | null;
  /** Whether any entry stands at another place by its day. */
  readonly isAnyMoved: boolean;
  /** Whether any entry was recorded here, and by no import. */
  readonly isAnyMadeHere: boolean;

  /** `entries` are in the order of recording. */
  constructor(entries: Iterable<PlacedDay>) {
    const [places, days] = [[] as number[], [] as string[]];
    let [isRising, isAnyMadeHere] = [true, false];
    const facts = new Map<number, string>();
    const touched = new Map<string, string>();
    for (const entry of entries) {
      const last = days.at(-1);
      const { securityId: id, isImported, isIssuance, isFact } = entry;
      const on = id === null ? undefined : touched.get(id);
      const own = dayIn(entry, last);
      isAnyMadeHere ||= isImported === 0;
      // Its original goes out as it came: what was made here of the security later goes out after it.
      const day = isImported === 0 && isFact === 0 && on !== undefined && own < on ? on : own;
      if (isImported === 1 && id !== null && isIssuance === 0 && isFact === 0 && (on === undefined || on < day)) {
        touched.set(id, day);
      }
      if (day !== entry.effectiveDate) facts.set(entry.sequence, day);
      isRising &&= last === undefined || last <= day;
      places.push(entry.sequence);
      days.push(day);
    }
    this.isAnyMoved = !isRising;
    this.isAnyMadeHere = isAnyMadeHere;
    this.#days = facts;
    this.#ends = isRising ? null : endsOf(places, days);
  }

  /** The day by which an entry is placed. */
  dayOf({ sequence, effectiveDate }: Pick<PlacedDay, "sequence" | "effectiveDate">): string {
    return this.#days.get(sequence) ?? effectiveDate;
  }

  /** Whether all that is recorded later is dated no earlier than all until this place. */
  endsAt(sequence: number): boolean {
    return this.#ends === null || this.#ends.has(sequence);
  }
}

/**
 * A start or an event of vesting says when shares vest, whenever it is recorded, and moves no shares: it stays where it
 * was recorded, but before entries dated ahead of that day. Entries that only record a fact stay, too.
 */
function dayIn({ effectiveDate, recordedOn, isFact, recordOnly }: PlacedDay, last: string | undefined): string {
  if (recordOnly === 1) return last ?? effectiveDate;
  if (isFact === 0 || last === undefined) return effectiveDate;
  const place = last < recordedOn ? last : recordedOn;
  return effectiveDate < place ? place : effectiveDate;
}

function endsOf(places: readonly number[], days: readonly string[]): ReadonlySet<number> {
  const earliest: string[] = new Array(days.length);
  for (let at = days.length - 1; at >= 0; at--) {
    const [day, next] = [days[at] ?? "", earliest[at + 1]];
    earliest[at] = next === undefined || day < next ? day : next;
  }
  const ends = new Set<number>();
  let latest = "";
  let [length, isRising] = [0, true];
  for (const [at, day] of days.entries()) {
    isRising &&= length === 0 || day >= latest;
    length++;
    if (day > latest) latest = day;
    const next = earliest[at + 1];
    const place = places[at];
    // What goes against the order takes all of its last day along: stock that came in after a split, and what that
    // made.
    const isEnd = next === undefined || (isRising ? latest <= next : latest < next);
    if (place === undefined || !isEnd) continue;
    ends.add(place);
    [length, isRising] = [0, true];
  }
  return ends;
}
