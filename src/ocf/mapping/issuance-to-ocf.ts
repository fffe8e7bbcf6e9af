// Securities and OCF's four issuances. A security that is left over after a partial operation, or that an operation
// made, is issued in OCF like any other. Pure.
import type { SecurityType } from "../../database/schema.ts";
import type { Row } from "../../database/sql.ts";
import { type Decimal, formatDecimal, ONE, parseDecimal, ZERO } from "../../kernel/decimal.ts";
import type { Parcels } from "../../vesting/parcels.ts";
import type { JsonObject } from "../json.ts";
import type { SecurityFamily } from "../schemas/registry.ts";
import { commentsOf, compact, money, type Note } from "./values-to-ocf.ts";
import { vestingsToOcf } from "./vestings.ts";

/** OCF's family of each type of security. */
export const FAMILY: Readonly<Record<SecurityType, SecurityFamily>> = {
  STOCK: "STOCK",
  STOCK_OPTION: "EQUITY_COMPENSATION",
  WARRANT: "WARRANT",
  CONVERTIBLE: "CONVERTIBLE",
};

/** A security as it is to be issued: its description, and what the ledger says of it at that moment. */
export interface Issued {
  readonly row: Row<"securities">;
  /** The issuance's own id. */
  readonly objectId: string;
  /** The security's id in OCF: its own, or a balance's. */
  readonly securityId: string;
  readonly date: string;
  readonly quantity: Decimal;
  readonly pricePerShare: string | null;
  readonly exercisePrice: string | null;
  /** In which its amounts go out. */
  readonly currency: string;
  /** The plan, where the export holds it. */
  readonly equityPlanId: string | null;
  /** The class's issuance price, where it has one. */
  readonly classPrice: string | null;
  /** True for what is left over: what was paid for the whole is not said again. */
  readonly isBalance: boolean;
  /** How it vests, where its terms over its quantity do not say it. */
  readonly parcels: Parcels | null;
  readonly comments: readonly (string | null)[];
}

/** The trigger by which a warrant that this service made is exercised. */
export function exerciseTriggerId(securityId: string): string {
  return `${securityId}:exercise`;
}

/** The trigger by which a convertible that this service made converts. */
export function conversionTriggerId(securityId: string): string {
  return `${securityId}:conversion`;
}

/** The issuance of a security. `expiration_date` of an option is the one member that OCF requires and takes null for. */
export function issuanceToOcf(issued: Issued, note: Note): JsonObject {
  const { row } = issued;
  const members: Readonly<Record<SecurityType, (issued: Issued, note: Note) => Readonly<Record<string, unknown>>>> = {
    STOCK: stockMembers,
    STOCK_OPTION: optionMembers,
    WARRANT: warrantMembers,
    CONVERTIBLE: convertibleMembers,
  };
  const { vestings, comment } = vestingsToOcf(issued.parcels ?? []);
  if (row.certificateId === null) note("a security has no certificate number, which OCF requires; its id exported");
  const issuance = compact({
    object_type: `TX_${FAMILY[row.type]}_ISSUANCE`,
    id: issued.objectId,
    date: issued.date,
    security_id: issued.securityId,
    custom_id: row.certificateId ?? row.id,
    stakeholder_id: row.stakeholderId,
    board_approval_date: row.boardApprovalDate,
    stockholder_approval_date: row.stockholderApprovalDate,
    security_law_exemptions: [],
    ...members[row.type](issued, note),
    vestings,
    comments: commentsOf(row.comments, ...issued.comments, maturityOf(row), comment),
  });
  return row.type === "STOCK_OPTION" ? { ...issuance, expiration_date: row.expirationDate } : issuance;
}

function stockMembers(issued: Issued, note: Note) {
  const { row, currency } = issued;
  return {
    stock_class_id: row.stockClassId,
    stock_plan_id: issued.equityPlanId,
    share_price: money(sharePrice(issued, note), currency),
    quantity: amountOf(issued),
    vesting_terms_id: termsIdOf(issued),
    cost_basis: issued.isBalance ? undefined : money(row.purchasePrice, currency),
    stock_legend_ids: JSON.parse(row.stockLegendIds),
  };
}

