// Schemas of the models' bodies. rules.ts has the rules between members; the models themselves check what depends on
// the company.
import { type TProperties, Type } from "@sinclair/typebox";
import {
  body,
  date,
  decimal,
  defaulted,
  id,
  instant,
  integer,
  listOf,
  name,
  oneOf,
  optional,
  positiveDecimal,
  text,
} from "../../kernel/fields.ts";
import { ConvertibleTermsBody } from "../../storage/records/convertible-terms.ts";
import { SHARE_CLASS_FIELDS } from "../../storage/records/share-class.ts";
import { METHODS } from "./expense.ts";

const holder = {
  stakeholderId: optional(id({ description: "A stakeholder on record; or else `name`." })),
  name: optional(name(100, { description: "A person who is not on record: the same one throughout the body." })),
};
const percent = (description?: string) => optional(decimal(description ? { description } : undefined));

/** A security that is not there. */
const AddBody = body({
  type: oneOf(["STOCK", "STOCK_OPTION", "WARRANT", "CONVERTIBLE", "RESERVE"], {
    description: "The kind of security, or a reserve.",
  }),
  key: optional(text(50, { description: "By which the body names it; `add-1`, `add-2` … by default." })),
  date: optional(date({ description: "Its grant date; `asOf` by default." })),
  ...holder,
  stockClassId: optional(id({ description: "Of stock and warrants." })),
  equityPlanId: optional(id({ description: "Of options and reserves." })),
  quantity: positiveDecimal({ description: "How many shares; of a convertible, the principal." }),
  pricePerShare: optional(decimal({ description: "Of stock." })),
  exercisePrice: optional(decimal({ description: "Of options and warrants." })),
  convertibleTerms: optional(ConvertibleTermsBody),
});

const {
  classType: _classType,
  pricePerShare: _pricePerShare,
  initialSharesAuthorized: _authorized,
  conversionRights: _rights,
  name: className,
  ...classFields
} = SHARE_CLASS_FIELDS;

/** Every member optional. */
function allOptional(properties: TProperties): TProperties {
  return Object.fromEntries(Object.entries(properties).map(([key, schema]) => [key, Type.Optional(schema)]));
}

const Election = body({
  securityId: id({ description: "A SAFE with `mfn`." }),
  adoptsSecurityId: Type.Union([id({ description: "The later SAFE whose terms it takes." }), Type.Null()]),
});

/** What a round says of itself. */
const ROUND = {
  closingDate: optional(date({ description: "Not before `asOf`, which is the default." })),
  newClass: body({ name: className, ...allOptional(classFields) }, { description: "The class that new money gets." }),
  shiftSeniority: defaulted(
    Type.Boolean({ description: "Every class of that seniority or below moves one down." }),
    false,
  ),
  valuation: body(
    {
      kind: oneOf(["PRE_MONEY", "POST_MONEY", "PRICE"], {
        description: "What `amount` is: the value before the new money, the value after it, or a price.",
      }),
      amount: positiveDecimal({ description: "A value of the company, or a price of one share." }),
      convertibles: defaulted(
        oneOf(["IN_PRE_MONEY", "EXCLUDED", "ADDED_AT_COST"], { description: "Where what converts counts." }),
        "IN_PRE_MONEY",
      ),
    },
    { description: "What the price is found by." },
  ),
  investors: Type.Array(body({ ...holder, amount: positiveDecimal({ description: "At most 2 places." }) }), {
    description: "Who pays new money, and how much.",
    minItems: 1,
    maxItems: 100,
  }),
  proRata: optional(
    body(
      {
        mode: oneOf(["WITHIN", "ON_TOP"], { description: "Out of the round, or on top of it." }),
        participants: Type.Array(body({ ...holder, percent: percent("Of the new shares.") }), {
          description: "Who has the right.",
          minItems: 1,
          maxItems: 100,
        }),
      },
      { description: "Who may keep its part, and how." },
    ),
  ),
  pool: optional(
    body(
      {
        targetPercent: percent("0 to below 100."),
        increase: optional(decimal({ description: "Whole shares." })),
        measure: defaulted(
          oneOf(["AVAILABLE", "GRANTED_AND_AVAILABLE"], {
            description: "What the target counts: what can be granted, or that and what was.",
          }),
          "AVAILABLE",
        ),
        position: defaulted(
          oneOf(["PRE_MONEY", "POST_MONEY"], {
            description: "Whether the new options count before the new money or after it.",
          }),
          "PRE_MONEY",
        ),
        promised: optional(decimal({ description: "Shares promised and not yet granted." })),
        equityPlanId: optional(id({ description: "The plan that grows." })),
      },
      { description: "What the pool for options is to be." },
    ),
  ),
  conversion: optional(
    body(
      {
        exclude: Type.Optional(listOf(id(), { description: "Convertibles that do not convert.", maxItems: 300 })),
        force: Type.Optional(
          listOf(id(), { description: "Convertibles that convert whatever their triggers say.", maxItems: 300 }),
        ),
        mfnElections: Type.Optional(
          Type.Array(Election, {
            description: "Whose terms SAFEs with `mfn` take, where that is not the best for them.",
            maxItems: 300,
          }),
        ),
        shadowSeries: defaulted(Type.Boolean({ description: "A class of its own for each other price." }), true),
      },
      { description: "Which convertibles convert, and how." },
    ),
  ),
  pricePlaces: defaulted(
    Type.Integer({ description: "Places to which prices are rounded.", minimum: 0, maximum: 10 }),
    4,
  ),
};

