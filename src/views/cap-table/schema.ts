// Shared schemas of the cap table's views: the requested moment, and figures of holders.
import { Type } from "@sinclair/typebox";
import { present } from "../../kernel/assert.ts";
import { date, decimal, EXTENSION, id, instant, nullable, oneOf, text, total } from "../../kernel/fields.ts";
import { readInstant } from "../../kernel/instant.ts";
import { RIGHT_ROUNDINGS } from "../../kernel/numbers/converted.ts";
import { END_OF_TIME, type Timestamp, toTimestamp, toUtcDate } from "../../kernel/runtime.ts";
import { WarningShown } from "../../kernel/warning.ts";
import type { Expense, Query } from "../../resources/route.ts";
import type { Moment } from "./view.ts";

/** The query of a view. */
export const MOMENT_QUERY = {
  asOf: Type.Optional(date({ description: "Defaults to today in UTC." })),
  knownAt: Type.Optional(instant({ description: "Defaults to now." })),
};

/** The moment that a checked query asks for, and the instant that is answered. */
export function readMoment(query: Query, nowMs: number): { readonly moment: Moment; readonly knownAt: Timestamp } {
  const asked = query.knownAt === undefined ? null : present(readInstant(query.knownAt), "a checked timestamp");
  const moment = { asOf: query.asOf ?? toUtcDate(nowMs), knownAt: asked ?? END_OF_TIME };
  return { moment, knownAt: asked ?? toTimestamp(nowMs) };
}

/** A view of another moment than now takes much. */
export function momentExpense({ asOf, knownAt }: Query): Expense | null {
  return asOf === undefined && knownAt === undefined ? null : "much";
}

/** What is odd about the moment of a view. */
export const MomentWarnings = Type.Array(WarningShown, {
  description: "`before-the-ledger` for a moment before the first entry; else empty.",
  ...EXTENSION,
});

/** A number of shares. */
export const figure = (description = "In shares.") => total({ description });

/** The figures of a holder. */
export const figures = () => ({
  outstanding: figure(),
  options: figure(),
  warrants: figure(),
  vested: figure("`fullyDiluted` less `unvested`: what never had to vest counts, too."),
  unvested: figure("Of open stock, options and warrants."),
  fullyDiluted: figure("One share for one, without the pool."),
  ...converted(),
});

const percent = (description = "6 places, rounded half even.") => Type.String({ description, examples: ["12.500000"] });

/** What part of the whole that is. */
export const percents = () => ({
  percentOutstanding: percent(),
  percentFullyDiluted: percent("One share for one: 6 places, rounded half even."),
  percentOutstandingAsConverted: percent("Of all holders it is a column that adds up to `100.000000`."),
  percentAsConverted: percent("Of all holders, with `percentPoolAsConverted`, it is a column that adds up."),
});

const asConvertedFigure = () => total({ description: "Stock and warrants as converted, with options." });

/** What stock and warrants count as converted. */
export const converted = () => ({
  outstandingAsConverted: total({ description: "Each security by its class's right, rounded by that." }),
  warrantsAsConverted: total({ description: "Likewise." }),
  asConverted: asConvertedFigure(),
});

/** How a class of preferred stock converts. */
export const Conversion = () =>
  Type.Object(
    {
      numerator: decimal({ description: "The upper part of the fraction." }),
      denominator: decimal({ description: "The lower part of the fraction." }),
      rounding: oneOf(RIGHT_ROUNDINGS, { description: "What becomes of a fraction of a share." }),
    },
    { description: "The right that counts, as it was then; null for common stock." },
  );

/** The same by share class. */
export const ByClass = Type.Array(
  Type.Object({
    stockClassId: nullable(id({ description: "Null, last: options and warrants of no class." })),
    outstanding: figure(),
    options: figure(),
    warrants: figure(),
    fullyDiluted: figure("One share for one, without the pool."),
    ...converted(),
    percentAsConverted: percent(),
    votes: figure(
      "Votes of its holders' stock by votes per share and basis as recorded: as converted those of each holder are made " +
        "whole by the organization's `votesRounding`.",
    ),
    conversion: nullable(Conversion()),
  }),
  { description: "By share class.", ...EXTENSION },
);

/** The classes. */
export const ShareClasses = Type.Array(
  Type.Object({
    id: id({ description: "The share class." }),
    name: text(100, { description: "The class's name." }),
    classType: oneOf(["COMMON", "PREFERRED"], { description: "Common or preferred stock." }),
    authorized: Type.String({ description: "A decimal, or `UNLIMITED` or `NOT APPLICABLE` where imported." }),
    issued: figure(),
    available: Type.String({
      description: "Authorized less issued, or its word; negative where an import brought more than was authorized.",
      examples: ["1500"],
    }),
    conversion: nullable(Conversion()),
  }),
);

const signed = (description: string) => total({ description });

/** The plans. */
export const EquityPlans = Type.Array(
  Type.Object({
    id: id({ description: "The equity plan." }),
    name: text(100, { description: "The plan's name." }),
    reserved: total({ description: "The total reserve." }),
    granted: signed("All ever granted."),
    exercised: figure(),
    available: signed("What can still be granted; negative where an import brought more than was reserved."),
  }),
);

/** The sums of all. */
export const Totals = Type.Object({
  outstanding: figure(),
  options: figure(),
  warrants: figure(),
  poolAvailable: figure(),
  fullyDiluted: figure("One share for one, with the pool."),
  outstandingAsConverted: total({ description: "Each security by its class's right, rounded by that." }),
  warrantsAsConverted: total({ description: "Likewise." }),
  asConverted: total({ description: "Stock and warrants as converted, with options and the pool." }),
});
