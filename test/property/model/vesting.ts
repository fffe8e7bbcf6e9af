// Vesting follows the shares: each security has its list of parcels, by the terms as long as nothing was divided off,
// and of its own from then on. A list is what the ledger's order leaves; on a day, what later entries took is still
// there.
import { applyFacts, type Fact, scaled } from "./facts.ts";
import { asReceived, goOn, halt, held, later, multiply, putBack, sorted, vestedBy, vestedOn } from "./parcels.ts";
import { type Happenings, type Parcel, schedule, type Terms } from "./schedule.ts";
import type { Model } from "./state.ts";
import { ONE, type Units } from "./units.ts";

/** What a security's own parcels were when they became its own, and by what its waiting ones can still be dated. */
interface Own {
  readonly parcels: readonly Parcel[];
  readonly terms: number | null;
  readonly happenings: Happenings;
  /** The entry that made them so, and the vesting by the terms until then; null for what was made so. */
  readonly until: { readonly entry: number; readonly vesting: Vesting } | null;
}

export interface Vesting {
  /** The grant that the security came of; itself where it came of none. */
  readonly grant: number;
  /** The entry that made the security. */
  readonly since: number;
  /** Whether it was issued, not made of another. */
  readonly isGrant: boolean;
  /** What was granted, for a list by the terms. */
  granted: Units;
  readonly grantDate: string;
  terms: number | null;
  start: string;
  own: Own | null;
  facts: Fact[];
}

/** A list, what each entry took of it, and how many of those were exercised. */
export interface Run {
  readonly parcels: Parcel[];
  readonly taken: ReadonlyMap<number, readonly Parcel[]>;
  /** By entry: how many were exercised, vested and early, in the shares after the splits that followed. */
  readonly exercised: ReadonlyMap<number, { readonly vested: Units; readonly early: Units }>;
}

type Counts = (entry: number) => boolean;

/** Without terms or milestones all has vested, on whatever day it is asked for. */
const EVER = "0001-01-01";

/** Whether nothing says when the shares of a grant vest: they have vested. */
export function isPlain(model: Model, security: number): boolean {
  const { terms, isGrant } = model.vesting[security] ?? { terms: null, isGrant: false };
  return isGrant && terms === null && !model.milestones.some((each) => each.security === security && !each.isDeleted);
}

/** The list that the ledger's order leaves, on which operations are decided. */
export function standing(model: Model, security: number): Parcel[] {
  const vesting = vestingAt(model, security);
  const { parcels } = run(model, vesting);
  return isPlain(model, security) ? vestedOn(EVER, held(parcels)) : parcels;
}

/** What a security holds on a day, of which `counted` are the entries that count, and what was exercised until then. */
export function onDay(model: Model, security: number, counted: ReadonlySet<number>) {
  const counts = (entry: number) => counted.has(entry);
  const { own, ...now } = vestingAt(model, security);
  const vesting = own?.until && !counts(own.until.entry) ? own.until.vesting : { ...now, own };
  if (!counts(vesting.since)) return { list: [], kept: 0n, early: 0n };
  const { parcels, taken, exercised } = run(model, vesting, counts);
  let list = parcels;
  for (const [entry, parts] of taken) if (!counts(entry)) list = putBack(list, parts);
  let [kept, early] = [0n, 0n];
  for (const [entry, bought] of exercised) {
    if (!counts(entry)) continue;
    kept += bought.vested;
    early += bought.early;
  }
  return { list, kept, early };
}

/** The list by the terms, or of its own, after what happened; growth by entries that do not count is left out. */
export function run(model: Model, vesting: Vesting, counts: Counts = () => true): Run {
  return vesting.own ? runOwn(model, vesting, vesting.own, counts) : runByTerms(model, vesting, counts);
}

