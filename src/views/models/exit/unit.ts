// Units of an exit: securities that are paid alike, with how each is paid. Pure.
import type { CalendarDate } from "../../../kernel/date.ts";
import type { Decimal } from "../../../kernel/numbers/decimal.ts";
import type { Fraction } from "../fraction.ts";
import type { ConvertibleHeld, Held } from "../model-company.ts";

/** A security of a unit, with what of it counts: options without what has not vested. */
export interface Member {
  readonly security: Held;
  readonly quantity: Decimal;
}

/**
 * What a share of a preferred class gets: `claim` of its tier, and beside it what it takes part with, or its ratio
 * converted.
 */
export interface ShareTerms {
  /** The preference l. */
  readonly claim: Fraction;
  /** The ratio r. */
  readonly ratio: Fraction;
  readonly isParticipating: boolean;
  /** All that a share gets at most while it participates; null: no limit. */
  readonly cap: Fraction | null;
}

/** How a unit is paid. */
export type Pay =
  | {
      readonly kind: "CONVERTIBLE";
      readonly security: ConvertibleHeld;
      readonly cash: Fraction;
      /** What a SAFE's discount adds, paid after all preferred. */
      readonly premium: Fraction;
      /** The shares that it converts into; null where it does not, or into a part. */
      readonly shares: Fraction | null;
      /** The part of the liquidity capitalization that it converts into. */
      readonly part: Fraction | null;
    }
  | { readonly kind: "PREFERRED"; readonly share: ShareTerms }
  | { readonly kind: "COMMON" }
  | { readonly kind: "CALL"; readonly strike: Fraction }
  /** Warrants on preferred: `share` is what such a share gets, without dividends. */
  | { readonly kind: "PREFERRED_CALL"; readonly strike: Fraction; readonly share: ShareTerms };

export type UnitKind = "CONVERTIBLE" | "PREFERRED" | "COMMON" | "WARRANTS" | "OPTIONS";

export interface Unit {
  readonly kind: UnitKind;
  readonly classKey: string | null;
  readonly stockClassId: string | null;
  readonly securityId: string | null;
  readonly name: string;
  /** The grant date of a unit with cumulative dividends, by which units of one name differ. */
  readonly accruesFrom: CalendarDate | null;
  readonly strike: Decimal | null;
  /** Null for convertibles. */
  readonly quantity: Decimal | null;
  /** The quantity as a fraction; 1 for convertibles. */
  readonly count: Fraction;
  readonly pay: Pay;
  readonly members: readonly Member[];
}

/** Claims that are paid together, before the next tier; each as `[place of the unit, amount]`. */
export interface Tier {
  readonly claims: readonly { readonly unit: number; readonly amount: Fraction }[];
  /** Warrants on its classes, which take part with what a share gets less their strike. */
  readonly calls: readonly number[];
}

/** Everything that an exit divides among. */
export interface Stake {
  readonly units: readonly Unit[];
  readonly tiers: readonly Tier[];
  /** Options that are held and forfeited: they are paid nothing, and count in the liquidity capitalization. */
  readonly unvested: Fraction;
}
