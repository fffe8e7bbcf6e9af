// Words for the terms of classes and convertibles, by the API's value: forms, pages and models say the same.

export const CLASS_TYPES = { COMMON: "Common", PREFERRED: "Preferred" } as const;

export const ANTI_DILUTIONS = {
  NONE: "None",
  BROAD_BASED: "Weighted average",
  BROAD_BASED_WITH_POOL: "Weighted average with the pool",
  FULL_RATCHET: "Full ratchet",
} as const;

/** What of a round adjusts a conversion price. */
export const ANTI_DILUTION_COUNTS = {
  CONVERSIONS: "New money and what converts",
  NEW_MONEY_ONLY: "New money only",
} as const;

export const DIVIDEND_TYPES = { NONE: "None", NON_CUMULATIVE: "When declared", CUMULATIVE: "Cumulative" } as const;

export const CAP_BASES = {
  BEYOND_PREFERENCE: "What comes on top of the preference",
  TOTAL: "All that a share gets",
} as const;

export const CONVERTIBLE_TYPES = {
  SAFE: "SAFE",
  NOTE: "Convertible note",
  CONVERTIBLE_SECURITY: "Other convertible",
} as const;

/** How days are counted, what becomes of interest, whether it bears interest itself, and when it is added. */
export const INTEREST = {
  ACTUAL_365: "Actual days of 365",
  "30_360": "Months of 30 days of 360",
  DEFERRED: "Added to what converts",
  CASH: "Cash",
  SIMPLE: "None",
  COMPOUNDING: "Yes",
  DAILY: "Every day",
  MONTHLY: "Every month",
  QUARTERLY: "Every quarter",
  SEMI_ANNUAL: "Every half-year",
  ANNUAL: "Every year",
} as const;
