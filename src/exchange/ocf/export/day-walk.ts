// The ledger in the order of days. A reader of OCF applies by date; the ledger goes by the order of recording, in which
// a split that was recorded later multiplies entries dated ahead of it. So the export goes from day to day, and after
// each entry the cap table is the view of that day: all entries that count by then, replayed in the order of recording.
// If dates and places go together, as nearly always, that is one plain replay.
import {
  type Decimal,
  formatDecimal,
  isDecimalText,
  parseDecimal,
  scale,
  ZERO,
} from "../../../kernel/numbers/decimal.ts";
import type { Members } from "../../../ledger/members.ts";
import { type LedgerEvent, readEntry } from "../../../ledger/replay/event.ts";
import { toDraft } from "../../../ledger/replay/replay.ts";
import type { LedgerState } from "../../../ledger/replay/state.ts";
import { Story } from "../../../ledger/replay/story.ts";
import { withheldOf } from "../../../ledger/rules/charges.ts";
import { PlanUses } from "../../../ledger/rules/plan-use.ts";
import type { Metadata, PlanState, SecurityState } from "../../../ledger/types.ts";
import type { VestingSubject } from "../../../ledger/vested/vesting-account.ts";
import { VestingBook } from "../../../ledger/vested/vesting-book.ts";
import type { Blocks } from "./day-blocks.ts";
import type { ExportedEntry } from "./entry-store.ts";
import { later } from "./holdings.ts";

/** What a replay has made of the entries so far. */
export interface Books {
  readonly state: LedgerState;
  readonly uses: PlanUses;
  readonly book: VestingBook;
}

/** The input of a walk. */
export interface WalkSource {
  /** In the order of recording. */
  readonly entries: Iterable<ExportedEntry>;
  readonly blocks: Blocks;
  /** The cap table before the first entry. */
  readonly initial: LedgerState;
  findSubject(id: string): VestingSubject | null;
}

/** What a split finds. */
export interface SplitBefore {
  readonly securities: ReadonlyMap<string, SecurityState>;
  readonly plans: ReadonlyMap<string, PlanState>;
}

/** An entry that was just applied. */
export interface Walked {
  /** With its place in the order of days as `sequence`. */
  readonly entry: ExportedEntry;
  /** Its place in the ledger. */
  readonly recordedAs: number;
  /** What it does, with figures in the shares of its day, and the entry that says so. */
  readonly event: LedgerEvent;
  /** The day from which it counts: its own, or that of what it builds on. */
  readonly day: string;
  /** The security that it names, before it. */
  readonly was: SecurityState | undefined;
  /** Of a split: the securities and plans before it; of an imported one those that it names. */
  readonly before: SplitBefore | null;
  /** The cap table after it. */
  readonly state: LedgerState;
}

/** An entry that only records something. */
export interface RecordOnly {
  readonly entry: ExportedEntry;
  readonly event: null;
}

interface Candidate {
  readonly entry: ExportedEntry;
  readonly event: LedgerEvent;
  readonly day: string;
}

/** Walks a ledger from day to day. */
export class DayWalk {
  readonly #source: WalkSource;
  #books: Books;

  constructor(source: WalkSource) {
    this.#source = source;
    const book = new VestingBook((id) => source.findSubject(id));
    this.#books = { state: source.initial, uses: new PlanUses(), book };
  }

  /** What the entries so far have made. */
  get books(): Books {
    return this.#books;
  }

  /** Every entry once. */
  *steps(): Generator<Walked | RecordOnly> {
    const { entries, blocks } = this.#source;
    let block: Candidate[] = [];
    for (const entry of entries) {
      const draft = toDraft(entry);
      if (draft === null || draft.recordOnly) yield { entry, event: null };
      else {
        const event = readEntry(draft, entry.sequence);
        block.push({ entry, event, day: later(blocks.dayOf(entry), event.day) });
      }
      if (!blocks.endsAt(entry.sequence)) continue;
      const [only] = block;
      if (block.length > 1) yield* this.#byDay(block);
      else if (only) yield this.#append(only);
      block = [];
    }
  }

