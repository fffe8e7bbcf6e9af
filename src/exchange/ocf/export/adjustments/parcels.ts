// Vesting of an exported issuance: by its terms over its quantity, as any reader assumes, or by `vestings[]` of its own
// if the ledger differs, so that an import of the package vests the same shares on every day. Follows the ledger's
// vesting entry by entry, and beside it a reader's view of the package.
import type { CalendarDate } from "../../../../kernel/date.ts";
import { type Decimal, parseDecimal, sum, ZERO } from "../../../../kernel/numbers/decimal.ts";
import type { LedgerEvent, SplitEvent } from "../../../../ledger/replay/event.ts";
import {
  hasOwnParcels,
  type SecurityVesting,
  sharesIn,
  type VestingSubject,
} from "../../../../ledger/vested/vesting-account.ts";
import { factOf, type VestingBook } from "../../../../ledger/vested/vesting-book.ts";
import { afterStops, type ToldStop } from "../../../../ledger/vested/vesting-stops.ts";
import type { Parcels } from "../../../../ledger/vesting/parcels.ts";
import * as lists from "../../../../ledger/vesting/parcels.ts";
import { LAST_DAY, openOf, sharesOf } from "../../../../ledger/vesting/schedule.ts";
import type { ParcelChange, VestingEntry, VestingRules } from "../../../../ledger/vesting/vesting-types.ts";
import { vestingsFromOcf } from "../../codec/vestings.ts";
import type { JsonObject } from "../../json.ts";
import { afterSplit, byDate, type Copy, readOf } from "../copy.ts";
import type { LaterCorrections } from "./later-corrections.ts";

/** A start or an event of vesting, with the place of its entry. */
export interface PlacedFact {
  readonly sequence: number;
  readonly fact: VestingEntry;
}

/** An end of service or a return, likewise. */
export interface PlacedStop extends ToldStop {
  readonly sequence: number;
}

/** Vesting facts besides the entries. */
export interface VestingReads {
  /** What the ledger does not say of a security that vests, or may have got parcels; null for all others. */
  findSubject(id: string): VestingSubject | null;
  /** Starts and events of a security. */
  factsOf(id: string): readonly PlacedFact[];
  /** Ends of service and returns that bear on it. */
  stopsOf(id: string): readonly PlacedStop[];
  /** Whether shares of the security vest otherwise by an entry made here that OCF has no words for. */
  hasWordless(id: string): boolean;
  /** The place of the next entry that ends the security in OCF and issues what is left anew; null for none. */
  nextReissue(id: string, sequence: number): number | null;
  /** Terms as a program that imports the package reads them; null if the export does not hold them. */
  rulesInCopy(vestingTermsId: string | null): VestingRules | null;
}

/** The same, with imported issuances and direct edits. */
export interface VestingSource extends VestingReads {
  /** The original of an imported issuance as it goes out. */
  findOriginalIssuance(id: string): JsonObject | null;
  /**
   * Whether a later import acts on the security: its originals go out before what was made here, so that it cannot be
   * issued anew any more. What it made of the security says itself how that vests.
   */
  isMovedByImport(id: string, sequence: number): boolean;
  /** The place of the next split of the security, after which its later starts and events go out; null for none. */
  nextSplit(id: string, sequence: number): number | null;
  readonly corrections: Pick<LaterCorrections, "listAfter">;
}

/** An issuance that is to be written. */
export interface Issuing {
  readonly id: string;
  readonly sequence: number;
  readonly date: CalendarDate;
  /** The start of vesting that is exported with it. */
  readonly start: CalendarDate | null;
  readonly quantity: Decimal;
}

/** Follows vesting while the ledger is exported. */
export class VestingExport {
  readonly #source: VestingSource;
  readonly #bookOf: () => VestingBook;
  readonly #copies = new Map<string, Copy>();

  /** `bookOf` gives how securities vest by the entries so far. */
  constructor(source: VestingSource, bookOf: () => VestingBook) {
    this.#source = source;
    this.#bookOf = bookOf;
  }

