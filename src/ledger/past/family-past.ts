// The past of one family: what each of its securities was on every day, and what its entries changed of classes and
// plans, as views of those days have it. A family recorded in the order of its days is replayed once: its entries up to
// a day are its first ones. Any other is replayed for each of its days. Either way the story applies the entries. Pure.
import { type CalendarDate, dayNumber } from "../../kernel/date.ts";
import { type Decimal, ONE, ZERO } from "../../kernel/numbers/decimal.ts";
import { countOn, namedBy } from "../replay/counting.ts";
import type { LedgerEvent, SplitEvent } from "../replay/event.ts";
import { FamilyState } from "../replay/family-state.ts";
import type { LedgerState } from "../replay/state.ts";
import { type Listener, Story } from "../replay/story.ts";
import { PlanUses } from "../rules/plan-use.ts";
import type { SecurityState } from "../types.ts";
import { courseFrom, type VestingSubject } from "../vested/vesting-account.ts";
import { VestingBook } from "../vested/vesting-book.ts";
import { saysWhen } from "../vested/vesting-stops.ts";
import type { Course } from "../vesting/parcels.ts";
import { type Amounts, addTo, differenceOf, drawKey, issuedKey, namedKey } from "./tally.ts";

/** An open security, as views of some days have it. */
export interface PastLine
  extends Pick<SecurityState, "id" | "type" | "stakeholderId" | "stockClassId" | "equityPlanId" | "quantity"> {
  /** The place in the ledger of the entry that made it. */
  readonly made: number;
  /** What of it has not vested on any of the days; null where nothing of it waits. */
  readonly course: Course | null;
}

/** Numbers of days: the first one, and that after the last. */
export interface LineSpan {
  readonly from: number;
  readonly until: number;
}

/** The number of a day after all. */
export const NEVER = 2 ** 30;

/** The keys of a plan's use, but for what its splits multiply, after the ledger's first so many of those. */
export const grantedKey = (equityPlanId: string, splits: number) => `granted ${splits} ${equityPlanId}`;
export const exercisedKey = (equityPlanId: string, splits: number) => `exercised ${splits} ${equityPlanId}`;

/** What a family's past follows from, besides its entries. */
export interface FamilyFacts {
  /** How a security vests, as the view of a day reads it; null for stock that has vested with its grant by then. */
  subjectOn(id: string, asOf: CalendarDate): VestingSubject | null;
  /** The days on which that changes for a security. */
  daysOf(id: string): readonly CalendarDate[];
  /** How many splits that move plans the ledger has before a place. */
  splitsBefore(sequence: number): number;
}

/** A family's entries, and the splits recorded since the first of them. */
export interface FamilyEntries {
  readonly entries: readonly LedgerEvent[];
  readonly splits: readonly SplitEvent[];
}

/** What is made of them. */
export interface FamilySink {
  line(line: PastLine, span: LineSpan): void;
  /** What an amount of classes or plans changes by from a day on. */
  amount(key: string, day: CalendarDate, difference: Decimal): void;
}

/**
 * Works out the past of a family; how many entries were applied for it. Null where that would be more than `most`: then
 * nothing was done.
 */
export function followFamily(
  { entries, splits }: FamilyEntries,
  facts: FamilyFacts,
  { sink, most }: { readonly sink: FamilySink; readonly most: number },
): number | null {
  const ids = new Set(entries.flatMap(({ entry, said }) => [entry.securityId ?? "", said.newSecurityId ?? ""]));
  const changes = [...ids].flatMap((id) => facts.daysOf(id));
  const events = merged(entries, splits);
  if (changes.length === 0 && isInOrder(events)) {
    const concerning = events.filter((event) => event.kind !== "split" || mayConcern(event, ids));
    if (concerning.length > most) return null;
    followOnce(concerning, facts, sink);
    return concerning.length;
  }
  const days = daysOf(events, changes);
  const work = days.length * events.length;
  if (work > most) return null;
  followEachDay(events, days, facts, sink);
  return work;
}

