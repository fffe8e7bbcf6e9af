// The fields of a share class.
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
  listOf,
  name,
  oneOf,
  optional,
  positiveDecimal,
  text,
} from "../../kernel/fields.ts";
import { RIGHT_ROUNDINGS } from "../../kernel/numbers/converted.ts";
import { isSameFigure } from "../../kernel/numbers/decimal.ts";
import { refersTo } from "./reference.ts";
import type { Register } from "./register.ts";

const RATIO = body({
  numerator: decimal({ description: '`"0"`: not convertible.' }),
  denominator: positiveDecimal({ description: "The lower part of the fraction." }),
});

/** A right to convert into stock of another class. */
export const CONVERSION_RIGHT = body({
  stockClassId: optional(id({ description: "The class that it converts into; null: the oldest common class." })),
  ratio: { ...RATIO, description: "Shares of common stock for one share, as a fraction." },
  conversionPrice: optional(positiveDecimal({ description: "By default the issue price by the ratio." })),
  rounding: defaulted(oneOf(RIGHT_ROUNDINGS, { description: "What becomes of a fraction of a share." }), "FLOOR"),
  convertsToFutureRound: optional(
    Type.Boolean({ description: "Whether it converts into the class of a round to come." }),
  ),
});

/** A right in full, as the column stores it. */
export function rightInFull(given: Static<typeof CONVERSION_RIGHT>) {
  const {
    stockClassId = null,
    ratio,
    conversionPrice = null,
    rounding = "FLOOR",
    convertsToFutureRound = null,
  } = given;
  return { stockClassId, ratio, conversionPrice, rounding, convertsToFutureRound };
}

/** The votes of a class. */
const VOTES_BASES = ["PER_SHARE", "AS_CONVERTED"] as const;

/** Charters give preferred stock the votes of its as-converted shares, unless they state a number. */
export function assumedVotesBasis({ classType, votesPerShare }: { classType: string; votesPerShare: string }) {
  return classType === "PREFERRED" && isSameFigure(votesPerShare, "1") ? "AS_CONVERTED" : "PER_SHARE";
}

/** Extensions; their values, but for defaults, are for preferred classes only. */
const PREFERRED_FIELDS = {
  conversionRights: defaulted(
    Type.Array(CONVERSION_RIGHT, {
      maxItems: 10,
      description: "The first into a common class counts; without one, 1:1 into the oldest common class.",
      ...EXTENSION,
    }),
    [],
  ),
  antiDilution: defaulted(
    oneOf(["NONE", "BROAD_BASED", "BROAD_BASED_WITH_POOL", "FULL_RATCHET"], {
      description: "How a lower price adjusts its conversion price.",
      ...EXTENSION,
    }),
    "NONE",
  ),
  antiDilutionCounts: optional(
    oneOf(["CONVERSIONS", "NEW_MONEY_ONLY"], {
      description:
        "The part of a financing that adjusts its conversion price: convertibles and new money, or new money " +
        "alone. Null counts as `CONVERSIONS`.",
      ...EXTENSION,
    }),
  ),
  participationCapBasis: defaulted(
    oneOf(["BEYOND_PREFERENCE", "TOTAL"], {
      description: "Whether the cap is on top of the preference, or on all that a share gets.",
      ...EXTENSION,
    }),
    "BEYOND_PREFERENCE",
  ),
  dividendType: defaulted(
    oneOf(["NONE", "NON_CUMULATIVE", "CUMULATIVE"], {
      description: "Whether dividends are paid, and whether they add up until they are.",
      ...EXTENSION,
    }),
    "NONE",
  ),
  dividendRatePercent: optional(decimal({ description: "Required with a type of dividend.", ...EXTENSION })),
  dividendCompounding: optional({
    ...oneOf(["SIMPLE", "ANNUAL"], EXTENSION),
    description: "Whether dividends bear dividends.",
  }),
};

