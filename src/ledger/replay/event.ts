// Ledger events: what an entry does, decoded once. Whatever applies entries or listens to a replay (story.ts) asks the
// event, and not the entry's type or its stored members. Pure.
import type { CalendarDate } from "../../kernel/date.ts";
import type { SecurityType } from "../../storage/database/schema.ts";
import { type Members, membersOf } from "../members.ts";
import { readSplit, type Split, type SplitSubject, splitFilter } from "../splits/stock-split.ts";
import type { EntryDraft, TransactionType } from "../types.ts";

interface Deed<K extends string, H extends string | null> {
  readonly kind: K;
  readonly how: H;
}

/** Creates a security of a type. */
type Issues = Deed<"issued", SecurityType>;
/** Takes shares of a security and makes them another; an imported one only takes, its results are issued. */
type Moves = Deed<"moved", "transfer" | "exercise" | "conversion">;
/** Takes shares of a security. The cancellation in a conversion of stock is one: its result is issued. */
type Takes = Deed<"taken", "cancellation" | "repurchase" | "retraction">;
/** A direct edit of a security, whatever the type of the entry. */
type Edits = Deed<"edited", null>;
type Splits = Deed<"split", null>;
/** Sets the figure of a class or plan, or how a class converts. */
type Adjusts = Deed<"adjusted", "class" | "plan">;
/** A fact about vesting: it moves no shares. */
type States = Deed<"fact", "start" | "acceleration" | "event">;
/** Changes nothing of the cap table: a record-only entry, an update of a stakeholder or valuation. */
type Notes = Deed<"noted", null>;

/** What an entry of each type does, unless it is a direct edit or record-only. */
const DEEDS: Readonly<Record<TransactionType, Issues | Moves | Takes | Splits | Adjusts | States | Notes>> = {
  STOCK_ISSUANCE: { kind: "issued", how: "STOCK" },
  STOCK_OPTION_ISSUANCE: { kind: "issued", how: "STOCK_OPTION" },
  WARRANT_ISSUANCE: { kind: "issued", how: "WARRANT" },
  CONVERTIBLE_ISSUANCE: { kind: "issued", how: "CONVERTIBLE" },
  STOCK_TRANSFER: { kind: "moved", how: "transfer" },
  STOCK_OPTION_TRANSFER: { kind: "moved", how: "transfer" },
  WARRANT_TRANSFER: { kind: "moved", how: "transfer" },
  CONVERTIBLE_TRANSFER: { kind: "moved", how: "transfer" },
  STOCK_OPTION_EXERCISE: { kind: "moved", how: "exercise" },
  WARRANT_EXERCISE: { kind: "moved", how: "exercise" },
  CONVERTIBLE_CONVERSION: { kind: "moved", how: "conversion" },
  STOCK_CANCELLATION: { kind: "taken", how: "cancellation" },
  STOCK_OPTION_CANCELLATION: { kind: "taken", how: "cancellation" },
  WARRANT_CANCELLATION: { kind: "taken", how: "cancellation" },
  CONVERTIBLE_CANCELLATION: { kind: "taken", how: "cancellation" },
  STOCK_REPURCHASE: { kind: "taken", how: "repurchase" },
  STOCK_RETRACTION: { kind: "taken", how: "retraction" },
  VESTING_START: { kind: "fact", how: "start" },
  VESTING_ACCELERATION: { kind: "fact", how: "acceleration" },
  VESTING_EVENT: { kind: "fact", how: "event" },
  STOCK_CLASS_ADJUSTMENT: { kind: "adjusted", how: "class" },
  STOCK_PLAN_ADJUSTMENT: { kind: "adjusted", how: "plan" },
  STOCK_SPLIT: { kind: "split", how: null },
  STAKEHOLDER_UPDATE: { kind: "noted", how: null },
  VALUATION_UPDATE: { kind: "noted", how: null },
};

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