  #append(candidate: Candidate): Walked {
    const before = this.#before(candidate);
    applyTo(this.#books, candidate);
    return { ...candidate, ...before, recordedAs: candidate.entry.sequence, state: this.#books.state };
  }

  #before({ entry, event }: Candidate): Pick<Walked, "was" | "before"> {
    const { securities, plans } = this.#books.state;
    const was = entry.securityId === null ? undefined : securities.get(entry.securityId);
    if (event.kind !== "split") return { was, before: null };
    const { securityIds, chargedSecurityIds } = event.split;
    if (entry.isImported === 0 || securityIds === null) {
      return { was, before: { securities: new Map(securities), plans: new Map(plans) } };
    }
    const named = [...securityIds, ...chargedSecurityIds].flatMap((id) => {
      const security = securities.get(id);
      return security ? [[id, security] as const] : [];
    });
    return { was, before: { securities: new Map(named), plans: new Map() } };
  }

  /** The entries of a block, whose days go against the order of recording. */
  *#byDay(block: readonly Candidate[]): Generator<Walked> {
    const view = new BlockView(block, this.#books);
    const places = block.map(({ entry }) => entry.sequence);
    let taken = 0;
    const walked = (candidate: Candidate, day: string, before: Pick<Walked, "was" | "before">): Walked => {
      const { state } = this.#books;
      const event = inSharesOf({ ...candidate, was: before.was, state });
      const entry = { ...candidate.entry, sequence: places[taken] ?? candidate.entry.sequence };
      taken++;
      return { entry, recordedAs: candidate.entry.sequence, event, day, ...before, state };
    };
    let waiting: Candidate[] = [];
    const tried = (candidate: Candidate, day: string): Walked | null => {
      const before = this.#before(candidate);
      const books = view.take(candidate, this.#books);
      if (books === null) return null;
      this.#books = books;
      waiting = waiting.filter((each) => each !== candidate);
      return walked(candidate, day, before);
    };
    const days = Map.groupBy(inDayOrder(block), ({ day }) => day);
    for (const [day, candidates] of days) {
      waiting.push(...candidates);
      for (let list = inPlace(waiting); list.length > 0; ) {
        let isAny = false;
        for (const candidate of list) {
          const step = view.counts(candidate) ? null : tried(candidate, day);
          isAny ||= step !== null;
          if (step !== null) yield step;
        }
        waiting = waiting.filter((each) => !view.counts(each));
        list = isAny ? inPlace(waiting) : [];
      }
    }
    for (const rest of inPlace(waiting)) {
      const before = this.#before(rest);
      this.#books = view.takeAll();
      yield walked(rest, days.keys().toArray().at(-1) ?? rest.day, before);
    }
  }
}

function inPlace(candidates: readonly Candidate[]): readonly Candidate[] {
  return [...candidates].sort((a, b) => a.entry.sequence - b.entry.sequence);
}

function inDayOrder(block: readonly Candidate[]): Candidate[] {
  const byPlace = (a: Candidate, b: Candidate) => a.entry.sequence - b.entry.sequence;
  return [...block].sort((a, b) => (a.day < b.day ? -1 : a.day > b.day ? 1 : byPlace(a, b)));
}

function storyOf({ state, uses, book }: Books): Story {
  return new Story(state, uses, book);
}

function applyTo(books: Books, { event }: Candidate): void {
  storyOf(books).take(event);
}

/** Which entries of a block count by now. */
class BlockView {
  readonly #block: readonly Candidate[];
  readonly #base: Books;
  readonly #counted = new Set<Candidate>();
  /** By what entries bear on: they do not go together in any order. */
  readonly #bearing: ReadonlyMap<string, readonly Candidate[]>;

  constructor(block: readonly Candidate[], base: Books) {
    this.#block = block;
    this.#base = copyOf(base);
    const bearing = new Map<string, Candidate[]>();
    for (const candidate of block) {
      for (const key of keysOf(candidate)) {
        const known = bearing.get(key);
        if (known) known.push(candidate);
        else bearing.set(key, [candidate]);
      }
    }
    this.#bearing = bearing;
  }

  counts(candidate: Candidate): boolean {
    return this.#counted.has(candidate);
  }

