// What the fields of guided actions are called, what is said below them, and the words of their choices.
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

/** A field's words. */
export interface FieldWords {
  readonly label: string;
  readonly hint?: string;
  /** Stands behind the figure as it was read: `1,500 shares`. */
  readonly unit?: string;
  /** Stands within the field, at its end. */
  readonly suffix?: string;
  /** What stands for no choice. */
  readonly empty?: string;
}

/** Fields by the member that they become. */
export const FIELD_WORDS: Readonly<Record<string, FieldWords>> = {
  stakeholderId: { label: "Holder" },
  toStakeholderId: { label: "Recipient" },
  stockClassId: { label: "Share class" },
  stockPlanId: { label: "Equity plan" },
  equityPlanId: { label: "Equity plan" },
  securityId: { label: "Security", hint: "Type a certificate number or a holder's name." },
  certificateId: { label: "Certificate number" },
  quantity: { label: "Number of shares", unit: "shares" },
  resultingQuantity: { label: "Shares that it becomes", unit: "shares" },
  notByRight: {
    label: "Another number than by right",
    hint: "As the paper has it. The ledger then keeps both numbers.",
  },
  vestedQuantity: { label: "Of them vested", unit: "shares", hint: "Left empty, as the vesting rules say." },
  pricePerShare: { label: "Price per share", suffix: "a share" },
  exercisePrice: { label: "Strike price", suffix: "a share" },
  totalConsideration: { label: "Paid for the warrant" },
  optionType: { label: "Tax type" },
  effectiveDate: { label: "Date" },
  expirationDate: { label: "Expires" },
  vestingTermsId: { label: "Vesting terms", empty: "None" },
  vestingStartDate: { label: "Vesting starts", hint: "Left empty, on the date of issue." },
  valuationId: { label: "Valuation", empty: "None" },
  conditionId: { label: "Condition of the terms", empty: "All" },
  boardApprovalDate: { label: "Board approval" },
  stockholderApprovalDate: { label: "Stockholder approval" },
  description: { label: "Note" },
  reason: { label: "Reason" },
  transferReason: { label: "Reason" },
  "convertibleTerms.convertibleType": { label: "Kind" },
  "convertibleTerms.valuationCap": { label: "Valuation cap" },
  "convertibleTerms.timing": { label: "The cap counts", empty: "Not said" },
  "convertibleTerms.mfn": { label: "Most favoured nation", hint: "May take the terms of a later SAFE." },
  "convertibleTerms.interestPayout": { label: "Interest is", empty: "Not said" },
  "convertibleTerms.compounding": { label: "Interest on interest", empty: "Not said" },
  "convertibleTerms.accrualPeriod": { label: "Added to the principal", empty: "Not said" },
  "convertibleTerms.minimumProceeds": {
    label: "Converts in rounds from",
    hint: "The new money of a qualified financing.",
  },
  "convertibleTerms.exitMultiple": { label: "Paid at an exit", suffix: "times" },
  "convertibleTerms.proRata": { label: "Pro rata right", hint: "Recorded only." },
  "ratio.numerator": { label: "Common shares" },
  "ratio.denominator": { label: "For shares of the class" },
  conversionPrice: { label: "Conversion price", suffix: "a share" },
  "convertibleTerms.discountPercent": { label: "Discount", suffix: "%" },
  "convertibleTerms.interestRate": { label: "Interest a year", suffix: "%" },
  "convertibleTerms.dayCount": { label: "Interest counts days", empty: "Not said" },
  "convertibleTerms.maturityDate": { label: "Falls due" },
  "convertibleTerms.seniority": { label: "Seniority", hint: "1 is most senior." },
  paymentMethod: { label: "Payment" },
  fairMarketValue: {
    label: "Value of a share",
    suffix: "a share",
    hint: "With it, shares worth the strike are kept back and the rest is issued.",
  },
  earlyExercise: {
    label: "Exercise before it has vested",
    hint: "The shares go on vesting, and the company may buy back what has not vested.",
  },
  cancellationReason: { label: "Reason" },
  returnToPool: { label: "Back to the pool", hint: "What is cancelled can be granted again." },
  exerciseWithinDays: { label: "Days left to exercise", hint: "Left empty, expirations stay as they are." },
  newSharesAuthorized: {
    label: "Authorized shares from then on",
    unit: "shares in all",
    hint: "The new figure, not a difference.",
  },
  newSharesReserved: {
    label: "Reserve from then on",
    unit: "shares in all",
    hint: "The new total, not a difference.",
  },
  numerator: { label: "New shares" },
  denominator: { label: "For each old" },
  rounding: { label: "Fractions" },
};

/** Choices by the API's value. */
export const CHOICE_WORDS: Readonly<Record<string, string>> = {
  ISO: "Incentive (ISO)",
  NSO: "Non-qualified (NSO)",
  ...CLASS_TYPES,
  ...ANTI_DILUTIONS,
  ...ANTI_DILUTION_COUNTS,
  ...DIVIDEND_TYPES,
  ...CAP_BASES,
  ...CONVERTIBLE_TYPES,
  ...INTEREST,
  PRE_MONEY: "Shares before the money, without convertibles",
  POST_MONEY: "Shares with what converts",
  AS_CONVERTED: "As converted",
  PER_SHARE: "Share by share",
  FLOOR: "Rounded down",
  CEILING: "Rounded up",
  NORMAL: "To the nearest whole share",
  CASHLESS: "Cashless, through a broker",
  NET_EXERCISE: "Net of shares",
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
  RETURN_TO_POOL: "Goes back to the pool",
  RETIRE: "Is gone for good",
  "409A": "409A",
  BOARD: "By the board",
  FINANCING: "By a financing round",
  DRAFT: "Draft",
  PENDING_APPROVAL: "Waits for approval",
  APPROVED: "Approved",
  EXPIRED: "Expired",
};

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
