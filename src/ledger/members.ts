// What an entry says besides its columns: the one place that knows the names of the JSON that it is stored with, those of
// imported entries among them. A member is read when it is asked for, so that an entry costs no more than what is asked
// of it. Pure.

import type { CalendarDate } from "../kernel/date.ts";
import type { SecurityStatus } from "../storage/database/schema.ts";
import { Imported } from "./imported-members.ts";
import { type EntryDraft, type Metadata, textOf } from "./types.ts";
import type { Parcels } from "./vesting/parcels.ts";
import { readParcels } from "./vesting/parcels-json.ts";

/** A change of a charge as an entry tells it: decimal strings. */
export interface ToldCharge {
  readonly securityId: string;
  readonly equityPlanId: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** What an entry says of the parcels of the security that it divides. */
export interface ToldParcels {
  readonly moved: Parcels | null;
  readonly left: Parcels | null;
  readonly exercised: Parcels;
}

/** Ids of what counted as a company's capitalization in a conversion, and of what did not. */
export interface ToldCapitalization {
  readonly stockClassIds: readonly string[];
  readonly equityPlanIds: readonly string[];
  readonly securityIds: readonly string[];
  readonly excludedSecurityIds: readonly string[];
}

/** A day that a waiting tranche got. */
export interface ToldDate {
  readonly conditionId: string | null;
  readonly occurrence: number;
  readonly date: CalendarDate;
}

/** The members of a security that a direct edit can set; numbers are decimal strings. */
interface EditedMembers {
  readonly status?: SecurityStatus;
  readonly quantity?: string;
  readonly stakeholderId?: string | null;
  readonly stockClassId?: string | null;
  readonly equityPlanId?: string | null;
  readonly pricePerShare?: string | null;
  readonly exercisePrice?: string | null;
}

const NOTHING: Metadata = {};

function objectOf(value: unknown): Metadata {
  return typeof value === "object" && value !== null ? (value as Metadata) : NOTHING;
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value : [];
}

/** What the entry says. */
export function membersOf({ metadata }: Pick<EntryDraft, "metadata">): Members {
  return new Members(metadata);
}

/** What an entry says. Ids and decimal strings are null where it says none, lists are empty. */
export class Members {
  readonly #stored: Metadata;

  constructor(stored: Metadata) {
    this.#stored = stored;
  }

