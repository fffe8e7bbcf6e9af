// Words of what a model begins with: rounds that come before it, and securities that are not there.
import { CONVERTIBLE_TYPES } from "../terms.ts";

export const BEGINNING = {
  from: "Begins with",
  today: "The cap table as it is",
  after: (name: string) => `After the round “${name}”`,
  own: "The rounds that it was kept with",
  added: "Securities that are not there yet",
  addedWords:
    "SAFEs you mean to sign, grants you have promised. They count in this model alone; options as fully vested.",
  security: "Security",
  add: "Add a security",
  kind: "Kind",
  kinds: {
    ...CONVERTIBLE_TYPES,
    STOCK: "Shares",
    STOCK_OPTION: "Options",
    WARRANT: "Warrant",
    RESERVE: "Larger reserve of a plan",
  },
  quantities: { SAFE: "Principal", NOTE: "Principal", CONVERTIBLE_SECURITY: "Principal" } as Readonly<
    Record<string, string>
  >,
  quantity: "Number of shares",
  fields: {
    who: "Holder",
    stockClassId: "Share class",
    equityPlanId: "Equity plan",
    quantity: "Number of shares",
    price: "Price or strike, a share",
    valuationCap: "Valuation cap",
    discountPercent: "Discount",
    interestRate: "Interest a year",
    timing: "The cap counts",
    date: "Date",
  },
  choose: "Choose…",
  timings: { "": "Not said", POST_MONEY: "Post-money", PRE_MONEY: "Pre-money" },
} as const;
