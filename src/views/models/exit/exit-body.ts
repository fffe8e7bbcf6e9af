// The body of `POST /models/waterfall` as plain data, checked by its schema before. Pure.
import type { Election } from "../round/round-body.ts";

export interface ClassOverride {
  readonly stockClassId?: string | null | undefined;
  readonly className?: string | null | undefined;
  readonly seniority?: number | undefined;
  readonly liquidationPreferenceMultiple?: string | undefined;
  readonly isParticipating?: boolean | undefined;
  readonly participationCapMultiple?: string | null | undefined;
}

/** A part of what a deduction is of, up to a bound; null: without one. */
export interface Slice {
  readonly upTo: string | null;
  readonly percent: string;
}

/** An amount, a percentage, or a percentage of each slice. */
export interface Deduction {
  readonly name: string;
  readonly amount?: string | null | undefined;
  readonly percent?: string | null | undefined;
  readonly slices?: readonly Slice[] | null | undefined;
  readonly of?: "EXIT_VALUE" | "REMAINDER" | undefined;
}

export type Detail = "UNITS" | "HOLDERS" | "SECURITIES";

export interface WaterfallBody {
  readonly exitDate?: string | undefined;
  readonly exitValues?: readonly string[] | undefined;
  readonly range?: { readonly from: string; readonly to: string; readonly steps: number } | undefined;
  readonly deductions?: readonly Deduction[] | undefined;
  readonly unvested?: "FORFEIT" | "ACCELERATE" | undefined;
  readonly accelerate?: readonly string[] | undefined;
  readonly mfnElections?: readonly Election[] | undefined;
  readonly classOverrides?: readonly ClassOverride[] | undefined;
  readonly detail?: Detail | undefined;
  readonly breakpoints?: boolean | undefined;
}
