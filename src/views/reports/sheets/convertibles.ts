// The sheet Convertibles: SAFEs, notes and the like, counted in money. Pure.
import { formatDecimal, parseDecimal, ZERO } from "../../../kernel/numbers/decimal.ts";
import { type Rate, readTerms, type TermsForm } from "../../../storage/records/terms-form.ts";
import { type FinancingTerms, financingTerms, interestRatesOf } from "../../../storage/records/terms-shown.ts";
import type { Taking } from "../flows.ts";
import type { Company } from "../report-company.ts";
import { type Sheet, sheetOf } from "../sheet.ts";
import { date, integer, less, moneyIn, quantity, summed, text } from "../sheet-columns.ts";
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
} from "./register-sheet.ts";

const KINDS: Readonly<Record<string, string>> = {
  SAFE: "SAFE",
  NOTE: "Note",
  CONVERTIBLE_SECURITY: "Convertible security",
};
const DAY_COUNTS: Readonly<Record<string, string>> = { ACTUAL_365: "Actual/365", "30_360": "30/360" };

/** What a report says of a convertible's terms: of several triggers, what the API shows beside them. */
export interface ReportedTerms extends FinancingTerms, Pick<TermsForm, "convertibleType" | "maturityDate"> {
  /** Null where no terms were recorded at all. */
  readonly seniority: number | null;
  /** All rates of the same mechanism. */
  readonly interestRates: readonly Rate[];
}

const UNKNOWN: ReportedTerms = {
  convertibleType: null,
  seniority: null,
  maturityDate: null,
  ...financingTerms([]),
  interestRates: [],
};

/** Terms by the row that they were read from: several cells use them. */
const known = new WeakMap<object, ReportedTerms>();

/** What is known of its terms. */
export function termsOf({ row }: Pick<Registered, "row">): ReportedTerms {
  if (!row || row.convertibleTerms === null) return UNKNOWN;
  const terms = known.get(row) ?? readReported(row.convertibleTerms);
  known.set(row, terms);
  return terms;
}

function readReported(text: string): ReportedTerms {
  const { convertibleType, seniority, maturityDate, triggers } = readTerms(text);
  const interestRates = interestRatesOf(triggers);
  return { convertibleType, seniority, maturityDate, ...financingTerms(triggers), interestRates };
}

/** What kind of convertible it is, in words. */
export function kindOf(security: Pick<Registered, "row">): string | null {
  const { convertibleType } = termsOf(security);
  return convertibleType && (KINDS[convertibleType] ?? convertibleType);
}

/** The cap as written on paper; terms without a cap have "0". */
export function capOf(security: Pick<Registered, "row">): string | null {
  const { valuationCap } = termsOf(security);
  return valuationCap === null || parseDecimal(valuationCap) === ZERO ? null : valuationCap;
}

/** How its interest counts days, in words. */
export function dayCountOf(security: Pick<Registered, "row">): string | null {
  const { dayCount } = termsOf(security);
  return dayCount && (DAY_COUNTS[dayCount] ?? dayCount);
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
    money<Registered>("cap", "Valuation cap", (each) => moneyOf(each, termsOf(each).valuationCap)),
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
