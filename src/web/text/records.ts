// The words of the forms of records: holders, share classes, equity plans, valuations, vesting terms.
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
    fields: {
      displayName: { label: "Name", hint: "As lists show it." },
      type: { label: "Kind" },
      "name.legalName": { label: "Legal name" },
      "name.firstName": { label: "First name" },
      "name.lastName": { label: "Last name" },
      relationships: { label: "Relationships" },
      status: { label: "Status" },
      email: { label: "E-mail" },
      issuerAssignedId: { label: "Your own number" },
      comments: { label: "Note" },
    },
  },
  "share-class": {
    create: "New share class",
    edit: (name) => `Change ${name}`,
    add: "Add share class",
    added: "Share class added.",
    noun: "share class",
    change: "Change a share class",
    about: "The class also gets a token, so that its shares can be followed on the chain.",
    fields: {
      name: { label: "Name", hint: "Such as Common or Series A." },
      classType: { label: "Kind" },
      defaultIdPrefix: { label: "Certificates begin with" },
      initialSharesAuthorized: {
        label: "Authorized shares",
        unit: "shares",
        hint: "As the charter says.",
      },
      parValue: { label: "Par value", suffix: "a share" },
      pricePerShare: { label: "Issue price", suffix: "a share" },
      votesPerShare: { label: "Votes of a share" },
      seniority: { label: "Seniority", hint: "1 is most senior." },
      liquidationPreferenceMultiple: { label: "Liquidation preference", suffix: "times" },
      isParticipating: { label: "Participating", hint: "Shares in what is left after the preference." },
      participationCapMultiple: { label: "Participation ends at", suffix: "times" },
      participationCapBasis: { label: "That limit counts" },
      votesBasis: { label: "Votes count", empty: "By the number of votes" },
      antiDilution: { label: "Anti-dilution" },
      antiDilutionCounts: {
        label: "Anti-dilution counts",
        hint: "Whether convertibles that convert in a round lower the conversion price, as the charter says.",
        empty: "Not said",
      },
      dividendType: { label: "Dividends" },
      dividendRatePercent: { label: "Dividend a year", suffix: "%" },
      dividendCompounding: { label: "Dividends on dividends", empty: "None" },
      "conversionRights.0.ratio.numerator": { label: "Becomes common shares", hint: "Left empty, one for one." },
      "conversionRights.0.ratio.denominator": { label: "For shares of this class" },
      "conversionRights.0.conversionPrice": { label: "Conversion price", suffix: "a share" },
      comments: { label: "Note" },
    },
  },
  "equity-plan": {
    create: "New equity plan",
    edit: (name) => `Change ${name}`,
    add: "Add equity plan",
    added: "Equity plan added.",
    noun: "equity plan",
    change: "Change an equity plan",
    fields: {
      planName: { label: "Name", hint: "Such as 2026 Equity Incentive Plan." },
      planType: { label: "Kind", hint: "Such as ISO or NSO." },
      initialSharesReserved: { label: "Reserved shares", unit: "shares" },
      stockClassIds: { label: "Classes that its options buy" },
      defaultCancellationBehavior: { label: "What is cancelled" },
      adoptedDate: { label: "Adopted" },
      comments: { label: "Note" },
    },
  },
  valuation: {
    create: "New valuation",
    edit: () => "Change a valuation",
    add: "Add valuation",
    added: "Valuation added.",
    noun: "valuation",
    change: "Change a valuation",
    fields: {
      type: { label: "Kind" },
      stockClassId: { label: "Share class" },
      pricePerShare: { label: "Value of a share", suffix: "a share" },
      status: { label: "State", hint: "Only approved valuations count for new options." },
      effectiveDate: { label: "As of" },
      expirationDate: { label: "Relied on until", hint: "A 409A valuation is in force for twelve months at most." },
      provider: { label: "Made by" },
      reportId: { label: "Number of the report" },
      fairMarketValue: { label: "Fair market value of the company" },
      enterpriseValue: { label: "Enterprise value" },
      comments: { label: "Note" },
    },
  },
};

