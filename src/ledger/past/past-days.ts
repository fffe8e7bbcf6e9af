// Past days by versions: a ledger worked out so that the cap table of any day is looked up and not replayed. Families
// of securities have lines (family-past.ts); what entries change of classes and plans is summed by day; and the entries
// that set figures of these, which are few, are replayed for each day.
import { present } from "../../kernel/assert.ts";
import { type CalendarDate, dayNumber } from "../../kernel/date.ts";
import { Relief } from "../../kernel/gc-hints.ts";
import { END_OF_TIME } from "../../kernel/runtime.ts";
import { OneText } from "../../kernel/text/one-text.ts";
import { firstPlaceIn } from "../../kernel/text/search.ts";
import type { Reader } from "../../storage/database/sql.ts";
import { membersOf } from "../members.ts";
import { namedBy } from "../replay/counting.ts";
import { type LedgerEvent, readEntry, type SplitEvent } from "../replay/event.ts";
import { initialState, type StoredEntry, toDraft } from "../replay/replay.ts";
import { listEntriesOn } from "../replay/replay-store.ts";
import type { LedgerState } from "../replay/state.ts";
import { Story } from "../replay/story.ts";
import { PlanUses } from "../rules/plan-use.ts";
import type { EntryDraft } from "../types.ts";
import type { VestingSubject } from "../vested/vesting-account.ts";
import { loadVestingSubjects } from "../vested/vesting-view-store.ts";
import { DaySums } from "./day-sums.ts";
import { Families } from "./families.ts";
import {
  exercisedKey,
  type FamilyFacts,
  type FamilySink,
  followFamily,
  followLone,
  grantedKey,
  NEVER,
  type PastLine,
} from "./family-past.ts";
import { iterateEvery, listGrantedLater, type PlacedRow } from "./store.ts";
import { drawKey, issuedKey, namedKey } from "./tally.ts";

/** How many entries may be applied for it, besides one for each of the ledger: about a second's work. */
const APPLIED_MAX = 400_000;

/** Of rows that are kept, and of families, which are worked out one after the other and leave much behind. */
const ROWS_KEPT = { every: 20_000 };
const FAMILIES = { every: 4_000 };

type PastFacts = Omit<FamilyFacts, "splitsBefore">;

/** More new entries than these are sooner worked out with all others. */
const NEW_MAX = 2_000;

/** Where a past that goes on reads. */
interface PastSource {
  /** The entries after a place, in the order of recording. */
  entriesAfter(sequence: number): Iterable<PlacedRow>;
  /** All that name a security, likewise. */
  entriesOn(securityId: string): readonly PlacedRow[];
  factsOf(ids: readonly string[]): PastFacts;
}

/** The figures of classes and plans on a day. */
export interface PastFigures {
  readonly uses: PlanUses;
  /** Whether an entry that counts names a class or a plan. */
  isNamed(id: string): boolean;
}

/** Adds what entries change of plans, between the splits that move these. */
interface Segments {
  readonly plans: readonly string[];
  readonly day: CalendarDate;
  next: number;
}

/** Every past day of a ledger. */
export class PastDays {
  readonly #families = new Families();
  readonly #sums = new DaySums();
  #lines: PastLine[] = [];
  /** The days of each line, apart from the lines: a day looks through all of them. */
  #from: number[] = [];
  #until: number[] = [];
  readonly #settings: LedgerEvent[] = [];
  /** The adjustments that name the figure before an edit of the initial one. */
  readonly #initial: StoredEntry[] = [];
  readonly #splits: SplitEvent[] = [];
  /** The places of the splits that move plans. */
  readonly #planSplits: number[] = [];

  /** Works out a ledger of all entries, in the order of recording; null where that takes too long. */
  static of(entries: Iterable<PlacedRow>, facts: PastFacts): PastDays | null {
    const days = new PastDays();
    const rows = days.#take(entries);
    return days.#follow(rows, facts, days.#sink) ? days : null;
  }