const Slice = body({
  upTo: Type.Union([decimal({ description: "Where the slice ends, above the one before." }), Type.Null()], {
    description: "Null in the last one, and only there.",
  }),
  percent: decimal({ description: "Of this part, 0 to 100." }),
});

/** What is paid before all holders: an amount, a percentage, or a percentage of each slice. */
const Deduction = body({
  name: text(100, { description: "The deduction's name." }),
  amount: optional(decimal({ description: "The money." })),
  percent: percent("Of what `of` says."),
  slices: optional(
    Type.Array(Slice, { minItems: 1, maxItems: 10, description: "Each part between bounds by its own percent." }),
  ),
  of: defaulted(
    oneOf(["EXIT_VALUE", "REMAINDER"], {
      description: "What `percent` and `slices` are of: the exit value, or what the deductions before left of it.",
    }),
    "EXIT_VALUE",
  ),
});

/** What all models of the table start from. */
const BASE = {
  asOf: optional(date({ description: "Today in UTC by default." })),
  knownAt: optional(instant({ description: "Now by default." })),
  add: Type.Optional(Type.Array(AddBody, { maxItems: 200, description: "Securities that are not there." })),
  rounds: Type.Optional(Type.Array(body(ROUND), { maxItems: 5, description: "Rounds that come before." })),
};

const WATERFALL = {
  exitDate: optional(date({ description: "Not before `asOf`, which is the default." })),
  exitValues: Type.Optional(
    Type.Array(decimal({ description: "At most 2 places." }), {
      description: "What the company is sold for, each by itself.",
      minItems: 1,
      maxItems: 1000,
    }),
  ),
  range: optional(
    body(
      {
        from: decimal({ description: "The lowest exit value." }),
        to: decimal({ description: "The highest exit value." }),
        steps: Type.Integer({
          description: "Into how many even steps the range is divided.",
          minimum: 1,
          maximum: 999,
        }),
      },
      { description: "Exit values in even steps, in place of a list." },
    ),
  ),
  deductions: Type.Optional(
    Type.Array(Deduction, { description: "Amounts that are paid before all holders of securities.", maxItems: 20 }),
  ),
  unvested: defaulted(
    oneOf(["FORFEIT", "ACCELERATE"], { description: "What becomes of what has not vested at the exit." }),
    "FORFEIT",
  ),
  accelerate: Type.Optional(
    listOf(id(), { description: "Securities whose unvested part counts as vested at the exit.", maxItems: 10_000 }),
  ),
  mfnElections: Type.Optional(
    Type.Array(Election, {
      description: "Whose terms SAFEs with `mfn` take, where that is not the best for them.",
      maxItems: 300,
    }),
  ),
  classOverrides: Type.Optional(
    Type.Array(
      body({
        stockClassId: optional(id({ description: "A class on record; or else `className`." })),
        className: optional(text(100, { description: "A class that a round makes." })),
        seniority: Type.Optional(integer(1, { description: "1 is most senior." })),
        liquidationPreferenceMultiple: Type.Optional(
          decimal({ description: "The preference as a multiple of the issue price." }),
        ),
        isParticipating: Type.Optional(
          Type.Boolean({ description: "Whether it takes part in what is left after its preference." }),
        ),
        participationCapMultiple: optional(
          decimal({ description: "The most that participation pays, as a multiple of the issue price." }),
        ),
      }),
      { description: "Other terms of classes than those on record.", maxItems: 100 },
    ),
  ),
  detail: defaulted(
    oneOf(["UNITS", "HOLDERS", "SECURITIES"], {
      description: "How much the answer shows: units, and holders or securities too.",
    }),
    "HOLDERS",
  ),
  breakpoints: defaulted(
    Type.Boolean({ description: "Whether the answer shows the values between which money is divided in one way." }),
    true,
  ),
};

export const CapTableModelBody = body(BASE);
export const RoundModelBody = body({ ...BASE, ...ROUND });
export const WaterfallModelBody = body({ ...BASE, ...WATERFALL });
/** A round as it is closed. */
export const ClosingModelBody = body(
  {
    asOf: optional(date({ description: "Entries effective up to and including this day count." })),
    ...ROUND,
    closingDate: date({ description: "The day on which the round closes." }),
  },
  { description: "The round, as it was modelled." },
);

export const ExpenseModelBody = body({
  method: oneOf(METHODS, { description: "How expense is spread." }),
  from: date({ description: "The first day." }),
  to: date({ description: "The last day." }),
  period: oneOf(["MONTH", "QUARTER", "YEAR"], { description: "How long a period is." }),
  grants: Type.Array(
    body({
      securityId: id({ description: "The grant." }),
      fairValuePerShare: decimal({ description: "Of a share as it was granted." }),
    }),
    { description: "The grants to expense, with their fair values.", minItems: 1, maxItems: 5000 },
  ),
});
