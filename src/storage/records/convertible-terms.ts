// Terms of convertibles: the body's schemas, in full with triggers or in short form, and the full form as stored.
// Percentages are decimals of percent, `"20"`.
import { type Static, type TSchema, Type } from "@sinclair/typebox";
import {
  body,
  date,
  decimal,
  defaulted,
  EXTENSION,
  freeText,
  id,
  integer,
  nullable,
  oneOf,
  optional,
  positiveDecimal,
  requiredFreeText,
  text,
} from "../../kernel/fields.ts";

/** OCF's kinds of trigger. */
export const TRIGGER_TYPES = [
  "AUTOMATIC_ON_CONDITION",
  "AUTOMATIC_ON_DATE",
  "ELECTIVE_IN_RANGE",
  "ELECTIVE_ON_CONDITION",
  "ELECTIVE_AT_WILL",
  "UNSPECIFIED",
] as const;
export const MECHANISM_TYPES = ["SAFE", "NOTE", "PERCENT", "FIXED", "CUSTOM"] as const;
export const CONVERTIBLE_TYPES = ["SAFE", "NOTE", "CONVERTIBLE_SECURITY"] as const;
export const DAY_COUNTS = ["ACTUAL_365", "30_360"] as const;
export const INTEREST_PAYOUTS = ["DEFERRED", "CASH"] as const;
export const COMPOUNDINGS = ["SIMPLE", "COMPOUNDING"] as const;
export const ACCRUAL_PERIODS = ["DAILY", "MONTHLY", "QUARTERLY", "SEMI_ANNUAL", "ANNUAL"] as const;
export const TIMINGS = ["PRE_MONEY", "POST_MONEY"] as const;

/** Definitions of the company's capitalization. */
export const CAPITALIZATION_MEMBERS = [
  "includeOutstandingShares",
  "includeOutstandingOptions",
  "includeOutstandingUnissuedOptions",
  "includeThisSecurity",
  "includeOtherConvertingSecurities",
  "includeOptionPoolTopupForPromisedOptions",
  "includeAdditionalOptionPoolTopup",
  "includeNewMoney",
] as const;

const counts = (description: string) => Type.Boolean({ description });
const flags = {
  includeOutstandingShares: counts("Whether stock counts."),
  includeOutstandingOptions: counts("Whether options granted count."),
  includeOutstandingUnissuedOptions: counts("Whether what is left in the pool counts."),
  includeThisSecurity: counts("Whether the convertible counts itself."),
  includeOtherConvertingSecurities: counts("Whether other convertibles count."),
  includeOptionPoolTopupForPromisedOptions: counts("Whether an increase of the pool for promised options counts."),
  includeAdditionalOptionPoolTopup: counts("Whether any other increase of the pool in the round counts."),
  includeNewMoney: counts("Whether the new shares count."),
} satisfies Record<(typeof CAPITALIZATION_MEMBERS)[number], TSchema>;
export const CapitalizationBody = body(flags, { description: "What counts as the company's capitalization." });

const InterestRate = body({
  ratePercent: decimal({ description: "Percent a year, up to 100 and 8 places." }),
  startDate: date({ description: "The first day that bears it." }),
  endDate: optional(date({ description: "The last day that bears it." })),
});

/** Members of a mechanism with a price; the short form has them too. */
const priced = {
  valuationCap: optional(decimal({ description: '`"0"`: none.' })),
  discountPercent: optional(decimal({ description: "0 to below 100, at most 8 places." })),
  timing: optional(oneOf(TIMINGS, { description: "Of a SAFE: what its cap counts." })),
  mfn: Type.Optional(Type.Boolean({ default: false, description: "May take the terms of a later SAFE." })),
  exitMultiple: optional(positiveDecimal({ description: "Of the principal, paid at an exit." })),
  capitalization: optional(CapitalizationBody),
  capitalizationText: optional(freeText(2000, { description: "The capitalization in the document's own words." })),
  interestRates: Type.Optional(
    Type.Array(InterestRate, { description: "The rates, each from its first day on.", maxItems: 20 }),
  ),
  dayCount: optional(oneOf(DAY_COUNTS, { description: "How interest counts days." })),
  interestPayout: optional(oneOf(INTEREST_PAYOUTS, { description: "Whether interest converts or is paid in cash." })),
  compounding: optional(oneOf(COMPOUNDINGS, { description: "Whether interest bears interest." })),
  accrualPeriod: optional(oneOf(ACCRUAL_PERIODS, { description: "How often interest is added up." })),
};

export const MechanismBody = body({
  type: oneOf(MECHANISM_TYPES, { description: "Which of the other members it takes follows from it." }),
  ...priced,
  percent: optional(positiveDecimal({ description: "`PERCENT`: of the capitalization, below 100." })),
  quantity: optional(positiveDecimal({ description: "`FIXED`: the shares." })),
  description: optional(requiredFreeText(2000, { description: "`CUSTOM`: how it converts." })),
});

