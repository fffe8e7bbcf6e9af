// Types of vesting: terms as the API writes them, and one security's history from the ledger. No schema, no rows, no
// arithmetic.
import type { AllocationMethod } from "../../kernel/allocation-method.ts";
import type { CalendarDate } from "../../kernel/date.ts";
import type { Decimal } from "../../kernel/numbers/decimal.ts";
import type { Parcels } from "./parcels.ts";

/** What makes a condition happen: time that passes, or an event that is recorded. */
export interface VestingTrigger {
  readonly type: "TIME_BASED" | "EVENT_BASED";
  /** A whole number of `periodType`, zero or more; required of a time-based trigger. */
  readonly periodLength?: number | null | undefined;
  readonly periodType?: "DAYS" | "MONTHS" | "YEARS" | null | undefined;
  readonly eventDescription?: string | null | undefined;
  /** How often the condition happens, one or more (extension); without it the links decide. */
  readonly occurrences?: number | null | undefined;
}

/** One condition of vesting terms, as the API's `vestingConditions[]` carries it. */
export interface VestingCondition {
  readonly id: string;
  readonly trigger: VestingTrigger;
  /** The part of the grant that vests each time: whole numbers, the denominator positive. */
  readonly portion: { readonly numerator: number; readonly denominator: number };
  /** The condition that must be satisfied before this one begins. */
  readonly cliffConditionId?: string | null | undefined;
  /** The condition that repeats after this one; its own id makes it repeat. */
  readonly nextConditionId?: string | null | undefined;
}

/** The display summary of terms; where it differs from the conditions, the conditions vest. */
export interface VestingSchedule {
  readonly totalMonths: number;
  readonly cliffMonths: number;
  readonly cliffPercent: number;
  readonly vestingFrequency: "MONTHLY" | "QUARTERLY" | "ANNUALLY";
  readonly accelerationTriggers?: readonly Readonly<Record<string, unknown>>[] | null | undefined;
}

/** The part of vesting terms that decides what vests and when. */
export interface VestingRules {
  readonly allocationMethod: AllocationMethod;
  readonly vestingConditions: readonly VestingCondition[];
  readonly schedule?: VestingSchedule | null | undefined;
}

/** One item of a security's history; `date` is the effective date. */
export type VestingEntry =
  /** The issuance, and every later rise of the grant by correction. Counts whatever its date. */
  | { readonly kind: "ISSUED"; readonly date: CalendarDate; readonly quantity: Decimal }
  /**
   * Every `denominator` shares became `numerator`; `after` is what that made, rounded, of those that the security held.
   */
  | {
      readonly kind: "SPLIT";
      readonly date: CalendarDate;
      readonly numerator: bigint;
      readonly denominator: bigint;
      readonly after: Decimal;
    }
  /** `start-vesting`: `date` is the new start of the named condition, or of the whole (`null`). */
  | { readonly kind: "STARTED"; readonly date: CalendarDate; readonly conditionId: string | null }
  /** `record-vesting-event` with a condition: the event of an event-based condition took place. */
  | { readonly kind: "HAPPENED"; readonly date: CalendarDate; readonly conditionId: string };

/** A change of a security's parcels, in the order of the ledger; `date` is the effective date. */
export type ParcelChange =
  /**
   * Cancelled, repurchased, lowered by a correction; `vested` says how many vested ones went, `null` leaves it open.
   */
  | {
      readonly kind: "CANCELLED";
      readonly date: CalendarDate;
      readonly quantity: Decimal;
      readonly vested: Decimal | null;
    }
  /** An exercise of what had vested. */
  | { readonly kind: "EXERCISED"; readonly date: CalendarDate; readonly quantity: Decimal }
  /** `accelerate-vesting`, and `record-vesting-event` with a quantity. A milestone's event completes it. */
  | { readonly kind: "ACCELERATED"; readonly date: CalendarDate; readonly quantity: Decimal }
  /** Part of it went to another security that is issued by an entry of its own. */
  | { readonly kind: "DIVIDED"; readonly date: CalendarDate; readonly quantity: Decimal }
  /** A milestone was attached: its shares wait for it. */
  | { readonly kind: "HELD"; readonly milestoneId: string; readonly quantity: Decimal }
  | { readonly kind: "COMPLETED"; readonly date: CalendarDate; readonly milestoneId: string }
  /**
   * After a split, the security's n-th (from 0), at least so many shares of its day have vested: nothing unvests by it.
   */
  | { readonly kind: "KEPT_VESTED"; readonly date: CalendarDate; readonly quantity: Decimal; readonly split: number };

/** Shares that vest when a milestone is completed. */
export interface VestingMilestone {
  readonly id?: string;
  readonly quantity: Decimal;
  /** `null` while pending. */
  readonly completedOn: CalendarDate | null;
}

/** What is known of one security. */
export interface VestingHistory {
  /** When the shares vest if there are no terms. */
  readonly grantDate: CalendarDate;
  /** The security's own; `null` when vesting has not started (possible for imported grants only). */
  readonly vestingStartDate: CalendarDate | null;
  /** In the order of the ledger. A security made by a transfer also takes `STARTED` and `HAPPENED` from its source. */
  readonly entries: readonly VestingEntry[];
  /** Those that name the security and a quantity since before anything happened to it, pending and completed. */
  readonly milestones: readonly VestingMilestone[];
  /** The vesting that came with an imported issuance and wins over the terms, which give the rest. */
  readonly vestings?: Parcels | null;
  readonly changes?: readonly ParcelChange[];
}

/** Shares that vest on a day; `conditionId` is `null` when no condition of the terms made them vest. */
export interface VestingEvent {
  readonly date: CalendarDate;
  readonly quantity: Decimal;
  readonly conditionId: string | null;
}

/** How a security vests, as of a day. `quantity` = events + `unscheduled`, exactly. */
export interface VestingStatus {
  /** The grant, less what was cancelled or transferred away; what was exercised stays in it. */
  readonly quantity: Decimal;
  readonly vested: Decimal;
  readonly unvested: Decimal;
  /** The part of `unvested` that has no date. */
  readonly unscheduled: Decimal;
  /** All that was ever exercised. */
  readonly exercised: Decimal;
  /** The part of it that was exercised unvested: no other figure includes it. */
  readonly earlyExercised: Decimal;
  /** Sorted by date, past and future; an event has at least one share. */
  readonly events: readonly VestingEvent[];
  /** The outstanding shares, by date; waiting ones come last. */
  readonly parcels: Parcels;
}
