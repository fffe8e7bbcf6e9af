// The order in which transactions apply, for import and validation alike: by date, then as the package lists them, but
// never before what they build on. A transaction follows the issuances of the securities that it acts on, and its
// results are issued after it: so that shares never stand in two places on the way. (An export lists imported objects,
// in the order of import, then the ledger's entries as they were recorded: exchange/ocf/export/package-files.ts.) Pure.
import type { CalendarDate } from "../../../kernel/date.ts";
import { textOf } from "../json.ts";
import type { StoryEvent } from "./story-event.ts";

type Orderable = Pick<StoryEvent, "kind" | "type" | "value" | "day" | "sources" | "makes">;

/** A package's transactions in their order. */
export interface LedgerOrder<T> {
  readonly transactions: readonly T[];
  /** The issuance of each security; the first of several. */
  readonly issuances: ReadonlyMap<string, T>;
}

const YIELD_EVERY = 1000;
const NO_MAKERS: readonly number[] = [];

/** Puts transactions, which are given as the package lists them, into the order of their application. */
export function* inLedgerOrder<T extends Orderable>(items: readonly T[]): Generator<void, LedgerOrder<T>> {
  const dated = items.map((item, position) => ({ item, position, date: item.day }));
  dated.sort((a, b) => compare(a.date, b.date) || a.position - b.position);
  yield;
  const links = yield* linksOf(dated);
  const pulled = pulledForward(dated, links);
  const queue = new DependencyQueue(links, dated);
  for (const place of dated.keys()) {
    if (place % YIELD_EVERY === 0) yield;
    for (const earlier of pulled.get(place) ?? []) queue.take(earlier);
    queue.take(place);
  }
  yield* queue.breakCycles();
  const itemAt = (place: number) => (dated[place] as Dated<T>).item;
  return {
    transactions: queue.out.map(itemAt),
    issuances: new Map([...links.issuedAt].map(([id, place]) => [id, itemAt(place)])),
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

interface Dated<T = Orderable> {
  readonly item: T;
  readonly position: number;
  /** Empty where the transaction has none. */
  readonly date: CalendarDate;
}

/** The dependencies between transactions; all numbers are places in the list by date. */
interface Links {
  /** The first issuance of each security. */
  readonly issuedAt: ReadonlyMap<string, number>;
  /** The transactions that name a security as result or balance. */
  readonly madeAt: ReadonlyMap<string, readonly number[]>;
  /** The splits of each class. */
  readonly splitAt: ReadonlyMap<string, readonly number[]>;
}

function* linksOf(dated: readonly Dated[]): Generator<void, Links> {
  const issuedAt = new Map<string, number>();
  const madeAt = new Map<string, number[]>();
  const splitAt = new Map<string, number[]>();
  const add = (places: Map<string, number[]>, id: string, place: number) => {
    const known = places.get(id);
    if (known) known.push(place);
    else places.set(id, [place]);
  };
  for (const [place, { item }] of dated.entries()) {
    if (place % YIELD_EVERY === 0) yield;
    const { kind, value, makes } = item;
    if (kind === "ISSUANCE") {
      const id = textOf(value, "security_id");
      if (id !== null && !issuedAt.has(id)) issuedAt.set(id, place);
    } else for (const id of makes) add(madeAt, id, place);
    if (kind === "SPLIT") add(splitAt, textOf(value, "stock_class_id") ?? "", place);
  }
  return { issuedAt, madeAt, splitAt };
}

/**
 * Transactions that a package lists after what they make, on the same day, with a split of its class between: what they
 * make is split, so it keeps its place, and they come before it. By that place.
 */
function pulledForward(dated: readonly Dated[], { issuedAt, madeAt, splitAt }: Links): Map<number, number[]> {
  const pulled = new Map<number, number[]>();
  if (splitAt.size === 0) return pulled;
  for (const [id, places] of madeAt) {
    const at = issuedAt.get(id);
    const issuance = at === undefined ? undefined : dated[at];
    const splits = splitAt.get(textOf(issuance?.item.value ?? {}, "stock_class_id") ?? "");
    if (at === undefined || !splits) continue;
    for (const place of places) {
      const isBetween = splits.some((split) => at < split && split < place && dated[split]?.date === issuance?.date);
      if (isBetween && dated[place]?.date === issuance?.date) pulled.set(at, [...(pulled.get(at) ?? []), place]);
    }
  }
  return pulled;
}

/** One that waits, and how many of those that it waits for are known to be through. */
interface Frame {
  readonly place: number;
  readonly waits: readonly number[];
  met: number;
}

/** Releases transactions in turn, once all that they wait for is released; a waiting one comes right after. */
class DependencyQueue {
  readonly out: number[] = [];
  readonly #links: Links;
  readonly #dated: readonly Dated[];
  readonly #isTaken: Uint8Array;
  readonly #isOut: Uint8Array;
  /** Of those that wait: for how many, and by what they wait for who does. */
  readonly #missing = new Map<number, number>();
  readonly #waiting = new Map<number, number[]>();

  constructor(links: Links, dated: readonly Dated[]) {
    this.#links = links;
    this.#dated = dated;
    this.#isTaken = new Uint8Array(dated.length);
    this.#isOut = new Uint8Array(dated.length);
  }

  /** Takes up one; a second time it has no effect. */
  take(place: number): void {
    if (this.#isTaken[place]) return;
    this.#isTaken[place] = 1;
    const missing = this.#unmet(place);
    if (missing.length === 0) {
      this.#release(place);
      return;
    }
    this.#missing.set(place, missing.length);
    for (const other of missing) {
      const waiting = this.#waiting.get(other);
      if (waiting) waiting.push(place);
      else this.#waiting.set(other, [place]);
    }
  }

  /**
   * A circle of transactions that wait for each other is broken at an issuance that does not wait: the package
   * contradicts itself.
   */
  *breakCycles(): Generator<void> {
    let steps = 0;
    for (const first of [...this.#missing.keys()].sort((a, b) => a - b)) {
      const path: Frame[] = [];
      const depth = new Map<number, number>();
      const enter = (place: number) => depth.set(place, path.push({ place, waits: this.#waitsFor(place), met: 0 }) - 1);
      const leaveFrom = (at: number) => {
        for (const { place } of path.splice(at)) depth.delete(place);
      };
      enter(first);
      for (let top = path.at(-1); top; top = path.at(-1)) {
        if (++steps % YIELD_EVERY === 0) yield;
        const next = this.#nextUnmet(top);
        const start = next === undefined ? undefined : depth.get(next);
        if (next === undefined) leaveFrom(path.length - 1);
        else if (start === undefined) enter(next);
        else leaveFrom(this.#freeOne(path, start));
      }
    }
  }

  #nextUnmet(frame: Frame): number | undefined {
    if (this.#isOut[frame.place]) return undefined;
    while (frame.met < frame.waits.length && this.#isOut[frame.waits[frame.met] ?? 0]) frame.met++;
    return frame.waits[frame.met];
  }

  /** Lets the first issuance of a circle through, the path from `start` on; says where on the path it was. */
  #freeOne(path: readonly Frame[], start: number): number {
    const isIssuance = ({ place }: Frame) => this.#dated[place]?.item.kind === "ISSUANCE";
    const places = path
      .slice(start)
      .filter(isIssuance)
      .map(({ place }) => place);
    const first = places.reduce((least, place) => Math.min(least, place));
    this.#release(first);
    return path.findIndex(({ place }) => place === first);
  }

  /** Releases one, and right after it those that waited for it alone, and so on. */
  #release(place: number): void {
    const ready = [place];
    for (let next = ready.pop(); next !== undefined; next = ready.pop()) {
      if (this.#isOut[next]) continue;
      this.#isOut[next] = 1;
      this.#missing.delete(next);
      this.out.push(next);
      const released = (this.#waiting.get(next) ?? []).filter((other) => this.#isReadyNow(other));
      for (const other of released.reverse()) ready.push(other);
      this.#waiting.delete(next);
    }
  }

  /** Notes that one of those that it waits for is through. */
  #isReadyNow(place: number): boolean {
    const left = this.#missing.get(place);
    if (left === undefined) return false;
    this.#missing.set(place, left - 1);
    return left === 1;
  }

  #unmet(place: number): number[] {
    return this.#waitsFor(place).filter((other) => !this.#isOut[other]);
  }

  #waitsFor(place: number): readonly number[] {
    const { issuedAt, madeAt } = this.#links;
    const { kind, value, sources } = (this.#dated[place] as Dated).item;
    if (kind !== "ISSUANCE") {
      return [...new Set(sources)].map((id) => issuedAt.get(id)).filter((each) => each !== undefined);
    }
    const id = textOf(value, "security_id") ?? "";
    return issuedAt.get(id) === place ? this.#makersOf(place, madeAt.get(id) ?? NO_MAKERS) : NO_MAKERS;
  }

  /** Those of its day and before; where all are later, the first. */
  #makersOf(place: number, makers: readonly number[]): readonly number[] {
    if (makers.length < 2) return makers;
    const date = this.#dated[place]?.date ?? "";
    const due = makers.filter((maker) => (this.#dated[maker]?.date ?? "") <= date);
    return due.length > 0 ? due : makers.slice(0, 1);
  }
}
