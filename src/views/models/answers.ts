// Schemas of the models' answers, for the API reference and generated clients.
import { type TSchema, Type } from "@sinclair/typebox";
import { date, id, nullable, oneOf, text, total } from "../../kernel/fields.ts";
import { METHODS } from "./expense.ts";
import { MODEL_WARNING_CODES } from "./model-company.ts";

const figure = (description?: string) => total(description ? { description } : undefined);
const percent = () => Type.String({ examples: ["12.500000"] });
const orNull = <T extends TSchema>(schema: T) => nullable(schema);
const label = () => Type.String({ examples: ["Series A"] });

const accruesFrom = orNull(
  date({ description: "The grant date of a unit with cumulative dividends; null for others, and for several." }),
);

const DIGEST = "0".repeat(64);

const HEAD = {
  asOf: date(),
  knownAt: Type.String({ format: "date-time" }),
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
      stockClassId: orNull(id()),
      name: label(),
      classType: oneOf(["COMMON", "PREFERRED"]),
      shares: figure(),
      asConverted: figure(),
      percentFullyDiluted: percent(),
    }),
  ),
  holders: Type.Array(
    Type.Object({
      stakeholderId: orNull(id()),
      name: orNull(label()),
      outstanding: figure("As converted."),
      options: figure(),
      warrants: figure("As converted."),
      fullyDiluted: figure(),
      percentOutstanding: percent(),
      percentFullyDiluted: percent(),
      holdings: Type.Array(
        Type.Object({ stockClassId: orNull(id()), name: label(), quantity: figure(), asConverted: figure() }),
      ),
    }),
    { description: "The largest first." },
  ),
  pool: Type.Object({ available: figure(), percentFullyDiluted: percent() }),
  convertibles: Type.Array(
    Type.Object({ securityId: orNull(id()), name: label(), stakeholderId: orNull(id()), quantity: figure() }),
  ),
  totals: Type.Object({
    outstanding: figure(),
    options: figure(),
    warrants: figure(),
    poolAvailable: figure(),
    fullyDiluted: figure(),
  }),
});

const dilution = Type.Array(
  Type.Object({
    stakeholderId: orNull(id()),
    name: orNull(label()),
    percentBefore: percent(),
    percentAfter: percent(),
    points: Type.String({ description: "After less before.", examples: ["-2.500000"] }),
    dilutionPercent: orNull(Type.String({ examples: ["20.000000"] })),
  }),
);

const data = (properties: Record<string, TSchema>) => Type.Object({ data: Type.Object(properties) });

export const CapTableModelAnswer = data({ ...HEAD, before: Table, after: Table, dilution, warnings });

const RoundConversion = Type.Object({
  securityId: orNull(id()),
  name: label(),
  stakeholderId: orNull(id()),
  principal: figure(),
  interest: figure(),
  amount: figure(),
  capitalization: orNull(figure("By its own rules.")),
  capPrice: orNull(figure()),
  discountPrice: orNull(figure()),
  roundPrice: figure(),
  basis: oneOf(["CAP", "DISCOUNT", "ROUND", "PERCENT", "FIXED"]),
  adoptedSecurityId: orNull(Type.String({ description: "Whose terms a SAFE with `mfn` took." })),
  conversionPrice: figure(),
  shares: figure(),
  cashInLieu: figure(),
  className: label(),
});

export const RoundModelAnswer = data({
  ...HEAD,
  closingDate: date(),
  pricePerShare: figure(),
  exactPricePerShare: figure(),
  preMoneyValuation: figure(),
  postMoneyValuation: figure(),
  effectivePreMoney: figure(),
  effectivePostMoney: figure(),
  newMoney: figure(),
  cash: figure(),
  convertedAmount: figure(),
  newShares: figure(),
  classes: Type.Array(
    Type.Object({
      name: label(),
      role: oneOf(["NEW_MONEY", "SHADOW"], { description: "Whether it is for new money or for what converts." }),
      pricePerShare: figure(),
      liquidationPreference: figure(),
      shares: figure(),
    }),
  ),
  investments: Type.Array(
    Type.Object({
      stakeholderId: orNull(id()),
      name: orNull(label()),
      kind: oneOf(["NEW_MONEY", "PRO_RATA"]),
      amount: figure(),
      shares: figure(),
      cost: figure(),
      unused: figure(),
    }),
  ),
  conversions: Type.Array(RoundConversion),
  notConverted: Type.Array(
    Type.Object({
      securityId: orNull(id()),
      name: label(),
      reason: oneOf(["EXCLUDED", "CUSTOM_TERMS", "BELOW_MINIMUM_PROCEEDS", "NO_SHARES"]),
    }),
  ),
  antiDilution: Type.Array(
    Type.Object({
      stockClassId: orNull(id()),
      name: label(),
      method: oneOf(["BROAD_BASED", "BROAD_BASED_WITH_POOL", "FULL_RATCHET"], { description: "How it is protected." }),
      conversionPriceBefore: figure(),
      conversionPrice: figure(),
      ratio: Type.Object({ numerator: figure(), denominator: figure() }),
      additionalShares: figure(),
    }),
  ),
  pool: Type.Object({
    equityPlanId: orNull(id()),
    availableBefore: figure(),
    increase: figure(),
    availableAfter: figure(),
    promised: figure(),
    percentAfter: percent(),
  }),
  authorization: Type.Array(
    Type.Object({
      stockClassId: orNull(id()),
      name: label(),
      authorized: orNull(figure()),
      needed: figure(),
      shortfall: figure(),
    }),
  ),
  before: Table,
  after: Table,
  dilution,
  digest: Type.String({ description: "Identifies this answer when the round is closed.", examples: [DIGEST] }),
  warnings,
});

