// Texts of each guided action: title, button, name of the entry, and labels that differ from the usual ones.
import { OPERATIONS } from "../../api/operations.ts";
import { countText } from "../../locale.ts";
import type { FieldWords } from "./field-words.ts";

/** Texts of an action. */
export interface OperationWords {
  readonly title: string;
  readonly submit: string;
  /** The name of its ledger entry. */
  readonly entry: string;
  /** What the action does, unless the title says it. */
  readonly about?: string;
  readonly fields?: Readonly<Record<string, FieldWords>>;
}

const issuedOn: FieldWords = { label: "Date of issue" };
const OPTIONS: FieldWords = { label: "Number of options", unit: "options" };

const WORDS: Readonly<Record<string, OperationWords>> = {
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
      vestingStartDate: { label: "Vesting starts", hint: "Leave empty for the grant date." },
    },
  },
  "issue-warrant": {
    title: "Issue a warrant",
    submit: "Record warrant",
    entry: "Warrant issuance",
    fields: {
      effectiveDate: issuedOn,
      quantity: { label: "Shares under warrant", unit: "shares" },
      stockClassId: { label: "Share class", empty: "Not specified" },
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
    submit: "Retract issuance",
    entry: "Retraction",
    about: "Removes an issuance that was recorded by mistake, as if never issued. The ledger keeps both entries.",
  },
  correct: {
    title: "Correct an issuance",
    submit: "Correct issuance",
    entry: "Correction",
    about:
      "Changes the issuance from its first day, so past cap tables show the new values. The ledger keeps the old values. " +
      "Empty fields stay unchanged.",
    fields: {
      quantity: { label: "Number of shares", unit: "shares" },
      totalConsideration: { label: "Total paid" },
    },
  },
  convert: {
    title: "Convert",
    submit: "Record conversion",
    entry: "Conversion",
    about: "Converts a convertible, or shares of one class, into shares of another class.",
    fields: {
      quantity: { label: "Quantity", hint: "Leave empty to convert all." },
      stockClassId: { label: "Into the class" },
      certificateId: { label: "New certificate number" },
    },
  },
  "terminate-service": {
    title: "Record a leaver",
    submit: "Record the end of service",
    entry: "End of service",
    about:
      "Cancels unvested options, keeps vested ones exercisable for the days you set, and stops the vesting of stock. " +
      "Applies to everything first granted to the leaver, even if another holder has it now.",
    fields: {
      stakeholderId: { label: "Leaver" },
      effectiveDate: { label: "Last day" },
      continues: { label: "Continue", hint: "These securities keep vesting and keep their expiration." },
    },
  },
  split: {
    title: "Split a class",
    submit: "Record split",
    entry: "Split",
    about: "Replaces old shares with new ones at a ratio. Options, reserves and prices are adjusted.",
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
    about: "Sets how many common shares a preferred class converts into, such as after an anti-dilution adjustment.",
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
    about: "Records an event that makes shares vest.",
    fields: {
      conditionId: { label: "Event", empty: "Not in the terms" },
      effectiveDate: { label: "Date of the event" },
    },
  },
  "accelerate-vesting": {
    title: "Accelerate vesting",
    submit: "Record acceleration",
    entry: "Acceleration",
    fields: { quantity: { label: "Shares that vest at once", unit: "shares" } },
  },
};

/** Texts of an action: its own, else the title that the API gives it; null for an unknown name. */
export function operationWords(operation: string): OperationWords | null {
  if (Object.hasOwn(WORDS, operation)) return WORDS[operation] ?? null;
  const titles: Readonly<Record<string, { readonly title: string }>> = OPERATIONS;
  if (!Object.hasOwn(titles, operation)) return null;
  const title = titles[operation]?.title ?? operation;
  return { title, submit: title, entry: title };
}

/** Texts that all guided actions share. */
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
  newHolder: "New holder",
  newTerms: "New terms",
  newClass: "New class",
  newPlan: "New plan",
  newValuation: "New valuation",
  viewer: "Only editors can record.",
  doubt: {
    title: "Check before recording",
    LONG_AGO: (day: string) => `The date is ${day}, more than a year ago.`,
    TO_COME: (day: string) => `The date is ${day}, in the future.`,
    FORMER: () => "This is a former holder.",
    goOn: "Record anyway",
    back: "Change it",
  },
} as const;
