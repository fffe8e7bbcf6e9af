// Texts of valuations: list, chart, approval.
import type { Valuation } from "../api/values.ts";
import { dayText, moneyText } from "../locale.ts";
import type { Labels } from "./common.ts";

export const VALUATIONS = {
  anyClass: "No class",
  type: "Kind",
  price: "Price per share",
  priceToday: "In today's shares",
  effective: "From",
  expires: "Until",
  status: "State",
  provider: "By",
  types: { "409A": "409A", BOARD: "Board", FINANCING: "Financing" } satisfies Labels<typeof Valuation.type>,
  statuses: {
    DRAFT: "Draft",
    PENDING_APPROVAL: "Waiting for approval",
    APPROVED: "Approved",
    EXPIRED: "Expired",
  } satisfies Labels<typeof Valuation.status>,
  past: "Past",
  openOne: (name: string, day: string) => `${name}, from ${dayText(day)}`,
  chart: "Approved prices over time",
  chartNote: "Prices as reported, not adjusted for later splits.",
  chartOf: (lines: readonly string[]) => `Approved prices per share over time: ${lines.join("; ")}`,
  line: (name: string, first: string, price: string, currency: string | null) =>
    `${name}: ${moneyText(price, currency)} since ${dayText(first)}`,
  reportId: "Report number",
  fairMarketValue: "Fair market value of the company",
  enterpriseValue: "Enterprise value",
  boardApproval: "Approved by the board on",
  comments: "Comments",
  approve: "Approve",
  approveWords: "From its first day, the valuation applies to new options and to the values that holders see.",
  approved: "Valuation approved",
  expire: "Mark as expired",
  expireWords: "New options then need another valuation. Existing grants do not change.",
  expired: "Valuation marked as expired",
  ledger: "The ledger keeps each change.",
} as const;
