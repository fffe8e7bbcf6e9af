// `GET /api/v1/cap-table/history`: the sums of the cap table over time, for a chart.
import { Type } from "@sinclair/typebox";
import { date, id, nullable, total } from "../../kernel/fields.ts";
import { toUtcDate } from "../../kernel/runtime.ts";
import { later, type ReadRoute } from "../../resources/route.ts";
import { inSnapshot } from "../../storage/database/snapshot.ts";
import { figure } from "./schema.ts";

const History = Type.Object({
  first: nullable(date({ description: "The first day on which the cap table changed; null where it never did." })),
  last: nullable(date({ description: "The last one." })),
  points: Type.Array(
    Type.Object({
      date: date({ description: "A day on which the cap table changed." }),
      classes: Type.Array(
        Type.Object({
          id: id({ description: "The share class." }),
          issued: figure(),
          asConverted: figure("What that converts into."),
        }),
        {
          description: "Those that the cap table of the day shows, with what was issued of them.",
        },
      ),
      options: figure(),
      warrants: figure(),
      warrantsAsConverted: figure("What they convert into."),
      poolAvailable: total({ description: "What plans can still grant." }),
      asConverted: figure("All of it: stock and warrants as converted, options, and what plans can still grant."),
    }),
    { description: "By date." },
  ),
});

/** The route. */
export const capTableHistory: ReadRoute = {
  method: "GET",
  path: "/api/v1/cap-table/history",
  operationId: "getCapTableHistory",
  tag: "Cap table",
  summary: "Show how the cap table changed over time",
  description:
    "A point for each day up to today (UTC) on which its sums changed, with what `GET /cap-table` says of that day: at " +
    "most 400; where there are more, the last of each week, month, quarter or year. Of a ledger with very many entries " +
    "that were dated back, some days are passed over; what is said of a day is exact in any case.",
  role: "VIEWER",
  isExtension: true,
  status: 200,
  response: Type.Object({ data: History }),
  expense: () => "much",
  run: later(
    () => import("./remembered.ts"),
    ({ readHistory }) =>
      (db, { orgId, nowMs }) => {
        const bytes = inSnapshot(db, () => readHistory(db, orgId, toUtcDate(nowMs)));
        return { status: 200, bytes, isOfMoment: true };
      },
  ),
};
