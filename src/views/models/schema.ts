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
  type: oneOf(["STOCK", "STOCK_OPTION", "WARRANT", "CONVERTIBLE", "RESERVE"]),
  key: optional(text(50, { description: "By which the body names it; `add-1`, `add-2` … by default." })),
  date: optional(date({ description: "Its grant date; `asOf` by default." })),
  ...holder,
  stockClassId: optional(id({ description: "Of stock and warrants." })),
  equityPlanId: optional(id({ description: "Of options and reserves." })),
  quantity: positiveDecimal(),
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
  valuation: body({
    kind: oneOf(["PRE_MONEY", "POST_MONEY", "PRICE"]),
    amount: positiveDecimal(),
    convertibles: defaulted(
      oneOf(["IN_PRE_MONEY", "EXCLUDED", "ADDED_AT_COST"], { description: "Where what converts counts." }),
      "IN_PRE_MONEY",
    ),
  }),
  investors: Type.Array(body({ ...holder, amount: positiveDecimal({ description: "At most 2 places." }) }), {
    minItems: 1,
    maxItems: 100,
  }),
  proRata: optional(
    body({
      mode: oneOf(["WITHIN", "ON_TOP"], { description: "Out of the round, or on top of it." }),
      participants: Type.Array(body({ ...holder, percent: percent("Of the new shares.") }), {
        minItems: 1,
        maxItems: 100,
      }),
    }),
  ),
  pool: optional(
    body({
      targetPercent: percent("0 to below 100."),
      increase: optional(decimal({ description: "Whole shares." })),
      measure: defaulted(oneOf(["AVAILABLE", "GRANTED_AND_AVAILABLE"]), "AVAILABLE"),
      position: defaulted(oneOf(["PRE_MONEY", "POST_MONEY"]), "PRE_MONEY"),
      promised: optional(decimal({ description: "Shares promised and not yet granted." })),
      equityPlanId: optional(id()),
    }),
  ),
  conversion: optional(
    body({
      exclude: Type.Optional(listOf(id(), { maxItems: 300 })),
      force: Type.Optional(listOf(id(), { maxItems: 300 })),
      mfnElections: Type.Optional(Type.Array(Election, { maxItems: 300 })),
      shadowSeries: defaulted(Type.Boolean({ description: "A class of its own for each other price." }), true),
    }),
  ),
  pricePlaces: defaulted(Type.Integer({ minimum: 0, maximum: 10 }), 4),
};

const Slice = body({
  upTo: Type.Union([decimal({ description: "Where the slice ends, above the one before." }), Type.Null()], {
    description: "Null in the last one, and only there.",
  }),
  percent: decimal({ description: "Of this part, 0 to 100." }),
});

/** What is paid before all holders: an amount, a percentage, or a percentage of each slice. */
const Deduction = body({
  name: text(100),
  amount: optional(decimal()),
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
  exitValues: Type.Optional(Type.Array(decimal({ description: "At most 2 places." }), { minItems: 1, maxItems: 1000 })),
  range: optional(body({ from: decimal(), to: decimal(), steps: Type.Integer({ minimum: 1, maximum: 999 }) })),
  deductions: Type.Optional(Type.Array(Deduction, { maxItems: 20 })),
  unvested: defaulted(oneOf(["FORFEIT", "ACCELERATE"]), "FORFEIT"),
  accelerate: Type.Optional(listOf(id(), { maxItems: 10_000 })),
  mfnElections: Type.Optional(Type.Array(Election, { maxItems: 300 })),
  classOverrides: Type.Optional(
    Type.Array(
      body({
        stockClassId: optional(id()),
        className: optional(text(100)),
        seniority: Type.Optional(integer(1)),
        liquidationPreferenceMultiple: Type.Optional(decimal()),
        isParticipating: Type.Optional(Type.Boolean()),
        participationCapMultiple: optional(decimal()),
      }),
      { maxItems: 100 },
    ),
  ),
  detail: defaulted(oneOf(["UNITS", "HOLDERS", "SECURITIES"]), "HOLDERS"),
  breakpoints: defaulted(Type.Boolean(), true),
};

export const CapTableModelBody = body(BASE);
export const RoundModelBody = body({ ...BASE, ...ROUND });
export const WaterfallModelBody = body({ ...BASE, ...WATERFALL });
/** A round as it is closed. */
export const ClosingModelBody = body(
  { asOf: optional(date()), ...ROUND, closingDate: date() },
  { description: "The round, as it was modelled." },
);

export const ExpenseModelBody = body({
  method: oneOf(METHODS, { description: "How expense is spread." }),
  from: date(),
  to: date(),
  period: oneOf(["MONTH", "QUARTER", "YEAR"]),
  grants: Type.Array(
    body({ securityId: id(), fairValuePerShare: decimal({ description: "Of a share as it was granted." }) }),
    { minItems: 1, maxItems: 5000 },
  ),
});
