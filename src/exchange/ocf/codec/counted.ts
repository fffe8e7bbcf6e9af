// What an import counts, in the order in which its report shows it. Apart from the rest: routes load it at start.

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
