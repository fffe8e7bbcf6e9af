// The ledger's vocabulary: entries, and the part of the cap table that the ledger alone determines. Pure.

import type { CalendarDate } from "../kernel/date.ts";
import type { Decimal } from "../kernel/numbers/decimal.ts";
import type { SecurityStatus, SecurityType } from "../storage/database/schema.ts";

/** Every ledger type, in the order in which the API lists them. */
export const TRANSACTION_TYPES = [
  "STOCK_ISSUANCE",
  "STOCK_OPTION_ISSUANCE",
  "WARRANT_ISSUANCE",
  "CONVERTIBLE_ISSUANCE",
  "STOCK_TRANSFER",
  "STOCK_OPTION_TRANSFER",
  "WARRANT_TRANSFER",
  "CONVERTIBLE_TRANSFER",
  "STOCK_OPTION_EXERCISE",
  "WARRANT_EXERCISE",
  "CONVERTIBLE_CONVERSION",
  "STOCK_CANCELLATION",
  "STOCK_OPTION_CANCELLATION",
  "WARRANT_CANCELLATION",
  "CONVERTIBLE_CANCELLATION",
  "STOCK_REPURCHASE",
  "VESTING_START",
  "VESTING_ACCELERATION",
  "VESTING_EVENT",
  "STOCK_CLASS_ADJUSTMENT",
  "STOCK_PLAN_ADJUSTMENT",
  "STOCK_SPLIT",
  "STOCK_RETRACTION",
  "STAKEHOLDER_UPDATE",
  "VALUATION_UPDATE",
] as const;

/** One of the ledger types. */
export type TransactionType = (typeof TRANSACTION_TYPES)[number];

/** Type-specific data of an entry, as JSON. */
export type Metadata = Readonly<Record<string, unknown>>;

/** A string member of it, or null. Readers of entries ask `membersOf` (ledger/members.ts). */
export function textOf(metadata: Metadata, name: string): string | null {
  const value = metadata[name];
  return typeof value === "string" ? value : null;
}

/** A ledger entry before it gets its place in the chain. */
export interface EntryDraft {
  /** The id that an imported transaction keeps; left out, it gets a new one. */
  readonly id?: string;
  readonly type: TransactionType;
  readonly securityId: string | null;
  readonly stakeholderId: string | null;
  /** A decimal string: as it was sent, or computed. */
  readonly quantity: string | null;
  readonly effectiveDate: CalendarDate;
  readonly metadata: Metadata;
  /** True for entries that only record something and count in no total (the generic `POST /transactions`). */
  readonly recordOnly?: boolean;
}

/** A charge with the quantity that bore it: the charge per share, exactly. */
export interface ChargeBasis {
  readonly charge: Decimal;
  readonly quantity: Decimal;
}

/** What the ledger determines of a security; all else about it is description. */
export interface SecurityState {
  readonly id: string;
  readonly type: SecurityType;
  readonly status: SecurityStatus;
  /** Outstanding now. */
  readonly quantity: Decimal;
  readonly stakeholderId: string | null;
  readonly stockClassId: string | null;
  readonly equityPlanId: string | null;
  /** What of its plan's reserve it uses up (charges.ts); null for nothing. */
  readonly charge: Decimal | null;
  /** What it held and charged before nothing of it was left; null where it holds something, or is under no plan. */
  readonly chargeBasis: ChargeBasis | null;
  readonly pricePerShare: string | null;
  readonly exercisePrice: string | null;
}

/** What the ledger determines of a share class. */
export interface ClassState {
  readonly id: string;
  /** Null: no limit (an imported `UNLIMITED` or `NOT APPLICABLE`). */
  readonly authorized: Decimal | null;
  /** Outstanding ACTIVE stock. */
  readonly issued: Decimal;
}

/** What the ledger determines of an equity plan. */
export interface PlanState {
  readonly id: string;
  /** The total reserve: the initial figure and its adjustments. */
  readonly reserved: Decimal;
  /** What can still be granted. An import may bring it below zero. */
  readonly available: Decimal;
  readonly stockClassIds: readonly string[];
}