const proceeds = { proceeds: figure(), percent: percent() };
export const WaterfallModelAnswer = data({
  ...HEAD,
  exitDate: date(),
  points: Type.Array(
    Type.Object({
      exitValue: figure(),
      deductions: Type.Array(Type.Object({ name: text(100), amount: figure() })),
      distributable: figure(),
      undistributed: figure("The proceeds that no holder has a claim to."),
      commonPricePerShare: figure(),
      units: Type.Array(
        Type.Object({
          kind: oneOf(["CONVERTIBLE", "PREFERRED", "COMMON", "WARRANTS", "OPTIONS"]),
          stockClassId: orNull(id()),
          securityId: orNull(id()),
          name: label(),
          accruesFrom,
          strike: orNull(figure()),
          quantity: orNull(figure()),
          claim: orNull(figure()),
          outcome: oneOf([
            "CASH",
            "CONVERTS",
            "PREFERENCE",
            "PARTICIPATES",
            "CAPPED",
            "COMMON",
            "EXERCISED",
            "OUT_OF_THE_MONEY",
          ]),
          convertsTo: orNull(figure()),
          ...proceeds,
        }),
      ),
      holders: Type.Optional(
        Type.Array(Type.Object({ stakeholderId: orNull(id()), name: orNull(label()), ...proceeds })),
      ),
      securities: Type.Optional(
        Type.Array(
          Type.Object({ securityId: orNull(id()), stakeholderId: orNull(id()), name: label(), proceeds: figure() }),
        ),
      ),
    }),
  ),
  breakpoints: Type.Optional(
    Type.Array(
      Type.Object({
        distributable: figure(),
        commonPricePerShare: figure(),
        events: Type.Array(
          Type.Object({
            event: oneOf(["START", "TIER_PAID", "EXERCISE", "CAP", "CONVERT", "REVERT"]),
            unit: orNull(Type.String()),
            accruesFrom,
            jump: Type.Optional(Type.Boolean({ description: "Payments jump here." })),
          }),
        ),
        next: Type.Array(Type.Object({ name: label(), accruesFrom, percent: percent() })),
      }),
      { description: "In distributable value; how each further unit of money is divided from there on." },
    ),
  ),
  warnings,
});

const period = { from: date(), to: date(), amount: figure() };
export const ExpenseModelAnswer = data({
  method: oneOf(METHODS, { description: "How expense is spread." }),
  grants: Type.Array(
    Type.Object({
      securityId: id(),
      total: figure(),
      recognizedBefore: figure(),
      periods: Type.Array(Type.Object(period)),
      unrecognizedAfter: figure(),
    }),
  ),
  periods: Type.Array(Type.Object(period), { description: "The sums." }),
});

export const IsoLimitAnswer = data({
  asOf: date(),
  limit: figure(),
  holders: Type.Array(
    Type.Object({
      stakeholderId: orNull(id()),
      name: orNull(label()),
      rows: Type.Array(
        Type.Object({
          year: Type.Integer(),
          securityId: id(),
          quantity: figure(),
          fairMarketValue: figure(),
          valueFrom: oneOf(["NAMED", "IN_FORCE", "STRIKE"], {
            description: "The grant's own valuation, the 409A in force on its day, or its strike.",
          }),
          value: figure(),
          iso: figure(),
          nso: figure(),
        }),
      ),
      totals: Type.Object({ iso: figure(), nso: figure() }),
    }),
  ),
});

export const Rule701Answer = data({
  asOf: date(),
  from: date(),
  aggregateSalesPrice: figure(),
  tests: Type.Array(
    Type.Object({
      test: oneOf(["ONE_MILLION", "ASSETS_15_PERCENT", "CLASS_15_PERCENT"]),
      stockClassId: Type.Optional(nullable(id({ description: "Null where what was sold is of no class." }))),
      limit: figure(),
      used: figure(),
      isMet: Type.Boolean(),
    }),
  ),
  isMet: Type.Boolean(),
  disclosureRequired: Type.Boolean(),
});

const GRANT_FINDINGS = [
  "NO_VALUATION",
  "STRIKE_UNKNOWN",
  "STRIKE_BELOW_FAIR_MARKET_VALUE",
  "OTHER_VALUATION_NAMED",
  "MATERIAL_EVENT_SINCE",
] as const;

export const OptionGrantsAnswer = data({
  from: date(),
  to: date(),
  items: Type.Array(
    Type.Object({
      securityId: id(),
      stakeholderId: orNull(id()),
      grantDate: date(),
      exercisePrice: orNull(figure()),
      valuationId: orNull(id()),
      fairMarketValue: orNull(figure()),
      findings: Type.Array(oneOf(GRANT_FINDINGS)),
      materialEvents: Type.Array(id(), {
        description: "New money since the valuation: the first ledger entries by which it came in.",
        maxItems: 5,
      }),
    }),
    { description: "The grants, in the order of their days." },
  ),
});

export const CompareAnswer = data({
  model: oneOf(["CAP_TABLE", "ROUND", "WATERFALL"]),
  scenarios: Type.Array(Type.Object({ id: id(), name: text(100), digest: Type.String({ examples: [DIGEST] }) })),
  holders: Type.Array(
    Type.Object({
      stakeholderId: orNull(id()),
      name: orNull(label()),
      values: Type.Array(
        Type.Object({
          fullyDiluted: Type.Optional(figure()),
          percentFullyDiluted: Type.Optional(percent()),
          proceeds: Type.Optional(figure()),
          percent: Type.Optional(percent()),
        }),
      ),
    }),
  ),
});