function sharePrice(issued: Issued, note: Note): string {
  const { pricePerShare, classPrice, quantity, row } = issued;
  if (pricePerShare !== null) return pricePerShare;
  const paid = issued.isBalance || row.purchasePrice === null ? null : parseDecimal(row.purchasePrice) * ONE;
  if (paid !== null && quantity > ZERO && paid % quantity === 0n) return formatDecimal(paid / quantity);
  note(`the share price of an issuance is not known; ${classPrice === null ? '"0"' : "its class's"} exported`);
  return classPrice ?? "0";
}

function optionMembers(issued: Issued, note: Note) {
  const { row, exercisePrice, currency } = issued;
  if (exercisePrice === null) note('the strike price of an option is not known; "0" exported');
  if (row.optionType === null) note("the type of an option is not known; OPTION exported");
  return {
    stock_plan_id: issued.equityPlanId,
    stock_class_id: row.stockClassId,
    compensation_type: row.optionType === null ? "OPTION" : `OPTION_${row.optionType}`,
    quantity: amountOf(issued),
    exercise_price: money(exercisePrice ?? "0", currency),
    vesting_terms_id: termsIdOf(issued),
    termination_exercise_windows: [],
  };
}

function warrantMembers(issued: Issued, note: Note) {
  const { row, securityId, currency } = issued;
  if (row.purchasePrice === null) note('what was paid for a warrant is not known; "0" exported');
  const right = compact({
    type: "WARRANT_CONVERSION_RIGHT",
    conversion_mechanism: { type: "FIXED_AMOUNT_CONVERSION", converts_to_quantity: amountOf(issued) },
    converts_to_stock_class_id: row.stockClassId,
  });
  return {
    quantity: amountOf(issued),
    exercise_price: money(issued.exercisePrice, currency),
    purchase_price: money(row.purchasePrice ?? "0", currency),
    exercise_triggers: [
      { type: "ELECTIVE_AT_WILL", trigger_id: exerciseTriggerId(securityId), conversion_right: right },
    ],
    warrant_expiration_date: row.expirationDate,
    vesting_terms_id: termsIdOf(issued),
  };
}

/** The terms of a convertible, as the API takes them; percentages are decimal strings such as `"20"`. */
interface ConvertibleTerms {
  readonly convertibleType?: string;
  readonly valuationCap?: string;
  readonly discountPercent?: string;
  readonly interestRate?: string;
  readonly dayCount?: string;
  readonly maturityDate?: string;
  readonly seniority?: number;
}

function termsOf(row: Row<"securities">): ConvertibleTerms {
  return row.convertibleTerms === null ? {} : JSON.parse(row.convertibleTerms);
}

function maturityOf(row: Row<"securities">): string | null {
  const { maturityDate } = termsOf(row);
  return maturityDate ? `Matures on ${maturityDate}.` : null;
}

function convertibleMembers(issued: Issued, note: Note) {
  const terms = termsOf(issued.row);
  if (!terms.convertibleType) note("the kind of a convertible is not known; CONVERTIBLE_SECURITY exported");
  const trigger = {
    type: "UNSPECIFIED",
    trigger_id: conversionTriggerId(issued.securityId),
    conversion_right: {
      type: "CONVERTIBLE_CONVERSION_RIGHT",
      conversion_mechanism: mechanismOf(terms, issued, note),
    },
  };
  return {
    investment_amount: money(amountOf(issued), issued.currency),
    convertible_type: terms.convertibleType ?? "CONVERTIBLE_SECURITY",
    conversion_triggers: [trigger],
    seniority: terms.seniority ?? 1,
  };
}

function mechanismOf(terms: ConvertibleTerms, issued: Issued, note: Note): JsonObject {
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

/** The terms, where they say anything: exact days win over them, but for what still waits. */
function termsIdOf({ row, parcels }: Issued): string | null {
  return parcels === null || parcels.some(({ date }) => date === null) ? row.vestingTermsId : null;
}

/** The quantity as it was sent where that is still the number, else computed. */
function amountOf({ row, quantity }: Issued): string {
  return parseDecimal(row.quantity) === quantity ? row.quantity : formatDecimal(quantity);
}