/** By the terms over what was granted and grew; a split multiplies what was taken too, and nothing unvests by it. */
function runByTerms(model: Model, vesting: Vesting, counts: Counts): Run {
  let facts: Fact[] = [];
  let quantity = vesting.granted;
  for (const fact of vesting.facts) {
    if (fact.is === "grown" && counts(fact.entry)) quantity += fact.after - fact.before;
    else if (fact.is === "split" && counts(fact.entry)) {
      const vested = vestedBy(applyFacts(byTerms(model, vesting, quantity), facts, model.rules).parcels, fact.date);
      facts = facts.map((each) => scaled(each, fact));
      quantity = fact.after + total(facts);
      const keeps = facts.some(({ is }) => is !== "started" && is !== "happened") && fact.before > 0n;
      const kept = ((vested * fact.after) / (fact.before * ONE)) * ONE;
      if (keeps) facts.push({ is: "kept", date: fact.date, quantity: kept });
    } else if (fact.is !== "grown" && fact.is !== "split") facts.push(fact);
  }
  return applyFacts(byTerms(model, vesting, quantity), facts, model.rules);
}

/** What entries took off a list. */
function total(facts: readonly Fact[]): Units {
  let sum = 0n;
  for (const fact of facts) if (fact.is === "cut" || fact.is === "exercised") sum += fact.quantity;
  return sum;
}

function byTerms(model: Model, vesting: Vesting, quantity: Units): Parcel[] {
  if (vesting.terms === null) return vestedOn(vesting.grantDate, quantity);
  return schedule(termsOf(model, vesting.terms), happeningsOf(vesting), quantity);
}

/** Its own parcels, one thing after the other. */
function runOwn(model: Model, vesting: Vesting, own: Own, counts: Counts): Run {
  const known = copyOf(own.happenings);
  const conditions = own.terms === null ? [] : termsOf(model, own.terms).conditions;
  const isEvent = (id: string | null) => conditions.some((each) => each.id === id && each.months === null);
  const taken = new Map<number, readonly Parcel[]>();
  let exercised: Run["exercised"] = new Map();
  let parcels = sorted(own.parcels);
  let last = parcels;
  for (const fact of vesting.facts) {
    if (parcels.length > 0) last = parcels;
    if (fact.is === "started" || fact.is === "happened") {
      note(known, fact);
      parcels = dateWaiting(model, own.terms, known, parcels);
    } else if (fact.is === "grown" || fact.is === "split") {
      if (!counts(fact.entry)) continue;
      if (fact.is === "split")
        exercised = new Map([...exercised].map(([entry, each]) => [entry, boughtAfter(each, fact)]));
      parcels = grow(parcels.length > 0 ? parcels : last, fact.after, vesting);
    } else if (fact.is === "ended" || fact.is === "returned") {
      if (!counts(fact.entry)) continue;
      if (fact.is === "returned") note(known, fact);
      parcels = fact.is === "ended" ? halt(parcels, fact.date, fact.on) : goOn(parcels, fact.date, isEvent);
    } else {
      const after = applyFacts(parcels, [fact], model.rules);
      parcels = after.parcels;
      for (const [entry, parts] of after.taken) taken.set(entry, parts);
      exercised = new Map([...exercised, ...after.exercised]);
    }
  }
  return { parcels, taken, exercised };
}

function boughtAfter({ vested, early }: { vested: Units; early: Units }, split: Extract<Fact, { is: "split" }>) {
  const count = (quantity: Units) => {
    const fact = scaled({ is: "kept", date: "", quantity }, split);
    return fact.is === "kept" ? fact.quantity : quantity;
  };
  return { vested: count(vested), early: count(early) };
}

function grow(parcels: readonly Parcel[], after: Units, { grantDate }: Vesting): Parcel[] {
  return held(parcels) === 0n ? vestedOn(grantDate, after) : multiply(parcels, after);
}

