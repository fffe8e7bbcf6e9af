// Names of the terms of classes and convertibles, by the API's value: forms, pages and models share them.

import type { Security, ShareClass } from "../api/values.ts";
import type { Labels } from "./common.ts";
export const CLASS_TYPES = { COMMON: "Common", PREFERRED: "Preferred" } as const satisfies Labels<
  typeof ShareClass.classType
>;

export const ANTI_DILUTIONS = {
  NONE: "None",
  BROAD_BASED: "Weighted average",
  BROAD_BASED_WITH_POOL: "Weighted average with the pool",
  FULL_RATCHET: "Full ratchet",
} as const satisfies Labels<typeof ShareClass.antiDilution>;

/** The shares of a round that adjust a conversion price. */
export const ANTI_DILUTION_COUNTS = {
  CONVERSIONS: "New money and conversions",
  NEW_MONEY_ONLY: "New money only",
} as const satisfies Labels<typeof ShareClass.antiDilutionCounts>;

export const DIVIDEND_TYPES = {
  NONE: "None",
  NON_CUMULATIVE: "When declared",
  CUMULATIVE: "Cumulative",
} as const satisfies Labels<typeof ShareClass.dividendType>;

export const CAP_BASES = {
  BEYOND_PREFERENCE: "Proceeds beyond the preference",
  TOTAL: "All proceeds of a share",
} as const satisfies Labels<typeof ShareClass.participationCapBasis>;

export const CONVERTIBLE_TYPES = {
  SAFE: "SAFE",
  NOTE: "Convertible note",
  CONVERTIBLE_SECURITY: "Other convertible",
} as const satisfies Labels<(typeof Security)["convertibleTerms.convertibleType"]>;

/** Terms of interest: day count, payout, compounding, accrual period. */
export const INTEREST = {
  ACTUAL_365: "Actual/365",
  "30_360": "30/360",
  DEFERRED: "Added to the amount that converts",
  CASH: "Paid in cash",
  SIMPLE: "None",
  COMPOUNDING: "Yes",
  DAILY: "Every day",
  MONTHLY: "Every month",
  QUARTERLY: "Every quarter",
  SEMI_ANNUAL: "Every half-year",
  ANNUAL: "Every year",
} as const satisfies Labels<
  | (typeof Security)["convertibleTerms.triggers.mechanism.dayCount"]
  | (typeof Security)["convertibleTerms.triggers.mechanism.interestPayout"]
  | (typeof Security)["convertibleTerms.triggers.mechanism.compounding"]
  | (typeof Security)["convertibleTerms.triggers.mechanism.accrualPeriod"]
>;