export const TriggerBody = body({
  id: Type.Optional(id({ description: "Unique among its triggers." })),
  type: oneOf(TRIGGER_TYPES, { description: "The kind of trigger, by Open Cap Format's names." }),
  condition: optional(
    requiredFreeText(2000, { description: "Of the two kinds `…_ON_CONDITION`, and required there." }),
  ),
  date: optional(date({ description: "Of `AUTOMATIC_ON_DATE`, and required there." })),
  startDate: optional(date({ description: "Of `ELECTIVE_IN_RANGE`, and required there." })),
  endDate: optional(date({ description: "Of `ELECTIVE_IN_RANGE`, and required there." })),
  nickname: optional(text(200, { description: "A short name." })),
  description: optional(freeText(2000, { description: "Free text about the trigger, for people." })),
  minimumProceeds: optional(
    positiveDecimal({
      description: "The new money from which a financing is a qualified one.",
    }),
  ),
  convertsToFutureRound: optional(
    Type.Boolean({ description: "Whether it converts into the class of a round to come." }),
  ),
  stockClassId: optional(id({ description: "The class that it converts into, where that is known." })),
  mechanism: { ...MechanismBody, description: "How it converts." },
});

/** The body's `convertibleTerms`: in full, or in short form with the members of one mechanism. */
export const ConvertibleTermsBody = body(
  {
    convertibleType: oneOf(CONVERTIBLE_TYPES, { description: "What kind of convertible it is." }),
    seniority: defaulted(integer(1, { description: "1 is paid first." }), 1),
    maturityDate: optional(date({ description: "When it falls due." })),
    proRata: optional(decimal({ description: "OCF's `pro_rata`; recorded only." })),
    triggers: Type.Optional(
      Type.Array(TriggerBody, {
        description: "What makes it convert, in the order of the document.",
        minItems: 1,
        maxItems: 20,
      }),
    ),
    ...priced,
    interestRate: optional(
      decimal({ description: "Percent a year from the grant date on, in place of `interestRates`." }),
    ),
    minimumProceeds: optional(
      positiveDecimal({ description: "The new money from which a financing is a qualified one." }),
    ),
  },
  {
    description:
      "How a convertible converts: its triggers, or in their place the members of one mechanism. An answer can be sent back.",
    ...EXTENSION,
  },
);
export type GivenTerms = Static<typeof ConvertibleTermsBody>;
export type GivenTrigger = Static<typeof TriggerBody>;
export type GivenMechanism = Static<typeof MechanismBody>;

const shownMechanism = Type.Object({
  type: oneOf(MECHANISM_TYPES, { description: "Which of the other members it has follows from it." }),
  ...Object.fromEntries(
    Object.entries({ ...MechanismBody.properties }).flatMap(([name, member]) =>
      name === "type" ? [] : [[name, member]],
    ),
  ),
});
const plain = (schema: Parameters<typeof nullable>[0]) => nullable(schema);

/** `convertibleTerms` of an answer: the full form, and beside it what the financing trigger's mechanism says. */
export const ConvertibleTermsShown = Type.Object(
  {
    convertibleType: nullable(oneOf(CONVERTIBLE_TYPES, { description: "What kind of convertible it is." })),
    seniority: integer(1, { description: "1 is paid first." }),
    maturityDate: nullable(date({ description: "When it falls due." })),
    proRata: nullable(decimal({ description: "Open Cap Format's `pro_rata`; recorded only." })),
    triggers: Type.Array(
      Type.Object({
        id: id({ description: "Unique among its triggers." }),
        type: oneOf(TRIGGER_TYPES, { description: "The kind of trigger, by Open Cap Format's names." }),
        condition: plain(Type.String({ description: "What has to happen, in words." })),
        date: nullable(date({ description: "The day of `AUTOMATIC_ON_DATE`; null for other kinds." })),
        startDate: nullable(date()),
        endDate: nullable(date()),
        nickname: plain(Type.String({ description: "A short name." })),
        description: plain(Type.String({ description: "Free text about the trigger, for people." })),
        minimumProceeds: nullable(decimal({ description: "The new money from which a financing is a qualified one." })),
        convertsToFutureRound: plain(
          Type.Boolean({ description: "Whether it converts into the class of a round to come." }),
        ),
        stockClassId: nullable(id({ description: "The class that it converts into, if that is known." })),
        mechanism: { ...shownMechanism, description: "How it converts." },
      }),
      { description: "What makes it convert, in the order of the document." },
    ),
    valuationCap: nullable(
      decimal({ description: "The company's value above which the conversion price does not rise." }),
    ),
    discountPercent: nullable(decimal({ description: "The discount from the round's price, in percent." })),
    interestRate: nullable(decimal({ description: "The first rate." })),
    dayCount: nullable(oneOf(DAY_COUNTS, { description: "How interest counts days." })),
  },
  EXTENSION,
);
