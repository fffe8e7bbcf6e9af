// `GET /api/v1/cap-table`: the cap table as of a date, by what was known at an instant.
import { Type } from "@sinclair/typebox";
import { body, date, decimal, id, nullable, text } from "../../kernel/fields.ts";
import { toUtcDate } from "../../kernel/runtime.ts";
import { later, type ReadRoute } from "../../resources/route.ts";
import { inSnapshot } from "../../storage/database/snapshot.ts";
import {
  ByClass,
  EquityPlans,
  figure,
  figures,
  MOMENT_QUERY,
  MomentWarnings,
  momentExpense,
  percents,
  readMoment,
  ShareClasses,
  Totals,
} from "./schema.ts";

const CapTable = Type.Object({
  asOf: date({ description: "Entries effective up to and including this day count." }),
  knownAt: Type.String({ description: "Entries recorded at or before this instant count.", format: "date-time" }),
  shareClasses: { ...ShareClasses, description: "Every class, with what is issued of it." },
  equityPlans: { ...EquityPlans, description: "Every plan, with what is left in it." },
  stakeholders: Type.Array(
    Type.Object({
      id: nullable(id({ description: "The stakeholder; null for stock whose holder is not on record." })),
      displayName: nullable(text(100, { description: "How lists show the stakeholder." })),
      ...figures(),
      ...percents(),
      holdings: Type.Array(
        Type.Object({
          stockClassId: id({ description: "The share class." }),
          quantity: figure(),
          asConverted: figure("What it converts into."),
        }),
        { description: "Stock by class." },
      ),
    }),
    { description: "All holders with holdings, the largest first." },
  ),
  byClass: ByClass,
  convertibles: Type.Array(
    Type.Object({
      securityId: id({ description: "The security." }),
      stakeholderId: nullable(id({ description: "Who holds it." })),
      quantity: decimal({ description: "The principal." }),
    }),
    { description: "SAFEs and notes; they count in no total." },
  ),
  totals: Type.Object(
    {
      ...Totals.properties,
      percentPoolAsConverted: Type.String({
        description: "The plans' available reserves, in percent of all shares as converted.",
        examples: ["10.000000"],
      }),
    },
    { description: "The sums, in shares." },
  ),
  warnings: MomentWarnings,
});

/** The route. */
export const capTableAsOf: ReadRoute = {
  method: "GET",
  path: "/api/v1/cap-table",
  operationId: "getCapTable",
  tag: "Cap table",
  summary: "Show the cap table as of a date",
  description:
    "Counts the ledger entries whose `effectiveDate` is on or before `asOf` and that were recorded at or before " +
    "`knownAt`. An entry dated before those that it builds on counts from the day on which they do. As converted is " +
    "usually called fully diluted: outstanding stock and warrants as converted, options, and the plans' " +
    "available reserves. `fullyDiluted` is the same one share for one. Convertibles are listed and not counted.",
  role: "VIEWER",
  isExtension: true,
  status: 200,
  query: body(MOMENT_QUERY),
  response: Type.Object({ data: CapTable }),
  expense: momentExpense,
  run: later(
    () => import("./remembered.ts"),
    ({ readTable }) =>
      (db, { orgId, query, nowMs }) => {
        const { moment, knownAt } = readMoment(query, nowMs);
        const bytes = inSnapshot(db, () => readTable(db, orgId, { moment, knownAt }, toUtcDate(nowMs)));
        return { status: 200, bytes, isOfMoment: true };
      },
  ),
};
