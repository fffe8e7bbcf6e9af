// The ledger's vocabulary: entries, and the part of the cap table that the ledger alone determines. Pure.

import type { CalendarDate } from "../kernel/date.ts";
import type { Decimal } from "../kernel/numbers/decimal.ts";
import type { SecurityStatus, SecurityType } from "../storage/database/schema.ts";

/** What an entry does. */
export interface Deed<K extends string, H extends string | null> {
  readonly kind: K;
  readonly how: H;
}

/** Creates a security of a type. */
export type Issues = Deed<"issued", SecurityType>;
/** Takes shares of a security and makes them another; an imported one only takes, its results are issued. */
export type Moves = Deed<"moved", "transfer" | "exercise" | "conversion">;
/** Takes shares of a security. The cancellation in a conversion of stock is one: its result is issued. */
export type Takes = Deed<"taken", "cancellation" | "repurchase" | "retraction">;
export type Splits = Deed<"split", null>;
/** Sets the figure of a class or plan, or how a class converts. */
export type Adjusts = Deed<"adjusted", "class" | "plan">;
/** A fact about vesting: it moves no shares. */
export type States = Deed<"fact", "start" | "acceleration" | "event">;
/** Changes nothing of the cap table: a record-only entry, an update of a stakeholder or valuation. */
export type Notes = Deed<"noted", null>;

/** What an entry of a type does, unless it is a direct edit or record-only. */
export type TypeDeed = Issues | Moves | Takes | Splits | Adjusts | States | Notes;

/** Every ledger type, in the order in which the API lists them: what an entry of it does, and its name for people. */
export const ENTRY_TYPES = {
  STOCK_ISSUANCE: { kind: "issued", how: "STOCK", label: "Share issuance" },
  STOCK_OPTION_ISSUANCE: { kind: "issued", how: "STOCK_OPTION", label: "Option grant" },
  WARRANT_ISSUANCE: { kind: "issued", how: "WARRANT", label: "Warrant issuance" },
  CONVERTIBLE_ISSUANCE: { kind: "issued", how: "CONVERTIBLE", label: "Convertible issuance" },
  STOCK_TRANSFER: { kind: "moved", how: "transfer", label: "Share transfer" },
  STOCK_OPTION_TRANSFER: { kind: "moved", how: "transfer", label: "Option transfer" },
  WARRANT_TRANSFER: { kind: "moved", how: "transfer", label: "Warrant transfer" },
  CONVERTIBLE_TRANSFER: { kind: "moved", how: "transfer", label: "Convertible transfer" },
  STOCK_OPTION_EXERCISE: { kind: "moved", how: "exercise", label: "Option exercise" },
  WARRANT_EXERCISE: { kind: "moved", how: "exercise", label: "Warrant exercise" },
  CONVERTIBLE_CONVERSION: { kind: "moved", how: "conversion", label: "Conversion" },
  STOCK_CANCELLATION: { kind: "taken", how: "cancellation", label: "Share cancellation" },
  STOCK_OPTION_CANCELLATION: { kind: "taken", how: "cancellation", label: "Option cancellation" },
  WARRANT_CANCELLATION: { kind: "taken", how: "cancellation", label: "Warrant cancellation" },
  CONVERTIBLE_CANCELLATION: { kind: "taken", how: "cancellation", label: "Convertible cancellation" },
  STOCK_REPURCHASE: { kind: "taken", how: "repurchase", label: "Share repurchase" },
  VESTING_START: { kind: "fact", how: "start", label: "Vesting start" },
  VESTING_ACCELERATION: { kind: "fact", how: "acceleration", label: "Vesting acceleration" },
  VESTING_EVENT: { kind: "fact", how: "event", label: "Vesting event" },
  STOCK_CLASS_ADJUSTMENT: { kind: "adjusted", how: "class", label: "Authorized shares changed" },
  STOCK_PLAN_ADJUSTMENT: { kind: "adjusted", how: "plan", label: "Plan reserve changed" },
  STOCK_SPLIT: { kind: "split", how: null, label: "Split" },
  STOCK_RETRACTION: { kind: "taken", how: "retraction", label: "Retraction" },
  STAKEHOLDER_UPDATE: { kind: "noted", how: null, label: "Stakeholder changed" },
  VALUATION_UPDATE: { kind: "noted", how: null, label: "Valuation changed" },
} as const satisfies Readonly<Record<string, TypeDeed & { readonly label: string }>>;

/** One of the ledger types. */
export type TransactionType = keyof typeof ENTRY_TYPES;

/** The ledger types, in order. */
export const TRANSACTION_TYPES = Object.keys(ENTRY_TYPES) as readonly TransactionType[];

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
