// What is known of a round, and what solves it (equations.ts). Types only.

import type { Fraction } from "../fraction.ts";
import type { CapitalizationRules } from "../model-company.ts";

/** One way in which a convertible may become stock. */
export type Way =
  | {
      readonly kind: "PRICED";
      /** 1 − the discount. */
      readonly factor: Fraction;
      readonly cap: Fraction | null;
      readonly rules: CapitalizationRules;
    }
  | { readonly kind: "PERCENT"; readonly percent: Fraction; readonly rules: CapitalizationRules }
  | { readonly kind: "FIXED"; readonly quantity: Fraction };

/** A convertible that converts: the first of its ways is its own, the others those that it may adopt. */
export interface Converting {
  readonly amount: Fraction;
  readonly ways: readonly [Way, ...Way[]];
}

/** A class that is protected against a lower price. */
export interface ProtectedClass {
  readonly method: "BROAD_BASED" | "BROAD_BASED_WITH_POOL" | "FULL_RATCHET";
  /** Its issue price o, its conversion price p, its shares n, and what they count now. */
  readonly price: Fraction;
  readonly conversionPrice: Fraction;
  readonly shares: Fraction;
  readonly countsNow: Fraction;
  /** Whether what converts in the round adjusts it, as new money does. */
  readonly countsConversions: boolean;
}

/** What is known of a round. */
export interface Equations {
  readonly stock: Fraction;
  /** Options and warrants. */
  readonly granted: Fraction;
  readonly options: Fraction;
  readonly available: Fraction;
  readonly promised: Fraction;
  readonly money: Fraction;
  readonly price:
    | { readonly kind: "GIVEN"; readonly price: Fraction }
    | {
        readonly kind: "VALUATION";
        /** W. */
        readonly worth: Fraction;
        readonly countsIncrease: boolean;
        readonly countsConvertibles: boolean;
      };
  readonly pool:
    | { readonly kind: "INCREASE"; readonly increase: Fraction }
    | { readonly kind: "TARGET"; readonly part: Fraction; readonly measure: "AVAILABLE" | "GRANTED_AND_AVAILABLE" };
  readonly convertibles: readonly Converting[];
  readonly protected: readonly ProtectedClass[];
}

/** What solves them. */
export interface Solution {
  /** Shares for one unit of money. */
  readonly y: Fraction;
  readonly increase: Fraction;
  /**
   * Of each convertible: its shares, the place of its way, and the capitalization by that way's rules where it looks at
   * one.
   */
  readonly convertibles: readonly {
    readonly shares: Fraction;
    readonly way: number;
    readonly capitalization: Fraction | null;
  }[];
  /** Of each protected class: whether its price is adjusted. */
  readonly adjusted: readonly boolean[];
}
