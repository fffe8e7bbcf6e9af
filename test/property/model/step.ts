// What can be done to the second cap table, with every reference resolved to a place in the model's arrays.
import type { Rounding } from "./units.ts";

export type Kind = "STOCK" | "STOCK_OPTION" | "WARRANT" | "CONVERTIBLE";
export type Status = "ACTIVE" | "CANCELLED" | "EXERCISED" | "CONVERTED" | "REPURCHASED" | "TRANSFERRED";

interface Dated {
  readonly date: string;
}
interface Issue extends Dated {
  readonly holder: number;
  readonly quantity: string;
  readonly certificate: string;
}
interface Vests {
  /** The place of the vesting terms; null where all has vested at once. */
  readonly terms: number | null;
  readonly start: string | null;
}
interface OnSecurity {
  readonly security: number;
}

/** What a direct edit sets; null clears a reference. */
export interface Edit {
  readonly quantity?: string;
  readonly status?: Status;
  readonly holder?: number;
  readonly stockClass?: number | null;
  readonly plan?: number | null;
  readonly price?: string;
  readonly strike?: string;
}

export type Issuing =
  | (Issue & Vests & { readonly op: "issue-shares"; readonly stockClass: number; readonly price: string | null })
  | (Issue &
      Vests & {
        readonly op: "issue-options";
        readonly plan: number;
        readonly stockClass: number | null;
        readonly strike: string;
        readonly expires: string | null;
      })
  | (Issue & Vests & { readonly op: "issue-warrant"; readonly stockClass: number | null; readonly strike: string })
  | (Issue & Vests & { readonly op: "issue-convertible" })
  | (Issue &
      Vests & {
        readonly op: "post-security";
        readonly kind: Kind;
        readonly status: Status;
        readonly stockClass: number | null;
        readonly plan: number | null;
      });

export type Moving =
  | (OnSecurity &
      Dated & {
        readonly op: "transfer";
        readonly from: number;
        readonly to: number;
        readonly quantity: string;
        readonly vested: string | null;
      })
  | (OnSecurity &
      Dated & {
        readonly op: "exercise";
        readonly quantity: string;
        readonly strike: string;
        readonly stockClass: number | null;
        readonly early: boolean;
      })
  | (OnSecurity &
      Dated & {
        readonly op: "convert";
        readonly quantity: string | null;
        readonly stockClass: number;
        readonly resulting: string;
        /** Whether the class of the stock has a right that says how many result. */
        readonly hasRight: boolean;
      });

export type Taking =
  | (OnSecurity &
      Dated & {
        readonly op: "cancel" | "repurchase";
        readonly quantity: string;
        readonly returnToPool: boolean;
        readonly vested: string | null;
      })
  | (OnSecurity & Dated & { readonly op: "retract" })
  | (OnSecurity & { readonly op: "delete-security" });

export type Editing = OnSecurity & { readonly op: "patch-security"; readonly edit: Edit };

export type Figuring =
  | (Dated & {
      readonly op: "split";
      readonly stockClass: number;
      readonly numerator: number;
      readonly denominator: number;
      readonly rounding: Rounding;
    })
  | (Dated & { readonly op: "adjust-authorized"; readonly stockClass: number; readonly figure: string })
  | (Dated & { readonly op: "adjust-reserve"; readonly plan: number; readonly figure: string })
  | { readonly op: "patch-class"; readonly stockClass: number; readonly figure: string }
  | { readonly op: "patch-plan"; readonly plan: number; readonly figure: string }
  | { readonly op: "patch-plan-classes"; readonly plan: number; readonly classes: readonly number[] }
  | { readonly op: "delete-class"; readonly stockClass: number }
  | { readonly op: "delete-plan"; readonly plan: number };

export type Recording = OnSecurity &
  Dated & { readonly op: "record-only"; readonly type: string; readonly quantity: string };

export type Vesting =
  | (OnSecurity & Dated & { readonly op: "start-vesting"; readonly condition: string | null })
  | (OnSecurity & Dated & { readonly op: "accelerate-vesting"; readonly quantity: string })
  | (OnSecurity & Dated & { readonly op: "record-vesting-event"; readonly condition: string; readonly quantity: null })
  | (OnSecurity & Dated & { readonly op: "record-vesting-event"; readonly condition: null; readonly quantity: string })
  | (OnSecurity & { readonly op: "patch-vesting"; readonly terms?: number | null; readonly start?: string })
  | { readonly op: "patch-terms"; readonly terms: number; readonly variant: number }
  | (OnSecurity & { readonly op: "add-milestone"; readonly quantity: string })
  | { readonly op: "complete-milestone"; readonly milestone: number }
  | { readonly op: "delete-milestone"; readonly milestone: number };

/** A holder leaves; after so many days what vested may not be exercised any more. */
export type Leaving = Dated & {
  readonly op: "terminate-service";
  readonly holder: number;
  readonly days: number | null;
  /** Securities that go on as they are. */
  readonly continues: readonly number[];
};

/** Anything that can be done. */
export type Step = Leaving | Issuing | Moving | Taking | Editing | Figuring | Vesting | Recording;
