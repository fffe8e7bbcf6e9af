// Texts of the forms of records: stakeholders, share classes, equity plans, valuations, vesting terms. Those of fields are in
// the records' registers.
import { REGISTERS } from "../api/registers.ts";
import { countText, dayText, quantityText } from "../locale.ts";
import type { FieldWords } from "./actions/field-words.ts";

/** A record's words. */
export interface RecordWords {
  readonly create: string;
  readonly edit: (name: string) => string;
  /** The title until the name is known. */
  readonly change: string;
  readonly add: string;
  readonly added: string;
  readonly noun: string;
  readonly about?: string;
  readonly fields: Readonly<Record<string, FieldWords>>;
}

export const RECORD_WORDS: Readonly<Record<string, RecordWords>> = {
  stakeholder: {
    create: "New stakeholder",
    edit: (name) => `Change ${name}`,
    add: "Add stakeholder",
    added: "Stakeholder added.",
    noun: "stakeholder",
    change: "Change a stakeholder",
    fields: REGISTERS.stakeholders.words,
  },
  "share-class": {
    create: "New share class",
    edit: (name) => `Change ${name}`,
    add: "Add share class",
    added: "Share class added.",
    noun: "share class",
    change: "Change a share class",
    about: "captable also creates a token that mirrors the class on the chain.",
    fields: REGISTERS["share-classes"].words,
  },
  "equity-plan": {
    create: "New equity plan",
    edit: (name) => `Change ${name}`,
    add: "Add equity plan",
    added: "Equity plan added.",
    noun: "equity plan",
    change: "Change an equity plan",
    fields: REGISTERS["equity-plans"].words,
  },
  valuation: {
    create: "New valuation",
    edit: () => "Change a valuation",
    add: "Add valuation",
    added: "Valuation added.",
    noun: "valuation",
    change: "Change a valuation",
    fields: REGISTERS.valuations.words,
  },
};

/** The form that changes the terms of an existing convertible. */
export const CONVERTIBLE = {
  title: (name: string) => `Terms of ${name}`,
  change: "Change terms",
  about: "Models use the recorded terms. Changing them adds no ledger entry.",
  save: "Save terms",
  saved: "Terms saved.",
  more: (count: number) =>
    count === 1 ? "One other trigger stays unchanged." : `${count} other triggers stay unchanged.`,
  fixed: "This trigger converts into a percentage or a fixed number of shares. Use the API to change it.",
  noun: "convertible",
} as const;

/** Texts that all forms of records share. */
export const RECORD = {
  loading: "the form",
  noun: "form",
  save: "Save changes",
  saved: "Changes saved.",
  unchanged: "No changes to save.",
  viewer: "Only editors can change this.",
} as const;

/** The editor of vesting terms. */
export const TERMS = {
  title: "Vesting terms",
  none: "No vesting terms yet. Securities without terms are fully vested at issuance.",
  create: "New vesting terms",
  edit: (name: string) => `Change ${name}`,
  add: "Add vesting terms",
  added: "Vesting terms added.",
  noun: "vesting terms",
  change: "Change vesting terms",
  templates: "Start from",
  template: {
    CLIFF: "4 years monthly, 1 year cliff",
    QUARTERLY: "4 years quarterly",
    THREE: "3 years monthly, 1 year cliff",
    ONCE: "All at once",
    MILESTONES: "Milestones",
  },
  about: {
    CLIFF: "A quarter after one year, then each month for three years.",
    QUARTERLY: "A sixteenth every three months for four years.",
    THREE: "A third after one year, then each month for two years.",
    ONCE: "Everything vests on the vesting start date.",
    MILESTONES: "Half vests with each of two events that you record.",
  },
  name: "Name",
  description: "Description",
  allocation: "Rounding of fractions",
  methods: {
    CUMULATIVE_ROUNDING: "Cumulative rounding",
    CUMULATIVE_ROUND_DOWN: "Cumulative rounding down",
    FRONT_LOADED: "Remainder to the first dates",
    BACK_LOADED: "Remainder to the last dates",
    FRONT_LOADED_TO_SINGLE_TRANCHE: "Remainder to the first date",
    BACK_LOADED_TO_SINGLE_TRANCHE: "Remainder to the last date",
    FRACTIONAL: "Fractional shares",
  },
  methodAbout: {
    CUMULATIVE_ROUNDING: "Rounds the vested total of each date to the nearest whole share.",
    CUMULATIVE_ROUND_DOWN:
      "Rounds the vested total of each date down to whole shares. The last date vests the remainder.",
    FRONT_LOADED: "Each date vests whole shares. The first dates vest one more each until the remainder is used.",
    BACK_LOADED: "Each date vests whole shares. The last dates vest one more each until the remainder is used.",
    FRONT_LOADED_TO_SINGLE_TRANCHE: "Each date vests whole shares. The first date also vests the remainder.",
    BACK_LOADED_TO_SINGLE_TRANCHE: "Each date vests whole shares. The last date also vests the remainder.",
    FRACTIONAL: "Fractions of shares vest without rounding.",
  },
  conditions: "Conditions",
  condition: (number: number) => `Condition ${countText(number)}`,
  kind: "Kind",
  time: "Time",
  event: "Event",
  every: "Every",
  unit: "Unit",
  units: { DAYS: "Days", MONTHS: "Months", YEARS: "Years" },
  portion: "Portion each time",
  parts: "Of parts",
  times: "Times",
  after: "After",
  fromStart: "Vesting start",
  what: "Event that triggers vesting",
  addRow: "Add condition",
  removeRow: (number: number) => `Remove condition ${countText(number)}`,
  preview: "Schedule preview",
  quantity: "Sample quantity",
  start: "Sample start",
  date: "Date",
  vests: "Vests",
  total: "Total",
  chart: (quantity: string, start: string) => `Vesting of ${quantityText(quantity)} from ${dayText(start)}`,
  today: "Today",
  dates: (shown: number, all: number) =>
    shown === all ? `All ${countText(all)} dates` : `The first ${countText(shown)} of ${countText(all)} dates`,
  unscheduled: (quantity: string) => `${quantityText(quantity)} wait for an event without a date.`,
  nothing: "Fill in the conditions to see the dates.",
  fault: "The conditions do not form a schedule yet.",
  inUse: (count: number, isWhole: boolean) =>
    `${isWhole ? "" : "At least "}${countText(count)} ${count === 1 ? "grant follows" : "grants follow"} these terms`,
  inUseNote: (shown: number, all: number) =>
    `Changing the conditions recalculates their vesting from the start.${
      shown < all ? ` Showing the newest ${countText(shown)}.` : ""
    }`,
  grant: "Grant",
  vestedNow: "Vested now",
  vestedAfter: "After",
} as const;
