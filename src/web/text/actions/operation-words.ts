// The words of each guided action: its title, its button, and what differs from the fields' usual words.
import { countText } from "../../locale.ts";
import type { FieldWords } from "./field-words.ts";

/** An action's words. */
export interface OperationWords {
  readonly title: string;
  readonly submit: string;
  /** What the entry is called on the ledger. */
  readonly entry: string;
  /** What it does, where the title does not say it. */
  readonly about?: string;
  readonly fields?: Readonly<Record<string, FieldWords>>;
}

const issuedOn: FieldWords = { label: "Date of issue" };
const OPTIONS: FieldWords = { label: "Number of options", unit: "options" };

export const OPERATION_WORDS: Readonly<Record<string, OperationWords>> = {
  "issue-shares": {
    title: "Issue shares",
    submit: "Record issuance",
    entry: "Stock issuance",
    fields: { effectiveDate: issuedOn },
  },
  "issue-options": {
    title: "Grant options",
    submit: "Record grant",
    entry: "Option grant",
    fields: {
      effectiveDate: { label: "Grant date" },
      quantity: OPTIONS,
      certificateId: { label: "Grant number" },
      vestingStartDate: { label: "Vesting starts", hint: "Left empty, on the grant date." },
    },
  },
  "issue-warrant": {
    title: "Issue a warrant",
    submit: "Record warrant",
    entry: "Warrant issuance",
    fields: {
      effectiveDate: issuedOn,
      quantity: { label: "Shares that it buys", unit: "shares" },
      stockClassId: { label: "Class that it buys", empty: "Not said" },
    },
  },
  "issue-convertible": {
    title: "Issue a convertible",
    submit: "Record convertible",
    entry: "Convertible issuance",
    fields: { stakeholderId: { label: "Investor" }, quantity: { label: "Principal" }, effectiveDate: issuedOn },
  },
  transfer: {
    title: "Transfer",
    submit: "Record transfer",
    entry: "Transfer",
    fields: { quantity: { label: "How many", unit: "of it" } },
  },
  exercise: {
    title: "Exercise",
    submit: "Record exercise",
    entry: "Exercise",
    fields: {
      securityId: { label: "Option or warrant", hint: "Type a number or a holder's name." },
      quantity: { label: "How many", unit: "shares" },
      effectiveDate: { label: "Date of exercise" },
      stockClassId: { label: "Class of the shares" },
    },
  },
  cancel: {
    title: "Cancel",
    submit: "Record cancellation",
    entry: "Cancellation",
    fields: { quantity: { label: "How many", unit: "of it" } },
  },
  repurchase: {
    title: "Repurchase",
    submit: "Record repurchase",
    entry: "Repurchase",
    about: "The company buys shares back.",
  },
  retract: {
    title: "Retract an issuance",
    submit: "Retract it",
    entry: "Retraction",
    about: "As if it had never been issued: for what was recorded by mistake. The ledger keeps both entries.",
  },
  correct: {
    title: "Correct an issuance",
    submit: "Correct it",
    entry: "Correction",
    about:
      "As if it had been issued so: every past day shows it. What was known before stays in the ledger. What is left " +
      "empty stays as it is.",
    fields: {
      quantity: { label: "Number of shares", unit: "shares" },
      totalConsideration: { label: "Paid in all" },
    },
  },
  convert: {
    title: "Convert",
    submit: "Record conversion",
    entry: "Conversion",
    about: "A convertible, or shares of one class, become shares of another.",
    fields: {
      quantity: { label: "How much of it", hint: "Left empty, all." },
      stockClassId: { label: "Into the class" },
      certificateId: { label: "Number of the new certificate" },
    },
  },
  "terminate-service": {
    title: "Record a leaver",
    submit: "Record the end of service",
    entry: "End of service",
    about:
      "Options that have not vested are cancelled, vested ones may be exercised for some days more, and unvested stock " +
      "vests no more. This reaches all that was first granted to the leaver, in other hands too.",
    fields: {
      stakeholderId: { label: "Who leaves" },
      effectiveDate: { label: "Last day" },
      continues: { label: "Go on as they are", hint: "These vest on, and keep their expiration." },
    },
  },
  split: {
    title: "Split a class",
    submit: "Record split",
    entry: "Split",
    about: "So many new shares for so many old ones. Options, reserves and prices follow.",
  },
  "adjust-authorized": {
    title: "Change authorized shares",
    submit: "Record the change",
    entry: "Change of authorized shares",
  },
  "adjust-reserve": {
    title: "Change a plan's reserve",
    submit: "Record the change",
    entry: "Change of a reserve",
  },
  "adjust-conversion": {
    title: "Change how a class converts",
    submit: "Record the change",
    entry: "Change of a conversion",
    about: "So many common shares for so many of a preferred class, as an anti-dilution clause has it.",
    fields: { rounding: { label: "Fractions", empty: "As before" } },
  },
  "start-vesting": {
    title: "Start vesting",
    submit: "Start vesting",
    entry: "Vesting start",
    fields: { effectiveDate: { label: "Vesting starts" } },
  },
  "record-vesting-event": {
    title: "Record a vesting event",
    submit: "Record the event",
    entry: "Vesting event",
    about: "Something happened that makes shares vest.",
    fields: {
      conditionId: { label: "Which event", empty: "None of the terms" },
      effectiveDate: { label: "When it happened" },
    },
  },
  "accelerate-vesting": {
    title: "Accelerate vesting",
    submit: "Record acceleration",
    entry: "Acceleration",
    fields: { quantity: { label: "How many vest at once", unit: "shares" } },
  },
};

/** Words around every action. */
export const ACTION = {
  loading: "the form",
  noun: "action",
  cancel: "Cancel",
  forGood: "Written to the ledger for good; a correction is a later entry.",
  recorded: (sequence: number) => `Recorded as entry ${countText(sequence)}.`,
  recordedOnly: "Recorded.",
  wasBefore: "This was recorded once already; nothing was recorded twice.",
  raise: { "adjust-authorized": "Raise the authorized figure", "adjust-reserve": "Raise the reserve" } as Readonly<
    Record<string, string>
  >,
  use: (value: string) => `Use ${value}`,
  reload: "Reload",
  early: "Exercise early",
  newHolder: "Somebody new",
  newTerms: "New terms",
  newClass: "New class",
  newPlan: "New plan",
  newValuation: "New valuation",
  viewer: "Recording needs the role Editor.",
  doubt: {
    title: "Is this meant?",
    LONG_AGO: (day: string) => `The date is ${day}, more than a year ago.`,
    TO_COME: (day: string) => `The date is ${day}, which is to come.`,
    FORMER: () => "The holder is a former one.",
    goOn: "Record it so",
    back: "Change it",
  },
} as const;
