// Schemas of the answers of rounds, exits and scenarios, for the API reference and generated clients.
import { Type } from "@sinclair/typebox";
import { date, id, nullable, oneOf, text } from "../../kernel/fields.ts";
import { data, figure, HOLDER, label, percent } from "./answer-parts.ts";
import { MODEL_WARNING_CODES } from "./model-company.ts";

const accruesFrom = nullable(
  date({ description: "The grant date of a unit with cumulative dividends; null for others, and for several." }),
);

const CLASS = "The share class; null if it is not on record.";
const SECURITY = "The security; null if it is not on record.";
const DIGEST = "0".repeat(64);

const HEAD = {
  asOf: date({ description: "Entries effective up to and including this day count." }),
  knownAt: Type.String({ description: "Entries recorded at or before this instant count.", format: "date-time" }),
  ledgerSequence: Type.Integer({ description: "The last ledger entry that was read." }),
};
const warnings = Type.Array(
  Type.Object({
    code: oneOf(MODEL_WARNING_CODES, { description: "What is odd." }),
    detail: Type.String({ description: "The same for people." }),
    securityId: nullable(Type.String({ description: "An id, or the key of a security that the body adds." })),
  }),
);

const Table = Type.Object({
  classes: Type.Array(
    Type.Object({
      stockClassId: nullable(id({ description: CLASS })),
      name: label("The class's name."),
      classType: oneOf(["COMMON", "PREFERRED"], { description: "Common or preferred stock." }),
      shares: figure("How many shares."),
      asConverted: figure("Shares of common stock that it converts into."),
      percentFullyDiluted: percent("The part of all shares fully diluted, in percent with 6 places."),
    }),
    { description: "The classes." },
  ),
  holders: Type.Array(
    Type.Object({
      stakeholderId: nullable(id({ description: HOLDER })),
      name: nullable(label("The holder's name.")),
      outstanding: figure("As converted."),
      options: figure("Options outstanding."),
      warrants: figure("As converted."),
      fullyDiluted: figure("Shares fully diluted: as converted, with options, warrants and what is left in the pool."),
      percentOutstanding: percent("The part of the stock outstanding, in percent with 6 places."),
      percentFullyDiluted: percent("The part of all shares fully diluted, in percent with 6 places."),
      holdings: Type.Array(
        Type.Object({
          stockClassId: nullable(id({ description: CLASS })),
          name: label("The class's name."),
          quantity: figure("How many shares."),
          asConverted: figure("Shares of common stock that it converts into."),
        }),
        { description: "Stock by class." },
      ),
    }),
    { description: "The largest first." },
  ),
  pool: Type.Object(
    {
      available: figure("What is left to grant."),
      percentFullyDiluted: percent("The part of all shares fully diluted, in percent with 6 places."),
    },
    { description: "What can be granted." },
  ),
  convertibles: Type.Array(
    Type.Object({
      securityId: nullable(id({ description: SECURITY })),
      name: label("The convertible's name."),
      stakeholderId: nullable(id({ description: HOLDER })),
      quantity: figure("The principal."),
    }),
    { description: "SAFEs and notes; they count in no total." },
  ),
  totals: Type.Object(
    {
      outstanding: figure("Stock outstanding, as converted."),
      options: figure("Options outstanding."),
      warrants: figure("Warrants outstanding, as converted."),
      poolAvailable: figure("What is left to grant in all plans."),
      fullyDiluted: figure("Shares fully diluted: as converted, with options, warrants and what is left in the pool."),
    },
    { description: "The sums, in shares." },
  ),
});

const dilution = Type.Array(
  Type.Object({
    stakeholderId: nullable(id({ description: HOLDER })),
    name: nullable(label("The holder's name.")),
    percentBefore: percent("The part before, in percent with 6 places."),
    percentAfter: percent("The part afterwards, in percent with 6 places."),
    points: Type.String({ description: "After less before.", examples: ["-2.500000"] }),
    dilutionPercent: nullable(
      Type.String({ description: "By how many percent the holder's part shrinks.", examples: ["20.000000"] }),
    ),
  }),
);

export const CapTableModelAnswer = data({
  ...HEAD,
  before: { ...Table, description: "The cap table before." },
  after: { ...Table, description: "The cap table afterwards." },
  dilution: { ...dilution, description: "What each holder's part was and is." },
  warnings: { ...warnings, description: "What is odd, and does not stop it." },
});

