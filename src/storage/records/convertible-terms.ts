// Terms of convertibles: the body's schemas, in full with triggers or in short form, and the full form as stored.
// Percentages are decimals of percent, `"20"`.
import { type Static, Type } from "@sinclair/typebox";
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

const flags = Object.fromEntries(CAPITALIZATION_MEMBERS.map((name) => [name, Type.Boolean()])) as Record<
  (typeof CAPITALIZATION_MEMBERS)[number],
  ReturnType<typeof Type.Boolean>
>;
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
  capitalizationText: optional(freeText()),
  interestRates: Type.Optional(Type.Array(InterestRate, { maxItems: 20 })),
  dayCount: optional(oneOf(DAY_COUNTS)),
  interestPayout: optional(oneOf(INTEREST_PAYOUTS)),
  compounding: optional(oneOf(COMPOUNDINGS)),
  accrualPeriod: optional(oneOf(ACCRUAL_PERIODS)),
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
  type: oneOf(TRIGGER_TYPES),
  condition: optional(
    requiredFreeText(2000, { description: "Of the two kinds `…_ON_CONDITION`, and required there." }),
  ),
  date: optional(date({ description: "Of `AUTOMATIC_ON_DATE`, and required there." })),
  startDate: optional(date({ description: "Of `ELECTIVE_IN_RANGE`, and required there." })),
  endDate: optional(date({ description: "Of `ELECTIVE_IN_RANGE`, and required there." })),
  nickname: optional(text(200)),
  description: optional(freeText()),
  minimumProceeds: optional(
    positiveDecimal({ description: "The new money from which a financing is a qualified one." }),
  ),
  convertsToFutureRound: optional(Type.Boolean()),
  stockClassId: optional(id({ description: "The class that it converts into, where that is known." })),
  mechanism: MechanismBody,
});

/** The body's `convertibleTerms`: in full, or in short form with the members of one mechanism. */
export const ConvertibleTermsBody = body(
  {
    convertibleType: oneOf(CONVERTIBLE_TYPES),
    seniority: defaulted(integer(1, { description: "1 is paid first." }), 1),
    maturityDate: optional(date()),
    proRata: optional(decimal({ description: "OCF's `pro_rata`; recorded only." })),
    triggers: Type.Optional(Type.Array(TriggerBody, { minItems: 1, maxItems: 20 })),
    ...priced,
    interestRate: optional(
      decimal({ description: "Percent a year from the grant date on, in place of `interestRates`." }),
    ),
    minimumProceeds: optional(positiveDecimal()),
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
  type: oneOf(MECHANISM_TYPES),
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
    convertibleType: nullable(oneOf(CONVERTIBLE_TYPES)),
    seniority: integer(1),
    maturityDate: nullable(date()),
    proRata: nullable(decimal()),
    triggers: Type.Array(
      Type.Object({
        id: id(),
        type: oneOf(TRIGGER_TYPES),
        condition: plain(Type.String()),
        date: nullable(date()),
        startDate: nullable(date()),
        endDate: nullable(date()),
        nickname: plain(Type.String()),
        description: plain(Type.String()),
        minimumProceeds: nullable(decimal()),
        convertsToFutureRound: plain(Type.Boolean()),
        stockClassId: nullable(id()),
        mechanism: shownMechanism,
      }),
    ),
    valuationCap: nullable(decimal()),
    discountPercent: nullable(decimal()),
    interestRate: nullable(decimal({ description: "The first rate." })),
    dayCount: nullable(oneOf(DAY_COUNTS)),
  },
  EXTENSION,
);
