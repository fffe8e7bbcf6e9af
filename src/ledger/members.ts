// Members of entries: the only place with the JSON names that entries are stored with, including those of imports. A
// member is parsed when it is read, so that an entry costs only what is asked of it. Pure.

import type { CalendarDate } from "../kernel/date.ts";
import type { SecurityStatus } from "../storage/database/schema.ts";
import { Imported } from "./imported-members.ts";
import { type EntryDraft, type Metadata, textOf } from "./types.ts";
import type { Parcels } from "./vesting/parcels.ts";
import { readParcels } from "./vesting/parcels-json.ts";

/** A change of a charge in an entry: decimal strings. */
export interface ToldCharge {
  readonly securityId: string;
  readonly equityPlanId: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** The parcels in an entry that divides a security. */
export interface ToldParcels {
  readonly moved: Parcels | null;
  readonly left: Parcels | null;
  readonly exercised: Parcels;
}

/** The ids that counted in the capitalization of a conversion, and those that did not. */
export interface ToldCapitalization {
  readonly stockClassIds: readonly string[];
  readonly equityPlanIds: readonly string[];
  readonly securityIds: readonly string[];
  readonly excludedSecurityIds: readonly string[];
}

/** The day that a waiting tranche got. */
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

/** The members of the entry. */
export function membersOf({ metadata }: Pick<EntryDraft, "metadata">): Members {
  return new Members(metadata);
}

/** The members of an entry. Missing ids and decimal strings are null, missing lists are empty. */
export class Members {
  readonly #stored: Metadata;
  #imported: Imported | null = null;

  constructor(stored: Metadata) {
    this.#stored = stored;
  }

  /** The imported members; all null for other entries. */
  get imported(): Imported {
    this.#imported ??= new Imported(this.#stored);
    return this.#imported;
  }

  /** The version of the rules that wrote it (ledger/rules/charges.ts). */
  get rules(): unknown {
    return this.#stored.rules;
  }

  get stockClassId(): string | null {
    return textOf(this.#stored, "stockClassId");
  }

  get equityPlanId(): string | null {
    return textOf(this.#stored, "equityPlanId");
  }

  /** The security that it creates besides the one that it names. */
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

  /** The prices of the new security, both named; null if they are the source's. */
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

  /** The shares of an exercise's gross quantity that pay the strike. */
  get withheld(): string | null {
    return textOf(this.#stored, "withheld");
  }

  /** How an exercise was paid; null if unknown, as for imports. */
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

  /** Whether a spreadsheet's import made it; limits do not bind such entries. */
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

  /** Whether a direct edit corrects the issuance itself. */
  get isCorrection(): boolean {
    return this.#stored.correction === true;
  }

  /** The earlier direct edit that a correction reverses, on its own day. */
  get takesBack(): string | null {
    return textOf(this.#stored, "takesBack");
  }

  /** The price, or strike, before a correction; undefined if the correction leaves it. */
  get priceBefore(): string | null | undefined {
    const { prices } = this.#stored;
    return this.isCorrection && prices !== undefined ? textOf(objectOf(prices), "before") : undefined;
  }

  /** The change of quantity by a direct edit, if any. */
  get difference(): string | null {
    return textOf(this.#stored, "difference");
  }

  /** The values before a direct edit. */
  get before(): EditedMembers {
    return objectOf(this.#stored.before);
  }

  /** The values that a direct edit sets. */
  get after(): EditedMembers {
    return objectOf(this.#stored.after);
  }

  /** Null if it names none; an import may name the charges of its new securities. */
  get charges(): readonly ToldCharge[] | null {
    const { charges } = this.#stored;
    return Array.isArray(charges) ? charges : null;
  }

  /** The trigger by which a round converted a convertible. */
  get triggerId(): string | null {
    return textOf(this.#stored, "triggerId");
  }

  /** The capitalization that determined the shares of a round's conversion. */
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

  /** True if vesting stops with it, false if stopped vesting resumes; null for all else. */
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

  /** The day from which a backdated entry counts, if it is not its own day (ledger/replay/counts-from.ts). */
  get countsFrom(): CalendarDate | null {
    return textOf(this.#stored, "countsFrom");
  }

  /** The parcels moved and left; null if all shares had vested. */
  get parcels(): ToldParcels {
    const { moved, left, exercised } = objectOf(this.#stored.parcels);
    return {
      moved: moved === undefined ? null : readParcels(moved),
      left: left === undefined ? null : readParcels(left),
      exercised: readParcels(exercised),
    };
  }
}

/** An entry without its vesting members, which are long and change no holding. */
export function withoutParcels(entry: EntryDraft): EntryDraft {
  const { parcels: _parcels, ...metadata } = entry.metadata;
  return { ...entry, metadata };
}