/** In the order of recording, in which both are. */
function merged(entries: readonly LedgerEvent[], splits: readonly SplitEvent[]): readonly LedgerEvent[] {
  if (splits.length === 0) return entries;
  const events: LedgerEvent[] = [];
  let next = 0;
  for (const event of entries) {
    for (let split = splits[next]; split && split.sequence < event.sequence; split = splits[++next]) events.push(split);
    events.push(event);
  }
  return [...events, ...splits.slice(next)];
}

/** An imported split comes in many pieces, of which each names its securities. */
function mayConcern({ split }: SplitEvent, ids: ReadonlySet<string>): boolean {
  const { securityIds, chargedSecurityIds, isStockOnly } = split;
  if (securityIds === null || !isStockOnly) return true;
  return securityIds.some((id) => ids.has(id)) || chargedSecurityIds.some((id) => ids.has(id));
}

/** The days from which views of the family are others than before, first to last. */
function daysOf(events: readonly LedgerEvent[], changes: readonly CalendarDate[]): readonly CalendarDate[] {
  const timely = events.flatMap((event) => (saysWhen(event) ? [] : [event.day]));
  return [...new Set([...timely, ...changes])].sort();
}

/** Whether the entries that views count by their days were recorded in the order of these. */
function isInOrder(events: readonly LedgerEvent[]): boolean {
  let last: CalendarDate = "";
  for (const event of events) {
    if (saysWhen(event)) continue;
    if (event.day < last) return false;
    last = event.day;
  }
  return true;
}

/** Sums what entries change of classes and plans; splits of plans are left to those who have the whole of these. */
class Gains implements Listener {
  readonly amounts: Amounts = new Map();
  readonly #splitsBefore: FamilyFacts["splitsBefore"];

  constructor({ splitsBefore }: Pick<FamilyFacts, "splitsBefore">) {
    this.#splitsBefore = splitsBefore;
  }

  follow(event: LedgerEvent, state: LedgerState): void {
    const { classes, plans } = state.before;
    for (const [id, { issued }] of classes) addTo(this.amounts, issuedKey(id), state.stockClass(id).issued - issued);
    if (event.kind === "split") return;
    const splits = this.#splitsBefore(event.sequence);
    for (const [id, { available }] of plans) {
      addTo(this.amounts, drawKey(id, splits), state.plan(id).available - available);
    }
    const uses = new PlanUses();
    uses.follow(event, state);
    for (const [id, { granted, exercised }] of uses.all) {
      addTo(this.amounts, grantedKey(id, splits), granted);
      addTo(this.amounts, exercisedKey(id, splits), exercised);
    }
  }

  /** What was summed since the last call. */
  *take(): Generator<readonly [key: string, difference: Decimal]> {
    yield* this.amounts;
    this.amounts.clear();
  }
}

/** What an entry on no security, other than a split, changes of classes and plans, from its day on. */
export function followLone(event: LedgerEvent, facts: Pick<FamilyFacts, "splitsBefore">, sink: FamilySink): void {
  const gains = new Gains(facts);
  new Story(new FamilyState(), gains).take(event);
  for (const [key, difference] of gains.take()) sink.amount(key, event.day, difference);
  for (const id of namedBy(event.said)) sink.amount(namedKey(id), event.day, ONE);
}

/** What a security was from a day on. */
interface Version {
  readonly day: CalendarDate;
  readonly state: SecurityState;
  /** How it vests by then; null where nothing of it waits. */
  readonly book: VestingBook | null;
}

/** A security's versions, by their days. */
interface Versions {
  readonly made: number;
  readonly day: CalendarDate;
  readonly list: Version[];
}

