// Labels, hints and choices of the fields of guided actions.
import { quantityText } from "../../locale.ts";
import { REGISTER } from "../register-words.ts";
import {
  ANTI_DILUTION_COUNTS,
  ANTI_DILUTIONS,
  CAP_BASES,
  CLASS_TYPES,
  CONVERTIBLE_TYPES,
  DIVIDEND_TYPES,
  INTEREST,
} from "../terms.ts";

/** Texts of a field. */
export interface FieldWords {
  readonly label: string;
  readonly hint?: string;
  /** The unit after the figure as it was read: `1,500 shares`. */
  readonly unit?: string;
  /** A unit inside the field, at its end. */
  readonly suffix?: string;
  /** The label of making no choice. */
  readonly empty?: string;
  /** Labels of its choices, if they are not the usual ones. */
  readonly choices?: Readonly<Record<string, string>>;
  /** What is said below each of its boxes. */
  readonly hints?: Readonly<Record<string, string>>;
}

/** Fields by the member of the request body that they fill. */
export const FIELD_WORDS: Readonly<Record<string, FieldWords>> = {
  stakeholderId: { label: "Holder" },
  toStakeholderId: { label: "Recipient" },
  stockClassId: { label: "Share class" },
  stockPlanId: { label: "Equity plan" },
  equityPlanId: { label: "Equity plan" },
  securityId: { label: "Security", hint: "Type a certificate number or a holder's name." },
  certificateId: { label: "Certificate number" },
  quantity: { label: "Number of shares", unit: "shares" },
  resultingQuantity: { label: "Resulting shares", unit: "shares" },
  notByRight: {
    label: "Different number than by right",
    hint: "From the signed paper. The ledger keeps both numbers.",
  },
  vestedQuantity: { label: "Vested part", unit: "shares", hint: "Leave empty to apply the vesting rules." },
  pricePerShare: { label: "Price per share", suffix: "per share" },
  exercisePrice: { label: "Strike price", suffix: "per share" },
  totalConsideration: { label: "Paid for the warrant" },
  optionType: { label: "Tax type" },
  effectiveDate: { label: "Date" },
  expirationDate: { label: "Expires" },
  vestingTermsId: { label: "Vesting terms", empty: "None" },
  vestingStartDate: { label: "Vesting starts", hint: "Leave empty for the date of issue." },
  valuationId: { label: "Valuation", empty: "None" },
  conditionId: { label: "Vesting condition", empty: "All" },
  boardApprovalDate: { label: "Board approval" },
  stockholderApprovalDate: { label: "Stockholder approval" },
  description: { label: "Note" },
  reason: { label: "Reason" },
  transferReason: { label: "Reason" },
  "convertibleTerms.convertibleType": { label: "Kind" },
  "convertibleTerms.valuationCap": { label: "Valuation cap" },
  "convertibleTerms.timing": { label: "The cap counts", empty: "Not specified" },
  "convertibleTerms.mfn": { label: "Most favored nation", hint: "Can adopt the terms of a later SAFE." },
  "convertibleTerms.interestPayout": { label: "Interest is", empty: "Not specified" },
  "convertibleTerms.compounding": { label: "Interest compounding", empty: "Not specified" },
  "convertibleTerms.accrualPeriod": { label: "Compounding period", empty: "Not specified" },
  "convertibleTerms.minimumProceeds": {
    label: "Converts in rounds from",
    hint: "Minimum new money of a qualified financing.",
  },
  "convertibleTerms.exitMultiple": { label: "Payout at an exit", suffix: "times" },
  "convertibleTerms.proRata": { label: "Pro rata right", hint: "For the record only." },
  "ratio.numerator": { label: "Common shares" },
  "ratio.denominator": { label: "For shares of the class" },
  conversionPrice: { label: "Conversion price", suffix: "per share" },
  "convertibleTerms.discountPercent": { label: "Discount", suffix: "%" },
  "convertibleTerms.interestRate": { label: "Annual interest", suffix: "%" },
  "convertibleTerms.dayCount": { label: "Day count", empty: "Not specified" },
  "convertibleTerms.maturityDate": { label: "Matures" },
  "convertibleTerms.seniority": { label: "Seniority", hint: "1 is the most senior." },
  paymentMethod: { label: "Payment" },
  fairMarketValue: {
    label: "Value per share",
    suffix: "per share",
    hint: "The company withholds shares worth the strike and issues the rest.",
  },
  earlyExercise: {
    label: "Early exercise",
    hint: "The shares keep vesting, and the company can repurchase unvested ones.",
  },
  cancellationReason: { label: "Reason" },
  returnToPool: { label: "Return to the pool", hint: "The plan can grant the cancelled options again." },
  exerciseWithinDays: { label: "Days to exercise", hint: "Leave empty to keep the current expirations." },
  newSharesAuthorized: {
    label: "New authorized shares",
    unit: "shares in all",
    hint: "The new total, not the change.",
  },
  newSharesReserved: {
    label: "New reserve",
    unit: "shares in all",
    hint: "The new total, not the change.",
  },
  numerator: { label: "New shares" },
  denominator: { label: "For old shares" },
  rounding: { label: "Fractions" },
};