/** Makes the list the security's own on a day, from which on neither start nor terms bear on it. */
export function makeOwn(model: Model, security: number, day: string): void {
  const vesting = vestingAt(model, security);
  if (vesting.own) return;
  const { taken, exercised } = run(model, vesting);
  let { parcels } = run(model, vesting);
  for (const parts of [...taken.values()].toReversed()) parcels = putBack(parcels, parts);
  if (isPlain(model, security)) parcels = parcels.map((each) => ({ ...each, date: earlier(each.date ?? day, day) }));
  const facts = [...taken].map(([entry, parts]): Fact => {
    const bought = exercised.get(entry);
    if (!bought) return { is: "left", entry, parcels: parts };
    return {
      is: "exercised",
      entry,
      date: day,
      quantity: bought.vested + bought.early,
      early: bought.early,
      parcels: parts,
    };
  });
  const until = { entry: model.log.length, vesting: { ...vesting } };
  vesting.own = { parcels, terms: vesting.terms, happenings: happeningsOf(vesting), until };
  vesting.facts = facts;
}

const earlier = (a: string, b: string): string => (a < b ? a : b);

/** The vesting of what an operation made of a security: exactly what it got, its vested part on the day of that. */
export function received(source: Vesting, entry: number, taken: readonly Parcel[], date: string): Vesting {
  const parcels = asReceived(taken, date);
  const own: Own = { parcels, terms: source.own?.terms ?? source.terms, happenings: knownOf(source), until: null };
  const { grant, terms, start } = source;
  const made = { since: entry, isGrant: false, granted: held(parcels), grantDate: date, facts: [] };
  return { grant, terms, start, own, ...made };
}

function vestingAt(model: Model, security: number): Vesting {
  const found = model.vesting[security];
  if (!found) throw new Error(`the model has no vesting of ${security}`);
  return found;
}

/** What is known of starts and events from a security's facts. */
function happeningsOf({ start, facts }: Vesting): Happenings {
  return noteAll({ start, starts: new Map(), events: new Map() }, facts);
}

/** As {@link happeningsOf}, of a list of its own too. */
function knownOf(vesting: Vesting): Happenings {
  return vesting.own ? noteAll(copyOf(vesting.own.happenings), vesting.facts) : happeningsOf(vesting);
}

interface Known {
  start: string;
  starts: Map<string, string>;
  events: Map<string, readonly string[]>;
}

function copyOf({ start, starts, events }: Happenings): Known {
  return { start, starts: new Map(starts), events: new Map(events) };
}

function noteAll(known: Known, facts: readonly Fact[]): Known {
  for (const fact of facts) {
    if (fact.is === "started" || fact.is === "happened" || fact.is === "returned") note(known, fact);
  }
  return known;
}

function note(known: Known, fact: Extract<Fact, { is: "started" | "happened" | "returned" }>): void {
  if (fact.is === "returned") {
    const { on, date } = fact;
    known.start = later(known.start, on, date);
    for (const [condition, day] of known.starts) known.starts.set(condition, later(day, on, date));
  } else if (fact.is === "happened") {
    known.events.set(fact.condition, [...(known.events.get(fact.condition) ?? []), fact.date]);
  } else if (fact.condition === null) {
    known.start = fact.date;
    known.starts.clear();
  } else {
    known.starts.set(fact.condition, fact.date);
  }
}

/** Gives waiting tranches the day that the terms now say. */
function dateWaiting(model: Model, terms: number | null, known: Happenings, parcels: readonly Parcel[]): Parcel[] {
  if (terms === null) return [...parcels];
  const plan = schedule(termsOf(model, terms), known, 10n ** 30n);
  const days = new Map(plan.map((parcel) => [keyOf(parcel), parcel.date]));
  const dated = parcels.map((parcel) => {
    const waits = parcel.date === null && !parcel.halted && parcel.milestone === null && parcel.condition !== null;
    return waits ? { ...parcel, date: days.get(keyOf(parcel)) ?? null } : parcel;
  });
  return sorted(dated);
}

const keyOf = ({ condition, occurrence }: Parcel): string => `${condition} ${occurrence}`;

function termsOf(model: Model, index: number): Terms {
  const terms = model.terms[index];
  if (!terms) throw new Error(`the model has no terms ${index}`);
  return terms;
}
