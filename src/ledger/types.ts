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

/** A string member of it, or null. To read entries use `membersOf` (ledger/members.ts). */
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
  /** A decimal string: as sent, or computed. */
  readonly quantity: string | null;
  readonly effectiveDate: CalendarDate;
  readonly metadata: Metadata;
  /** True for record-only entries that count in no total (the generic `POST /transactions`). */
  readonly recordOnly?: boolean;
}

/** A charge with the quantity under it: the charge per share, exactly. */
export interface ChargeBasis {
  readonly charge: Decimal;
  readonly quantity: Decimal;
}

/** The ledger's members of a security; the others are its description. */
export interface SecurityState {
  readonly id: string;
  readonly type: SecurityType;
  readonly status: SecurityStatus;
  /** Outstanding now. */
  readonly quantity: Decimal;
  readonly stakeholderId: string | null;
  readonly stockClassId: string | null;
  readonly equityPlanId: string | null;
  /** Its charge on the plan's reserve (charges.ts); null for nothing. */
  readonly charge: Decimal | null;
  /** Its quantity and charge before it was used up; null while it has a quantity, or without a plan. */
  readonly chargeBasis: ChargeBasis | null;
  readonly pricePerShare: string | null;
  readonly exercisePrice: string | null;
}

/** The ledger's members of a share class. */
export interface ClassState {
  readonly id: string;
  /** Null: no limit (an imported `UNLIMITED` or `NOT APPLICABLE`). */
  readonly authorized: Decimal | null;
  /** Outstanding ACTIVE stock. */
  readonly issued: Decimal;
}

/** The ledger's members of an equity plan. */
export interface PlanState {
  readonly id: string;
  /** The total reserve: the initial figure and its adjustments. */
  readonly reserved: Decimal;
  /** The available reserve. An import may bring it below zero. */
  readonly available: Decimal;
  readonly stockClassIds: readonly string[];
}
