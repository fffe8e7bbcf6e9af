// Watches the ledger during an import: which entries no import brought, and which splits. An import reads it once at
// its beginning, and in each of its transactions the entries that others have recorded since its last one, so that it
// never overwrites a change that was made here meanwhile.

import type { CalendarDate } from "../../../../kernel/date.ts";
import type { Timestamp } from "../../../../kernel/runtime.ts";
import { membersOf } from "../../../../ledger/members.ts";
import { isIssuance } from "../../../../ledger/replay/event.ts";
import { splitIn } from "../../../../ledger/replay/replay.ts";
import { findHead } from "../../../../ledger/store.ts";
import type { Metadata, TransactionType } from "../../../../ledger/types.ts";
import type { Reader, Row, Tx } from "../../../../storage/database/sql.ts";
import { isHeldBefore } from "../late/held-before.ts";
import { hasDeleted, listWatched, type WatchedEntry } from "./watch-store.ts";

/** A split of a class that the ledger has. */
export interface KnownSplit {
  /** Its first entry. */
  readonly transactionId: string;
  readonly isMadeHere: boolean;
  readonly stockClassId: string;
  readonly numerator: string;
  readonly denominator: string;
  readonly date: CalendarDate;
  /** Its id in OCF: where it was made here, its entry's. */
  readonly objectId: string;
  readonly objectType: string;
  /** Its place in the ledger, its time, and what it concerned although that names no class. */
  readonly sequence: number;
  readonly recordedAt: Timestamp;
  readonly inferred: readonly string[];
}

/** The watch's state. Values are the ids of ledger entries. */
class Known {
  /** Of securities: an entry that changed them, and one that says something about their vesting. */
  readonly changes = new Map<string, string>();
  readonly facts = new Map<string, string>();
  /** Of classes: an entry on their stock. */
  readonly classes = new Map<string, string>();
  /** By class. */
  readonly splits = new Map<string, KnownSplit[]>();
  isAnyMadeHere = false;

  add(entry: WatchedEntry, isOfInterest: (securityId: string) => boolean): void {
    const metadata: Metadata = JSON.parse(entry.metadata ?? "{}");
    const { type, securityId, id } = entry;
    this.#addSplit(entry, metadata);
    if (membersOf({ metadata }).imported.objectType !== null) return;
    this.isAnyMadeHere = true;
    if (type.startsWith("VESTING_")) {
      if (securityId !== null && isOfInterest(securityId)) setFirst(this.facts, securityId, id);
      return;
    }
    const isOwnIssuance = isIssuance({ type: type as TransactionType, metadata });
    if (securityId !== null && !isOwnIssuance && isOfInterest(securityId)) setFirst(this.changes, securityId, id);
    for (const classId of classesOf(entry, metadata)) setFirst(this.classes, classId, id);
  }

  #addSplit(entry: WatchedEntry, metadata: Metadata): void {
    // A split's entries for stock that was imported later are not a split of their own.
    const { isLate, objectType, objectId } = membersOf({ metadata }).imported;
    const split = isLate ? null : splitIn(entry);
    if (split === null) return;
    const { stockClassId, numerator, denominator, inferredSecurityIds } = split;
    const isMadeHere = objectType === null;
    this.putSplit({
      transactionId: entry.id,
      isMadeHere,
      stockClassId,
      numerator: String(numerator),
      denominator: String(denominator),
      date: entry.effectiveDate,
      objectId: isMadeHere ? entry.id : String(objectId),
      objectType: "TX_STOCK_CLASS_SPLIT",
      sequence: entry.sequence,
      recordedAt: entry.createdAt,
      inferred: inferredSecurityIds,
    });
  }

  /** Notes a split, but for its later pieces. */
  putSplit(split: KnownSplit): void {
    const known = this.splits.get(split.stockClassId) ?? [];
    if (known.some(({ objectId, isMadeHere }) => objectId === split.objectId && isMadeHere === split.isMadeHere))
      return;
    this.splits.set(split.stockClassId, [...known, split]);
  }

  /** Takes over what another one knows. */
  join(other: Known): void {
    for (const [id, entryId] of other.changes) setFirst(this.changes, id, entryId);
    for (const [id, entryId] of other.facts) setFirst(this.facts, id, entryId);
    for (const [id, entryId] of other.classes) setFirst(this.classes, id, entryId);
    for (const splits of other.splits.values()) for (const split of splits) this.putSplit(split);
    this.isAnyMadeHere ||= other.isAnyMadeHere;
  }
}

function setFirst(entries: Map<string, string>, id: string, entryId: string): void {
  if (!entries.has(id)) entries.set(id, entryId);
}

/** The classes whose stock the entry is on, makes or moves to. */
function classesOf(entry: WatchedEntry, metadata: Metadata): readonly string[] {
  const { type, securityType, stockClassId, madeType, madeClassId } = entry;
  const said = membersOf({ metadata });
  if (type === "STOCK_SPLIT") return said.stockClassId === null ? [] : [said.stockClassId];
  const ids = [
    ...(securityType === "STOCK" ? [stockClassId, said.before.stockClassId, said.after.stockClassId] : []),
    ...(madeType === "STOCK" ? [madeClassId] : []),
  ];
  return ids.filter((id) => typeof id === "string");
}

/** Entries looked at between two turns of the event loop. */
const PAGE = 2000;