const RoundConversion = Type.Object({
  securityId: nullable(id({ description: SECURITY })),
  name: label("The convertible's name."),
  stakeholderId: nullable(id({ description: HOLDER })),
  principal: figure("The amount that was lent or paid."),
  interest: figure("The interest that converts."),
  amount: figure("Principal and interest."),
  capitalization: nullable(figure("By its own rules.")),
  capPrice: nullable(figure("The price by the cap.")),
  discountPrice: nullable(figure("The price by the discount.")),
  roundPrice: figure("The round's price."),
  basis: oneOf(["CAP", "DISCOUNT", "ROUND", "PERCENT", "FIXED"], {
    description: "Which price was the lowest, or what else decides.",
  }),
  adoptedSecurityId: nullable(Type.String({ description: "Whose terms a SAFE with `mfn` took." })),
  conversionPrice: figure("The price at which it converts."),
  shares: figure("How many shares it becomes."),
  cashInLieu: figure("What is paid in place of a fraction of a share."),
  className: label("The class that it becomes, by name."),
});

export const RoundModelAnswer = data({
  ...HEAD,
  closingDate: date({ description: "The day on which the round closes." }),
  pricePerShare: figure("The price of one share of the new class."),
  exactPricePerShare: figure("The price before it is rounded."),
  preMoneyValuation: figure("The value before the new money."),
  postMoneyValuation: figure("The value after the new money."),
  effectivePreMoney: figure("The price times all shares that the round finds."),
  effectivePostMoney: figure("The price times all shares after the round."),
  newMoney: figure("What investors pay."),
  cash: figure("The new money that is paid in."),
  convertedAmount: figure("Principal and interest that convert."),
  newShares: figure("The shares that new money gets."),
  classes: Type.Array(
    Type.Object({
      name: label("The class's name."),
      role: oneOf(["NEW_MONEY", "SHADOW"], { description: "Whether it is for new money or for what converts." }),
      pricePerShare: figure("The price of one share."),
      liquidationPreference: figure("What one share of the class gets first at an exit."),
      shares: figure("How many shares of it are issued."),
    }),
    { description: "The classes." },
  ),
  investments: Type.Array(
    Type.Object({
      stakeholderId: nullable(id({ description: HOLDER })),
      name: nullable(label("The investor's name.")),
      kind: oneOf(["NEW_MONEY", "PRO_RATA"], { description: "Whether it is new money or a pro-rata right." }),
      amount: figure("The money that is offered."),
      shares: figure("How many shares it buys."),
      cost: figure("What the shares cost, by their price."),
      unused: figure("Money that buys no whole share."),
    }),
    { description: "Who gets what for money." },
  ),
  conversions: Type.Array(RoundConversion, { description: "What converts, with the working." }),
  notConverted: Type.Array(
    Type.Object({
      securityId: nullable(id({ description: SECURITY })),
      name: label("The convertible's name."),
      reason: oneOf(["EXCLUDED", "CUSTOM_TERMS", "BELOW_MINIMUM_PROCEEDS", "NO_SHARES"], {
        description: "Why it does not convert.",
      }),
    }),
    { description: "What does not convert, and why." },
  ),
  antiDilution: Type.Array(
    Type.Object({
      stockClassId: nullable(id({ description: CLASS })),
      name: label("The class's name."),
      method: oneOf(["BROAD_BASED", "BROAD_BASED_WITH_POOL", "FULL_RATCHET"], { description: "How it is protected." }),
      conversionPriceBefore: figure("The conversion price before the round."),
      conversionPrice: figure("The conversion price after the round."),
      ratio: Type.Object(
        {
          numerator: figure("The upper part of the fraction."),
          denominator: figure("The lower part of the fraction."),
        },
        { description: "Shares of common stock for one share, as a fraction." },
      ),
      additionalShares: figure("What the class converts into beyond what it did."),
    }),
    { description: "Classes whose conversion price the round lowers." },
  ),
  pool: Type.Object(
    {
      equityPlanId: nullable(id({ description: "The plan that the pool belongs to." })),
      availableBefore: figure("What is left to grant before."),
      increase: figure("By how much the pool grows."),
      availableAfter: figure("What is left to grant afterwards."),
      promised: figure("Options promised and not yet granted."),
      percentAfter: percent("The part of all shares fully diluted after the round, in percent with 6 places."),
    },
    { description: "The pool for options, before and after." },
  ),
  authorization: Type.Array(
    Type.Object({
      stockClassId: nullable(id({ description: CLASS })),
      name: label("The class's name."),
      authorized: nullable(figure("The shares authorized; null if there is no limit or it is not known.")),
      needed: figure("The shares that have to be authorized."),
      shortfall: figure("The shares that are missing."),
    }),
    { description: "For each class whether the shares authorized suffice." },
  ),
  before: { ...Table, description: "The cap table before." },
  after: { ...Table, description: "The cap table afterwards." },
  dilution: { ...dilution, description: "What each holder's part was and is." },
  digest: Type.String({ description: "Identifies this answer when the round is closed.", examples: [DIGEST] }),
  warnings: { ...warnings, description: "What is odd, and does not stop it." },
});

