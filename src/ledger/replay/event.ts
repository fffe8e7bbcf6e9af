// Ledger events: what an entry does, decoded once. Whatever applies entries or listens to a replay (story.ts) asks the
// event, and not the entry's type or its stored members. Pure.
import type { CalendarDate } from "../../kernel/date.ts";
import { type Members, membersOf } from "../members.ts";
import { readSplit, type Split, type SplitSubject, splitFilter } from "../splits/stock-split.ts";
import {
  type Adjusts,
  type Deed,
  ENTRY_TYPES,
  type EntryDraft,
  type Issues,
  type Moves,
  type Notes,
  type Splits,
  type States,
  type Takes,
  type TransactionType,
  type TypeDeed,
} from "../types.ts";

/** A direct edit of a security, whatever the type of the entry. */
type Edits = Deed<"edited", null>;

/** By type; without the names, which every event would carry. */
const DEEDS = Object.fromEntries(
  Object.entries(ENTRY_TYPES).map(([type, { label: _label, ...deed }]) => [type, deed]),
) as Readonly<Record<TransactionType, TypeDeed>>;

const EDITS: Edits = { kind: "edited", how: null };
const NOTES: Notes = { kind: "noted", how: null };

/** An entry with its place in the ledger, and its members. */
interface Told {
  readonly entry: EntryDraft;
  /** The day from which it counts in views, once the entries that it builds on count. */
  readonly day: CalendarDate;
  /** 0 for an entry that has no place yet. */
  readonly sequence: number;
  readonly said: Members;
}

export type IssuedEvent = Issues & Told;
export type MovedEvent = Moves & Told;
export type TakenEvent = Takes & Told;
export type AdjustedEvent = Adjusts & Told;

/** A split of a class, whole or an imported piece of one. */
export interface SplitEvent extends Splits, Told {
  readonly split: Split;
  /** Whether it multiplies the shares of a security, by its state before it. */
  concerns(security: SplitSubject): boolean;
}

/** What an entry does. */
export type LedgerEvent =
  | IssuedEvent
  | MovedEvent
  | TakenEvent
  | (Edits & Told)
  | SplitEvent
  | AdjustedEvent
  | (States & Told)
  | (Notes & Told);

/** Decodes an entry. */
export function readEntry(entry: EntryDraft, sequence = 0): LedgerEvent {
  const said = membersOf(entry);
  const day = said.countsFrom ?? entry.effectiveDate;
  if (entry.recordOnly) return { ...NOTES, entry, day, sequence, said };
  if (said.isDirectEdit) return { ...EDITS, entry, day, sequence, said };
  const deed = DEEDS[entry.type];
  if (deed.kind !== "split") return { ...deed, entry, day, sequence, said };
  const split = readSplit(entry.metadata);
  return { ...deed, entry, day, sequence, said, split, concerns: splitFilter(split) };
}

/** Whether the entry creates a security, rather than correcting one. */
export function isIssuance(entry: Pick<EntryDraft, "type" | "metadata">): boolean {
  return DEEDS[entry.type].kind === "issued" && !membersOf(entry).isDirectEdit;
}

/**
 * Whether it is the cancellation in a direct edit of class or plan: the issuance after it has the same values, and
 * represents both.
 */
export function isFirstOfTwo({ kind, entry, said }: LedgerEvent): boolean {
  const { stockClassId, equityPlanId } = said.before;
  if (kind !== "edited" || (stockClassId === undefined && equityPlanId === undefined)) return false;
  return DEEDS[entry.type].how === "cancellation";
}

/** The ledger types that do a thing, direct edits among their entries. */
export function typesThat(kind: LedgerEvent["kind"]): readonly TransactionType[] {
  return Object.entries(DEEDS).flatMap(([type, deed]) => (deed.kind === kind ? [type as TransactionType] : []));
}