  get #book(): VestingBook {
    return this.#bookOf();
  }

  /** The parcels that an issuance must name; null where its terms over its quantity say the same. */
  parcelsOf(issuing: Issuing): Parcels | null {
    const { id, sequence, date, quantity, start } = issuing;
    this.#copies.delete(id);
    const vesting = this.#book.of(id);
    if (vesting === null) return null;
    const facts = this.#source.factsOf(id).filter((each) => each.sequence > sequence);
    const corrections = this.#source.corrections.listAfter(id, sequence);
    if (isPlain(vesting, facts, corrections) && !this.#source.hasWordless(id)) return null;
    const open = corrected(withFacts(vesting, facts), corrections, date);
    const parcels = lists.arrivedOn(afterStops(open, this.#stopsAfter(id, sequence), vesting), date);
    const isByTerms = isSame(lists.arrivedOn(this.#byTerms(issuing, facts), date), parcels);
    const hasTerms = isByTerms || parcels.some(lists.isUndated);
    const entries: VestingEntry[] = [{ kind: "ISSUED", date, quantity }];
    if (start !== null && hasTerms) entries.push({ kind: "STARTED", date: start, conditionId: null });
    const vestings = isByTerms ? null : parcels;
    this.#copies.set(id, {
      date,
      rules: hasTerms ? this.#rulesOf(id) : null,
      vestings,
      entries,
      changes: [],
      isForeseen: true,
    });
    return vestings;
  }

  /** Notes an imported entry whose original goes out: what it says of a security that a direct edit corrects later. */
  pass(event: LedgerEvent): void {
    const { kind, how, entry } = event;
    const { effectiveDate: date, securityId: id } = entry;
    const vesting = id === null ? null : this.#book.of(id);
    if (id === null || vesting === null) return;
    const quantity = parseDecimal(entry.quantity ?? "0");
    if (kind === "issued") {
      const corrections = this.#source.corrections.listAfter(id, 0);
      const mayBeMisread =
        corrections.length > 0 || this.#source.hasWordless(id) || hasMilestones(vesting) || this.isToldLate(id);
      const original = mayBeMisread ? this.#source.findOriginalIssuance(id) : null;
      if (original === null) return;
      const vestings = vestingsFromOcf(original);
      const issued = { kind: "ISSUED", date, quantity: quantity + sum(corrections) } as const;
      this.#copies.set(id, {
        date,
        rules: this.#rulesOf(id),
        vestings,
        entries: [issued],
        changes: [],
        isForeseen: false,
      });
    } else if (how === "acceleration") this.note(id, { kind: "ACCELERATED", date, quantity });
    else {
      const fact = factOf(event);
      if (fact !== null) this.note(id, fact);
    }
  }

  /** Whether the ledger says only behind a split when an imported security vests before it. */
  isToldLate(id: string): boolean {
    const split = this.#source.nextSplit(id, 0);
    return split !== null && this.#source.factsOf(id).some(({ sequence }) => sequence > split);
  }

  /** Whether shares of a security wait for a milestone, which no original says. */
  isWaiting(id: string): boolean {
    const vesting = this.#copies.has(id) ? this.#book.of(id) : null;
    return vesting !== null && hasMilestones(vesting);
  }

  /** Notes a vesting transaction, or an exercise in place, that goes out. */
  note(id: string, what: VestingEntry | ParcelChange): void {
    const copy = this.#copies.get(id);
    if (what.kind === "STARTED" || what.kind === "HAPPENED") copy?.entries.push(what);
    else copy?.changes.push(what as ParcelChange);
  }

  /** Notes that OCF's split of its class multiplies a security in place. */
  noteSplit(id: string, split: SplitEvent): void {
    const copy = this.#copies.get(id);
    if (copy) this.#copies.set(id, afterSplit(copy, split));
  }

  /**
   * Whether a reader makes something else of a security than the ledger says after the entry at `sequence`, later
   * corrections, starts and events included.
   */
  isMisread(id: string, sequence: number): boolean {
    const [copy, now] = [this.#copies.get(id), this.#book.of(id)];
    if (!copy || now === null) return false;
    const corrections = this.#source.corrections.listAfter(id, sequence);
    const later = this.#source.factsOf(id).filter((each) => each.sequence > sequence);
    const vesting = hasOwnParcels(now) ? now : withFacts(now, later);
    const { date, isForeseen } = copy;
    const stops = isForeseen ? this.#stopsAfter(id, sequence) : [];
    const held = lists.arrivedOn(afterStops(corrected(vesting, corrections, date), stops, now), date);
    const isRead = isSame(held, lists.arrivedOn(readOf(copy), date));
    return !isRead && !this.#source.isMovedByImport(id, sequence);
  }

  /** Ends of service and returns that an issuance foretells: those before the security is issued anew. */
  #stopsAfter(id: string, sequence: number): readonly PlacedStop[] {
    const stops = this.#source.stopsOf(id).filter((each) => each.sequence > sequence);
    const end = stops.length === 0 ? null : this.#source.nextReissue(id, sequence);
    return stops.filter((each) => end === null || each.sequence < end);
  }

  #rulesOf(id: string): VestingRules | null {
    return this.#source.rulesInCopy(this.#source.findSubject(id)?.vestingTermsId ?? null);
  }

  /** What a reader makes of the issuance by its terms, with the facts that go out before it is issued anew. */
  #byTerms({ id, sequence, date, start, quantity }: Issuing, later: readonly PlacedFact[]): Parcels {
    const ends = [this.#source.nextReissue(id, sequence), this.#source.nextSplit(id, sequence)];
    const end = Math.min(...ends.map((place) => place ?? Number.POSITIVE_INFINITY));
    const facts = later.filter((each) => each.sequence < end).map(({ fact }) => fact);
    const started = start === null ? [] : [{ kind: "STARTED", date: start, conditionId: null } as const];
    const entries = byDate([{ kind: "ISSUED", date, quantity }, ...started, ...facts]);
    const history = { grantDate: date, vestingStartDate: start, entries, milestones: [] };
    return openOf(sharesOf(this.#rulesOf(id), history, LAST_DAY));
  }
}

/** Whether nothing but the issuance bears on it, under terms that a copy reads alike. */
function isPlain(vesting: SecurityVesting, later: readonly PlacedFact[], corrections: readonly Decimal[]): boolean {
  const { history, rules } = vesting;
  if (hasOwnParcels(vesting) || history.milestones.length > 0 || (history.changes ?? []).length > 0) return false;
  if (later.length > 0 || corrections.length > 0) return false;
  if (!history.entries.every(({ kind }) => kind === "ISSUED")) return false;
  return rules === null || rules.vestingConditions.every(({ trigger }) => trigger.type === "TIME_BASED");
}

/** Those of before the ledger noted their places, and those that it holds shares back for. */
function hasMilestones({ history }: SecurityVesting): boolean {
  return history.milestones.length > 0 || (history.changes ?? []).some(({ kind }) => kind === "HELD");
}

/** Starts and events say when shares vest, whenever they were recorded. */
function withFacts(vesting: SecurityVesting, later: readonly PlacedFact[]): SecurityVesting {
  const { history } = vesting;
  return { ...vesting, history: { ...history, entries: [...history.entries, ...later.map(({ fact }) => fact)] } };
}

/** The issuance shows what later direct edits made of the quantity, and so must what vests of it. */
function corrected(vesting: SecurityVesting, corrections: readonly Decimal[], date: CalendarDate): Parcels {
  const { history, own } = vesting;
  if (own === null) {
    const rises = corrections.filter((difference) => difference > ZERO);
    const entries = rises.map((quantity) => ({ kind: "ISSUED", date, quantity }) as const);
    const falls = corrections.filter((difference) => difference < ZERO);
    const changes = falls.map((fall) => ({ kind: "CANCELLED", date, quantity: -fall, vested: null }) as const);
    const now = {
      ...history,
      entries: [...history.entries, ...entries],
      changes: [...(history.changes ?? []), ...changes],
    };
    return openOf(sharesIn({ ...vesting, history: now }));
  }
  return correctedParcels(openOf(own), corrections);
}

/** Parcels after corrections of the quantity: what falls is taken from the end, what rises multiplies them. */
export function correctedParcels(parcels: Parcels, corrections: readonly Decimal[]): Parcels {
  let open = parcels;
  for (const difference of corrections) {
    const held = lists.countOf(open);
    if (difference < ZERO) open = lists.takeLast(open, -difference, null).left;
    else if (held > ZERO) open = lists.multiply(open, held + difference, held);
  }
  return open;
}

/** Whether two lists vest the same shares on the same days, and leave the same ones waiting. */
function isSame(a: Parcels, b: Parcels): boolean {
  const [ours, theirs] = [byDay(a), byDay(b)];
  return ours.size === theirs.size && [...ours].every(([day, quantity]) => theirs.get(day) === quantity);
}

function byDay(parcels: Parcels): Map<string, Decimal> {
  const sums = new Map<string, Decimal>();
  for (const { date, conditionId, occurrence, milestoneId, quantity, stopped } of parcels) {
    const waits = `${conditionId} ${occurrence} ${milestoneId}`;
    const key = date ?? (stopped ? `${stopped.on} ${stopped.day ?? waits}` : waits);
    sums.set(key, (sums.get(key) ?? ZERO) + quantity);
  }
  return sums;
}