const proceeds = {
  proceeds: figure("What it gets."),
  percent: percent("Its part of what is paid, in percent with 6 places."),
};
export const WaterfallModelAnswer = data({
  ...HEAD,
  exitDate: date({ description: "The day of the exit." }),
  points: Type.Array(
    Type.Object({
      exitValue: figure("What the company is sold for."),
      deductions: Type.Array(
        Type.Object({ name: text(100, { description: "The deduction's name." }), amount: figure("The money.") }),
        { description: "Amounts that are paid before all holders of securities." },
      ),
      distributable: figure("What is left to divide after deductions."),
      undistributed: figure("The proceeds that no holder has a claim to."),
      commonPricePerShare: figure("What one share of common stock gets."),
      units: Type.Array(
        Type.Object({
          kind: oneOf(["CONVERTIBLE", "PREFERRED", "COMMON", "WARRANTS", "OPTIONS"], {
            description: "The kind of unit.",
          }),
          stockClassId: nullable(id({ description: CLASS })),
          securityId: nullable(id({ description: SECURITY })),
          name: label("The unit's name."),
          accruesFrom,
          strike: nullable(figure("The exercise price.")),
          quantity: nullable(figure("How many shares; of a convertible, the principal.")),
          claim: nullable(figure("What it may ask for before others.")),
          outcome: oneOf(
            ["CASH", "CONVERTS", "PREFERENCE", "PARTICIPATES", "CAPPED", "COMMON", "EXERCISED", "OUT_OF_THE_MONEY"],
            { description: "What it does at this value." },
          ),
          convertsTo: nullable(figure("The shares of common stock that it becomes.")),
          ...proceeds,
        }),
        { description: "What is paid alike, a row each." },
      ),
      holders: Type.Optional(
        Type.Array(
          Type.Object({
            stakeholderId: nullable(id({ description: HOLDER })),
            name: nullable(label("The holder's name.")),
            ...proceeds,
          }),
          { description: "What each holder gets." },
        ),
      ),
      securities: Type.Optional(
        Type.Array(
          Type.Object({
            securityId: nullable(id({ description: SECURITY })),
            stakeholderId: nullable(id({ description: HOLDER })),
            name: label("The security's name."),
            proceeds: figure("What it gets."),
          }),
          { description: "What each security gets." },
        ),
      ),
    }),
    { description: "What is paid at each exit value." },
  ),
  breakpoints: Type.Optional(
    Type.Array(
      Type.Object({
        distributable: figure("The value from which it is so, after deductions."),
        commonPricePerShare: figure("What one share of common stock gets."),
        events: Type.Array(
          Type.Object({
            event: oneOf(["START", "TIER_PAID", "EXERCISE", "CAP", "CONVERT", "REVERT"], {
              description: "What changes.",
            }),
            unit: nullable(Type.String({ description: "The unit that it concerns; null for all." })),
            accruesFrom,
            jump: Type.Optional(Type.Boolean({ description: "Payments jump here." })),
          }),
          { description: "What changes there." },
        ),
        next: Type.Array(
          Type.Object({
            name: label("The unit's name."),
            accruesFrom,
            percent: percent("The unit's part of each further unit of money, in percent with 6 places."),
          }),
          { description: "Who gets how much of each further unit of money." },
        ),
      }),
      { description: "In distributable value; how each further unit of money is divided from there on." },
    ),
  ),
  warnings: { ...warnings, description: "What is odd, and does not stop it." },
});

export const CompareAnswer = data({
  model: oneOf(["CAP_TABLE", "ROUND", "WATERFALL"], { description: "Which model the scenarios are of." }),
  scenarios: Type.Array(
    Type.Object({
      id: id({ description: "Identifies the scenario." }),
      name: text(100, { description: "The scenario's name." }),
      digest: Type.String({
        description: "Identifies the answer: equal figures have equal digests.",
        examples: [DIGEST],
      }),
    }),
    { description: "The scenarios, in the order in which they were asked for." },
  ),
  holders: Type.Array(
    Type.Object({
      stakeholderId: nullable(id({ description: HOLDER })),
      name: nullable(label("The holder's name.")),
      values: Type.Array(
        Type.Object({
          fullyDiluted: Type.Optional(
            figure("Shares fully diluted: as converted, with options, warrants and what is left in the pool."),
          ),
          percentFullyDiluted: Type.Optional(
            percent("The part of all shares fully diluted, in percent with 6 places."),
          ),
          proceeds: Type.Optional(figure("What it gets.")),
          percent: Type.Optional(percent("The part of what is paid, in percent with 6 places.")),
        }),
        { description: "A value for each scenario, in their order." },
      ),
    }),
    { description: "What each holder has in each scenario." },
  ),
});