  /**
   * Goes on with the entries after a place: what their families were is taken away, and what they are is put there
   * instead. False where all has to be worked out anew; then it is not to be used any more.
   */
  goOn({ entriesAfter, entriesOn, factsOf }: PastSource, after: number): boolean {
    const added: PlacedRow[] = [];
    for (const row of entriesAfter(after)) {
      if (row.type === "STOCK_SPLIT" || added.length === NEW_MAX) return false;
      added.push(row);
    }
    const ids = this.#families.membersOf(new Set(this.#take(added).keys()));
    this.#removeLines(new Set(ids));
    const facts = factsOf(ids);
    const rows = byFamily(new Map(ids.map((id) => [id, [...entriesOn(id)]])), this.#families);
    const before = Array.from(
      rows,
      ([family, own]) => [family, own.filter(({ sequence }) => sequence <= after)] as const,
    );
    const known = new Map(before.filter(([, own]) => own.length > 0));
    return this.#follow(known, facts, this.#takingAway) && this.#follow(rows, facts, this.#sink);
  }

  #removeLines(ids: ReadonlySet<string>): void {
    const [lines, from, until] = [this.#lines, this.#from, this.#until];
    const isKept = (_of: unknown, at: number) => !ids.has(lines[at]?.id ?? "");
    [this.#lines, this.#from, this.#until] = [lines.filter(isKept), from.filter(isKept), until.filter(isKept)];
  }

  /** The securities that were open on a day, in no order. */
  linesOn(day: CalendarDate): readonly PastLine[] {
    const [from, until, number] = [this.#from, this.#until, dayNumber(day)];
    return this.#lines.filter((_line, at) => (from[at] ?? NEVER) <= number && number < (until[at] ?? 0));
  }

  /** Starting figures of classes and plans, before the first entry. */
  stateBefore(classes: Parameters<typeof initialState>[0], plans: Parameters<typeof initialState>[1]): LedgerState {
    return initialState(classes, plans, this.#initial);
  }

  /** Brings classes and plans from before the first entry to a day. */
  bringTo(day: CalendarDate, state: LedgerState): PastFigures {
    const uses = new PlanUses();
    const story = new Story(state, uses);
    const segments: Segments = { plans: [...state.plans.keys()], day, next: 0 };
    for (const event of this.#settings) {
      const isPlanSplit = event.sequence === this.#planSplits[segments.next];
      if (isPlanSplit) this.#addSegment(segments, state, uses);
      if (event.day <= day) story.take(event);
    }
    this.#addSegment(segments, state, uses);
    for (const [id, stockClass] of state.classes) {
      state.classes.set(id, { ...stockClass, issued: this.#sums.at(issuedKey(id), day) });
    }
    return { uses, isNamed: (id) => this.#sums.at(namedKey(id), day) > 0n };
  }

  #addSegment(segments: Segments, state: LedgerState, uses: PlanUses): void {
    const { plans, day, next } = segments;
    for (const id of plans) {
      const of = (key: string) => this.#sums.at(key, day);
      state.addAvailable(id, of(drawKey(id, next)));
      uses.add(id, { granted: of(grantedKey(id, next)), exercised: of(exercisedKey(id, next)) });
    }
    segments.next++;
  }

  /** Takes entries on no security; the rows of the others, by family. */
  #take(all: Iterable<PlacedRow>): Map<string, PlacedRow[]> {
    const families = this.#families;
    const bySecurity = new Map<string, PlacedRow[]>();
    const one = this.#one;
    const relief = new Relief(ROWS_KEPT);
    for (const row of all) {
      relief.row();
      const { securityId } = row;
      if (securityId === null) {
        this.#takeLone(eventOf(row), row);
        continue;
      }
      for (const other of namedIn(row)) families.join(securityId, other);
      const rows = bySecurity.get(securityId) ?? [];
      bySecurity.set(securityId, rows);
      rows.push(one.ofRow(row, ["type", "stakeholderId", "effectiveDate"]));
    }
    return byFamily(bySecurity, families);
  }

  #takeLone(event: LedgerEvent, row: PlacedRow): void {
    const { sequence, said, day } = event;
    const isSetting = event.kind === "adjusted" && !said.imported.hasEffect;
    if (event.kind !== "split" && !isSetting) {
      followLone(event, { splitsBefore: (place) => this.#splitsBefore(place) }, this.#sink);
      return;
    }
    for (const id of namedBy(said)) this.#sums.add(namedKey(id), day, 1n);
    if (event.kind === "split") {
      const { isStockOnly, equityPlanIds } = event.split;
      this.#splits.push(event);
      if (equityPlanIds.length > 0) this.#planSplits.push(sequence);
      if (isStockOnly && equityPlanIds.length === 0) return;
    } else if (said.initialFigure.before !== null) this.#initial.push(row);
    this.#settings.push(event);
  }

  readonly #one = new OneText();
  readonly #sink: FamilySink = {
    line: (line, { from, until }) => {
      this.#lines.push(this.#one.ofRow(line, ["stakeholderId", "stockClassId", "equityPlanId"]));
      this.#from.push(from);
      this.#until.push(until);
    },
    amount: (key, day, difference) => this.#sums.add(key, day, difference),
  };

  /** Its lines are removed otherwise. */
  readonly #takingAway: FamilySink = {
    line: () => undefined,
    amount: (key, day, difference) => this.#sums.add(key, day, -difference),
  };

  #splitsBefore(sequence: number): number {
    return firstPlaceIn(this.#planSplits, (place) => place >= sequence);
  }

  #follow(rows: Map<string, PlacedRow[]>, known: PastFacts, sink: FamilySink): boolean {
    const facts: FamilyFacts = { ...known, splitsBefore: (sequence) => this.#splitsBefore(sequence) };
    const relief = new Relief(FAMILIES);
    let left = APPLIED_MAX;
    for (const [family, own] of rows) {
      rows.delete(family);
      relief.row();
      const entries = own.map(eventOf);
      const first = own[0]?.sequence ?? 0;
      const splits = this.#splits.slice(firstPlaceIn(this.#splits, ({ sequence }) => sequence > first));
      const work = followFamily({ entries, splits }, facts, { sink, most: left + own.length });
      if (work === null) return false;
      left -= work - own.length;
    }
    return true;
  }
}

/** Works out an organization's ledger by all that is known; null where that takes too long. In a snapshot. */
export function readPastDays(db: Reader, orgId: string): PastDays | null {
  return PastDays.of(iterateEvery(db, orgId, 0), loadPastFacts(db, orgId));
}

/** Where the past of an organization reads to go on. The caller holds a snapshot. */
export function pastSource(db: Reader, orgId: string): PastSource {
  return {
    entriesAfter: (sequence) => iterateEvery(db, orgId, sequence),
    entriesOn: (id) => listEntriesOn(db, orgId, id),
    factsOf: (ids) => loadPastFacts(db, orgId, ids),
  };
}

/** What the past of an organization, or that of some securities, follows from besides its entries. */
export function loadPastFacts(db: Reader, orgId: string, ids: readonly string[] | null = null): PastFacts {
  const known = { asOf: LAST, at: END_OF_TIME, sequence: Number.MAX_SAFE_INTEGER };
  const subjects = loadVestingSubjects(db, orgId, known, { ids });
  const later = new Map(listGrantedLater(db, orgId, ids).map((row) => [row.id, { ...PLAIN, ...row }]));
  return {
    subjectOn(id, asOf) {
      const subject = later.get(id);
      return subjects.get(id) ?? (subject !== undefined && subject.grantDate > asOf ? subject : null);
    },
    daysOf(id) {
      const grantDate = subjects.has(id) ? undefined : later.get(id)?.grantDate;
      return grantDate === undefined ? [] : [grantDate];
    },
  };
}

/** A day after all. */
const LAST: CalendarDate = "9999-12-31";

/** Stock with nothing to vest but its grant. */
const PLAIN = {
  vestingTermsId: null,
  rules: null,
  vestings: null,
  milestones: [],
} as const satisfies Partial<VestingSubject>;

function eventOf(row: PlacedRow): LedgerEvent {
  return readEntry(draftOf(row), row.sequence);
}

function draftOf(row: StoredEntry): EntryDraft {
  return present(toDraft(row), `the meaning of a ${row.type}`);
}

/** The other securities that an entry names. Most name none, and their members are read only once. */
function namedIn(row: PlacedRow): readonly string[] {
  if (!/SecurityIds?"/.test(row.metadata ?? "")) return [];
  const { newSecurityId, balanceSecurityId, resultingSecurityIds, originSecurityId } = membersOf(draftOf(row));
  return [newSecurityId, balanceSecurityId, originSecurityId, ...resultingSecurityIds].filter((id) => id !== null);
}

/** The rows of each family, in the order of recording. */
function byFamily(bySecurity: Map<string, PlacedRow[]>, families: Families): Map<string, PlacedRow[]> {
  const rows = new Map<string, PlacedRow[]>();
  for (const [id, own] of bySecurity) {
    const family = families.of(id);
    const others = rows.get(family);
    if (others) others.push(...own);
    else rows.set(family, own);
  }
  for (const own of rows.values()) own.sort((a, b) => a.sequence - b.sequence);
  return rows;
}