  /** Has an entry count, with what belongs to it; null where it lacks what it builds on. `now` is what counts so far. */
  take(candidate: Candidate, now: Books): Books | null {
    const taken = [candidate, ...this.#lateOf(candidate)];
    if (taken.length > 1 || this.#isOutOfPlace(candidate)) {
      for (const each of taken) this.#counted.add(each);
      const books = this.#replayed();
      if (books === null) for (const each of taken) this.#counted.delete(each);
      return books;
    }
    if (!storyOf(now).take(candidate.event)) return null;
    this.#counted.add(candidate);
    return now;
  }

  /** The result of the whole block: the ledger in its own order. */
  takeAll(): Books {
    const books = copyOf(this.#base);
    for (const each of this.#block) applyTo(books, each);
    return books;
  }

  /** What a split made here makes of stock that was imported after it: entries of their own, which no object states. */
  #lateOf({ entry, event }: Candidate): readonly Candidate[] {
    if (event.kind !== "split" || entry.isImported === 1) return [];
    return this.#block.filter((other) => {
      const { imported } = other.event.said;
      if (!imported.isLate || imported.objectId !== entry.id || this.#counted.has(other)) return false;
      const securityIds = other.event.kind === "split" ? other.event.split.securityIds : null;
      return this.#block.some((each) => isIssueOf(each, securityIds ?? []) && this.#counted.has(each));
    });
  }

  /** Whether what it bears on would be another by the order of recording than one after the other. */
  #isOutOfPlace(candidate: Candidate): boolean {
    const { sequence } = candidate.entry;
    const isAgainst = (other: Candidate) =>
      other.entry.sequence > sequence ? this.#counted.has(other) : other !== candidate && !this.#counted.has(other);
    const others = isWholeSplit(candidate) ? [this.#block] : this.#besides(candidate);
    return others.some((list) => list.some(isAgainst));
  }

  #besides(candidate: Candidate): readonly (readonly Candidate[])[] {
    return [...keysOf(candidate), WHOLE_SPLIT].map((key) => this.#bearing.get(key) ?? []);
  }

  /** All that counts, in the order of recording; null where any of it then lacks what it builds on. */
  #replayed(): Books | null {
    const books = copyOf(this.#base);
    const story = storyOf(books);
    for (const each of this.#block) {
      if (!this.#counted.has(each)) story.skip(each.event);
      else if (!story.take(each.event)) return null;
    }
    return books;
  }
}

function copyOf({ state, uses, book }: Books): Books {
  return { state: state.copy(), uses: uses.copy(), book: book.copy() };
}

/** The key of splits that concern all securities of a class. */
const WHOLE_SPLIT = "split";

function isWholeSplit({ event }: Candidate): boolean {
  return event.kind === "split" && event.split.securityIds === null;
}

function isIssueOf({ event }: Candidate, ids: readonly string[]): boolean {
  const made = event.kind === "issued" ? event.entry.securityId : event.said.newSecurityId;
  return made !== null && ids.includes(made);
}

function keysOf({ event }: Candidate): readonly string[] {
  if (event.kind === "split") {
    const { securityIds, chargedSecurityIds } = event.split;
    return securityIds === null ? [WHOLE_SPLIT] : [...securityIds, ...chargedSecurityIds];
  }
  const { stockClassId, equityPlanId, newSecurityId } = event.said;
  if (event.kind === "adjusted") return [stockClassId, equityPlanId].filter((id) => id !== null);
  return [event.entry.securityId, newSecurityId].filter((id) => id !== null);
}

/** An entry in the shares of the day from which it counts: splits recorded since may have multiplied what it says. */
function inSharesOf({ entry, event, was, state }: Candidate & Pick<Walked, "was" | "state">): LedgerEvent {
  const { kind, entry: draft } = event;
  if (draft.quantity === null || entry.isImported === 1 || kind === "edited" || kind === "fact") return event;
  const now = state.securities.get(draft.securityId ?? "");
  const figure = kind === "issued" ? now?.quantity : was && now && was.quantity - now.quantity;
  const said = parseDecimal(draft.quantity);
  if (figure === undefined || figure < ZERO || figure === said || said === ZERO) return event;
  const metadata = { ...draft.metadata, ...restated(event.said, { from: said, to: figure }) };
  return readEntry({ ...draft, quantity: formatDecimal(figure), metadata }, event.sequence);
}

/** What else an entry says in shares, or of one. */
function restated(said: Members, { from, to }: { readonly from: Decimal; readonly to: Decimal }): Metadata {
  const withheld = withheldOf(said);
  const { pricePerShare: price } = said;
  const isPriced = price !== null && isDecimalText(price) && to > ZERO;
  return {
    ...(withheld > ZERO ? { withheld: formatDecimal(scale(withheld, to, from)) } : {}),
    ...(isPriced ? { pricePerShare: formatDecimal(scale(parseDecimal(price), from, to)) } : {}),
  };
}
