// The counts of an import's report, in their order. A file of its own, because routes load it at start.

export const COUNTED = [
  "stakeholders",
  "stockClasses",
  "issuances",
  "stockPlans",
  "vestingTerms",
  "valuations",
  "documents",
  "stockLegends",
  "transactions",
  "other",
] as const;
export type Counted = (typeof COUNTED)[number];
