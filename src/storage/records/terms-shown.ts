// Terms of a convertible as answers show them: in full, and beside them those by which a financing converts it. Pure.
import type { DAY_COUNTS } from "./convertible-terms.ts";
import { financingTrigger, type Rate, type TermsForm, type TriggerForm } from "./terms-form.ts";

/** What the financing trigger's mechanism says, as it stands beside the triggers: null for what it does not. */
export interface FinancingTerms {
  readonly valuationCap: string | null;
  readonly discountPercent: string | null;
  /** The first rate. */
  readonly interestRate: string | null;
  readonly dayCount: (typeof DAY_COUNTS)[number] | null;
}

/** The terms by which a financing converts it. */
export function financingTerms(triggers: readonly TriggerForm[]): FinancingTerms {
  const mechanism = financingTrigger(triggers)?.mechanism;
  const priced = mechanism?.type === "SAFE" || mechanism?.type === "NOTE" ? mechanism : null;
  return {
    valuationCap: priced?.valuationCap ?? null,
    discountPercent: priced?.discountPercent ?? null,
    interestRate: interestRatesOf(triggers)[0]?.ratePercent ?? null,
    dayCount: priced?.type === "NOTE" ? priced.dayCount : null,
  };
}

/** The rates of interest that the financing trigger's mechanism says. */
export function interestRatesOf(triggers: readonly TriggerForm[]): readonly Rate[] {
  const mechanism = financingTrigger(triggers)?.mechanism;
  return mechanism?.type === "NOTE" ? mechanism.interestRates : [];
}

/** Terms as answers show them: in full, and beside it what the financing trigger's mechanism says. */
export function showTerms(form: TermsForm): Readonly<Record<string, unknown>> {
  const { convertibleType, seniority, maturityDate, proRata, triggers } = form;
  return {
    convertibleType,
    seniority,
    maturityDate,
    proRata,
    triggers,
    ...financingTerms(triggers),
  };
}
