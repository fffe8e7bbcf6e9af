// Convertible terms in answers: in full, and beside them the terms by which a financing converts. Pure.
import type { DAY_COUNTS } from "./convertible-terms.ts";
import { financingTrigger, type Rate, type TermsForm, type TriggerForm } from "./terms-form.ts";

/** The members of the financing trigger's mechanism, shown beside the triggers; null if it lacks one. */
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

/** The interest rates of the financing trigger's mechanism. */
export function interestRatesOf(triggers: readonly TriggerForm[]): readonly Rate[] {
  const mechanism = financingTrigger(triggers)?.mechanism;
  return mechanism?.type === "NOTE" ? mechanism.interestRates : [];
}

/** Terms in answers: in full, and beside them the financing trigger's mechanism. */
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
