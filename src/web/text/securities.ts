// Texts of the register of securities and of one security's page.
import type { Security } from "../api/values.ts";
import type { Labels } from "./common.ts";
import { CONVERTIBLE_TYPES, INTEREST } from "./terms.ts";

export const SECURITIES = {
  title: "Securities",
  class: "Class",
  plan: "Plan",
  strike: "Strike",
  granted: "Granted",
  issued: "Issued",
  paid: "Paid per share",

  noun: "security",
  one: "the security",
  tabsLabel: "Parts of this security",
  tabs: { terms: "Terms", vesting: "Vesting", history: "History", documents: "Documents", details: "Details" },
  act: "Record",
  quantityNote: "outstanding",
  from: (day: string) => `from ${day}`,
  aheadOf: (what: string, day: string) => `${what} from ${day}`,
  principal: "Principal",
  ended: (was: string) => `${was}; nothing is left`,
  exercisable: "Exercisable",
  exercisableUntil: (day: string) => `until ${day}`,
  holder: "Holder",
  optionType: "Kind of option",
  expiry: "Expires",
  vestingTerms: "Vesting terms",
  vestingStart: "Vesting starts",
  valuation: "Valuation",
  pricePerShare: "Price per share",
  purchasePrice: "Total paid",
  charge: "Plan usage",
  approval: "Approval",
  identity: "Terms",
  convertible: "Terms of the convertible",
  legends: "Legends",
  tokenTitle: "Token",
  tokenHash: "Transaction",
  tokenWhere: "Class token",

  descent: "Origin and successors",
  cameOf: "Created from",
  became: "Became",
  original: "Created by its own issuance.",
  stillThis: "No later security.",
  historyNone: "No ledger entries for this security.",

  milestones: "Milestones",
  milestone: "Milestone",
  target: "Target",
  reached: "Reached",
  pending: "Pending",
  complete: "Mark as reached",
  completeTitle: (name: string) => `${name}: reached?`,
  completeWords: "Shares that wait for this milestone vest today. This cannot be undone.",
  note: "Evidence",
  completed: (name: string) => `${name} recorded as reached`,

  correction: "Correction",
  correctionWords:
    "Fixes a typing error. The ledger keeps the old values and records the correction as an entry. " +
    "If the security itself changed, record that action instead.",
  correct: "Record correction",
  corrected: "Correction recorded",
  changeTerms: "Change terms",
  codes: {
    ...CONVERTIBLE_TYPES,
    ...INTEREST,
    UNSPECIFIED: "In a round",
    AUTOMATIC_ON_CONDITION: "Automatic, on a condition",
    AUTOMATIC_ON_DATE: "Automatic, on a date",
    ELECTIVE_IN_RANGE: "At the holder's option, within a period",
    ELECTIVE_ON_CONDITION: "At the holder's option, on a condition",
    ELECTIVE_AT_WILL: "At the holder's option",
    PRE_MONEY: "Pre-money",
    POST_MONEY: "Post-money",
    PERCENT: "Percentage of the company",
    FIXED: "Fixed number of shares",
    CUSTOM: "In words",
  } satisfies Labels<
    | (typeof Security)["convertibleTerms.convertibleType"]
    | (typeof Security)["convertibleTerms.triggers.type"]
    | (typeof Security)["convertibleTerms.triggers.mechanism.type"]
    | (typeof Security)["convertibleTerms.triggers.mechanism.timing"]
    | (keyof typeof INTEREST)[]
  >,
} as const;