  /** What an import brought along; all of it null for other entries. */
  get imported(): Imported {
    return new Imported(this.#stored);
  }

  /** The rules by which it was written (ledger/rules/charges.ts). */
  get rules(): unknown {
    return this.#stored.rules;
  }

  get stockClassId(): string | null {
    return textOf(this.#stored, "stockClassId");
  }

  get equityPlanId(): string | null {
    return textOf(this.#stored, "equityPlanId");
  }

  /** The security that it makes besides the one that it names. */
  get newSecurityId(): string | null {
    return textOf(this.#stored, "newSecurityId");
  }

  get originSecurityId(): string | null {
    return textOf(this.#stored, "originSecurityId");
  }

  get balanceSecurityId(): string | null {
    return textOf(this.#stored, "balanceSecurityId");
  }

  get resultingSecurityIds(): readonly string[] {
    return textsOf(this.#stored.resultingSecurityIds);
  }

  get toStakeholderId(): string | null {
    return textOf(this.#stored, "toStakeholderId");
  }

  get resultingQuantity(): string | null {
    return textOf(this.#stored, "resultingQuantity");
  }

  get pricePerShare(): string | null {
    return textOf(this.#stored, "pricePerShare");
  }

  get exercisePrice(): string | null {
    return textOf(this.#stored, "exercisePrice");
  }

  /** The prices of what it makes, both named; null where they are the source's. */
  get prices(): { readonly pricePerShare: string | null; readonly exercisePrice: string | null } | null {
    const { prices } = this.#stored;
    if (prices === undefined || prices === null) return null;
    const named = objectOf(prices);
    return { pricePerShare: textOf(named, "pricePerShare"), exercisePrice: textOf(named, "exercisePrice") };
  }

  get newSharesAuthorized(): string | null {
    return textOf(this.#stored, "newSharesAuthorized");
  }

  get newSharesReserved(): string | null {
    return textOf(this.#stored, "newSharesReserved");
  }

  /** The initial figure of a class or plan before and after a `PATCH` of it. */
  get initialFigure(): { readonly before: string | null; readonly after: string | null } {
    const figures = objectOf(this.#stored.initialSharesAuthorized ?? this.#stored.initialSharesReserved);
    return { before: textOf(figures, "before"), after: textOf(figures, "after") };
  }

  /** What of an exercise's gross quantity pays the strike. */
  get withheld(): string | null {
    return textOf(this.#stored, "withheld");
  }

  /** How an exercise was paid; null where nobody said, as imports. */
  get paymentMethod(): string | null {
    return textOf(this.#stored, "paymentMethod");
  }

  get boardApprovalDate(): string | null {
    return textOf(this.#stored, "boardApprovalDate");
  }

  get stockholderApprovalDate(): string | null {
    return textOf(this.#stored, "stockholderApprovalDate");
  }

  get isConversion(): boolean {
    return this.#stored.conversion === true;
  }

  /** Whether a spreadsheet's import made it, which no limit binds. */
  get isFromSpreadsheet(): boolean {
    return textOf(this.#stored, "importId") !== null;
  }

  get isRetraction(): boolean {
    return this.#stored.retraction === true;
  }

  get isReturnedToPool(): boolean {
    return this.#stored.returnToPool === true;
  }

  get isDirectEdit(): boolean {
    return this.#stored.directEdit === true;
  }

  /** Whether a direct edit says what was so from the issuance on. */
  get isCorrection(): boolean {
    return this.#stored.correction === true;
  }

  /** The earlier direct edit that a correction takes back, on its own day. */
  get takesBack(): string | null {
    return textOf(this.#stored, "takesBack");
  }

  /** What a correction found of the price, or strike, of a share; undefined where it leaves that as it was. */
  get priceBefore(): string | null | undefined {
    const { prices } = this.#stored;
    return this.isCorrection && prices !== undefined ? textOf(objectOf(prices), "before") : undefined;
  }

  /** By how much a direct edit changes the quantity, where it says so. */
  get difference(): string | null {
    return textOf(this.#stored, "difference");
  }

  /** What a direct edit found. */
  get before(): EditedMembers {
    return objectOf(this.#stored.before);
  }

  /** What a direct edit sets. */
  get after(): EditedMembers {
    return objectOf(this.#stored.after);
  }

  /** Null where it tells none; an import may tell those of what it makes. */
  get charges(): readonly ToldCharge[] | null {
    const { charges } = this.#stored;
    return Array.isArray(charges) ? charges : null;
  }

  /** The trigger by which a round converted a convertible. */
  get triggerId(): string | null {
    return textOf(this.#stored, "triggerId");
  }

  /** What counted where a round's capitalization made the shares of a conversion. */
  get capitalization(): ToldCapitalization | null {
    const { capitalization } = this.#stored;
    if (capitalization === undefined || capitalization === null) return null;
    const told = objectOf(capitalization);
    return {
      stockClassIds: textsOf(told.stockClassIds),
      equityPlanIds: textsOf(told.equityPlanIds),
      securityIds: textsOf(told.securityIds),
      excludedSecurityIds: textsOf(told.excludedSecurityIds),
    };
  }

  get conditionId(): string | null {
    return textOf(this.#stored, "conditionId");
  }

  get milestoneId(): string | null {
    return textOf(this.#stored, "milestoneId");
  }

  /** True where vesting stops with it, false where what stopped vests again; null for all else. */
  get vestingStopped(): boolean | null {
    const { vestingStopped } = this.#stored;
    return typeof vestingStopped === "boolean" ? vestingStopped : null;
  }

  get vestedQuantity(): string | null {
    return textOf(this.#stored, "vestedQuantity");
  }

  get dates(): readonly ToldDate[] {
    const { dates } = this.#stored;
    return Array.isArray(dates) ? dates : [];
  }

  /** The day from which an entry that is dated back counts, where that is not its own (ledger/replay/counts-from.ts). */
  get countsFrom(): CalendarDate | null {
    return textOf(this.#stored, "countsFrom");
  }

  /** What was moved and left is null where all had vested. */
  get parcels(): ToldParcels {
    const { moved, left, exercised } = objectOf(this.#stored.parcels);
    return {
      moved: moved === undefined ? null : readParcels(moved),
      left: left === undefined ? null : readParcels(left),
      exercised: readParcels(exercised),
    };
  }
}

/** The day from which an entry counts in views, if what it builds on does. */
export function countingDay(entry: Pick<EntryDraft, "effectiveDate" | "metadata">): CalendarDate {
  return membersOf(entry).countsFrom ?? entry.effectiveDate;
}

/** An entry without what it tells of vesting, which is told at length and changes no holding. */
export function withoutParcels(entry: EntryDraft): EntryDraft {
  const { parcels: _parcels, ...metadata } = entry.metadata;
  return { ...entry, metadata };
}