/** Words around the form of every record. */
/** The terms of a convertible that there is. */
export const CONVERTIBLE = {
  title: (name: string) => `Terms of ${name}`,
  change: "Change the terms",
  about: "Models use the terms on record now. A change is no entry of the ledger.",
  save: "Save the terms",
  saved: "The terms are changed.",
  more: (count: number) =>
    count === 1 ? "Another trigger stays as it is." : `${count} other triggers stay as they are.`,
  fixed: "This converts into a part or a number of shares. How it does can be changed by the API.",
  noun: "convertible",
} as const;

export const RECORD = {
  loading: "the form",
  noun: "form",
  save: "Record the changes",
  saved: "Changes recorded.",
  unchanged: "Nothing was changed.",
  viewer: "This needs the role Editor.",
} as const;

/** Words of the editor of vesting terms. */
export const TERMS = {
  title: "Vesting terms",
  none: "No vesting terms yet; without them what is issued is vested at once.",
  create: "New vesting terms",
  edit: (name: string) => `Change ${name}`,
  add: "Add vesting terms",
  added: "Vesting terms added.",
  noun: "vesting terms",
  change: "Change vesting terms",
  templates: "Begin with",
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
    ONCE: "All of it vests on the day on which vesting starts.",
    MILESTONES: "Half of it with each of two events that you record.",
  },
  name: "Name",
  description: "In words",
  allocation: "Shares that do not divide evenly",
  methods: {
    CUMULATIVE_ROUNDING: "Rounded in all",
    CUMULATIVE_ROUND_DOWN: "Rounded down in all",
    FRONT_LOADED: "The rest to the first dates",
    BACK_LOADED: "The rest to the last dates",
    FRONT_LOADED_TO_SINGLE_TRANCHE: "The rest to the first date",
    BACK_LOADED_TO_SINGLE_TRANCHE: "The rest to the last date",
    FRACTIONAL: "Kept as fractions",
  },
  methodAbout: {
    CUMULATIVE_ROUNDING: "What has vested by a date is rounded to the nearest whole share.",
    CUMULATIVE_ROUND_DOWN: "What has vested by a date is rounded down to whole shares; the last date brings the rest.",
    FRONT_LOADED: "Each date gets whole shares, and the first ones get one more each until nothing is left.",
    BACK_LOADED: "Each date gets whole shares, and the last ones get one more each until nothing is left.",
    FRONT_LOADED_TO_SINGLE_TRANCHE: "Each date gets whole shares, and the first one all that is left.",
    BACK_LOADED_TO_SINGLE_TRANCHE: "Each date gets whole shares, and the last one all that is left.",
    FRACTIONAL: "Parts of shares vest as they come.",
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
  timesHint: "Left empty, until all has vested.",
  after: "After",
  fromStart: "From the start",
  what: "What has to happen",
  addRow: "Add a condition",
  removeRow: (number: number) => `Remove condition ${countText(number)}`,
  preview: "What vests when",
  quantity: "Sample quantity",
  start: "Sample start",
  date: "Date",
  vests: "Vests",
  total: "In all",
  chart: (quantity: string, start: string) => `How ${quantityText(quantity)} from ${dayText(start)} vest`,
  today: "Today",
  dates: (shown: number, all: number) =>
    shown === all ? `All ${countText(all)} dates` : `The first ${countText(shown)} of ${countText(all)} dates`,
  unscheduled: (quantity: string) => `${quantityText(quantity)} wait for what has no date yet.`,
  nothing: "Fill in the conditions to see the dates.",
  fault: "This does not make a schedule yet.",
  inUse: (count: number, isWhole: boolean) =>
    `${isWhole ? "" : "At least "}${countText(count)} ${count === 1 ? "grant follows" : "grants follow"} these terms`,
  inUseNote: (shown: number, all: number) =>
    `A change of the conditions changes what has vested of them, from the start on.${
      shown < all ? ` Here are the newest ${countText(shown)}.` : ""
    }`,
  grant: "Grant",
  vestedNow: "Vested now",
  vestedAfter: "After",
} as const;