/** The label of a member that has none: its name in words, such as "Lender name". */
export function labelOf(member: string): string {
  const words = (member.split(".").at(-1) ?? member).replace(/(?<=[a-z])(?=[A-Z])/g, " ").toLowerCase();
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Choices by the API's value. */
export const CHOICE_WORDS = {
  ISO: "Incentive (ISO)",
  NSO: "Non-qualified (NSO)",
  ...CLASS_TYPES,
  ...ANTI_DILUTIONS,
  ...ANTI_DILUTION_COUNTS,
  ...DIVIDEND_TYPES,
  ...CAP_BASES,
  ...CONVERTIBLE_TYPES,
  ...INTEREST,
  PRE_MONEY: "Pre-money, without convertibles",
  POST_MONEY: "Post-money, with converted securities",
  AS_CONVERTED: "As converted",
  PER_SHARE: "Per share",
  FLOOR: "Rounded down",
  CEILING: "Rounded up",
  NORMAL: "To the nearest whole share",
  CASHLESS: "Cashless, through a broker",
  NET_EXERCISE: "Net exercise",
  FORFEITURE: "Forfeited",
  EXPIRATION: "Expired",
  REPURCHASE: "Repurchased",
  TERMINATION: "Service ended",
  DOWN: "Rounded down",
  UP: "Rounded up",
  NEAREST: "To the nearest whole share",
  FRACTIONAL: "Kept",
  INDIVIDUAL: "A person",
  INSTITUTION: "An institution",
  ...REGISTER.holderStatuses,
  ...REGISTER.relationships,
  RETURN_TO_POOL: "Return to the pool",
  RETIRE: "Are retired",
  "409A": "409A",
  BOARD: "By the board",
  FINANCING: "By a financing round",
  DRAFT: "Draft",
  PENDING_APPROVAL: "Waiting for approval",
  APPROVED: "Approved",
  EXPIRED: "Expired",
} as const;

/** A value of a choice that has its usual label. */
export type Choice = keyof typeof CHOICE_WORDS;

/** Headings of the parts of a form. */
export const GROUP_WORDS = {
  basics: "Basics",
  who: "Who receives what",
  what: "What it is about",
  when: "When, and how it vests",
  whenOnly: "When",
  terms: "Terms",
  paper: "Paper trail",
  limits: "Size",
  rights: "Rights",
  contact: "Contact",
} as const;

const SECURITY_TYPES: Readonly<Record<string, string>> = {
  STOCK: "shares",
  STOCK_OPTION: "options",
  WARRANT: "under warrant",
  CONVERTIBLE: "principal",
};

export const SECURITY_WORDS = {
  former: "former",
  noNumber: "No number",
  held: (quantity: string, type: string) => `${quantityText(quantity)} ${SECURITY_TYPES[type] ?? ""}`,
  valuation: (type: string, price: string, day: string) => `${type}, ${quantityText(price)}, ${day}`,
  available: (left: string) => `${quantityText(left)} left`,
  event: "Event",
  every: (length: number, unit: string) => `Every ${length} ${unit.toLocaleLowerCase()}`,
} as const;
