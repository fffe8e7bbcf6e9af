// The body of `POST /models/round` as plain data, checked by its schema before. Pure.

/** A stakeholder on record, or a name. */
export interface HolderNamed {
  readonly stakeholderId?: string | null | undefined;
  readonly name?: string | null | undefined;
}

/** The terms of the class that new money gets; as a share class is made. */
export interface NewClassBody {
  readonly name: string;
  readonly seniority?: number | undefined;
  readonly votesPerShare?: string | undefined;
  readonly defaultIdPrefix?: string | undefined;
  readonly liquidationPreferenceMultiple?: string | null | undefined;
  readonly isParticipating?: boolean | undefined;
  readonly participationCapMultiple?: string | null | undefined;
  readonly participationCapBasis?: "BEYOND_PREFERENCE" | "TOTAL" | undefined;
  readonly antiDilution?: "NONE" | "BROAD_BASED" | "BROAD_BASED_WITH_POOL" | "FULL_RATCHET" | undefined;
  readonly antiDilutionCounts?: "CONVERSIONS" | "NEW_MONEY_ONLY" | null | undefined;
  readonly dividendType?: "NONE" | "NON_CUMULATIVE" | "CUMULATIVE" | undefined;
  readonly dividendRatePercent?: string | null | undefined;
  readonly dividendCompounding?: "SIMPLE" | "ANNUAL" | null | undefined;
}

export interface Election {
  readonly securityId: string;
  readonly adoptsSecurityId: string | null;
}

export interface RoundBody {
  readonly closingDate?: string | undefined;
  readonly newClass: NewClassBody;
  readonly shiftSeniority?: boolean | undefined;
  readonly valuation: {
    readonly kind: "PRE_MONEY" | "POST_MONEY" | "PRICE";
    readonly amount: string;
    readonly convertibles?: "IN_PRE_MONEY" | "EXCLUDED" | "ADDED_AT_COST" | undefined;
  };
  readonly investors: readonly (HolderNamed & { readonly amount: string })[];
  readonly proRata?:
    | {
        readonly mode: "WITHIN" | "ON_TOP";
        readonly participants: readonly (HolderNamed & { readonly percent?: string | null | undefined })[];
      }
    | null
    | undefined;
  readonly pool?:
    | {
        readonly targetPercent?: string | null | undefined;
        readonly increase?: string | null | undefined;
        readonly measure?: "AVAILABLE" | "GRANTED_AND_AVAILABLE" | undefined;
        readonly position?: "PRE_MONEY" | "POST_MONEY" | undefined;
        readonly promised?: string | null | undefined;
        readonly equityPlanId?: string | null | undefined;
      }
    | null
    | undefined;
  readonly conversion?:
    | {
        readonly exclude?: readonly string[] | undefined;
        readonly force?: readonly string[] | undefined;
        readonly mfnElections?: readonly Election[] | undefined;
        readonly shadowSeries?: boolean | undefined;
      }
    | null
    | undefined;
  readonly pricePlaces?: number | undefined;
}

/** Where a body stands in the one that was sent: `#`, or `#/rounds/0`. */
export type Pointer = string;
