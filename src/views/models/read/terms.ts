// Terms of convertibles for models: those of the financing trigger, by which rounds and exits convert them. Pure.
import type { CalendarDate } from "../../../kernel/date.ts";
import { type Decimal, parseDecimal, ZERO } from "../../../kernel/numbers/decimal.ts";
import { financingTrigger, type MechanismForm, type TermsForm } from "../../../storage/records/terms-form.ts";
import type { CapitalizationRules, ConvertibleTermsRead, InterestTerms, Mechanism } from "../model-company.ts";

/** What counts by default: all but what is added to the pool and the new money (YC's post-money SAFE). */
const POST_MONEY: CapitalizationRules = {
  includeOutstandingShares: true,
  includeOutstandingOptions: true,
  includeOutstandingUnissuedOptions: true,
  includeThisSecurity: true,
  includeOtherConvertingSecurities: true,
  includeOptionPoolTopupForPromisedOptions: true,
  includeAdditionalOptionPoolTopup: false,
  includeNewMoney: false,
};
/** All but this security, others that convert, and the new money (YC's original SAFE). */
const PRE_MONEY: CapitalizationRules = {
  ...POST_MONEY,
  includeThisSecurity: false,
  includeOtherConvertingSecurities: false,
  includeAdditionalOptionPoolTopup: true,
};

/** A convertible without terms. */
export const NO_TERMS: ConvertibleTermsRead = {
  convertibleType: "CONVERTIBLE_SECURITY",
  seniority: 1,
  maturityDate: null,
  triggerId: null,
  minimumProceeds: null,
  mechanism: { type: "CUSTOM" },
  interest: null,
};

function decimalOrNull(text: string | null): Decimal | null {
  return text === null ? null : parseDecimal(text);
}

/** Reads terms in full. */
export function termsForModels(form: TermsForm): ConvertibleTermsRead {
  const trigger = financingTrigger(form.triggers);
  if (trigger === null) return { ...NO_TERMS, maturityDate: form.maturityDate, seniority: form.seniority };
  return {
    convertibleType: form.convertibleType ?? "CONVERTIBLE_SECURITY",
    seniority: form.seniority,
    maturityDate: form.maturityDate,
    triggerId: trigger.id,
    minimumProceeds: decimalOrNull(trigger.minimumProceeds),
    mechanism: mechanismOf(trigger.mechanism),
    interest: interestOf(trigger.mechanism),
  };
}

function mechanismOf(form: MechanismForm): Mechanism {
  if (form.type === "CUSTOM") return { type: "CUSTOM" };
  if (form.type === "FIXED") return { type: "FIXED", quantity: parseDecimal(form.quantity) };
  if (form.type === "PERCENT") {
    return { type: "PERCENT", percent: parseDecimal(form.percent), rules: form.capitalization ?? POST_MONEY };
  }
  const cap = decimalOrNull(form.valuationCap);
  const isPreMoney = form.type === "NOTE" || form.timing === "PRE_MONEY";
  return {
    type: form.type,
    cap: cap === ZERO ? null : cap,
    discountPercent: decimalOrNull(form.discountPercent) ?? ZERO,
    timing: form.type === "SAFE" ? form.timing : null,
    isMfn: form.mfn,
    exitMultiple: decimalOrNull(form.exitMultiple),
    rules: form.capitalization ?? (isPreMoney ? PRE_MONEY : POST_MONEY),
  };
}

function interestOf(form: MechanismForm): InterestTerms | null {
  if (form.type !== "NOTE" || form.interestRates.length === 0) return null;
  return {
    rates: form.interestRates.map(({ ratePercent, startDate, endDate }) => ({
      ratePercent: parseDecimal(ratePercent),
      startDate: startDate as CalendarDate,
      endDate,
    })),
    dayCount: form.dayCount,
    payout: form.interestPayout,
    compounding: form.compounding,
    accrualPeriod: form.accrualPeriod,
  };
}
