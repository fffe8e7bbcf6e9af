// Schemas of the answers of expense and compliance, for the API reference and generated clients.
import { Type } from "@sinclair/typebox";
import { date, id, nullable, oneOf } from "../../../kernel/fields.ts";
import { data, figure, HOLDER, label } from "../answer-parts.ts";
import { METHODS } from "../expense.ts";

const period = {
  from: date({ description: "The first day of the period." }),
  to: date({ description: "The last day of the period." }),
  amount: figure("The expense."),
};
export const ExpenseModelAnswer = data({
  method: oneOf(METHODS, { description: "How expense is spread." }),
  grants: Type.Array(
    Type.Object({
      securityId: id({ description: "The grant." }),
      total: figure("The expense of the whole grant."),
      recognizedBefore: figure("The expense before the first period."),
      periods: Type.Array(Type.Object(period), { description: "The periods in order." }),
      unrecognizedAfter: figure("The expense after the last period."),
    }),
    { description: "The expense of each grant." },
  ),
  periods: Type.Array(Type.Object(period), { description: "The sums." }),
});

export const IsoLimitAnswer = data({
  asOf: date({ description: "Entries effective up to and including this day count." }),
  limit: figure("The money up to which options that become exercisable in a year can be ISOs."),
  holders: Type.Array(
    Type.Object({
      stakeholderId: nullable(id({ description: HOLDER })),
      name: nullable(label("The holder's name.")),
      rows: Type.Array(
        Type.Object({
          year: Type.Integer({ description: "The calendar year." }),
          securityId: id({ description: "The grant." }),
          quantity: figure("How many shares become exercisable first in the year."),
          fairMarketValue: figure("The value of one share at the grant."),
          valueFrom: oneOf(["NAMED", "IN_FORCE", "STRIKE"], {
            description: "The grant's own valuation, the 409A in force on its day, or its strike.",
          }),
          value: figure("The value of these shares at the grant."),
          iso: figure("What stays incentive stock options (ISO)."),
          nso: figure("What counts as non-qualified stock options (NSO)."),
        }),
        { description: "A row for each grant and year." },
      ),
      totals: Type.Object(
        {
          iso: figure("What stays incentive stock options (ISO)."),
          nso: figure("What counts as non-qualified stock options (NSO)."),
        },
        { description: "The sums of the holder's rows." },
      ),
    }),
    { description: "The holders of incentive stock options." },
  ),
});

export const Rule701Answer = data({
  asOf: date({ description: "Entries effective up to and including this day count." }),
  from: date({ description: "The first day of the twelve months." }),
  aggregateSalesPrice: figure("What all of it was sold for: options at their strike, when granted."),
  tests: Type.Array(
    Type.Object({
      test: oneOf(["ONE_MILLION", "ASSETS_15_PERCENT", "CLASS_15_PERCENT"], {
        description: "Which limit of the rule.",
      }),
      stockClassId: Type.Optional(nullable(id({ description: "Null where what was sold is of no class." }))),
      limit: figure("The limit: money, or shares of the class."),
      used: figure("What counts against it: money, or shares of the class."),
      isMet: Type.Boolean({ description: "Whether this limit is kept." }),
    }),
    { description: "The limits, one by one." },
  ),
  isMet: Type.Boolean({ description: "Whether the sales are within one of the limits." }),
  disclosureRequired: Type.Boolean({ description: "Whether disclosure is owed to those who bought." }),
});

const GRANT_FINDINGS = [
  "NO_VALUATION",
  "STRIKE_UNKNOWN",
  "STRIKE_BELOW_FAIR_MARKET_VALUE",
  "OTHER_VALUATION_NAMED",
  "MATERIAL_EVENT_SINCE",
] as const;

export const OptionGrantsAnswer = data({
  from: date({ description: "The first day of the grants." }),
  to: date({ description: "The last day of the grants." }),
  items: Type.Array(
    Type.Object({
      securityId: id({ description: "The grant." }),
      stakeholderId: nullable(id({ description: HOLDER })),
      grantDate: date({ description: "When it was granted or issued." }),
      exercisePrice: nullable(figure("The strike price for one share.")),
      valuationId: nullable(id({ description: "The valuation in effect at the grant." })),
      fairMarketValue: nullable(figure("The value of one share by the valuation.")),
      findings: Type.Array(oneOf(GRANT_FINDINGS), { description: "What is odd about it; empty where nothing is." }),
      materialEvents: Type.Array(id(), {
        description: "New money since the valuation: the first ledger entries by which it came in.",
        maxItems: 5,
      }),
    }),
    { description: "The grants, in the order of their days." },
  ),
});