/** The body of a share class. */
export const SHARE_CLASS_FIELDS = {
  name: name(100, { description: "The class's name." }),
  classType: oneOf(["COMMON", "PREFERRED"], { description: "Common or preferred stock." }),
  defaultIdPrefix: text(20, { description: "Prefix of generated certificate ids.", examples: ["CS-"] }),
  /** An imported class's column may hold OCF's `UNLIMITED` or `NOT APPLICABLE`. */
  initialSharesAuthorized: decimal({
    description: "The shares authorized at first; a change moves the current figure by the difference.",
  }),
  votesPerShare: decimal({ description: '`"0"` means non-voting.', examples: ["1"] }),
  votesBasis: Type.Optional(
    oneOf(VOTES_BASES, {
      description:
        "Whether votes count by share, or by as-converted shares; by default `AS_CONVERTED` for preferred stock of " +
        "one vote a share.",
      ...EXTENSION,
    }),
  ),
  parValue: optional(decimal({ description: "The nominal value of one share." })),
  pricePerShare: optional(decimal({ description: "Issuance price." })),
  seniority: integer(1, { description: "1 is most senior." }),
  liquidationPreferenceMultiple: optional(decimal({ description: "Preferred classes only." })),
  participationCapMultiple: optional(decimal({ description: "Preferred classes only." })),
  isParticipating: defaulted(
    Type.Boolean({ description: "Whether it takes part in what is left after its preference." }),
    false,
  ),
  boardApprovalDate: optional(date({ description: "When the board approved." })),
  stockholderApprovalDate: optional(date({ description: "When the stockholders approved." })),
  comments: optional(freeText(2000, { description: "Free text, for people." })),
  sourceDocumentId: optional(refersTo("documents", { description: "The document that proves it." })),
  stockLegendIds: defaulted(
    listOf(refersTo("stock_legends"), { description: "The legends that it carries.", ...EXTENSION }),
    [],
  ),
  ...PREFERRED_FIELDS,
};

/** How share classes are listed and asked for. */
export const SHARE_CLASS_REGISTER = {
  title: "Share classes",
  none: "No share class yet.",
  list: {
    name: "Class",
    authorized: "Authorized",
    issued: "Issued",
    available: "Available",
    use: "Used",
    seniority: "Seniority",
    preference: "Preference",
    votes: "Votes per share",
    token: "Token",
  },
  form: {
    basics: {
      name: { label: "Name", hint: "Such as Common or Series A" },
      classType: { label: "Kind" },
      defaultIdPrefix: { label: "Certificates begin with", isBeside: true },
    },
    limits: {
      initialSharesAuthorized: {
        label: "Authorized shares",
        unit: "shares",
        hint: "As the charter says.",
        isForNew: true,
      },
      parValue: { label: "Par value", suffix: "per share" },
      pricePerShare: { label: "Issue price", suffix: "per share", isBeside: true },
    },
    rights: {
      votesPerShare: { label: "Votes per share" },
      seniority: { label: "Seniority", hint: "1 is the most senior.", isBeside: true },
      liquidationPreferenceMultiple: { label: "Liquidation preference", suffix: "times" },
      isParticipating: { label: "Participating", hint: "Also shares in the proceeds after the preference." },
      participationCapMultiple: { label: "Participation cap", suffix: "times" },
      participationCapBasis: { label: "The cap counts", isBeside: true },
      votesBasis: { label: "Votes count", empty: "By the number of votes" },
      antiDilution: { label: "Anti-dilution" },
      antiDilutionCounts: {
        label: "Anti-dilution counts",
        hint: "Whether convertibles that convert in a round lower the conversion price. See the charter.",
        empty: "Not specified",
        isBeside: true,
      },
      dividendType: { label: "Dividends" },
      dividendRatePercent: { label: "Annual dividend", suffix: "%", isOptional: false },
      dividendCompounding: { label: "Dividend compounding", empty: "None", isBeside: true },
      "conversionRights.0.ratio.numerator": {
        label: "Converts into common shares",
        hint: "Leave empty for one for one.",
        isOptional: true,
        isForNew: true,
      },
      "conversionRights.0.ratio.denominator": {
        label: "For shares of this class",
        isOptional: true,
        isForNew: true,
        isBeside: true,
      },
      "conversionRights.0.conversionPrice": { label: "Conversion price", suffix: "per share", isForNew: true },
    },
    paper: {
      boardApprovalDate: {},
      stockholderApprovalDate: { isBeside: true },
      comments: { label: "Note" },
    },
  },
} as const satisfies Register;