/** Follows the ledger while an import runs. */
export class LedgerWatch {
  readonly #orgId: string;
  readonly #kept = new Known();
  /** What the transaction that is being written has seen besides. */
  #fresh = new Known();
  /** Whether a class or plan was deleted, as of the transaction that is being written. */
  isAnyDeleted = false;
  #seen = 0;
  #reached = 0;

  private constructor(orgId: string) {
    this.#orgId = orgId;
  }

  /**
   * Looks at the ledger as it is. Of securities, changes are remembered where `named` has them: asked for if needed.
   */
  static *open(db: Reader, orgId: string, named: () => Generator<void, ReadonlySet<string>>) {
    const watch = new LedgerWatch(orgId);
    const { sequence } = findHead(db, orgId);
    let interest: ReadonlySet<string> | null = null;
    for (; watch.#seen < sequence; watch.#seen = Math.min(watch.#seen + PAGE, sequence)) {
      yield;
      const entries = listWatched(db, orgId, watch.#seen, Math.min(watch.#seen + PAGE, sequence));
      if (entries.length === 0) continue;
      interest ??= yield* named();
      for (const entry of entries) watch.#kept.add(entry, (id) => interest?.has(id) ?? true);
    }
    return watch;
  }

  /** Looks at what was recorded since, when a transaction begins. What an undone one saw is forgotten. */
  begin(tx: Tx): void {
    this.#fresh = new Known();
    this.isAnyDeleted = hasDeleted(tx, this.#orgId);
    const { sequence } = findHead(tx, this.#orgId);
    if (sequence === this.#seen) return;
    for (const entry of listWatched(tx, this.#orgId, this.#seen, sequence)) this.#fresh.add(entry, () => true);
  }

  /** Notes how far the ledger goes, when a transaction has written what it had to. */
  end(tx: Tx): void {
    this.#reached = findHead(tx, this.#orgId).sequence;
  }

  /** The transaction is on disk. */
  keep(): void {
    this.#kept.join(this.#fresh);
    this.#fresh = new Known();
    this.#seen = this.#reached;
  }

  /** Whether the ledger has anything that no import brought. */
  get isAnyMadeHere(): boolean {
    return this.#kept.isAnyMadeHere || this.#fresh.isAnyMadeHere;
  }

  /** An entry made here that changed the security; null without one. */
  changeOf(tx: Tx, row: Pick<Row<"securities">, "id" | "type" | "status" | "stockClassId" | "createdAt">) {
    const { id } = row;
    const change = this.#kept.changes.get(id) ?? this.#fresh.changes.get(id);
    return change ?? this.splitHere(tx, row)?.transactionId ?? null;
  }

  /** An entry made here on a security that is there no more. */
  changeOfDeleted(securityId: string): string | null {
    return this.#kept.changes.get(securityId) ?? this.#fresh.changes.get(securityId) ?? null;
  }

  /** An entry made here about the security's vesting; null without one. */
  factOf(securityId: string): string | null {
    return this.#kept.facts.get(securityId) ?? this.#fresh.facts.get(securityId) ?? null;
  }

  /** An entry made here on stock of the class, or into it; null without one. */
  changeInClass(stockClassId: string): string | null {
    return this.#kept.classes.get(stockClassId) ?? this.#fresh.classes.get(stockClassId) ?? null;
  }

  /** The splits of a class by date. */
  splitsOf(stockClassId: string): readonly KnownSplit[] {
    const known = [this.#kept, this.#fresh].flatMap(({ splits }) => splits.get(stockClassId) ?? []);
    return known.length < 2 ? known : known.sort((a, b) => (a.date < b.date ? -1 : a.date > b.date ? 1 : 0));
  }

  /** Whether a reader that adds up by date applies the split to what was issued on `date`, though it came in later. */
  isAppliedTo(split: KnownSplit, date: CalendarDate): boolean {
    return split.isMadeHere ? date <= split.date : date < split.date;
  }

  /**
   * A split made here that lies between two days, or null: what was issued on the one came in multiplied, and what a
   * package says on the other does not know of it.
   */
  splitHereBetween(stockClassId: string, from: CalendarDate, to: CalendarDate): KnownSplit | null {
    const isBetween = (split: KnownSplit) => this.isAppliedTo(split, from) && !this.isAppliedTo(split, to);
    return this.splitsOf(stockClassId).find((split) => split.isMadeHere && isBetween(split)) ?? null;
  }

  /** Notes a split that the transaction being written begins. */
  noteSplit(split: KnownSplit): void {
    this.#fresh.putSplit(split);
  }

  /** A split made here that the security was there for, and open. */
  splitHere(
    tx: Tx,
    { id, type, status, stockClassId, createdAt }: Parameters<LedgerWatch["changeOf"]>[1],
  ): KnownSplit | null {
    if (type === "CONVERTIBLE") return null;
    const ofClass = stockClassId === null ? this.#allSplits() : this.splitsOf(stockClassId);
    const concerned = ofClass.find(({ isMadeHere, inferred, recordedAt, sequence, stockClassId: split }) => {
      if (!isMadeHere || createdAt > recordedAt || (split !== stockClassId && !inferred.includes(id))) return false;
      return status === "ACTIVE" || isHeldBefore(tx, this.#orgId, id, sequence);
    });
    return concerned ?? null;
  }

  /** The splits that earlier imports brought. */
  importedSplits(): readonly KnownSplit[] {
    return this.#allSplits().filter(({ isMadeHere }) => !isMadeHere);
  }

  #allSplits(): readonly KnownSplit[] {
    return [this.#kept, this.#fresh].flatMap(({ splits }) => [...splits.values()].flat());
  }
}
