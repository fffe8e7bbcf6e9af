// The terms of a convertible ↔ `securities.convertibleTerms`. OCF says them in the mechanism of conversion triggers. Pure.
import type { Row } from "../../database/sql.ts";
import { formatDecimal, ONE, parseDecimal } from "../../kernel/decimal.ts";
import { isObject, type JsonObject, objectsOf } from "../json.ts";
import { amountText, numberText } from "./values.ts";
import { compact, money, type Note } from "./values-to-ocf.ts";

/** The terms of a convertible, as the API takes them; percentages are decimal strings such as `"20"`. */
export interface ConvertibleTerms {
  readonly convertibleType?: string;
  readonly valuationCap?: string;
  readonly discountPercent?: string;
  readonly interestRate?: string;
  readonly dayCount?: string;
  readonly maturityDate?: string;
  readonly seniority?: number;
}

/** The terms that a security's column holds. */
export function convertibleTermsOf(row: Row<"securities">): ConvertibleTerms {
  return row.convertibleTerms === null ? {} : JSON.parse(row.convertibleTerms);
}

/** When it matures, in words, for OCF has no member of it; null where that is not known. */
export function maturityOf(row: Row<"securities">): string | null {
  const { maturityDate } = convertibleTermsOf(row);
  return maturityDate ? `Matures on ${maturityDate}.` : null;
}

const TYPES = ["NOTE", "SAFE", "CONVERTIBLE_SECURITY"] as const;
const DAY_COUNTS = ["ACTUAL_365", "30_360"] as const;

/** The members of `convertibleTerms` that the first mechanism of the triggers says. */
export function convertibleTermsFromOcf(value: JsonObject): Readonly<Record<string, unknown>> {
  const mechanism = mechanismOf(value);
  const rates = objectsOf(mechanism, "interest_rates");
  const terms = {
    convertibleType: TYPES.find((type) => type === value.convertible_type),
    valuationCap: amountText(mechanism, "conversion_valuation_cap"),
    discountPercent: percent(numberText(mechanism, "conversion_discount")),
    interestRate: rates[0] ? percent(numberText(rates[0], "rate")) : null,
    dayCount: DAY_COUNTS.find((word) => word === mechanism.day_count_convention),
    seniority: Number.isSafeInteger(value.seniority) ? value.seniority : null,
  };
  return Object.fromEntries(Object.entries(terms).filter(([, term]) => term !== null && term !== undefined));
}

function mechanismOf(value: JsonObject): JsonObject {
  const [trigger] = objectsOf(value, "conversion_triggers");
  const right = isObject(trigger?.conversion_right) ? trigger.conversion_right : {};
  return isObject(right.conversion_mechanism) ? right.conversion_mechanism : {};
}

/** OCF writes a share of one, the service percent: `"0.2"` is `"20"`. */
function percent(share: string | null): string | null {
  if (share === null) return null;
  const [whole = "0", fraction = ""] = share.split(".");
  const digits = whole + fraction.padEnd(2, "0").slice(0, 2);
  const rest = fraction.slice(2).replace(/0+$/, "");
  return `${digits.replace(/^0+(?=\d)/, "")}${rest === "" ? "" : `.${rest}`}`;
}

/** What is said of an issued convertible besides its terms. */
interface IssuedConvertible {
  readonly row: Pick<Row<"securities">, "grantDate">;
  readonly currency: string;
}

/** How it converts. */
export function mechanismToOcf(terms: ConvertibleTerms, issued: IssuedConvertible, note: Note): JsonObject {
  const discount = shareOf(terms.discountPercent, note);
  const cap = money(terms.valuationCap, issued.currency);
  const common = { conversion_discount: discount, conversion_valuation_cap: cap };
  if (terms.convertibleType === "SAFE") return compact({ type: "SAFE_CONVERSION", ...common, conversion_mfn: false });
  if (terms.convertibleType === "NOTE") {
    const rate = shareOf(terms.interestRate, note);
    return compact({
      type: "CONVERTIBLE_NOTE_CONVERSION",
      interest_rates: rate === undefined ? [] : [{ rate, accrual_start_date: issued.row.grantDate }],
      day_count_convention: terms.dayCount ?? "ACTUAL_365",
      interest_payout: "DEFERRED",
      interest_accrual_period: "ANNUAL",
      compounding_type: "SIMPLE",
      ...common,
    });
  }
  const words = [
    terms.valuationCap ? `valuation cap ${terms.valuationCap}` : null,
    terms.discountPercent ? `discount ${terms.discountPercent} %` : null,
    terms.interestRate ? `interest ${terms.interestRate} % a year` : null,
  ].filter((word) => word !== null);
  if (words.length === 0) note("the terms of a convertible are not recorded; a custom conversion exported");
  const description = words.length === 0 ? "Terms not recorded" : `Converts with ${words.join(", ")}.`;
  return { type: "CUSTOM_CONVERSION", custom_conversion_description: description };
}

const HUNDRED = 100n;

/** OCF's Percentage of a number of percent: `"20"` is `"0.2"`. Undefined where OCF cannot say it. */
function shareOf(percent: string | undefined, note: Note): string | undefined {
  if (percent === undefined) return undefined;
  const value = parseDecimal(percent);
  if (value <= HUNDRED * ONE && value % HUNDRED === 0n) return formatDecimal(value / HUNDRED);
  note("a percentage of a convertible is above 100 or finer than OCF's ten places; left out");
  return undefined;
}
