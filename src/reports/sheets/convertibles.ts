// The sheet Convertibles: SAFEs, notes and the like, counted in money. Pure.
import { formatDecimal } from "../../kernel/decimal.ts";
import { date, integer, less, moneyIn, quantity, summed, text } from "../columns.ts";
import type { Company } from "../company.ts";
import type { Taking } from "../flows.ts";
import { type Sheet, sheetOf } from "../sheet.ts";
import {
  adjustedOf,
  boardApproval,
  closedOn,
  ending,
  from,
  heading,
  howIssued,
  issueDate,
  moneyOf,
  outstandingOf,
  type Registered,
  registered,
  status,
  to,
} from "./register.ts";

/** The terms of a convertible, as they are kept. */
export interface ConvertibleTerms {
  readonly convertibleType?: string;
  readonly valuationCap?: string;
  readonly discountPercent?: string;
  readonly interestRate?: string;
  readonly dayCount?: string;
  readonly maturityDate?: string;
  readonly seniority?: number;
}

const KINDS: Readonly<Record<string, string>> = {
  SAFE: "SAFE",
  NOTE: "Note",
  CONVERTIBLE_SECURITY: "Convertible security",
};
const DAY_COUNTS: Readonly<Record<string, string>> = { ACTUAL_365: "Actual/365", "30_360": "30/360" };

/** What is known of its terms. */
export function termsOf({ row }: Pick<Registered, "row">): ConvertibleTerms {
  return JSON.parse(row?.convertibleTerms ?? "{}");
}

/** What kind of convertible it is, in words. */
export function kindOf(security: Pick<Registered, "row">): string | null {
  const { convertibleType } = termsOf(security);
  return convertibleType === undefined ? null : (KINDS[convertibleType] ?? convertibleType);
}

/** How its interest counts days, in words. */
export function dayCountOf(security: Pick<Registered, "row">): string | null {
  const { dayCount } = termsOf(security);
  return dayCount === undefined ? null : (DAY_COUNTS[dayCount] ?? dayCount);
}

/** Lays the sheet out. */
export function convertiblesSheet(company: Company): Sheet {
  const { money, summedMoney } = moneyIn(company.currency);
  const rows = registered(company, "CONVERTIBLE");
  const taken = (taking: Taking, header: string) =>
    summedMoney<Registered>(taking, header, (each) => moneyOf(each, formatDecimal(each.flow.taken[taking])));
  const columns = [
    ...heading("Convertible"),
    text<Registered>("kind", "Kind", kindOf),
    issueDate(),
    summedMoney<Registered>("issued", "Principal", (each) => moneyOf(each, formatDecimal(each.flow.issued))),
    summedMoney<Registered>("adjusted", "Adjusted", (each) => moneyOf(each, formatDecimal(adjustedOf(each)))),
    taken("transferred", "Transferred"),
    taken("converted", "Converted"),
    taken("cancelled", "Cancelled"),
    summedMoney<Registered>(
      "outstanding",
      "Outstanding",
      (each) => moneyOf(each, formatDecimal(outstandingOf(each))),
      less(["issued", "adjusted"], "transferred", "converted", "cancelled"),
    ),
    money<Registered>("cap", "Valuation cap", (each) => moneyOf(each, termsOf(each).valuationCap ?? null)),
    quantity<Registered>("discount", "Discount %", (each) => termsOf(each).discountPercent),
    quantity<Registered>("interest", "Interest %", (each) => termsOf(each).interestRate),
    text<Registered>("dayCount", "Day count", dayCountOf),
    date<Registered>("matures", "Matures", (each) => termsOf(each).maturityDate),
    status,
    integer<Registered>("seniority", "Seniority", (each) => termsOf(each).seniority),
    summed<Registered>("shares", "Shares issued", ({ flow }) => formatDecimal(flow.sharesIssued)),
    howIssued,
    from,
    to,
    closedOn,
    boardApproval,
    ...ending,
  ];
  const printed = columns.findIndex(({ key }) => key === "seniority");
  const shape = { key: "convertibles", name: "Convertibles", isSnapshot: false, frozen: 2, printed, columns };
  return sheetOf({ ...shape, rows: () => rows });
}