/** One replay: the entries up to a day are the first ones, and what follows of when shares vest holds for all days. */
function followOnce(events: readonly LedgerEvent[], facts: FamilyFacts, sink: FamilySink): void {
  const state = new FamilyState();
  const book = new VestingBook((id) => facts.subjectOn(id, LAST));
  const gains = new Gains(facts);
  const story = new Story(state, book, gains);
  const versions = new Map<string, Versions>();
  const touched = new Set<string>();
  let day: CalendarDate = "";
  const keep = () => {
    for (const id of touched) versions.get(id)?.list.push({ day, state: state.security(id), book: book.apart(id) });
    touched.clear();
  };
  for (const event of events) {
    const { entry, sequence, said } = event;
    const isTimeless = saysWhen(event);
    if (!isTimeless && event.day > day) {
      keep();
      day = event.day;
    }
    if (!story.take(event)) continue;
    const own = versions.get(entry.securityId ?? "");
    if (isTimeless) for (const { book: then } of own?.list ?? []) then?.follow(event, state);
    for (const id of state.before.securities.keys()) {
      if (!versions.has(id)) versions.set(id, { made: sequence, day, list: [] });
      touched.add(id);
    }
    if (!isTimeless && own) touched.add(entry.securityId ?? "");
    const since = isTimeless && own && own.day > event.day ? own.day : event.day;
    for (const [key, difference] of gains.take()) sink.amount(key, since, difference);
    if (event.kind !== "split") for (const id of namedBy(said)) sink.amount(namedKey(id), since, ONE);
  }
  keep();
  for (const { made, list } of versions.values()) {
    for (const [at, version] of list.entries()) tellLine(version, list[at + 1]?.day, made, sink);
  }
}

/** A day after all. */
const LAST: CalendarDate = "9999-12-31";

/** The line of a version, if it was open, until the day of the next one. */
function tellLine({ day, state, book }: Version, next: CalendarDate | undefined, made: number, sink: FamilySink): void {
  const { id, type, status, stakeholderId, stockClassId, equityPlanId, quantity } = state;
  if (status !== "ACTIVE" || quantity <= ZERO) return;
  const vesting = type === "CONVERTIBLE" ? null : (book?.of(id) ?? null);
  const course = vesting && courseFrom(vesting, { from: day, until: next ?? null });
  const span = { from: dayNumber(day), until: next === undefined ? NEVER : dayNumber(next) };
  sink.line({ id, type, stakeholderId, stockClassId, equityPlanId, quantity, made, course }, span);
}

/** Notes which entry made each security. */
class Makers implements Listener {
  readonly made = new Map<string, number>();

  follow({ sequence }: LedgerEvent, { before }: LedgerState): void {
    for (const [id, was] of before.securities) if (was === undefined) this.made.set(id, sequence);
  }
}

/** A replay for each day on which anything of it changes. */
function followEachDay(
  events: readonly LedgerEvent[],
  days: readonly CalendarDate[],
  facts: FamilyFacts,
  sink: FamilySink,
): void {
  let before: Amounts = new Map();
  for (const [at, asOf] of days.entries()) {
    const { state, book, makers, amounts } = replayOn(asOf, events, facts);
    for (const [key, difference] of differenceOf(before, amounts)) sink.amount(key, asOf, difference);
    before = amounts;
    const next = days[at + 1];
    for (const security of state.securities.values()) {
      const made = makers.made.get(security.id) ?? 0;
      tellLine({ day: asOf, state: security, book }, next, made, sink);
    }
  }
}

function replayOn(asOf: CalendarDate, events: readonly LedgerEvent[], facts: FamilyFacts) {
  const state = new FamilyState();
  const book = new VestingBook((id) => facts.subjectOn(id, asOf));
  const [gains, makers] = [new Gains(facts), new Makers()];
  const { amounts } = gains;
  const story = new Story(state, book, gains, makers);
  for (const event of events) {
    if (!countOn(asOf, story, event) || event.day > asOf || event.kind === "split") continue;
    for (const id of namedBy(event.said)) addTo(amounts, namedKey(id), ONE);
  }
  return { state, book, makers, amounts };
}
