// Texts of a model's starting point: earlier rounds, and securities that are added to the cap table.
import { CONVERTIBLE_TYPES } from "../terms.ts";

export const BEGINNING = {
  from: "Starts from",
  today: "Current cap table",
  after: (name: string) => `After the round “${name}”`,
  own: "The rounds saved with this scenario",
  added: "Planned securities",
  addedWords:
    "SAFEs you plan to sign and grants you promised. They count in this model only; options count as fully vested.",
  security: "Security",
  add: "Add security",
  kind: "Kind",
  kinds: {
    ...CONVERTIBLE_TYPES,
    STOCK: "Shares",
    STOCK_OPTION: "Options",
    WARRANT: "Warrant",
    RESERVE: "Plan reserve increase",
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
    price: "Price or strike per share",
    valuationCap: "Valuation cap",
    discountPercent: "Discount",
    interestRate: "Annual interest",
    timing: "The cap counts",
    date: "Date",
  },
  choose: "Choose…",
  timings: { "": "Not specified", POST_MONEY: "Post-money", PRE_MONEY: "Pre-money" },
} as const;
